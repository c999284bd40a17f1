"""Helpers for texts."""

from . import cases as asked, values

# Most of them print nothing, or their first parameter, if the value is false.
SIMPLE = ("capitalizeFirst", "capitalize", "lower", "upper", "slugify", "stripTags", "trim", "size")


def of_simple():
    for helper in SIMPLE:
        yield from asked(
            *(f"{{{{{helper} {value}}}}}" for value in (
                "'hello world'", "'HELLO World'", "''", "' '", "'  a  b  '", "1", "0", "1.5", "true", "false", "missing",
                "null", "'é ß'", "'a\nb'", "missing 'x'", "'' 'x'", "'a' 'x'", "missing default='x'", "(array 'a' 'B')",
                "'\t a \r\n'")),
            *((f"{{{{{helper}}}}}", f"{{{{#{helper}}}}} Block text {{{{/{helper}}}}}") if helper not in ("upper",
            "slugify") else ()),
            f"{{{{#{helper} 'param'}}}} Block text {{{{/{helper}}}}}", f"{{{{{helper} request.method}}}}",
            f"{{{{{helper} request.body}}}}", request="text")
        yield from values(
            *(f"{{{{{helper} parameters.{name}}}}}" for name in (
                "list", "map", "emptyList", "emptyMap", "zero", "no", "unicode", "sentence", "html", "null")))
    yield from asked(
        "{{capitalize 'hello WORLD' fully=true}}", "{{capitalize 'hello WORLD' fully=false}}",
        "{{capitalize 'hello WORLD' fully='true'}}", "{{capitalize 'HELLO-world a.b'}}",
        "{{capitalize 'HELLO-world a.b' fully=true}}", "{{capitalizeFirst 'éa'}}", "{{capitalizeFirst ' a'}}",
        "{{capitalize 'a  b\tc'}}", "{{slugify 'Joel is a slug'}}", "{{slugify '  Joel   is  a slug  '}}",
        "{{slugify 'A_b-c.d!e'}}", "{{slugify 'Über Straße 42'}}", "{{slugify 'a--b'}}", "{{slugify '-a-'}}",
        "{{slugify '中文'}}", "{{slugify '!?'}}", "{{stripTags '<b>x</b>'}}", "{{stripTags '<a href=\"x>y\">z</a>'}}",
        "{{stripTags 'a < b > c'}}", "{{stripTags '<br/>'}}", "{{stripTags '<!-- c -->x'}}", "{{stripTags '<a\nb>x</a>'}}",
        "{{stripTags 'a <b'}}", "{{upper 'ß'}}", "{{lower 'İ'}}", "{{upper 'ŉ'}}", "{{lower 'ΑΣ'}}", "{{upper (lower 'Ab')}}",
        "{{size 'é'}}", "{{size '\U0001F600'}}", "{{size (array)}}", "{{size (array 1 2 3)}}",
        "{{size (parseJson '{\"a\":1,\"b\":2}')}}", "{{size (parseJson '[1,2]')}}", "{{size 12345}}", "{{size 1.5}}",
        "{{size true}}", "{{trim 'x' 'y'}}", "{{trim ' \u00a0x\u00a0 '}}")


def of_padding():
    for helper in ("center", "ljust", "rjust"):
        yield from asked(
            *(f"{{{{{helper} {params}}}}}" for params in (
            "'ab' size=6", "'ab' size=7", "'ab' size=2", "'ab' size=1", "'ab' size=0", "'ab' size=-1", "'ab'", "'ab' size='6'",
            "'ab' size=6 pad='*'", "'ab' size=7 pad='*'", "'ab' size=8 pad='xy'", "'ab' size=6 pad=''", "'' size=3",
            "missing size=3", "missing 'x' size=3", "12 size=6", "true size=8", "'ab' size=6.0", "'ab' size=missing", "'ab' 6",
            "'é' size=3 pad='-'", "'ab' size=6 pad=1", "'' 'x' size=3", "0 size=3", "'abc' size=6", "'abc' size=8 pad='xyz'")))
        yield from asked(f"{{{{#{helper} 'ab' size=4}}}}x{{{{/{helper}}}}}", f"[{{{{{helper} 'ab' size=6}}}}]")


