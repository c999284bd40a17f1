"""The language itself: tags, literals, paths, blocks, white space, partials."""

from . import cases as asked, values


def cases_of_output():
    yield from asked(
        "", "plain", "{{", "}}", "a }} b {{ c", "}}{{", "{ {x} }", "{{}}", "{{ }}", "a{{missing}}b", "{{{missing}}}",
        "{{&missing}}", "{{& missing}}", "{single}", "{{{{", "a}}b", "{{request.method}}", "{{ request.method }}",
        "{{\trequest.method\n}}", "{{\n\n  request.method\r\n}}", "{{{request.method}}}", "{{{ request.method }}}",
        "{{&request.method}}", "{{& request.method }}", "{ {{request.method}} }", "{{{request.method}}}}",
        "{{{{request.method}}}}", "{{request.method}}}", "}}{{request.method}}{{", "{{request.method}} {{",
        "x}}{{request.method}}", "{{request.method}} }} x", "{\"a\":{{request.method}}}",
        "{\"a\":{\"b\":\"{{request.method}}\"}}", "{\"a\":{\"b\":{{request.method}}}}", "${{request.method}}",
        "\n{{request.method}}\n", "{{request.method}}\r\n{{request.method}}\r\n", "é{{request.method}}中\U0001F600",
        "tab\t{{request.method}}\ttab", "\\{{request.method}}", "\\\\{{request.method}}", "\\\\\\{{request.method}}",
        "a \\{{b}} {{request.method}}", "{{request.method}} \\{{b}} c", "\\{{b}}", "\\{{{b}}}",
        "{{request.method}} \\{{{b}}} c", "{{request.method}}\\n", "\\n{{request.method}}",
        "{{request.method}}\\{{request.method}}{{request.method}}", "{{request.method}} \\{{#if x}}y\\{{/if}}",
        "{{request.method}}\\\\", "{{request.method}} \\{")
    # Escaping of HTML is off.
    yield from values(
        "{{parameters.html}}", "{{{parameters.html}}}", "{{&parameters.html}}", "{{#with parameters}}{{html}}{{/with}}",
        "{{upper parameters.html}}")


# Between two other tags, so that the engine sees all of the text. A backslash hides one tag, whatever is before it.
def cases_between_tags():
    for text in (
            "\\{{x}}", "\\\\{{x}}", "\\\\\\{{x}}", "a\\{{x}}b", "a \\{{x}} b {{request.method}}", "\\{{{x}}}", "\\{{#if x}}",
            "\\{{/if}}", "\\{{x", "\\{{x}", "\\{ {x}}", "\\{", "\\", "\\\\", "{", "}", "}}", "{ {", "} }", "{x}", "{{x}} }",
            "}} {{x}}", "a{", "{\n{", "\\{{x}}\\{{y}}", "\\{{x}}{{request.method}}", "\\{{!x}}", "\\{{> x}}", "\\{{x\n}}y",
            "\\ {{request.method}}", "\\n{{request.method}}", "\\{{{{x}}}}", "$\\{{x}}", " {{~request.method~}} ",
            "a {{~request.method~}} b", "a {{~request.method}} b", "a {{request.method~}} b",
            "a\n\t {{~request.method~}}\n\t b", "a {{~{request.method}~}} b", "a {{~&request.method~}} b", "a {{~missing~}} b",
            "a {{~missing~}} {{~missing~}} b", "a {{~#if true~}} b {{~/if~}} c", "a {{#if true~}} b {{~/if}} c",
            "a {{~#if true}} b {{/if~}} c", "a {{~#if false~}} b {{~else~}} c {{~/if~}} d",
            "a {{#if false}} b {{else}} c {{/if}} d", "a {{#if false}} b {{~else}} c {{/if}} d",
            "a {{#if false}} b {{else~}} c {{/if}} d", "a {{#if true}} b {{~else}} c {{/if}} d",
            "a {{#if true}} b {{else~}} c {{/if}} d", "a {{#if false~}} b {{^~}} c {{/if}} d",
            "a {{#if false}} b {{~^~}} c {{/if}} d", "a {{#if false}} b {{~else if true~}} c {{~/if}} d",
            "a {{#if false}} b {{else if true}} c {{else}} e {{/if}} d",
            "a {{#if false}} b {{else if false}} c {{~else~}} e {{/if}} d", "a {{~^missing~}} b {{~/missing~}} c",
            "a {{^missing~}} b {{~/missing}} c", "a {{~^missing}} b {{/missing~}} c",
            "a {{~#each (array 1 2)~}} {{this}} {{~/each~}} b", "a {{~#with request~}} {{method}} {{~/with~}} b",
            "a {{#*inline 'p'}} x {{/inline}} {{~> p~}} b", "a {{#*inline 'p'~}} x {{~/inline}} {{> p}} b",
            "a {{~#*inline 'p'}}x{{/inline~}} b {{> p}}", "a {{~#> q~}} x {{~/q~}} b", "a {{{{if true}}}} x {{{{/if}}}} b",
            "a {{~! c ~}} b", "a {{!~ c ~}} b", "a {{~!-- c --~}} b", "a {{!-- c --}} b", "a {{~(x)~}} b",
            "a {{~ request.method ~}} b", "a{{~request.method~}}b", "a {{~else~}} b", "\u00a0{{~request.method~}}\u00a0",
            "a\r\n{{~request.method~}}\r\nb", "\n{{#if true}}\nx\n{{/if}}\n", "\n  {{#if true}}  \nx\n  {{/if}}  \n",
            "\n{{! c }}\n", "\n  {{!-- c --}}  \n", "\n{{#if false}}\nx\n{{else}}\ny\n{{/if}}\n",
            "\n{{#*inline 'p'}}\nx\n{{/inline}}\n  {{> p}}\n", "\n{{#each (array 1 2)}}\n{{this}}\n{{/each}}\n",
            "\n{{^x}}\na\n{{/x}}\n", "\n{{=<% %>=}}\n<%request.method%>\n<%={{ }}=%>\n",
            "a {{=<% %>=}} <%request.method%> {{request.method}} <%={{ }}=%> {{request.method}} b",
            "a {{=[[ ]]=}}[[request.method]][[={{ }}=]]b", "a {{=<% %>=}}<%#if true%>x<%/if%><%={{ }}=%>b"):
        yield from asked("{{!}}" + text + "{{!}}")


