"""Helpers for JSON."""

from . import cases as asked, values

PATHS = (
    "$.name", "$.age", "$.height", "$.big", "$.yes", "$.no", "$.none", "$.empty", "$.list", "$.words", "$.emptyList",
    "$.emptyMap", "$.user", "$.user.address.city", "$.items", "$.items[0]", "$.items[0].n", "$.items[-1].n", "$.items[*].n",
    "$.items[*].id", "$..id", "$.items[?(@.id > 1)]", "$.items[?(@.id > 1)].n", "$.items[?(@.id > 9)]", "$.items.length()",
    "$.list.length()", "$.list.sum()", "$.list[0,2]", "$.list[0:2]", "$['odd key']", "$.quote", "$.uni", "$.line", "$.zero",
    "$.dec", "$.exp", "$.neg", "$.one", "$.missing", "$.missing.x", "$.items[9]", "$.name.x", "$", "$.*", "name", "user.first",
    "items[0].n", "$.", "$[", "", " ", "$.items[?(", "@.name", "$..n", "$.user.*", "$..missing", "$.list.max()",
    "$.name.length()", "$.keys()", "$.user.keys()")


# A map prints as indented JSON without its nulls, a list of a text as compact JSON, a list of an object as Java prints it.
# What is missing is an empty text.
def of_paths():
    yield from asked(*(f"{{{{jsonPath request.body {quoted(path)}}}}}" for path in PATHS), request="json")
    yield from asked(
        *(f"{{{{jsonPath request.body '{path}' default='d'}}}}" for path in (
            "$.name", "$.missing", "$.none", "$.empty", "$.emptyList", "$.missing.x", "$.items[9]", "$.items[?(@.id > 9)]",
            "$..missing", "$.name.x", "$.no", "$[", "")),
        request="json")
    yield from asked(
        "{{jsonPath request.body '$.missing' default=1}}", "{{jsonPath request.body '$.missing' default=(array 1 2)}}",
        "{{jsonPath request.body '$.missing' default=missing}}", "{{#if (jsonPath request.body '$.missing')}}a{{else}}b{{/if}}",
        "{{#if (jsonPath request.body '$.none')}}a{{else}}b{{/if}}", "{{#if (jsonPath request.body '$.no')}}a{{else}}b{{/if}}",
        "{{#if (jsonPath request.body '$.zero')}}a{{else}}b{{/if}}",
        "{{#if (jsonPath request.body '$.emptyList')}}a{{else}}b{{/if}}",
        "{{#if (jsonPath request.body '$.emptyMap')}}a{{else}}b{{/if}}",
        "{{#each (jsonPath request.body '$.items')}}{{id}}={{n}};{{/each}}",
        "{{#each (jsonPath request.body '$.items') as |i|}}{{i.n}}{{/each}}",
        "{{#each (jsonPath request.body '$.user')}}{{@key}}={{this}};{{/each}}",
        "{{#each (jsonPath request.body '$.items[*].n')}}{{this}};{{/each}}",
        "{{#each (jsonPath request.body '$.missing')}}a{{else}}b{{/each}}",
        "{{#with (jsonPath request.body '$.user')}}{{first}} {{last}} {{address.city}}{{/with}}",
        "{{lookup (jsonPath request.body '$.user') 'first'}}", "{{lookup (jsonPath request.body '$.list') 1}}",
        "{{size (jsonPath request.body '$.list')}}", "{{size (jsonPath request.body '$.user')}}",
        "{{size (jsonPath request.body '$.name')}}", "{{size (jsonPath request.body '$.age')}}",
        "{{join (jsonPath request.body '$.words') ','}}", "{{join (jsonPath request.body '$.items[*].n') ','}}",
        "{{arrayJoin ',' (jsonPath request.body '$.list')}}", "{{toJson (jsonPath request.body '$.user')}}",
        "{{toJson (jsonPath request.body '$.height')}}", "{{toJson (jsonPath request.body '$.exp')}}",
        "{{upper (jsonPath request.body '$.name')}}", "{{jsonPath (jsonPath request.body '$.user') '$.first'}}",
        "{{jsonPath (jsonPath request.body '$.items') '$[0].n'}}", "{{stringFormat '%s' (jsonPath request.body '$.user')}}",
        "{{val (jsonPath request.body '$.user') assign='u'}}{{u.first}}|{{u}}",
        "{{#assign 'u'}}{{jsonPath request.body '$.user'}}{{/assign}}{{u}}|{{u.first}}",
        "{{jsonPath request.body '$.name' 'x'}}", "{{jsonPath request.body}}", "{{jsonPath}}",
        "{{jsonPath request.body missing}}", "{{jsonPath request.body 1}}", "{{#jsonPath request.body '$.name'}}x{{/jsonPath}}",
        "{{jsonPath request.body '$.user.first'}}{{jsonPath request.body '$.user.last'}}",
        "{{{jsonPath request.body '$.quote'}}}", "{{jsonPath request.body '$.user' }}",
        "{{val (jsonPath request.body '$.none') or='d'}}", "{{val (jsonPath request.body '$.missing') or='d'}}",
        "{{defaultIfEmpty (jsonPath request.body '$.none') 'd'}}", "{{capitalize (jsonPath request.body '$.none')}}",
        request="json")
    yield from asked(
        "{{jsonPath '{\"a\":1}' '$.a'}}", "{{jsonPath '{a:1}' '$.a'}}", "{{jsonPath \"{'a':1}\" '$.a'}}",
        "{{jsonPath '[1,2]' '$[0]'}}", "{{jsonPath '\"x\"' '$'}}", "{{jsonPath '1' '$'}}", "{{jsonPath 'true' '$'}}",
        "{{jsonPath 'null' '$'}}", "{{jsonPath 'x' '$'}}", "{{jsonPath '{' '$.a'}}", "{{jsonPath '{\"a\":1} x' '$.a'}}",
        "{{jsonPath '{\"a\":1,}' '$.a'}}", "{{jsonPath '' '$.a'}}", "{{jsonPath ' ' '$.a'}}", "{{jsonPath missing '$.a'}}",
        "{{jsonPath missing '$.a' default='d'}}", "{{jsonPath '' '$.a' default='d'}}", "{{jsonPath 1 '$'}}",
        "{{jsonPath true '$'}}", "{{jsonPath (array 1 2) '$[1]'}}", "{{jsonPath (parseJson '{\"a\":{\"b\":1}}') '$.a.b'}}",
        "{{jsonPath (parseJson '{\"a\":{\"b\":1}}') '$.a'}}", "{{jsonPath '{\"a\":{\"c\":1,\"b\":[1,{\"x\":\"é\"}]}}' '$.a'}}",
        "{{jsonPath '{\"a\":1,\"a\":2}' '$.a'}}", "{{jsonPath '{\"a\":\"x\\\\ny\"}' '$.a'}}",
        "{{jsonPath '{\"a\":1.0}' '$.a'}}", "{{jsonPath '{\"a\":1.10}' '$.a'}}", "{{jsonPath '{\"a\":1e2}' '$.a'}}",
        "{{jsonPath '{\"a\":1E+2}' '$.a'}}", "{{jsonPath '{\"a\":-0}' '$.a'}}", "{{jsonPath '{\"a\":-0.0}' '$.a'}}",
        "{{jsonPath '{\"a\":0.00001}' '$.a'}}", "{{jsonPath '{\"a\":123456789.123}' '$.a'}}",
        "{{jsonPath '{\"a\":2147483648}' '$.a'}}", "{{jsonPath '{\"a\":0.1234567890123456789}' '$.a'}}",
        "{{jsonPath '{\"a\":1e400}' '$.a'}}", "{{jsonPath '{\"a\":[1.0,1e2,null,true,\"x\"]}' '$.a'}}",
        "{{jsonPath '{\"a\":{\"b\":1.10,\"c\":null}}' '$.a'}}", "{{jsonPath '<a/>' '$.a'}}",
        "{{jsonPath '{\"a\":\"</b>\"}' '$'}}", "{{jsonPath '{\"a\":\"\\\\u00e9\\\\/\"}' '$'}}",
        "{{jsonPath request.query '$.q'}}", "{{jsonPath request '$.method'}}", "{{jsonPath request.headers '$.Host'}}")
    yield from values(
        "{{jsonPath parameters.map '$.one'}}", "{{jsonPath parameters.map '$.three'}}",
        "{{jsonPath parameters.people '$[1].name'}}", "{{jsonPath parameters '$.nested.a'}}",
        "{{jsonPath parameters.text '$'}}", "{{jsonPath parameters.people '$[*].name'}}",
        "{{jsonPath parameters.people '$[?(@.age > 26)].name'}}", "{{jsonPath parameters '$.exp'}}",
        "{{jsonPath parameters '$.dec'}}")