def of_cutting():
    yield from asked(
        "{{cut 'a b c'}}", "{{cut 'a b c' ' '}}", "{{cut 'a-b-c' '-'}}", "{{cut 'aXbXc' 'X'}}", "{{cut 'abab' 'ab'}}",
        "{{cut 'a.b' '.'}}", "{{cut 'abc' ''}}", "{{cut 'abc' 'z'}}", "{{cut '' 'a'}}", "{{cut missing 'a'}}",
        "{{cut missing}}", "{{cut 121 1}}", "{{cut 121 '1'}}", "{{cut 'abc' missing}}", "{{cut}}", "{{#cut 'a b'}}x{{/cut}}",
        "{{substring 'hello' 1}}", "{{substring 'hello' 1 3}}", "{{substring 'hello' 0}}", "{{substring 'hello' 5}}",
        "{{substring 'hello' 6}}", "{{substring 'hello' 0 5}}", "{{substring 'hello' 0 6}}", "{{substring 'hello' 3 1}}",
        "{{substring 'hello' -1}}", "{{substring 'hello' -3 -1}}", "{{substring 'hello' 1 -1}}", "{{substring 'hello' '1'}}",
        "{{substring 'hello' 1.5}}", "{{substring 'hello'}}", "{{substring}}", "{{substring missing 1}}", "{{substring '' 0}}",
        "{{substring '' 1}}", "{{substring 12345 1 3}}", "{{substring 'hello' missing}}", "{{substring 'hello' 1 missing}}",
        "{{substring 'é中\U0001F600x' 2}}", "{{substring 'hello' 2 2}}", "{{substring true 1}}",
        "{{#substring 'hello' 1}}x{{/substring}}", "{{substring 'hello' 1 3 9}}", "{{substring 'hello' start=1}}",
        "{{abbreviate 'the quick brown fox' 10}}", "{{abbreviate 'the quick brown fox' 19}}",
        "{{abbreviate 'the quick brown fox' 18}}", "{{abbreviate 'the quick brown fox' 4}}",
        "{{abbreviate 'the quick brown fox' 3}}", "{{abbreviate 'the quick brown fox' 0}}", "{{abbreviate 'ab' 3}}",
        "{{abbreviate 'ab' 2}}", "{{abbreviate 'the quick' -1}}", "{{abbreviate 'the quick' '5'}}",
        "{{abbreviate 'the quick'}}", "{{abbreviate missing 5}}", "{{abbreviate '' 5}}", "{{abbreviate 123456 5}}",
        "{{abbreviate 'the quick' 5.0}}", "{{abbreviate}}", "{{abbreviate 'the quick' missing}}",
        "{{wordWrap 'the quick brown fox' 10}}", "{{wordWrap 'the quick brown fox' 5}}", "{{wordWrap 'the quick brown fox' 3}}",
        "{{wordWrap 'the quick brown fox' 1}}", "{{wordWrap 'the quick brown fox' 0}}", "{{wordWrap 'the quick brown fox' -1}}",
        "{{wordWrap 'the quick brown fox' 100}}", "{{wordWrap 'the  quick   brown' 6}}", "{{wordWrap 'thequickbrownfox' 5}}",
        "{{wordWrap 'a\nb c d' 3}}", "{{wordWrap 'the quick' '5'}}", "{{wordWrap 'the quick'}}", "{{wordWrap missing 5}}",
        "{{wordWrap '' 5}}", "{{wordWrap ' a b ' 2}}", "{{wordWrap}}", "{{wordWrap 'the quick brown fox' 9}}",
        "{{wordWrap 'the quick brown fox' 8}}", "{{replace 'hello' 'l' 'L'}}", "{{replace 'hello' 'll' ''}}",
        "{{replace 'hello' '' '-'}}", "{{replace 'hello' 'z' '-'}}", "{{replace 'a.b.c' '.' '-'}}",
        "{{replace 'hello' 'l+' 'L'}}", "{{replace 'hello' 'l' '$1'}}", "{{replace 'hello' 'l'}}", "{{replace 'hello'}}",
        "{{replace}}", "{{replace missing 'a' 'b'}}", "{{replace '' 'a' 'b'}}", "{{replace 121 '1' '3'}}",
        "{{replace 121 1 3}}", "{{replace 'hello' missing 'x'}}", "{{replace 'hello' 'l' missing}}",
        "{{#replace 'l' 'L'}}hello{{/replace}}", "{{#replace 'hello' 'l' 'L'}}x{{/replace}}", "{{replace 'a b' ' ' '\n'}}",
        "{{replace 'aXa' 'x' 'y'}}", "{{defaultIfEmpty 'a' 'b'}}", "{{defaultIfEmpty '' 'b'}}",
        "{{defaultIfEmpty missing 'b'}}", "{{defaultIfEmpty 0 'b'}}", "{{defaultIfEmpty false 'b'}}",
        "{{defaultIfEmpty (array) 'b'}}", "{{defaultIfEmpty ' ' 'b'}}", "{{defaultIfEmpty missing}}", "{{defaultIfEmpty 'a'}}",
        "{{defaultIfEmpty}}", "{{defaultIfEmpty missing missing}}", "{{defaultIfEmpty missing 1}}",
        "{{defaultIfEmpty 1.0 'b'}}", "{{defaultIfEmpty (array 1) 'b'}}", "{{defaultIfEmpty missing 'b' 'c'}}",
        "{{#defaultIfEmpty missing 'b'}}c{{/defaultIfEmpty}}", "{{defaultIfEmpty missing default='b'}}",
        "{{defaultIfEmpty missing (array 1 2)}}")