def cases_of_comments():
    yield from asked(
        "{{! comment }}", "a{{!comment}}b", "a{{! comment }}b{{request.method}}", "{{!-- a {{b}} c --}}x", "a{{!-- --}}b",
        "a{{!}}b", "a{{!--}}b", "a{{!----}}b", "a{{! -- }}b", "a{{!-- }} --}}b", "a{{!-- }} b", "{{! a\nb }}x",
        "a\n{{! c }}\nb", "a\n  {{! c }}  \nb", "a {{! c }}\nb", "a{{~! c ~}} b", "a {{~! c ~}} b", "a {{~!-- c --~}} b",
        "a {{!-- c --~}} b", "a\n{{!-- c --}}\nb", "{{! c }}\nb", "a\n{{! c }}", "a {{! {{x}} }} b", "a {{! } }} b")


# A `~` takes all white space on its side, but not the text before the first tag or after the last, which is never compiled.
def cases_of_white_space():
    yield from asked(
        "a {{~request.method}} b", "a {{request.method~}} b", "a {{~request.method~}} b", "a {{~{request.method}~}} b",
        "a {{~&request.method~}} b", "a \n\t {{~request.method~}} \n\t b", "a {{~ request.method ~}} b",
        "a {{~#if true~}} b {{~/if~}} c", "a {{#if true~}} b {{~/if}} c", "a {{#if true}} b {{~else~}} c {{/if}} d",
        "a {{#if false}} b {{~else~}} c {{/if}} d", "a {{~#if false}} b {{else}} c {{/if~}} d",
        "a {{~#if false}} b {{~^~}} c {{/if~}} d", "a {{~^missing~}} b {{~/missing~}} c",
        "{{#each (array 1 2 3)~}} {{this}} {{~/each}}", "{{#each (array 1 2 3)}}\n  {{~this}}\n{{~/each}}", "a {{~missing~}} b",
        "a {{~missing~}}{{~missing~}} b", "~{{request.method}}~", "a{{~request.method~}}b", "a  {{~> missing ~}}  b",
        "a {{{~request.method~}}} b", "x {{~request.method}}{{request.method~}} y", "{{request.method~}}   {{~request.method}}",
        "{{request.method~}}   ", "   {{~request.method}}", "\n\n{{~request.method~}}\n\n", "{{#if true~}}\n\n{{~/if}}",
        "{{request.method ~}} b")
    # Lines that hold nothing but a block's tag stay, as white space.
    for block in (
            "{{#if true}}\nb\n{{/if}}\nc", "a\n{{#if true}}\nb\n{{/if}}\nc", "a\n  {{#if true}}  \n  b\n  {{/if}}  \nc",
            "a\n{{#if true}}\nb\n{{else}}\nc\n{{/if}}\nd", "a\n{{#if false}}\nb\n{{else}}\nc\n{{/if}}\nd",
            "a\n{{#if false}}\nb\n{{^}}\nc\n{{/if}}\nd", "a\n{{#if false}}\nb\n{{else if true}}\nc\n{{/if}}\nd",
            "a\r\n{{#if true}}\r\nb\r\n{{/if}}\r\nc", "a {{#if true}}\nb\n{{/if}}\nc", "a\n{{#if true}} b\n{{/if}}\nc",
            "a\n{{#if true}}{{/if}}\nb", "a\n{{#if true}} {{/if}}\nb", "a\n{{^missing}}\nb\n{{/missing}}\nc",
            "{{#each (array 1 2)}}\n- {{this}}\n{{/each}}\n", "{{#each (array 1 2)}}\n  - {{this}}\n  {{/each}}\nend",
            "a\n{{request.method}}\nb", "a\n  {{request.method}}  \nb", "a\n\n{{#if true}}\n\nb\n\n{{/if}}\n\nc",
            "a\n{{#if true}}\n{{#if true}}\nb\n{{/if}}\n{{/if}}\nc", "a\n\t{{#if true}}\nb{{/if}}\nc",
            "a\n{{assign 'x' '1'}}\nb", "a\n{{#assign 'x'}}1{{/assign}}\nb{{x}}", "a\n{{#assign 'x'}}\n1\n{{/assign}}\nb{{x}}",
            "a\n{{val 1 assign='x'}}\nb", "{{#trim}}\n a \n{{/trim}}\nb", "a\n{{#> p}}\nb\n{{/p}}\nc",
            "  {{#if true}}\nb\n  {{/if}}", "{{#if true}}\n{{/if}}", "{{#with request}}\n{{method}}\n{{/with}}",
            "a\n{{#if true}}\nb\n{{/if}}", "x\n{{#if false}}\nb\n{{/if}}\ny", "x\n  {{#if false}}\nb\n  {{/if}}\ny",
            "{{#if true}}b\n{{/if}}", "{{#if true}}b{{else}}\nc\n{{/if}}", "{\n  {{#if true}}\n  \"a\": 1\n  {{/if}}\n}",
            "{{#if true}} \nb\n{{/if}} \n", "text {{request.method}}\n{{#if true}}\nb\n{{/if}} tail\nc",
            "a\n{{#if true}}\nb\n{{/if}}{{#if true}}\nc\n{{/if}}\nd", "a\n{{#if true}}\n{{request.method}}\n{{/if}}\nc"):
        yield from asked(block)


