"""What goes wrong: templates that cannot be read, and helpers that fail; with the event that tells of it."""

from . import case, cases as asked, values


# What cannot be compiled gives the web server's own page, a helper that fails a text with the place of its outermost tag.
# A line end of two characters counts as two lines.
def cases():
    broken = (
        "{{#if}}", "{{#if true}}", "{{/if}}", "{{#if true}}a{{/unless}}", "{{#if true}}a{{/if", "{{#if true}}a{{else}}b", "{{",
        "{{a", "{{a}", "{{a}}}", "{{{a}}", "{{{a}", "{{a b", "{{}}", "{{ }}", "{{#}}{{/}}", "{{/}}",
        "{{#if true}}{{#if false}}a{{/if}}", "{{#a}}{{#b}}{{/a}}{{/b}}", "{{a b=}}", "{{a =1}}", "{{a 'b}}", '{{a "b}}',
        "{{a (b}}", "{{a b)}}", "{{a (b))}}", "{{a b=(c}}", "{{a..}}", "{{.a}}", "{{a.}}x", "{{a.[b}}", "{{a.]b}}", "{{a[b]}}",
        "{{@}}", "{{#}}", "{{!}}", "{{!--", "{{!-- }}", "{{>}}", "{{> }}", "{{&}}", "{{^}}", "{{~}}", "{{~~}}", "{{a,b}}",
        "{{a;b}}", "{{a|b}}", "{{a b|c}}", "{{a?}}", "{{a!}}", "{{a+b}}", "{{1 + 1}}", "{{a == b}}", "{{a.b()}}", "{{a()}}",
        "{{\"}}", "{{'}}", "{{a%}}", "{{a\\b}}", "{{a#b}}", "{{a{b}}}", "{{a}b}}", "{{#each a as}}{{/each}}",
        "{{#each a as |}}{{/each}}", "{{#each a as |b}}{{/each}}", "{{#each a as b}}{{/each}}", "{{#each a |b|}}{{/each}}",
        "{{a as |b|}}", "{{else if x}}", "{{#if a}}{{else if}}b{{/if}}", "{{#if true}}a{{else unknown 'x'}}b{{/if}}",
        "{{a 1.}}", "{{a 1..2}}", "{{a -}}", "{{a --1}}", "{{a 1a}}", "{{é 'x'}}", "{{#if true}}\n\n  {{/unless}}",
        "line one\nline {{two\nline three}}", "a\nb\n{{unknown 'x'}}\nc",
        "text {{request.method}}\n{{#if true}}\n{{nope 'a'}}\n{{/if}}", "{{unknown}}", "{{#unknown}}a{{/unknown}}",
        "{{#unknown 1}}a{{/unknown}}", "{{val (unknown)}}", "{{val (unknown 1)}}", "{{val x=(unknown 1)}}",
        "{{#if (unknown 1)}}a{{/if}}", "{{#if false}}{{unknown 1}}{{/if}}", "{{#each (array)}}{{unknown 1}}{{/each}}",
        "{{{unknown 1}}}", "{{&unknown 1}}", "{{#if true}}{{else}}{{unknown 1}}{{/if}}", "{{> nope}}",
        "{{#if false}}{{> nope}}{{/if}}", "{{> nope x=1}}", "a\n {{> nope}}", "{{a\tb}}", "{{#if true }}a{{ / if}}",
        "{{ #if true}}a{{/if}}", "{{ /if}}", "{{ else }}", "{{ > x}}", "{{ & x}}", "{{ ! x}}", "{{ ^x}}{{/x}}", "{{{{a}}",
        "{{{{a}}}}", "{{{{a}}}}{{{{/b}}}}", "{{a}}{{b", "a}}b{{c}}", "{\"a\": {{a}}}", "{{#with}}", "{{* x}}", "{{#* x}}{{/x}}",
        "{{a 'b' c=1 'd'}}", "{{a b=1 c}}", "{{a 'x'y}}", "{{a 1 2 b=3,c=4}}", "{{a, b}}", "{{#if true}}a{{/if}}{{/if}}",
        "{{#if true}}a{{/ifx}}", "{{#parameters.a}}x{{/parameters.b}}", "{{#parameters.a}}x{{/parameters}}", "{{request.}}x",
        "{{request.method.}}", "{{request..method}}")
    for template in broken:
        # Without an end or a start there is nothing to compile: `{{` and `}}` make it a template.
        yield from asked(template)
        if "}}" not in template:
            yield from asked(template + " }}")
    failing = (
        "{{trim missing}}", "a\n  {{trim missing}}", "{{#if true}}{{trim missing}}{{/if}}",
        "{{#if true}}\n{{trim missing}}\n{{/if}}", "{{#each (array 1 2)}}{{this}}{{trim missing}}{{/each}}",
        "{{upper (trim missing)}}", "{{upper (upper (trim missing))}}", "{{val 'x' or=(trim missing)}}",
        "x{{request.method}}{{substring 'a' 9}}y", "{{#trim}}{{trim missing}}{{/trim}}", "{{{trim missing}}}",
        "{{&trim missing}}", "{{~trim missing~}}", "{{ trim missing }}", "{{\n trim missing\n}}", "{{math 1 '/' 0}}",
        "{{#unless false}}{{else}}{{/unless}}{{abbreviate 'abc' 1}}", "{{#*inline 'p'}}{{trim missing}}{{/inline}}{{> p}}",
        "{{#*inline 'p'}}\n {{trim missing}}{{/inline}}{{#if true}}{{> p}}{{/if}}", "é{{trim missing}}", "\t{{trim missing}}",
        "\U0001F600{{trim missing}}", "{{request.method}}é{{trim missing}}", "{{request.method}}\U0001F600{{trim missing}}",
        "{{request.method}}\t{{trim missing}}", "{{request.method}}\r\n{{trim missing}}",
        "{{request.method}}\r{{trim missing}}", "{{request.method}}\r\n\r\n{{trim missing}}",
        "{{request.method}}\n\n{{trim missing}}", "{{request.method}}\r\n{{unknown 1}}", "{{request.method}}\r\n\r\n{{#if}}",
        "{{#if true}}\r\n{{trim missing}}{{/if}}", "{{request.method}}\n\r{{trim missing}}",
        "{{request.method}}\r\nx\r\n{{trim missing}}", "{{request.method}}\nx\n{{unknown 1}}")
    yield from asked(*failing)
    # An error of either kind tells of itself with an event.
    for template in (
            "{{trim missing}}", "{{substring 'a' 9}}", "{{unknown 'x'}}", "{{#if}}", "{{jsonPath}}", "{{regexExtract 'a' 'b'}}",
            "{{math 1 '^' 2}}", "{{parseJson '{'}}", "{{request.method}}", "{{> nope}}", "{{jsonPath 'x' '$['}}",
            "{{jsonPath '{' '$.a'}}", "{{xPath '<a' '/a'}}", "{{xPath '<a/>' '['}}", "{{range}}", "{{matches 'a'}}"):
        yield case(template, events=True)