# Only the result itself knows how to print: a map within is Java's again, a list within compact JSON.
def of_nested_results():
    several = (
        "$", "$.list", "$.list[0]", "$.list[0].b", "$.list[0].b[1]", "$.list[*].b", "$.list[2]", "$.map", "$.map.l", "$.map.m",
        "$.texts", "$.text", "$.numbers", "$.key", "$..c", "$.list[?(@.b)]", "$.list[?(@.b == null)]", "$.map.*",
        "$['list','map']", "$.list[1:3]", "$.numbers[::2]")
    single = (
        "$.map.n", "$.texts[2]", "$.text.t", "$.numbers[3]", "$.numbers[6]", "$.numbers[8]", "$.numbers[9]", "$.numbers[12]",
        "$.json", "$.key.keys()", "$.list.length()", "$.numbers.min()", "$.numbers.avg()", "$.list[-1]")
    for path in map(quoted, several + single):
        call = f"(jsonPath parameters.doc {path})"
        yield from asked(
            f"{{{{{call[1:-1]}}}}}", f"{{{{toJson {call}}}}}", f"{{{{jsonPath (parseJson parameters.doc) {path}}}}}",
            f"{{{{val {call} assign='v'}}}}{{{{v.0}}}}|{{{{v.b}}}}|{{{{v.l}}}}|{{{{v.m}}}}", parameters="document")
    for path in map(quoted, several):
        yield from asked(
            f"{{{{#each (jsonPath parameters.doc {path})}}}}[{{{{this}}}}]{{{{/each}}}}", parameters="document")
    yield from asked(
        "{{formatJson parameters.doc}}", "{{formatJson parameters.doc format='compact'}}", "{{parseJson parameters.doc}}",
        "{{toJson (parseJson parameters.doc)}}", "{{jsonMerge parameters.doc '{}'}}", "{{jsonRemove parameters.doc '$.list'}}",
        "{{jsonArrayAdd parameters.doc '1' jsonPath='$.list'}}", "{{jsonPath (jsonPath parameters.doc '$.json') '$.b'}}",
        "{{jsonPath (jsonPath parameters.doc '$.map') '$.m.k'}}",
        "{{#with (jsonPath parameters.doc '$.map')}}{{l}}|{{l.0}}|{{m}}|{{this}}{{/with}}",
        "{{#parseJson 'x'}}{{parameters.doc}}{{/parseJson}}{{x.json}}|{{x.list}}|{{x.list.0}}|{{toJson x.list}}",
        "{{join (jsonPath parameters.doc '$.list') ';'}}", "{{size (jsonPath parameters.doc '$.text.t')}}",
        parameters="document")