# A text knows one escape, that of its own quote. A whole number that does not fit into 32 bits is a double.
def cases_of_literals():
    yield from asked(
        "{{val 'a'}}", '{{val "a"}}', "{{val 'a\"b'}}", '{{val "a\'b"}}', "{{val 'a\\'b'}}", '{{val "a\\"b"}}',
        "{{val 'a\\\\b'}}", "{{val 'a\\nb'}}", "{{val 'a\\tb'}}", "{{val 'a\nb'}}", "{{val '}}'}}", "{{val '{{'}}",
        "{{val '{{x}}'}}", "{{val ''}}", '{{val ""}}', "{{val ' '}}", "{{val 'é中\U0001F600'}}", "{{val 'a\\u0041'}}",
        "{{val '\\''}}", '{{val "\\""}}', "{{val '\\\\'}}", "{{val '\\'}}", '{{val "\\\\"}}', "{{val '|'}}", "{{val '()'}}",
        "{{val 1}}", "{{val -1}}", "{{val +1}}", "{{val 01}}", "{{val 1.5}}", "{{val -1.5}}", "{{val 1.0}}", "{{val 1.50}}",
        "{{val .5}}", "{{val 5.}}", "{{val 1e3}}", "{{val 2147483647}}", "{{val 2147483648}}", "{{val -2147483648}}",
        "{{val -2147483649}}", "{{val 9223372036854775807}}", "{{val 9223372036854775808}}", "{{val 12345678901234567890}}",
        "{{val 0.1}}", "{{val 1_000}}", "{{val 0x10}}", "{{val true}}", "{{val false}}", "{{val null}}", "{{val undefined}}",
        "{{val nil}}", "{{val True}}", "{{val truex}}", "{{val trueness}}", "{{val nullable}}", "{{val falsey}}", "{{true}}",
        "{{false}}", "{{null}}", "{{undefined}}", "{{1}}", "{{'a'}}", '{{"a"}}', "{{'request'}}", "{{-1}}", "{{1.5}}",
        "{{val 'a' or=1}}", "{{val missing or='x'}}", "{{val missing or=\"x\"}}", "{{val missing or=1.5}}",
        "{{val missing or=-2}}", "{{val missing or=true}}", "{{val missing or=null}}", "{{val missing or = 'x'}}",
        "{{val missing or ='x'}}", "{{val missing or= 'x'}}", "{{val missing or=(val 'x')}}",
        "{{val missing or=request.method}}", "{{val missing or=missing}}", "{{val missing or='x' or='y'}}",
        "{{val missing or='x' other='y'}}", "{{val or='x' missing}}", "{{val missing or='x' 'y'}}",
        "{{val missing default='x'}}", "{{val missing or='x' default='y'}}", "{{val(val 'a')}}", "{{val (val 'a')}}",
        "{{val (val (val (val 'a')))}}", "{{val ( val 'a' )}}", "{{val (val 'a') or=(val 'b')}}", "{{(val 'a')}}",
        "{{ (val 'a') }}", "{{((val 'a'))}}", "{{val (missing)}}", "{{val (missing) or='x'}}", "{{val (missing 'a')}}",
        "{{val ('a')}}", "{{val ()}}", "{{lookup (array 'a' 'b') 1}}", "{{(array 1 2)}}", "{{{val 'a'}}}", "{{&val 'a'}}",
        "{{val\n'a'\n}}", "{{val\t'a'}}", "{{val 'a''b'}}")


