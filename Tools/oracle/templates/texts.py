"""Regular expressions, encodings, and forms."""

from . import cases as asked, values


def cases():
    yield from asked(
        "{{regexExtract 'abc123' '[0-9]+'}}", "{{regexExtract 'abc123def45' '[0-9]+'}}", "{{regexExtract 'abc' '[0-9]+'}}",
        "{{regexExtract 'abc' '[0-9]+' default='none'}}", "{{regexExtract 'abc' '[0-9]+' default=''}}",
        "{{regexExtract 'abc' '[0-9]+' default=1}}", "{{regexExtract 'abc' '[0-9]+' default=missing}}",
        "{{regexExtract 'abc123' '([a-z]+)([0-9]+)'}}", "{{regexExtract 'abc123' '([a-z]+)([0-9]+)' 'parts'}}{{parts}}",
        "{{regexExtract 'abc123' '([a-z]+)([0-9]+)' 'parts'}}{{parts.0}},{{parts.1}},{{parts.[1]}}",
        "{{regexExtract 'abc123' '([a-z]+)([0-9]+)' 'parts'}}{{#each parts}}{{this}};{{/each}}",
        "{{regexExtract 'a1b2' '([a-z])([0-9])' 'parts'}}{{parts}}", "{{regexExtract 'abc123' '[0-9]+' 'parts'}}[{{parts}}]",
        "{{regexExtract 'abc' '([0-9]+)' 'parts'}}[{{parts}}]",
        "{{regexExtract 'abc' '([0-9]+)' 'parts' default='x'}}[{{parts}}]",
        "{{regexExtract 'ab' '(a)(x)?' 'parts'}}[{{parts}}]", "{{regexExtract 'abc' '('}}", "{{regexExtract 'abc' '[a'}}",
        "{{regexExtract 'abc' '' }}", "{{regexExtract '' 'a'}}", "{{regexExtract '' ''}}", "{{regexExtract missing 'a'}}",
        "{{regexExtract missing 'a' default='x'}}", "{{regexExtract 'abc'}}", "{{regexExtract}}",
        "{{regexExtract 'abc' missing}}", "{{regexExtract 123 '2'}}", "{{regexExtract 'abc' 1}}",
        "{{regexExtract 'abc' 'b' 1}}", "{{regexExtract 'abc' 'b' missing}}", "{{#regexExtract 'abc' 'b'}}x{{/regexExtract}}",
        "{{regexExtract 'a\nb' 'a.b'}}", "{{regexExtract 'a\nb' '(?s)a.b'}}", "{{regexExtract 'ABC' '(?i)b'}}",
        "{{regexExtract 'abc' '(?<x>b)' 'parts'}}{{parts.x}}{{parts.0}}", "{{regexExtract 'abc' '^b'}}",
        "{{regexExtract 'abc' '(?<=a)b'}}", "{{regexExtract 'aaa' 'a*?'}}",
        "{{regexExtract 'abc' '\\w' 'request'}}{{request.method}}", "{{regexExtract 'key=value' '=(.*)'}}",
        "{{regexExtract (array 1 2) '[0-9]'}}", "{{upper (regexExtract 'abc' 'b')}}", "{{regexExtract 'é1' '[0-9]'}}")
    yield from asked(
        "{{regexExtract request.body '\"age\":([0-9]+)'}}", "{{regexExtract request.body '\"age\":([0-9]+)' 'a'}}{{a.0}}",
        "{{regexExtract request.url '[a-z]+'}}", "{{regexExtract request.path '[a-z]+'}}",
        "{{regexExtract request.headers.Content-Type 'j.*'}}", "{{regexExtract request.method 'P'}}", request="json")
    yield from asked(
        *(f"{{{{base64 {params}}}}}" for params in (
            "'hello'", "''", "' '", "'é中'", "'a'", "'ab'", "'abc'", "'a' padding=false", "'ab' padding=false",
            "'ab' padding=true", "'ab' padding='false'", "1", "true", "missing", "null", "(array 1)", "'aGVsbG8=' decode=true",
            "'aGVsbG8' decode=true", "'aGVsbG8=' decode='true'", "'aGVsbG8=' decode=false", "'' decode=true",
            "'!!!' decode=true", "'a' decode=true", "'YQ==' decode=true padding=false", "'YQ' decode=true padding=false",
            "'aGVs bG8=' decode=true", "'_-8=' decode=true", "'/+8=' decode=true", "missing decode=true", "'hello' 'x'",
            "(base64 'x')", "'>>>???'", "'aGVsbG8=\n' decode=true", "'w6k=' decode=true", "'aGVsbG8=' decode=1")),
        "{{#base64}}hello{{/base64}}", "{{#base64}} hello {{/base64}}", "{{#base64}}{{upper 'x'}}{{/base64}}",
        "{{#base64 decode=true}}aGVsbG8={{/base64}}", "{{#base64 padding=false}}a{{/base64}}",
        "{{#base64 'x'}}hello{{/base64}}", "{{#base64}}{{/base64}}", "{{#base64 decode=true}}\naGVsbG8=\n{{/base64}}")
    yield from asked(
        *(f"{{{{urlEncode {params}}}}}" for params in (
            "'hello'", "'a b'", "'a+b'", "'a&b=c?d/e#f'", "'é中\U0001F600'", "''", "'~.-_*'", "'(!)'", "'%'", "1", "true",
            "missing", "(array 1)", "'a%20b' decode=true", "'a+b' decode=true", "'%C3%A9' decode=true", "'%E9' decode=true",
            "'%E9' decode=true encoding='ISO-8859-1'", "'é' encoding='ISO-8859-1'", "'é' encoding='utf-8'",
            "'é' encoding='nonsense'", "'é' encoding=1", "'%' decode=true", "'%zz' decode=true", "'%4' decode=true",
            "'a b' decode='true'", "'a%20b' decode='true'", "'a b' decode=false", "'中' encoding='ISO-8859-1'",
            "'é' encoding='UTF-16'", "'a\nb'", "'\"<>'", "'a:b@c$d,e;f'")),
        "{{#urlEncode decode=true}}a%20b{{/urlEncode}}", "{{#urlEncode 'x'}}a b{{/urlEncode}}")
    yield from asked(
        "{{urlEncode request.query.name}}", "{{urlEncode request.url}}", "{{urlEncode request.path}}",
        "{{base64 request.query.name}}", "{{base64 request.path}}", "{{base64 request.method}}", "{{base64 request.body}}",
        "{{trim request.query.name}}", "{{#trim}}  {{request.query.q}}  {{/trim}}", request="full")
    yield from asked(
        "{{formData request.body}}", "{{formData request.body 'form'}}{{form}}",
        "{{formData request.body 'form'}}{{form.item1}}",
        "{{formData request.body 'form'}}{{form.item1.0}}|{{form.item1.[1]}}|{{form.item1.1}}",
        "{{formData request.body 'form'}}{{form.item2}}",
        "{{formData request.body 'form' urlDecode=true}}{{form.item1}}|{{form.item2}}",
        "{{formData request.body 'form' urlDecode=false}}{{form.item1}}|{{form.item2}}",
        "{{formData request.body 'form' urlDecode='true'}}{{form.item2}}",
        "{{formData request.body 'form'}}[{{form.empty}}][{{form.bare}}][{{form.missing}}]",
        "{{formData request.body 'form'}}{{form.[a.b]}}",
        "{{formData request.body 'form'}}{{#each form}}{{@key}}={{this}};{{/each}}",
        "{{formData request.body 'form'}}{{#each form.item1}}{{this}};{{/each}}",
        "{{formData request.body 'form'}}{{toJson form}}", "{{formData request.body 'form'}}{{size form}}{{size form.item1}}",
        "{{#with (formData request.body)}}{{item1}}{{/with}}", "{{lookup (formData request.body) 'item2'}}",
        "{{formData request.body 'form' encoding='ISO-8859-1'}}{{form.item2}}",
        "{{formData request.body 'form' urlDecode=true encoding='nonsense'}}{{form.item2}}", "{{formData request.body 1}}",
        "{{formData request.body missing}}", "{{formData}}", "{{#formData request.body 'form'}}x{{form.item2}}{{/formData}}",
        "{{formData 'a=1&b=2'}}", "{{formData 'a=1&a=2'}}", "{{formData 'a'}}", "{{formData 'a='}}", "{{formData '=1'}}",
        "{{formData ''}}", "{{formData missing}}", "{{formData 'a=b=c'}}", "{{formData 'a=%C3%A9' urlDecode=true}}",
        "{{formData 'a=%C3%A9'}}", "{{formData 'a=x+y'}}", "{{formData 'a=x+y' urlDecode=true}}",
        "{{formData 'a%20b=1' urlDecode=true}}", "{{formData 'a%20b=1'}}", "{{formData 'a=1&&b=2&'}}",
        "{{formData 'a=%zz' urlDecode=true}}", "{{formData 'a=1\nb=2'}}", "{{formData 'a=1' 'f'}}[{{f.a}}]",
        "{{formData ' a = 1 '}}", "{{formData 1}}", "{{formData 'a=1;b=2'}}", request="form")
