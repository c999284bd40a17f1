"""Comparisons, `and`, `or`, `not`, and the helpers that print one of several texts."""

from . import cases as asked, values

PAIRS = (
    "1 1", "1 2", "2 1", "1 1.0", "1.0 1", "1.5 1.5", "0.1 0.10", "1 '1'", "'1' 1", "'a' 'a'", "'a' 'b'", "'b' 'a'", "'a' 'A'",
    "'' ''", "true true", "true false", "true 'true'", "missing missing", "missing null", "missing ''", "missing 'a'",
    "'a' missing", "1 missing", "missing 1", "'10' '9'", "10 9", "-1 1", "2147483648 2147483648", "2147483648 2147483648.0",
    "'a' 1", "1 'a'", "true 1", "'aa' 'a'", "'é' 'z'", "1 2.5", "2.5 1", "1.5 1.6", "-1.5 -1")
TYPED = (
    "parameters.int 7", "parameters.int 7.0", "parameters.int '7'", "parameters.dec 2.5", "parameters.whole 3",
    "parameters.whole 3.0", "parameters.zero 0", "parameters.zeroDec 0", "parameters.big 9007199254740993",
    "parameters.big parameters.big", "parameters.huge parameters.huge", "parameters.exp 1", "parameters.yes true",
    "parameters.no false", "parameters.null null", "parameters.list parameters.list", "parameters.list (array 1 2 3)",
    "parameters.map parameters.map", "parameters.text 'hello'", "parameters.neg -3", "parameters.dec 2", "parameters.small 0",
    "parameters.big 1", "parameters.huge 1", "parameters.int parameters.dec")