def cases_of_paths():
    yield from values(
        "{{parameters.text}}", "{{parameters/text}}", "{{parameters.nested.a.b.c}}", "{{parameters/nested/a/b/c}}",
        "{{parameters.nested/a.b/c}}", "{{parameters.nested.a}}", "{{parameters.[text]}}", "{{parameters.[odd key]}}",
        "{{parameters.['odd key']}}", "{{parameters.[\"odd key\"]}}", "{{parameters.'odd key'}}", "{{parameters.\"odd key\"}}",
        "{{parameters['odd key']}}", "{{parameters[odd key]}}", "{{[parameters].[text]}}", "{{[parameters].text}}",
        "{{parameters.[a.b]}}", "{{parameters.a.b}}", "{{parameters.a-b}}", "{{parameters.[a-b]}}", "{{parameters.1}}",
        "{{parameters.[1]}}", "{{parameters.list.0}}", "{{parameters.list.[0]}}", "{{parameters.list[0]}}",
        "{{parameters.list.[2]}}", "{{parameters.list.[3]}}", "{{parameters.list.[-1]}}", "{{parameters.list.-1}}",
        "{{parameters.list.3}}", "{{parameters.list.x}}", "{{parameters.list.size}}", "{{parameters.list.length}}",
        "{{parameters.list.first}}", "{{parameters.list.last}}", "{{parameters.list.empty}}", "{{parameters.map.size}}",
        "{{parameters.map.empty}}", "{{parameters.text.length}}", "{{parameters.text.bytes}}", "{{parameters.text.empty}}",
        "{{parameters.text.class}}", "{{parameters.text.class.name}}", "{{parameters.text.x}}", "{{parameters.text.0}}",
        "{{parameters.int.x}}", "{{parameters.null.x}}", "{{parameters.yes.x}}", "{{parameters.matrix.0.1}}",
        "{{parameters.matrix.[1].[0]}}", "{{parameters.matrix.1}}", "{{parameters.people.1.name}}",
        "{{parameters.people.[1].name}}", "{{parameters.people.name}}", "{{parameters.missing.x.y}}",
        "{{@root.parameters.text}}", "{{this.parameters.text}}", "{{./parameters.text}}", "{{this/parameters/text}}", "{{..}}",
        "{{../parameters.text}}", "{{../../parameters.text}}", "{{.parameters}}", "{{parameters..text}}",
        "{{parameters. text}}", "{{parameters .text}}", "{{parameters./text}}", "{{parameters.@text}}", "{{parameters.$text}}",
        "{{$x}}", "{{_x}}", "{{x-y}}", "{{x:y}}", "{{x*y}}", "{{é}}", "{{parameters.é}}", "{{text}}", "{{name}}",
        "{{parameters.text.toUpperCase}}", "{{parameters.name.length}}", "{{parameters.length}}", "{{parameters.upper}}",
        "{{parameters.class}}", "{{@first}}", "{{@index}}", "{{@key}}", "{{@x}}", "{{@root.x}}",
        "{{#with parameters}}{{text}}{{/with}}", "{{#with parameters}}{{this.text}}{{/with}}",
        "{{#with parameters}}{{./text}}{{/with}}", "{{#with parameters}}{{../request.method}}{{/with}}",
        "{{#with parameters}}{{request.method}}{{/with}}", "{{#with parameters}}{{this.request.method}}{{/with}}",
        "{{#with parameters}}{{./request.method}}{{/with}}", "{{#with parameters}}{{@root.request.method}}{{/with}}",
        "{{#with parameters.nested}}{{#with a}}{{b.c}}{{../a.b.c}}{{../../text}}{{/with}}{{/with}}",
        "{{#with parameters.nested}}{{#with a}}{{text}}|{{../text}}|{{../../text}}{{/with}}{{/with}}",
        "{{#with parameters.nested.a.b}}{{../c}}|{{../../c}}{{/with}}", "{{#with parameters.text}}{{this}}{{/with}}",
        "{{#with parameters.text}}{{.}}{{/with}}", "{{#with parameters.text}}{{length}}{{/with}}",
        "{{#with parameters.list}}{{this}}{{/with}}", "{{#with parameters.list}}{{this.0}}{{/with}}",
        "{{#with parameters.list}}{{[0]}}{{/with}}", "{{#with parameters.list}}{{.[0]}}{{/with}}",
        "{{#with parameters.list}}{{0}}{{/with}}", "{{#with parameters}}{{lookup this 'text'}}{{/with}}",
        "{{#with parameters}}{{this.upper}}{{/with}}", "{{#with parameters}}{{upper text}}{{/with}}",
        "{{#with parameters}}{{number}}{{/with}}", "{{#with parameters}}{{name}}{{/with}}",
        "{{#with parameters}}{{size}}{{/with}}", "{{#with parameters}}{{length}}{{/with}}",
        "{{#with parameters}}{{[odd key]}}{{/with}}", "{{#with parameters}}{{a-b}}{{/with}}",
        "{{#with parameters}}{{[a.b]}}{{/with}}", "{{#with parameters}}{{this.[odd key]}}{{/with}}",
        "{{#with parameters}}{{'odd key'}}{{/with}}", "{{#with parameters}}{{1}}{{/with}}",
        "{{#with parameters}}{{[1]}}{{/with}}", "{{#with parameters}}{{this.1}}{{/with}}")


def cases_of_whole_objects():
    small = {"a": 1, "b": ["x", None], "c": {"d": "e"}}
    yield from asked(
        "{{.}}", "{{this}}", "{{@root}}", "{{@root.parameters}}", "{{parameters}}", "{{parameters.}}", "{{parameters/}}",
        "{{parameters.keySet}}", "{{parameters.values}}", "{{parameters.entrySet}}", "{{#with parameters}}{{upper}}{{/with}}",
        "{{#with parameters}}{{this}}{{/with}}", "{{#with parameters}}{{.}}{{/with}}", "{{lookup}}", "{{lookup parameters}}",
        "{{lookup parameters 'missing'}}", "{{#parameters}}{{this}}{{/parameters}}",
        "{{#each parameters.b}}{{../this}}{{/each}}", "{{#parameters.a}}{{this}}{{/parameters.a}}", "{{val this}}", "{{val}}",
        "{{toJson parameters}}", "{{{{val}}}} {{x}} {{{{/val}}}}", "{{#each this}}{{this}};{{/each}}",
        parameters=small)


def cases_of_values():
    """How each kind of value prints, and which are true."""
    names = (
        "text", "blank", "space", "int", "zero", "neg", "dec", "whole", "zeroDec", "big", "huge", "exp", "small", "yes", "no",
        "null", "list", "words", "mixed", "emptyList", "map", "emptyMap", "nested", "people", "missing", "nullList",
        "falseText", "zeroText", "matrix", "unicode")
    for name in names:
        yield from values(
            f"{{{{parameters.{name}}}}}", f"{{{{#if parameters.{name}}}}}yes{{{{else}}}}no{{{{/if}}}}",
            f"{{{{#with parameters}}}}{{{{#{name}}}}}yes:{{{{this}}}};{{{{/{name}}}}}{{{{/with}}}}",
            f"{{{{#with parameters}}}}{{{{^{name}}}}}no{{{{/{name}}}}}{{{{/with}}}}",
            f"{{{{#with parameters.{name}}}}}yes:{{{{this}}}}{{{{else}}}}no{{{{/with}}}}")