def of_parsing():
    texts = (
        "'{\"a\":1}'", "'[1,2]'", "'\"x\"'", "'1'", "'1.0'", "'true'", "'null'", "''", "' '", "'{'", "'x'", "'{\"a\":1} x'",
        "'{\"a\":1,}'", "'{a:1}'", "'{\"a\":{\"b\":[1,null,true,1.5,\"s\"]}}'", "'{}'", "'[]'", "missing", "null", "1", "true",
        "(array 1)", "'{\"b\":1,\"a\":2}'", "'{\"a\":1,\"a\":2}'",
        "'{\"a\":1.10,\"b\":1e2,\"c\":12345678901234567890,\"d\":0.1}'", "'// c\n{}'", "'\\'a\\''")
    yield from asked(
        *(f"{{{{parseJson {text}}}}}" for text in texts), "{{parseJson}}", "{{parseJson '{\"a\":1}' 'x'}}{{x.a}}",
        "{{parseJson '{\"a\":1}' 'x'}}[{{x}}]", "{{parseJson '[1,2]' 'x'}}{{x.[1]}}",
        "{{#parseJson 'x'}}{\"a\":{\"b\":1}}{{/parseJson}}{{x.a.b}}",
        "{{#parseJson 'x'}} {\"a\": \"{{request.method}}\"} {{/parseJson}}{{x.a}}", "{{#parseJson}}{\"a\":1}{{/parseJson}}",
        "{{#parseJson 'x'}}{{/parseJson}}[{{x}}]", "{{#parseJson 'x'}}[1,2]{{/parseJson}}{{#each x}}{{this}};{{/each}}",
        "{{#parseJson 'x'}}{{{/parseJson}}", "{{#parseJson 'x'}}{ bad {{/parseJson}}", "{{parseJson '{ bad' 'x'}}",
        "{{parseJson '{\"a\":1}' 1}}", "{{parseJson missing 'x'}}[{{x}}]", "{{parseJson '' 'x'}}[{{x}}]",
        "{{#with (parseJson '{\"a\":1}')}}{{a}}{{/with}}",
        "{{#each (parseJson '{\"b\":1,\"a\":2}')}}{{@key}}={{this}};{{/each}}", "{{lookup (parseJson '{\"a\":1}') 'a'}}",
        "{{#if true}}{{parseJson '{\"a\":1}' 'x'}}{{/if}}{{x.a}}", "{{#parseJson '{\"a\":1}' 'x'}}{\"b\":2}{{/parseJson}}{{x}}",
        "{{val (parseJson '{\"a\":1.0}') assign='x'}}{{x.a}}|{{math x.a '+' 1}}", "{{#parseJson 1}}{}{{/parseJson}}")
    yield from asked(
        "{{parseJson request.body 'b'}}{{b.name}} {{b.user.address.city}} {{b.items.1.n}} {{b.list}} {{b.height}} {{b.big}} {{b.exp}} {{b.dec}} {{b.one}}",
        "{{parseJson request.body 'b'}}{{b}}",
        "{{parseJson request.body 'b'}}{{#each b.items}}{{n}}{{#unless @last}},{{/unless}}{{/each}}",
        "{{parseJson request.body 'b'}}{{toJson b}}", "{{parseJson request.body 'b'}}{{toJson b.user}}",
        "{{parseJson request.body 'b'}}{{b.[odd key]}}", "{{size (parseJson request.body)}}", request="json")