def cases():
    for helper in ("eq", "neq", "gt", "gte", "lt", "lte"):
        for pair in PAIRS:
            if helper in ("eq", "gt", "lte") or pair in PAIRS[:12]:
                yield from asked(f"{{{{{helper} {pair}}}}}")
        for pair in TYPED:
            if helper in ("eq", "gt"):
                yield from values(f"{{{{{helper} {pair}}}}}")
        yield from asked(
            f"{{{{#{helper} 1 1}}}}a{{{{else}}}}b{{{{/{helper}}}}}", f"{{{{#{helper} 2 1}}}}a{{{{else}}}}b{{{{/{helper}}}}}",
            f"{{{{#{helper} 1 2}}}}a{{{{/{helper}}}}}", f"{{{{{helper} 1 1 yes='y' no='n'}}}}",
            f"{{{{{helper} 1 2 yes='y' no='n'}}}}", f"{{{{{helper} 1 1 yes='y'}}}}", f"{{{{{helper} 1 2 no='n'}}}}",
            f"{{{{{helper} 1 2 yes='y'}}}}", f"{{{{{helper}}}}}", f"{{{{{helper} 1}}}}", f"{{{{{helper} 1 2 3}}}}",
            f"{{{{{helper} 1 1 yes=1 no=2}}}}", f"{{{{#{helper} 1}}}}a{{{{else}}}}b{{{{/{helper}}}}}",
            f"{{{{#if ({helper} 1 1)}}}}a{{{{else}}}}b{{{{/if}}}}",
            f"{{{{#{helper} 1 1 yes='y' no='n'}}}}a{{{{else}}}}b{{{{/{helper}}}}}")
    for helper in ("and", "or"):
        for params in (
                "true true", "true false", "false true", "false false", "1 1", "1 0", "'a' ''", "'' ''", "missing missing",
                "missing true", "true missing", "true true true", "true true false", "false false true", "false false false",
                "true", "false", "1 2 3 4", "'a' 'b'", "(eq 1 1) (eq 2 2)", "(eq 1 1) (eq 2 1)"):
            yield from asked(f"{{{{{helper} {params}}}}}", f"{{{{#{helper} {params}}}}}a{{{{else}}}}b{{{{/{helper}}}}}")
        yield from asked(
            f"{{{{{helper}}}}}", f"{{{{{helper} true true yes='y' no='n'}}}}", f"{{{{{helper} false false yes='y' no='n'}}}}",
            f"{{{{#if ({helper} true false)}}}}a{{{{else}}}}b{{{{/if}}}}", f"{{{{#{helper}}}}}a{{{{/{helper}}}}}")
    for param in (
            "true", "false", "1", "0", "''", "'a'", "missing", "null", "(array)", "(array 1)", "(eq 1 1)", "(not true)",
            "parameters.emptyMap", "parameters.map", "parameters.dec", "parameters.zeroDec"):
        yield from values(f"{{{{not {param}}}}}", f"{{{{#not {param}}}}}a{{{{else}}}}b{{{{/not}}}}")
    yield from asked(
        "{{not}}", "{{not true yes='y' no='n'}}", "{{not false yes='y' no='n'}}", "{{not true false}}",
        "{{#not true}}a{{/not}}", "{{#if (not missing)}}a{{/if}}")
    # The method, the path, and values that may be several are no texts, and equal none.
    yield from asked(
        "{{eq request.method 'POST'}}", "{{eq request.method.value 'POST'}}", "{{eq (lower request.method) 'post'}}",
        "{{eq request.method.name 'POST'}}", "{{#eq request.method 'POST'}}a{{else}}b{{/eq}}", "{{neq request.method 'POST'}}",
        "{{eq (jsonPath request.body '$.age') 42}}", "{{eq (jsonPath request.body '$.age') '42'}}",
        "{{gt (jsonPath request.body '$.age') 41}}", "{{gt (jsonPath request.body '$.height') 1.5}}",
        "{{eq (jsonPath request.body '$.name') 'Ann'}}", "{{eq (jsonPath request.body '$.yes') true}}",
        "{{eq (jsonPath request.body '$.one') 1}}", "{{eq (jsonPath request.body '$.none') null}}",
        "{{eq (jsonPath request.body '$.list') (jsonPath request.body '$.list')}}",
        "{{eq request.headers.Content-Type 'application/json'}}", "{{eq request.headers.Content-Type.[0] 'application/json'}}",
        "{{eq request.headers.Content-Type.first 'application/json'}}",
        "{{eq 'application/json' request.headers.Content-Type}}",
        "{{eq (lower request.headers.Content-Type) 'application/json'}}", "{{eq request.path '/things'}}",
        "{{eq request.path.0 'things'}}", "{{eq request.pathSegments.[0] 'things'}}", "{{eq request.url '/things'}}",
        "{{eq request.body ''}}", "{{eq request.port 80}}", "{{eq request.binary false}}", request="json")
    yield from asked(
        "{{eq request.query.q '1'}}", "{{eq request.query.q.[0] '1'}}", "{{eq request.query.q.first '1'}}",
        "{{gt request.query.q '0'}}", "{{gt request.query.q.[0] '0'}}", "{{eq request.query.q request.query.q}}",
        "{{eq request.query.missing null}}", "{{eq request.query.empty ''}}",
        "{{#if (eq request.query.name 'Jörg M&M')}}a{{else}}b{{/if}}", "{{eq request.headers.X-One 'single'}}",
        "{{eq request.cookies.theme 'dark'}}", "{{and request.query.q request.query.name}}", "{{not request.query.missing}}",
        "{{or request.query.missing 'x'}}", "{{neq request.query.q '1'}}", request="full")
    # Texts chosen by a value.
    for value in ("true", "false", "missing", "null", "'true'", "'false'", "'yes'", "1", "0", "''"):
        yield from asked(f"{{{{yesno {value}}}}}", f"{{{{yesno {value} yes='y' no='n' maybe='m'}}}}")
    yield from asked(
        "{{yesno}}", "{{yesno true yes=''}}", "{{yesno missing maybe='m'}}", "{{yesno false no=1}}",
        "{{#yesno true}}a{{/yesno}}")
    for value in ("0", "1", "2", "-1", "-2", "1.5", "2.0", "'2'", "'a'", "missing", "true", "2147483648"):
        yield from asked(
            f"{{{{isEven {value}}}}}", f"{{{{isOdd {value}}}}}", f"{{{{isEven {value} 'e'}}}}", f"{{{{isOdd {value} 'o'}}}}",
            f"{{{{stripes {value} 'e' 'o'}}}}")
    yield from asked(
        "{{isEven}}", "{{isOdd}}", "{{stripes}}", "{{stripes 1}}", "{{stripes 2}}", "{{stripes 1 'a'}}", "{{stripes 2 'a'}}",
        "{{#isEven 2}}a{{else}}b{{/isEven}}", "{{#isOdd 2}}a{{else}}b{{/isOdd}}", "{{#stripes 1 'a' 'b'}}c{{/stripes}}",
        "{{isEven 2 ''}}", "{{isEven 2 1}}", "{{isEven 1 'a' 'b'}}")
    yield from values(
        "{{#each parameters.list}}{{isEven @index}}{{isOdd @index}}{{stripes @index 'a' 'b'}} {{/each}}",
        "{{isEven parameters.int}}", "{{isOdd parameters.int}}", "{{isEven parameters.big}}", "{{isOdd parameters.dec}}",
        "{{isEven parameters.huge}}", "{{#each parameters.list}}{{isEven this}};{{/each}}")