# An inverted section has no else part. A helper that is not known, with any parameter, fails even where it would not be called.
def cases_of_blocks():
    yield from values(
        "{{#parameters}}{{text}}{{/parameters}}", "{{#parameters.list}}{{this}},{{/parameters.list}}",
        "{{#parameters.people}}{{name}} {{/parameters.people}}",
        "{{#parameters.people}}{{@index}}{{@first}}{{@last}}{{@odd}}{{@even}} {{/parameters.people}}",
        "{{#parameters.map}}{{one}}{{/parameters.map}}", "{{#parameters.text}}{{this}}{{/parameters.text}}",
        "{{#parameters.missing}}a{{/parameters.missing}}", "{{#parameters.missing}}a{{else}}b{{/parameters.missing}}",
        "{{#parameters.missing}}a{{^}}b{{/parameters.missing}}", "{{^parameters.missing}}a{{/parameters.missing}}",
        "{{^parameters.text}}a{{/parameters.text}}", "{{^parameters.missing}}a{{else}}b{{/parameters.missing}}",
        "{{^parameters.text}}a{{else}}b{{/parameters.text}}", "{{^parameters.missing}}a{{^}}b{{/parameters.missing}}",
        "{{#parameters.emptyList}}a{{else}}b{{/parameters.emptyList}}", "{{^if true}}a{{/if}}", "{{^if false}}a{{/if}}",
        "{{^if true}}a{{else}}b{{/if}}", "{{^each parameters.list}}a{{/each}}",
        "{{#if parameters.text}}a{{else if parameters.int}}b{{else}}c{{/if}}",
        "{{#if parameters.missing}}a{{else if parameters.int}}b{{else}}c{{/if}}",
        "{{#if parameters.missing}}a{{else if parameters.missing}}b{{else}}c{{/if}}",
        "{{#if parameters.missing}}a{{else if parameters.missing}}b{{/if}}",
        "{{#if parameters.missing}}a{{else if parameters.missing}}b{{else if parameters.yes}}d{{else}}c{{/if}}",
        "{{#if parameters.missing}}a{{else unless parameters.missing}}b{{else}}c{{/if}}",
        "{{#if parameters.missing}}a{{else each parameters.list}}{{this}}{{else}}c{{/if}}",
        "{{#if parameters.missing}}a{{else with parameters}}{{text}}{{/if}}",
        "{{#each parameters.emptyList}}a{{else if parameters.yes}}b{{/each}}",
        "{{#if parameters.missing}}a{{^if parameters.yes}}b{{/if}}",
        "{{#if parameters.missing}}a{{else parameters.yes}}b{{/if}}",
        "{{#if parameters.missing}}a{{elseif parameters.yes}}b{{/if}}", "{{#if true}}a{{else}}b{{else}}c{{/if}}",
        "{{#if false}}a{{else}}b{{else}}c{{/if}}", "{{#if false}}a{{ else }}b{{/if}}", "{{#if false}}a{{else }}b{{/if}}",
        "{{else}}", "{{^}}", "{{#if (eq 1 1)}}a{{/if}}", "{{#if (not true)}}a{{else if (eq 1 1)}}b{{/if}}",
        "{{# if true}}a{{/if}}", "{{#if true}}a{{/ if}}", "{{#if true }}a{{/if }}", "{{#\nif\ntrue\n}}a{{/\nif\n}}",
        "{{#if true}}{{#if false}}a{{else}}b{{/if}}{{else}}c{{/if}}", "{{#each parameters.people as |p|}}{{p.name}} {{/each}}",
        "{{#each parameters.people as |p i|}}{{i}}{{p.name}} {{/each}}",
        "{{#each parameters.people as |p i x|}}{{i}}{{p.name}}{{x}} {{/each}}",
        "{{#each parameters.map as |v k|}}{{k}}={{v}} {{/each}}", "{{#each parameters.people as |p|}}{{name}} {{/each}}",
        "{{#each parameters.people as |p|}}{{this.name}} {{/each}}",
        "{{#each parameters.people as | p i |}}{{p.name}}{{i}} {{/each}}", "{{#each parameters.people as ||}}{{name}}{{/each}}",
        "{{#with parameters.people.0 as |p|}}{{p.name}}{{/with}}", "{{#with parameters.people.0 as |p|}}{{name}}{{/with}}",
        "{{#if true as |p|}}[{{p}}]{{/if}}", "{{#parameters.people as |p i|}}{{p.name}}{{i}}{{/parameters.people}}",
        "{{#each parameters.matrix as |row|}}{{#each row as |cell|}}{{cell}}{{/each}};{{/each}}",
        "{{#each parameters.matrix as |row r|}}{{#each row as |cell c|}}{{r}}{{c}}{{cell}} {{/each}}{{/each}}",
        "{{#each parameters.matrix}}{{#each this}}{{@index}}{{@../index}}{{this}} {{/each}}{{/each}}",
        "{{#each parameters.matrix}}{{#each this}}{{../@index}}{{../this}} {{/each}}{{/each}}",
        "{{#each parameters.matrix}}{{#each this}}{{@root.parameters.text}} {{/each}}{{/each}}",
        "{{#each parameters.people}}{{../request.method}} {{/each}}",
        "{{#each parameters.people}}{{../parameters.text}} {{/each}}",
        "{{#each parameters.people}}{{request.method}} {{/each}}",
        "{{#each parameters.people}}{{#if true}}{{name}}{{../name}}{{../parameters.text}} {{/if}}{{/each}}",
        "{{#each parameters.people}}{{#if true}}{{../../parameters.text}} {{/if}}{{/each}}",
        "{{#if true}}{{../request.method}}{{/if}}", "{{#unless false}}{{../request.method}}{{/unless}}",
        "{{#eq 1 1}}{{../request.method}}{{/eq}}",
        "{{#each parameters.list}}{{#each parameters.list}}{{this}}{{/each}};{{/each}}",
        "{{#each parameters.list}}{{.}}{{this}}{{./this}}{{this.this}} {{/each}}",
        "{{#each parameters.list}}{{@root.parameters.int}}{{/each}}", "{{#each parameters.people}}{{parameters.text}}{{/each}}",
        "{{#each parameters.people}}{{this.parameters.text}}{{/each}}",
        "{{#parameters.int}}{{this}}|{{parameters.text}}{{/parameters.int}}",
        "{{#parameters.people.0}}{{name}}{{../parameters.text}}{{/parameters.people.0}}", "{{#if}}a{{/if}}",
        "{{#each}}a{{/each}}", "{{#with}}a{{/with}}", "{{#unless}}a{{/unless}}", "{{if parameters.text}}",
        "{{each parameters.list}}", "{{with parameters}}", "{{unless false}}", "{{if true 'a' 'b'}}",
        "{{#if true false}}a{{/if}}", "{{#if includeZero=true 0}}a{{/if}}", "{{#if 0 includeZero=true}}a{{else}}b{{/if}}",
        "{{#if 0}}a{{else}}b{{/if}}", "{{#if 0.0}}a{{else}}b{{/if}}", "{{#if 1}}a{{else}}b{{/if}}",
        "{{#if -1}}a{{else}}b{{/if}}", "{{#if ''}}a{{else}}b{{/if}}", "{{#if ' '}}a{{else}}b{{/if}}",
        "{{#if 'false'}}a{{else}}b{{/if}}", "{{#if '0'}}a{{else}}b{{/if}}", "{{#if null}}a{{else}}b{{/if}}",
        "{{#if (array)}}a{{else}}b{{/if}}", "{{#if (array null)}}a{{else}}b{{/if}}",
        "{{#if (parseJson '{}')}}a{{else}}b{{/if}}", "{{#if (parseJson '[]')}}a{{else}}b{{/if}}",
        "{{#if (parseJson '{\"a\":1}')}}a{{else}}b{{/if}}", "{{#if 'a' }}a{{/if}}",
        "{{#unless parameters.text}}a{{else}}b{{/unless}}", "{{#unless parameters.missing}}a{{else}}b{{/unless}}",
        "{{#unless parameters.zero}}a{{else}}b{{/unless}}", "{{#missing}}a{{/missing}}", "{{#missing 'x'}}a{{/missing}}",
        "{{#missing x=1}}a{{/missing}}", "{{missing 'x'}}", "{{missing x=1}}", "{{missing 1}}", "{{missing x}}",
        "{{missing.thing 'x'}}", "{{parameters.text 'x'}}", "{{request 'method'}}", "{{parameters 'text'}}",
        "{{parameters.map 'one'}}", "{{#parameters.map 'one'}}a{{/parameters.map}}", "{{request.method x=1}}",
        "{{val missing.thing}}", "{{missing (val 'x')}}", "{{upper missing}}", "{{size missing}}", "{{{missing 'x'}}}",
        "{{missing-helper 'x'}}", "{{#missing}}a{{else}}b{{/missing}}", "{{#missing 'x'}}a{{else}}b{{/missing}}")