def of_writing():
    yield from values(
        *(f"{{{{toJson parameters.{name}}}}}" for name in (
            "text", "blank", "int", "dec", "whole", "zeroDec", "big", "huge", "exp", "small", "yes", "null", "list", "words",
            "mixed", "emptyList", "map", "emptyMap", "nested", "people", "html", "unicode", "matrix", "nullList", "missing")))
    yield from asked(
        "{{toJson 'x'}}", "{{toJson ''}}", "{{toJson 1}}", "{{toJson 1.5}}", "{{toJson 1.0}}", "{{toJson 2147483648}}",
        "{{toJson true}}", "{{toJson missing}}", "{{toJson 'a\"b\\\\c'}}", "{{toJson 'a/b<>&'}}",
        "{{toJson 'a\nb\tc\u0001\u007f\u2028'}}", "{{toJson 'é中\U0001F600'}}", "{{toJson (array)}}",
        "{{toJson (array (array) (array 1 (array 2)))}}", "{{toJson (parseJson '{}')}}",
        "{{toJson (parseJson '{\"a\":{},\"b\":[],\"c\":[{}],\"d\":[[1,2],{\"x\":1}]}')}}",
        "{{toJson (parseJson '{\"a\":null,\"b\":1.0,\"c\":1e2,\"d\":1.10,\"e\":12345678901234567890,\"f\":0.1,\"g\":1e-7,\"h\":1e22}')}}",
        "{{#toJson 'x'}}y{{/toJson}}", "{{toJson 'x' 'y'}}", "{{toJson (range 1 3)}}", "{{toJson 1e}}",
        "{{{toJson (array 'a' 'b')}}}")
    documents = (
        "{\"a\":1,\"b\":[1,2,{\"c\":null}],\"d\":{}}", "[]", "{}", "[1,[2,[3]]]", "\"x\"", "1", "1.10", "null", "true",
        "{ \"b\" : 1 , \"a\" : 2 }", "{\"a\":1.0,\"b\":1e2,\"c\":1.10,\"d\":12345678901234567890}",
        "{\"a\":\"é\\u00e9\\n\\/\"}", "{\"a\":1,\"a\":2}", "{a:1}", "{\"a\":1,}", "{", "x", "", " ", "{\"a\":1} x", "[1,2",
        "\n{\"a\":1}\n")
    for document in documents:
        for options in ("", " format='compact'", " format='pretty'"):
            if not options or document in documents[:7]:
                yield from asked(
                    f"{{{{#formatJson{options}}}}}{document}{{{{/formatJson}}}}",
                    *([] if "\\" in document else [f"{{{{formatJson '{document}'{options}}}}}"]))
    yield from asked(
        "{{formatJson}}", "{{formatJson missing}}", "{{formatJson 1}}", "{{formatJson (array 1)}}",
        "{{formatJson (parseJson '{\"a\":1}')}}", "{{formatJson '{\"a\":1}' 'x'}}", "{{formatJson '{\"a\":1}' format='x'}}",
        "{{formatJson '{\"a\":1}' format=1}}", "{{formatJson '{\"a\":1}' format=missing}}",
        "{{formatJson '{\"a\":1}' format='PRETTY'}}", "{{formatJson '{\"a\":1}' format='Compact'}}",
        "{{formatJson '{\"a\":1}' format=''}}", "{{#formatJson '{\"a\":1}'}}{\"b\":2}{{/formatJson}}",
        "{{#formatJson format='x'}}{\"b\":2}{{/formatJson}}", "{{#formatJson}}{{request.method}}{{/formatJson}}",
        "{{#formatJson}}{\"a\":\"{{request.method}}\"}{{/formatJson}}",
        "{{#formatJson format='compact'}}[1, 2 , 3]{{/formatJson}}")
    yield from asked(
        "{{formatJson request.body}}", "{{formatJson request.body format='compact'}}",
        "{{#formatJson}}{{request.body}}{{/formatJson}}", request="json")