def of_joining():
    yield from values(
        "{{join parameters.words ','}}", "{{join parameters.words ', '}}", "{{join parameters.words ''}}",
        "{{join parameters.words}}", "{{join parameters.list ','}}", "{{join parameters.mixed ','}}",
        "{{join parameters.nullList ','}}", "{{join parameters.emptyList ','}}", "{{join parameters.missing ','}}",
        "{{join parameters.null ','}}", "{{join parameters.words ',' prefix='[' suffix=']'}}",
        "{{join parameters.words ',' prefix='['}}", "{{join parameters.words ',' suffix=']'}}",
        "{{join parameters.emptyList ',' prefix='[' suffix=']'}}", "{{join 'a' 'b' 'c' ','}}",
        "{{join 'a' 'b' 'c' ', ' prefix='<' suffix='>'}}", "{{join 'a' ','}}", "{{join 'a'}}", "{{join 1 2 3 '-'}}",
        "{{join 'a' missing 'c' ','}}", "{{join missing 'b' ','}}", "{{join '' 'b' ','}}", "{{join 'a' '' ','}}",
        "{{join true 1.5 ','}}", "{{join}}", "{{join 'a' 'b' 1}}", "{{join parameters.words 1}}", "{{join parameters.map ','}}",
        "{{join parameters.text ','}}", "{{join parameters.matrix ';'}}", "{{join (array 'a' 'b') ','}}",
        "{{join (range 1 3) '+'}}", "{{join (array) ','}}", "{{join (array 1 2) 'x' ','}}", "{{join 'x' (array 1 2) ','}}",
        "{{#join parameters.words ','}}x{{/join}}", "{{join parameters.words separator=','}}",
        "{{join parameters.words missing}}", "{{join parameters.people ','}}", "{{join parameters.zero ','}}",
        "{{join 0 1 ','}}")