# Only lists count odd and even. What is neither a list nor a map is walked by its properties.
def cases_of_each():
    yield from values(
        "{{#each parameters.list}}{{this}}{{/each}}", "{{#each parameters.list}}{{@index}}:{{this}} {{/each}}",
        "{{#each parameters.list}}{{@index_1}} {{/each}}",
        "{{#each parameters.list}}[{{@first}}|{{@last}}|{{@odd}}|{{@even}}|{{@key}}] {{/each}}",
        "{{#each parameters.map}}[{{@first}}|{{@last}}|{{@odd}}|{{@even}}|{{@index}}|{{@index_1}}|{{@key}}]{{this}} {{/each}}",
        "{{#each parameters.map}}{{@key}}={{this}};{{/each}}", "{{#each parameters.map}}{{key}}{{value}}{{/each}}",
        "{{#each parameters.list}}{{#if @first}}first{{else}}not{{/if}} {{/each}}",
        "{{#each parameters.list}}{{#unless @last}}{{this}}, {{else}}{{this}}{{/unless}}{{/each}}",
        "{{#each parameters.list}}{{#if @odd}}odd{{/if}}{{#if @even}}even{{/if}} {{/each}}",
        "{{#each parameters.list}}{{#if @index}}{{this}}{{/if}}{{/each}}",
        "{{#each parameters.list base=1}}{{@index}}{{/each}}",
        "{{#each parameters.list base=10}}{{@index}} {{@index_1}} {{@first}};{{/each}}",
        "{{#each parameters.list base='1'}}{{@index}}{{/each}}",
        "{{#each parameters.list base=1}}{{@odd}}{{@even}}{{@first}}{{@last}} {{/each}}",
        "{{#each parameters.map base=5}}{{@index}}{{@first}} {{/each}}",
        "{{#each parameters.list base=-1}}{{@index}}{{@odd}} {{/each}}", "{{#each parameters.emptyList}}a{{else}}b{{/each}}",
        "{{#each parameters.emptyMap}}a{{else}}b{{/each}}", "{{#each parameters.missing}}a{{else}}b{{/each}}",
        "{{#each parameters.missing}}a{{/each}}", "{{#each parameters.null}}a{{else}}b{{/each}}",
        "{{#each parameters.mixed}}[{{this}}]{{/each}}", "{{#each parameters.nullList}}[{{this}}]{{/each}}",
        "{{#each parameters.words}}{{upper this}}{{/each}}", "{{#each parameters.people}}{{name}}:{{age}} {{/each}}",
        "{{#each parameters.people}}{{#each this}}{{@key}}={{this}} {{/each}}{{/each}}",
        "{{#each parameters.people}}{{this}}{{/each}}", "{{#each (array 'x' 'y')}}{{this}}{{/each}}",
        "{{#each (range 1 5)}}{{this}}{{/each}}", "{{#each (array 'x' 'y') as |v|}}{{v}}{{/each}}",
        "{{#each parameters.list}}{{#each @root.parameters.words}}{{this}}{{../this}}{{/each}}{{/each}}",
        "{{#each parameters.list}}{{#each ../parameters.words}}{{this}}{{../this}}{{@../index}}{{/each}}{{/each}}",
        "{{#each parameters.nested}}{{@key}}{{#each this}}{{@key}}{{/each}}{{/each}}",
        "{{#each parameters.list reverse=true}}{{this}}{{/each}}", "{{#each parameters.list 2}}{{this}}{{/each}}",
        "{{#each parameters}}{{@key}} {{/each}}", "{{#each request.query}}{{@key}}={{this}};{{/each}}",
        "{{#each @root}}{{@key}} {{/each}}", "{{#each this}}{{@key}} {{/each}}",
        "{{#each parameters.list}}{{val @index}}{{math @index '+' 1}}{{/each}}",
        "{{#each parameters.list}}{{#eq @index 1}}one{{else}}{{this}}{{/eq}}{{/each}}",
        "{{#each parameters.list}}{{#with this}}{{@index}}{{/with}}{{/each}}",
        "{{#each parameters.list}}{{#with @root}}{{@index}}{{/with}}{{/each}}",
        "{{@index}}{{#each parameters.list}}{{@index}}{{/each}}{{@index}}",
        "{{#each parameters.list}}{{#if true}}{{@index}}{{/if}}{{/each}}",
        "{{#each parameters.list}}{{val this assign='last'}}{{/each}}{{last}}",
        "{{#each parameters.list}}{{assign 'last' 'x'}}{{/each}}{{last}}", "{{#each parameters.list}}{{@length}}{{/each}}")
    yield from asked(
        "{{#each request.query}}{{@key}}={{this}};{{/each}}", "{{#each request.query.q}}{{@index}}={{this}};{{/each}}",
        "{{#each request.query as |v k|}}{{k}}={{v}};{{/each}}", "{{#each request.headers}}{{@key}}={{this}};{{/each}}",
        "{{#each request.headers.x-many}}{{this}};{{/each}}", "{{#each request.query.name}}{{this}};{{/each}}",
        "{{#each request.cookies}}{{@key}}={{this}};{{/each}}", "{{#each request.pathSegments}}{{@index}}={{this}};{{/each}}",
        "{{#each request.path}}{{@index}}={{this}};{{/each}}", "{{#each request.query.missing}}a{{else}}b{{/each}}",
        request="full")