def of_changing():
    merges = (
        ('{"a":1}', '{"b":2}'), ('{"a":1}', '{"a":2}'), ('{"a":{"x":1,"y":2}}', '{"a":{"y":3,"z":4}}'),
        ('{"a":[1,2]}', '{"a":[3]}'), ('{"a":1}', '{"a":null}'), ('{"a":{"b":1}}', '{"a":null}'), ('{"a":{"b":1}}', '{"a":5}'),
        ('{"a":5}', '{"a":{"b":1}}'), ('{}', '{}'), ('{"b":1,"a":2}', '{"c":3,"a":4}'), ('{"a":1.0}', '{"b":1e2}'),
        ('{"a":"é"}', '{"b":"x/y"}'), ('[1]', '{"a":1}'), ('{"a":1}', '[1]'), ('{', '{}'), ('{}', '{'), ('', '{}'), ('{}', ''),
        ('x', '{}'), ('{}', 'x'), ('"x"', '{}'), ('1', '{}'), ('null', '{}'), ('{}', 'null'), ('{"a":null}', '{"b":null}'),
        ('{"a":{"b":{"c":1}}}', '{"a":{"b":{"d":2}}}'))
    for base, other in merges:
        yield from asked(f"{{{{jsonMerge '{base}' '{other}'}}}}", f"{{{{#jsonMerge '{base}'}}}}{other}{{{{/jsonMerge}}}}")
    for base, other in (
            ('{"a":1}', '{"a":null}'), ('{"a":1,"b":null}', '{"c":null}'), ('{"a":{"b":1}}', '{"a":{"b":null}}'),
            ('{"a":[null]}', '{"b":[null]}')):
        yield from asked(
            *(f"{{{{jsonMerge '{base}' '{other}' removeNulls={value}}}}}" for value in (
                "true", "false", "'true'", "1", "missing")))
    yield from asked(
        "{{jsonMerge}}", "{{jsonMerge '{}'}}", "{{jsonMerge missing '{}'}}", "{{jsonMerge '{}' missing}}",
        "{{jsonMerge 1 '{}'}}", "{{jsonMerge '{}' 1}}", "{{jsonMerge (parseJson '{\"a\":1}') '{}'}}",
        "{{jsonMerge '{}' (parseJson '{\"a\":1}')}}", "{{jsonMerge '{\"a\":1}' '{\"b\":2}' '{\"c\":3}'}}",
        "{{#jsonMerge '{\"a\":1}' '{\"b\":2}'}}{\"c\":3}{{/jsonMerge}}", "{{#jsonMerge '{\"a\":1}'}}{{/jsonMerge}}",
        "{{#jsonMerge '{\"a\":1}'}}{ \"m\": \"{{request.method}}\" }{{/jsonMerge}}", "{{#jsonMerge}}{}{{/jsonMerge}}",
        "{{jsonMerge (jsonMerge '{\"a\":1}' '{\"b\":2}') '{\"c\":3}'}}")
    for document, path in (
            ('{"a":1,"b":2}', "$.a"), ('{"a":1,"b":2}', "$.missing"), ('{"a":1,"b":2}', "$.x.y"), ('[1,2,3]', "$[0]"),
            ('[1,2,3]', "$[-1]"), ('[1,2,3]', "$[9]"), ('[1,2,3]', "$[*]"), ('{"a":[{"id":1},{"id":2}]}', "$.a[?(@.id == 1)]"),
            ('{"a":[{"id":1},{"id":2}]}', "$.a[*].id"), ('{"a":{"b":1},"c":{"b":2}}', "$..b"), ('{"a":1}', "$"),
            ('{"a":1}', "$.*"), ('{"a":1}', "a"), ('{"a":1}', "$["), ('{"a":1}', ""), ('{', "$.a"), ('', "$.a"), ('x', "$.a"),
            ('"x"', "$.a"), ('1', "$"), ('null', "$.a"), ('{"a":1}', "$.a.length()"), ('{"b":1.0,"a":1e2,"c":null}', "$.c"),
            ('{"a":"é/"}', "$.b")):
        yield from asked(f"{{{{jsonRemove '{document}' '{path}'}}}}")
    yield from asked(
        "{{jsonRemove}}", "{{jsonRemove '{}'}}", "{{jsonRemove missing '$.a'}}", "{{jsonRemove 1 '$.a'}}",
        "{{jsonRemove '{}' 1}}", "{{jsonRemove '{}' missing}}", "{{jsonRemove '{\"a\":1}' '$.a' '$.b'}}",
        "{{jsonRemove (parseJson '{\"a\":1}') '$.a'}}", "{{#jsonRemove '$.a'}}{\"a\":1}{{/jsonRemove}}",
        "{{#jsonRemove '{\"a\":1}' '$.a'}}x{{/jsonRemove}}", "{{#jsonRemove '{\"a\":1}'}}$.a{{/jsonRemove}}")
    for document, item in (
            ('[1,2]', '3'), ('[]', '1'), ('[{"a":1}]', '{"a":2}'), ('[1]', '"x"'), ('[1]', '[2,3]'), ('[1]', 'null'),
            ('[1]', 'true'), ('[1]', '{'), ('[1]', 'x'), ('[1]', ''), ('{"a":1}', '1'), ('"x"', '1'), ('1', '1'), ('null', '1'),
            ('{', '1'), ('', '1'), ('x', '1'), ('[1.0]', '1e2')):
        yield from asked(
            f"{{{{jsonArrayAdd '{document}' '{item}'}}}}", f"{{{{#jsonArrayAdd '{document}'}}}}{item}{{{{/jsonArrayAdd}}}}")
    for options in (
            "flatten=true", "flatten=false", "flatten='true'", "flatten=1", "flatten=missing", "maxItems=2", "maxItems=1",
            "maxItems=0", "maxItems=-1", "maxItems='2'", "maxItems=2.5", "maxItems=9", "maxItems=missing",
            "flatten=true maxItems=3", "jsonPath='$'", "jsonPath='$.x'", "jsonPath=1", "jsonPath=''", "jsonPath='$['",
            "jsonPath=missing"):
        yield from asked(f"{{{{jsonArrayAdd '[1,2]' '[3,4]' {options}}}}}")
    for document, path in (
            ('{"a":[1]}', "$.a"), ('{"a":{"b":[1]}}', "$.a.b"), ('{"a":[1]}', "$.b"), ('{"a":1}', "$.a"), ('{"a":{}}', "$.a"),
            ('{"a":[[1],[2]]}', "$.a[*]"), ('{"a":[[1],[2]]}', "$.a[0]"), ('{"a":[1],"b":{"a":[2]}}', "$..a"),
            ('{"a":[1]}', "a"), ('{"a":null}', "$.a"), ('[[1]]', "$[0]")):
        yield from asked(
            f"{{{{jsonArrayAdd '{document}' '9' jsonPath='{path}'}}}}",
            f"{{{{jsonArrayAdd '{document}' '[8,9]' jsonPath='{path}' flatten=true maxItems=2}}}}")
    yield from asked(
        "{{jsonArrayAdd}}", "{{jsonArrayAdd '[1]'}}", "{{jsonArrayAdd missing '1'}}", "{{jsonArrayAdd '[1]' missing}}",
        "{{jsonArrayAdd 1 '1'}}", "{{jsonArrayAdd '[1]' 1}}", "{{jsonArrayAdd (array 1) '1'}}",
        "{{jsonArrayAdd '[1]' (array 1)}}", "{{#jsonArrayAdd '[1]'}} { \"m\": \"{{request.method}}\" } {{/jsonArrayAdd}}",
        "{{#jsonArrayAdd '[1]' '2'}}3{{/jsonArrayAdd}}", "{{jsonArrayAdd '[1]' '2' '3'}}",
        "{{#jsonArrayAdd '[1]'}}{{/jsonArrayAdd}}", "{{#jsonArrayAdd '[1]' maxItems=1}}2{{/jsonArrayAdd}}",
        "{{#jsonArrayAdd}}2{{/jsonArrayAdd}}")
    yield from asked("{{jsonSort '[{\"n\":2},{\"n\":1}]' '$[*].n'}}", "{{jsonSort '[2,1]'}}", "{{jsonSort '[2,1]' '$'}}")
    yield from asked(
        "{{jsonMerge request.body '{\"name\":\"Bob\"}'}}", "{{jsonRemove request.body '$.items'}}",
        "{{jsonArrayAdd request.body '4' jsonPath='$.list'}}", request="json")


def quoted(text):
    return '"' + text + '"' if "'" in text else "'" + text + "'"


def cases():
    for part in (of_paths, of_nested_results, of_parsing, of_writing, of_changing):
        yield from part()