def of_formats():
    formats = (
        "'%s' 'a'", "'%s %s' 'a' 'b'", "'%s' 1", "'%s' 1.5", "'%s' true", "'%s' missing", "'%s'", "'plain'", "'%d' 1",
        "'%d' 1.5", "'%d' '1'", "'%d' missing", "'%5d' 42", "'%-5d|' 42", "'%05d' 42", "'%+d' 42", "'%,d' 1234567", "'%(d' -42",
        "'% d' 42", "'%x' 255", "'%X' 255", "'%o' 8", "'%#x' 255", "'%08x' 255", "'%x' -1", "'%f' 1.5", "'%.2f' 1.005",
        "'%05.2f' 1.5", "'%.0f' 2.5", "'%10.3f|' 1.23456", "'%-10.3f|' 1.23456", "'%,.2f' 1234567.891", "'%+.1f' 1.25",
        "'%f' 1", "'%e' 12345.678", "'%.2e' 12345.678", "'%E' 0.00012", "'%g' 12345.678", "'%g' 0.00001", "'%a' 1.0",
        "'%b' true", "'%b' 'x'", "'%b' missing", "'%B' true", "'%c' 'a'", "'%c' 65", "'%h' 'hi'", "'%S' 'abc'", "'%10s|' 'ab'",
        "'%-10s|' 'ab'", "'%.2s' 'abcdef'", "'%10.2s|' 'abcdef'", "'%%'", "'100%'", "'%n' 1", "'%2$s %1$s' 'a' 'b'",
        "'%1$s %1$s' 'a'", "'%s %<s %s' 'a' 'b'", "'%s %s' 'a'", "'%s' 'a' 'b'", "'%q' 1", "'%d' 2147483648", "'%d' true",
        "'%s' (array 1 2)", "'%tY' 1", "'%-d' 1", "'%.2d' 1", "'%z' 'a'", "'%' 'a'", "'%5' 1", "'%s' null", "'%,d' -1234",
        "'%,d' 999", "'%,d' 1000", "'%08.3f' -3.14159", "'%+,d' 1234567", "'%s%%' 50", "'%b' 0", "'%c' 'ab'",
        "'%.3s|%5s' 'abcdef' 'x'", "'%010d' -42", "'%#o' 8", "'%.1f' 0.25", "'%.1f' 0.35", "'%.3f' 2.0005", "'%e' 0.0",
        "'%e' 1", "'%f' 12345678901.5", "'%d' -5", "'%x' 1.5", "'%f' 'a'", "'%6.2f%%' 12.345", "'%s and %d' 'a' 2", "'%0d' 1",
        "'%+s' 'a'", "'%#s' 'a'", "'%-s' 'a'", "'%,x' 1", "1", "missing", "'' 'a'", "true", "'é%s' 'ü'")
    yield from asked(
        *(f"{{{{stringFormat {text}}}}}" for text in formats), "{{stringFormat}}",
        "{{#stringFormat '%s' 'a'}}x{{/stringFormat}}", "{{stringFormat 'a%s' x=1}}")
    yield from values(
        *(f"{{{{stringFormat '%s' parameters.{name}}}}}" for name in (
            "text", "int", "dec", "whole", "big", "huge", "exp", "list", "map", "null", "yes")),
        "{{stringFormat '%d' parameters.big}}", "{{stringFormat '%,d' parameters.huge}}",
        "{{stringFormat '%.3f' parameters.dec}}", "{{stringFormat '%e' parameters.exp}}",
        "{{stringFormat '%x' parameters.big}}", "{{stringFormat '%d' parameters.dec}}", "{{stringFormat parameters.text 1}}",
        "{{stringFormat '%f' parameters.int}}", "{{stringFormat '%s' request.method}}")