def cases_of_builtins():
    yield from values(
        "{{#with parameters.map}}{{one}}{{/with}}", "{{#with parameters.missing}}a{{else}}b{{/with}}",
        "{{#with parameters.emptyMap}}a{{else}}b{{/with}}", "{{#with parameters.zero}}a{{else}}b{{/with}}",
        "{{#with parameters.map 'x'}}{{one}}{{/with}}", "{{lookup parameters 'text'}}", "{{lookup parameters.map 'one'}}",
        "{{lookup parameters.map 'missing'}}", "{{lookup parameters.list 0}}", "{{lookup parameters.list 5}}",
        "{{lookup parameters.list -1}}", "{{lookup parameters.list '1'}}", "{{lookup parameters.missing 'x'}}",
        "{{lookup parameters.null 'x'}}", "{{lookup parameters.map}}", "{{lookup parameters.map parameters.missing}}",
        "{{lookup parameters 'odd key'}}", "{{lookup parameters '[odd key]'}}", "{{lookup parameters 'nested.a.b'}}",
        "{{lookup parameters.text 'length'}}", "{{lookup parameters.people 1}}",
        "{{lookup (lookup parameters.people 1) 'name'}}", "{{lookup (lookup parameters 'people') 0}}",
        "{{lookup parameters.emptyMap 'x'}}", "{{lookup parameters.map 1}}", "{{lookup parameters 1}}",
        "{{lookup parameters.text 'x'}}", "{{lookup parameters.int 'x'}}", "{{#lookup parameters 'text'}}a{{/lookup}}",
        "{{#with (lookup parameters 'map')}}{{one}}{{/with}}",
        "{{#each parameters.list}}{{lookup ../parameters.words @index}}{{/each}}", "{{lookup parameters.list parameters.zero}}",
        "{{log 'x'}}", "a{{log 'x'}}b", "{{log}}", "{{log parameters.text level='warn'}}", "{{log 'x' level='nonsense'}}",
        "{{#log}}x{{/log}}", "{{#log 'x'}}y{{/log}}", "{{embedded 'x'}}", "{{embedded}}", "{{embedded 'x' 'id'}}",
        "{{precompile 'x'}}", "{{precompile}}", "{{precompile 'x' wrapper='none'}}", "{{i18n 'key'}}", "{{i18n}}",
        "{{i18n 'key' bundle='x'}}", "{{i18n 'key' locale='de'}}", "{{i18nJs}}", "{{i18nJs 'en'}}", "{{#block 'a'}}x{{/block}}",
        "{{block 'a'}}", "{{#block 'a' delete-after-merge=true}}x{{/block}}",
        "{{#partial 'a'}}x{{/partial}}{{#block 'a'}}y{{/block}}", "{{#partial 'a'}}x{{/partial}}{{block 'a'}}",
        "{{#partial 'a'}}{{request.method}}{{/partial}}{{#block 'a'}}y{{/block}}", "{{#partial 'a'}}x{{/partial}}{{> a}}",
        "{{partial 'a'}}", "{{#partial}}x{{/partial}}", "{{#block}}x{{/block}}", "{{include 'x'}}",
        "{{#include 'x'}}y{{/include}}", "{{method 'x'}}", "{{helperMissing}}", "{{blockHelperMissing}}")