def of_values():
    yield from asked(
        "{{assign 'a' 'b'}}{{a}}", "{{assign 'a'}}[{{a}}]", "{{#assign 'a'}}b{{/assign}}{{a}}",
        "{{#assign 'a'}}  b c  {{/assign}}[{{a}}]", "{{#assign 'a'}}{{/assign}}[{{a}}]",
        "{{#assign 'a'}}{{upper 'x'}}{{/assign}}{{a}}", "{{#assign 'a'}}1{{/assign}}{{math a '+' 1}}",
        "{{#assign 'a'}}1{{/assign}}{{#assign 'a'}}2{{/assign}}{{a}}",
        "{{#assign 'a'}}1{{/assign}}{{#if true}}{{#assign 'a'}}2{{/assign}}{{/if}}{{a}}",
        "{{#if true}}{{#assign 'a'}}2{{/assign}}{{/if}}{{a}}",
        "{{#each (array 1 2)}}{{#assign 'a'}}{{this}}{{/assign}}{{/each}}{{a}}",
        "{{#with request}}{{#assign 'a'}}x{{/assign}}{{/with}}[{{a}}]",
        "{{#with request}}{{#assign 'a'}}x{{/assign}}{{a}}{{/with}}", "{{#assign}}b{{/assign}}", "{{#assign 1}}b{{/assign}}",
        "{{#assign missing}}b{{/assign}}", "{{#assign 'a.b'}}c{{/assign}}[{{a.b}}][{{[a.b]}}]",
        "{{#assign 'request'}}c{{/assign}}{{request}}{{request.method}}", "{{#assign 'upper'}}c{{/assign}}[{{this.upper}}]",
        "{{#assign 'a'}}x{{/assign}}{{#with request}}{{a}}{{/with}}", "{{#assign 'a'}}x{{/assign}}{{@root.a}}{{this.a}}",
        "{{#assign 'a'}}{{#assign 'b'}}y{{/assign}}x{{/assign}}{{a}}{{b}}", "{{#assign 'a' 'b'}}c{{/assign}}{{a}}",
        "{{#assign 'a'}}x{{/assign}}{{@a}}", "{{#assign '@a'}}x{{/assign}}{{@a}}",
        "{{#with request}}{{#assign 'method'}}x{{/assign}}{{method}}{{/with}}",
        "{{#each (array 1 2)}}{{#assign 'a'}}{{a}}{{this}}{{/assign}}{{/each}}{{a}}", "{{a}}{{#assign 'a'}}x{{/assign}}",
        "{{val 'a'}}", "{{val missing}}", "{{val missing or='b'}}", "{{val missing default='b'}}", "{{val '' or='b'}}",
        "{{val 0 or='b'}}", "{{val false or='b'}}", "{{val 'a' or='b'}}", "{{val (array) or='b'}}", "{{val 1}}", "{{val 1.0}}",
        "{{val (array 1 2)}}", "{{val 'a' assign='x'}}[{{x}}]", "{{val missing assign='x'}}[{{x}}]",
        "{{val missing or='b' assign='x'}}[{{x}}]", "{{val 1 assign='x'}}{{math x '+' 1}}",
        "{{val (array 1 2) assign='x'}}{{x.1}}", "{{val (parseJson '{\"a\":{\"b\":2}}') assign='x'}}{{x.a.b}}",
        "{{val 'a' assign=1}}", "{{val 'a' assign=missing}}", "{{val 'a' assign=''}}", "{{#val 'a'}}x{{/val}}",
        "{{#val missing}}x{{else}}y{{/val}}", "{{#val missing or='b'}}x{{/val}}", "{{val 'a' 'b'}}", "{{val missing 'b'}}",
        "{{#if true}}{{val 'a' assign='x'}}{{/if}}[{{x}}]", "{{#each (array 1 2)}}{{val this assign='x'}}{{/each}}[{{x}}]",
        "{{#with request}}{{val 'a' assign='x'}}{{/with}}[{{x}}]", "{{val 'a' assign='x'}}{{#with request}}{{x}}{{/with}}",
        "{{val 'a' assign='x'}}{{val 'b' assign='x'}}{{x}}", "{{val 'a' assign='x.y'}}[{{x.y}}]",
        "{{val 'a' assign='request'}}{{request}}", "{{val request.method assign='m'}}{{m}}",
        "{{val request assign='r'}}{{r.method}}", "{{val request.body or='empty'}}", "{{val request.query.missing or='none'}}",
        "{{#each (array 1 2 3)}}{{val (math this '+' 10) assign='s'}}{{s}} {{/each}}")


def cases():
    for part in (of_simple, of_padding, of_cutting, of_joining, of_formats, of_values):
        yield from part()