def cases_of_partials():
    yield from values(
        "{{> missing}}", "{{>missing}}", "a{{> missing}}b", "{{> 'missing'}}", "{{> (val 'missing')}}", "{{> missing/x}}",
        "{{> ../x}}", "{{> /etc/passwd}}", "{{> [missing]}}", "{{> missing a=1}}", "{{> missing parameters}}",
        "{{#> missing}}fallback{{/missing}}", "{{#> missing}}{{request.method}}{{/missing}}",
        '{{#*inline "p"}}x{{/inline}}{{> p}}', "{{#*inline 'p'}}x{{/inline}}{{> p}}",
        '{{#*inline "p"}}[{{text}}]{{/inline}}{{> p parameters}}', '{{#*inline "p"}}[{{request.method}}]{{/inline}}{{> p}}',
        '{{#*inline "p"}}[{{a}}]{{/inline}}{{> p a="1"}}', '{{#*inline "p"}}[{{a}}{{request.method}}]{{/inline}}{{> p a="1"}}',
        '{{#*inline "p"}}[{{a}}]{{/inline}}{{> p a=parameters.text}}',
        '{{#*inline "p"}}[{{name}}{{a}}]{{/inline}}{{#each parameters.people}}{{> p a=@index}}{{/each}}',
        '{{> p}}{{#*inline "p"}}x{{/inline}}', '{{#*inline "p"}}x{{/inline}}{{#*inline "p"}}y{{/inline}}{{> p}}',
        '{{#*inline "p"}}x{{/inline}}{{> "p"}}', '{{#*inline "p"}}x{{/inline}}{{> (val "p")}}',
        '{{#*inline "p"}}x{{/inline}}{{#if true}}{{> p}}{{/if}}', '{{#if true}}{{#*inline "p"}}x{{/inline}}{{> p}}{{/if}}',
        '{{#if true}}{{#*inline "p"}}x{{/inline}}{{/if}}{{> p}}',
        '{{#*inline "p"}}[{{> @partial-block}}]{{/inline}}{{#> p}}block{{/p}}',
        '{{#*inline "p"}}[{{> @partial-block}}]{{/inline}}{{> p}}', '{{#*inline "p"}}x{{/inline}}{{#> p}}block{{/p}}',
        '{{#*inline "p"}}x{{> q}}{{/inline}}{{#*inline "q"}}y{{/inline}}{{> p}}', '{{#*inline "p"}}{{> p}}{{/inline}}{{> p}}',
        "{{*inline 'p'}}", "{{#*inline}}x{{/inline}}", "{{#*missing 'p'}}x{{/missing}}", "{{* missing}}",
        'a\n{{#*inline "p"}}\nx\n{{/inline}}\nb\n{{> p}}\nc', 'a\n{{#*inline "p"}}\nx\ny\n{{/inline}}\nb\n  {{> p}}\nc',
        '{{#*inline "p"}} x {{/inline}}a {{~> p ~}} b', '{{#*inline "p"}}{{@root.request.method}}{{/inline}}{{> p}}',
        '{{#*inline "p"}}{{this}}{{/inline}}{{> p parameters.text}}',
        '{{#*inline "p"}}{{../request.method}}{{/inline}}{{> p parameters}}', '{{#*inline "a b"}}x{{/inline}}{{> [a b]}}',
        '{{#*inline "p-q"}}x{{/inline}}{{> p-q}}', '{{#*inline "p/q"}}x{{/inline}}{{> p/q}}',
        '{{#*inline "p.q"}}x{{/inline}}{{> p.q}}',
        '{{#*inline "p"}}{{#each this}}{{this}}{{/each}}{{/inline}}{{> p parameters.list}}',
        '{{#*inline "p"}}[{{a}}]{{/inline}}{{> p missing}}', '{{#*inline "p"}}x{{/wrong}}{{> p}}',
        '{{#*inline "p"}}x{{else}}y{{/inline}}{{> p}}', '{{#*inline "p"}}x')
    # Raw blocks.
    yield from asked(
        "{{{{raw}}}} {{x}} {{{{/raw}}}}", "{{{{val}}}} {{x}} {{{{/val}}}}", "{{{{trim}}}} {{x}} {{{{/trim}}}}",
        "{{{{upper 'a'}}}}{{x}}{{{{/upper}}}}", "{{{{if true}}}}{{x}}{{{{/if}}}}", "{{{{#if true}}}}{{x}}{{{{/if}}}}",
        "{{{{if false}}}}{{x}}{{{{/if}}}}", "a {{{{base64}}}}{{x}}{{{{/base64}}}} b", "{{{{raw}}}}{{x}}{{{{/wrong}}}}",
        "{{{{raw}}}}{{x}}", "{{{{if true}}}}a{{{{if true}}}}b{{{{/if}}}}c{{{{/if}}}}",
        "{{{{with request}}}}{{method}}{{{{/with}}}}", "{{{{each (array 1 2)}}}}{{x}}{{{{/each}}}}",
        "{{{{request}}}}{{x}}{{{{/request}}}}", "{{{{if true}}}}\n{{x}}\n{{{{/if}}}}")
    # Other delimiters.
    yield from asked(
        "{{=<% %>=}}<%request.method%>", "{{=<% %>=}}<%request.method%><%={{ }}=%>{{request.method}}",
        "{{=<% %>=}}<%request.method%>{{", "{{=| |=}}|request.method|{{x}}", "{{= <% %> =}}<%request.method%>{{x}}",
        "{{=<%=}}x}}", "{{==}}x")


def cases():
    for part in (
            cases_of_output, cases_between_tags, cases_of_comments, cases_of_white_space, cases_of_literals, cases_of_paths,
            cases_of_whole_objects, cases_of_values, cases_of_blocks, cases_of_each, cases_of_builtins, cases_of_partials):
        yield from part()
