"""Arithmetic, the format of numbers, and ranges."""

from . import cases as asked, values

OPERATIONS = (
    "1 '+' 2", "1 '-' 2", "2 '*' 3", "2 'x' 3", "6 '/' 2", "7 '/' 2", "10 '/' 3", "10.0 '/' 3", "10.00 '/' 3", "2 '/' 3",
    "1 '/' 3.0", "7 '%' 3", "-7 '%' 3", "7.5 '%' 2", "1 '/' 0", "1 '%' 0", "1.0 '/' 0", "1.5 '+' 1.5", "1.5 '+' 1",
    "0.1 '+' 0.2", "1.10 '+' 1.10", "1.5 '*' 2", "1.5 '*' 1.5", "'1' '+' '2'", "'1.5' '+' '2'", "'1.50' '*' '2'",
    "'10.00' '/' '3'", "'a' '+' 1", "1 '+' 'a'", "'' '+' 1", "missing '+' 1", "1 '+' missing", "null '+' null", "true '+' 1",
    "1 '+' true", "1 '^' 2", "1 'plus' 2", "1 '' 2", "1 '+'", "1", "1 '+' 2 '+' 3", "-1 '+' -2", "-5 '/' 2", "5 '/' -2",
    "2147483647 '+' 1", "2147483647 '*' 2147483647", "2147483648 '+' 1", "9007199254740993 '+' 0", "9223372036854775807 '+' 1",
    "1000000 '*' 1000000", "'9223372036854775807' '+' 1", "'12345678901234567890' '+' 1", "'12345678901234567890.5' '+' 1",
    "'1e3' '+' 1", "'1e30' '+' 1", "' 1 ' '+' 1", "'+1' '+' 1", "'0x10' '+' 1", "'1,000' '+' 1", "1.0 '*' 1", "1.0 '-' 1",
    "100 '*' 1.1", "3 '*' 0.1", "1e2 '+' 1", "0.1 '*' 3", "1 '/' 8", "1.000 '/' 8", "10.5 '-' 0.5", "2.50 '+' 2.50",
    "1 '+' (math 2 '*' 3)", "(math 10 '/' 4) '+' 0.5", "1 missing 2", "1 1 2", "1 '+ ' 2", "(array 1) '+' 1", "0.00001 '+' 0",
    "0.0001 '*' 0.0001", "12345678.9 '+' 0", "123456789.5 '*' 10", "1 '-' 1", "0 '*' -1", "-0.0 '+' 0", "5 '+' '5'")
FORMATS = (
    "", "'integer'", "'percent'", "'currency'", "'number'", "'#,##0.00'", "'0.0'", "'0000'", "'#'", "'#.##'", "'$#,##0.00'",
    "'0.00%'", "'0.###E0'", "'#,##0.00;(#,##0.00)'", "'x'", "''", "'a0b'", "'.00'", "'00.00'", "'#,###'", "'0.0#'",
    "'integer' 'de_DE'", "'currency' 'de_DE'", "'currency' 'en_US'", "'currency' 'en_GB'", "'currency' 'ja_JP'",
    "'percent' 'fr_FR'", "'#,##0.00' 'de_DE'", "'#,##0.00' 'de_CH'", "'#,##0.00' 'fr'", "'' 'de'", "'integer' 'de'",
    "'currency' 'xx'", "'integer' ''", "'integer' 1", "1", "'INTEGER'")
OPTIONS = (
    "groupingUsed=false", "groupingUsed=true", "maximumFractionDigits=1", "maximumFractionDigits=0", "minimumFractionDigits=4",
    "maximumIntegerDigits=2", "minimumIntegerDigits=8", "roundingMode='up'", "maximumFractionDigits=1 roundingMode='up'",
    "maximumFractionDigits=1 roundingMode='down'", "maximumFractionDigits=1 roundingMode='half_even'",
    "maximumFractionDigits=1 roundingMode='ceiling'", "maximumFractionDigits=1 roundingMode='HALF_UP'",
    "roundingMode='nonsense'", "parseIntegerOnly=true", "maximumFractionDigits='1'", "groupingUsed='false'",
    "minimumFractionDigits=2 maximumFractionDigits=2")


# A quotient has as many decimals as the left number. A result with decimals is a double, without it is one of 64 bits, cut off.
def cases():
    yield from asked(
        *(f"{{{{math {operation}}}}}" for operation in OPERATIONS), "{{math}}", "{{#math 1 '+' 2}}x{{/math}}",
        "{{math 1 op='+' b=2}}", "{{#if (math 1 '-' 1)}}a{{else}}b{{/if}}", "{{eq (math 1 '+' 1) 2}}",
        "{{eq (math 1.0 '+' 1) 2}}", "{{stringFormat '%d' (math 1 '+' 1)}}", "{{stringFormat '%s' (math 2147483647 '+' 1)}}",
        "{{stringFormat '%d' (math 2147483647 '+' 1)}}", "{{toJson (math 1 '/' 2.0)}}", "{{toJson (math 1.0 '/' 2)}}")
    yield from values(
        *(f"{{{{math parameters.{name} '{operator}' 2}}}}" for name in (
            "int", "dec", "whole", "big", "huge", "exp", "small", "number", "neg", "text", "list", "yes",
            "null") for operator in "+/"),
        "{{math request.query.q '+' 1}}", "{{#each parameters.list}}{{math this '*' @index}} {{/each}}")
    yield from asked(
        "{{math request.query.q '+' 1}}", "{{math request.query.q.[1] '*' 2}}", "{{math request.query.name '+' 1}}",
        "{{math request.query.missing '+' 1}}", "{{math request.port '+' 1}}", request="full")
    yield from asked(
        "{{math (jsonPath request.body '$.age') '+' 1}}", "{{math (jsonPath request.body '$.height') '+' 1}}",
        "{{math (jsonPath request.body '$.height') '/' 3}}", "{{math (jsonPath request.body '$.big') '+' 1}}",
        "{{math (jsonPath request.body '$.dec') '+' 0.2}}", "{{math (jsonPath request.body '$.exp') '+' 1}}",
        "{{math (jsonPath request.body '$.none') '+' 1}}", "{{math (jsonPath request.body '$.one') '+' 1}}",
        "{{math (jsonPath request.body '$.list') '+' 1}}", "{{math (size request.body) '-' 7}}", request="json")
    yield from asked(
        *(f"{{{{numberFormat {number} {text}}}}}".replace(
            " }}", "}}") for text in FORMATS for number in ("1234567.891", "-0.5")))
    yield from asked(*(f"{{{{numberFormat {number} {option}}}}}" for option in OPTIONS for number in ("1234567.891", "12.25")))
    yield from asked(
        "{{numberFormat 0}}", "{{numberFormat 1}}", "{{numberFormat 1000}}", "{{numberFormat 1.0}}", "{{numberFormat -1}}",
        "{{numberFormat 0.5 'integer'}}", "{{numberFormat 1.5 'integer'}}", "{{numberFormat 2.5 'integer'}}",
        "{{numberFormat 0.255 'percent'}}", "{{numberFormat 1 'percent'}}", "{{numberFormat '12.5'}}",
        "{{numberFormat '12.5' '0.00'}}", "{{numberFormat 'a'}}", "{{numberFormat missing}}", "{{numberFormat missing 'x'}}",
        "{{numberFormat null}}", "{{numberFormat true}}", "{{numberFormat ''}}", "{{numberFormat}}",
        "{{numberFormat (array 1)}}", "{{numberFormat 2147483648}}", "{{numberFormat 12345678901234567890}}",
        "{{numberFormat 0.1}}", "{{numberFormat 1.0005}}", "{{numberFormat 0.0005}}",
        "{{numberFormat 1.2345 '0.00' roundingMode='down'}}", "{{numberFormat 1234.5 'currency' maximumFractionDigits=0}}",
        "{{numberFormat 1234.5 '#,##0.00' groupingUsed=false}}", "{{numberFormat 1234.5 format='0.0'}}",
        "{{numberFormat 1234.5 locale='de'}}", "{{#numberFormat 1}}x{{/numberFormat}}", "{{numberFormat 1.005 '0.00'}}",
        "{{numberFormat 1.015 '0.00'}}", "{{numberFormat 2.5 '0'}}", "{{numberFormat 3.5 '0'}}")
    yield from values(
        *(f"{{{{numberFormat parameters.{name}}}}}" for name in (
            "int", "dec", "whole", "big", "huge", "exp", "small", "zero", "neg", "number")),
        "{{numberFormat parameters.huge '#,##0.00'}}", "{{numberFormat parameters.exp 'integer'}}",
        "{{numberFormat parameters.dec 'currency'}}")
    yield from asked(
        "{{range 1 5}}", "{{range 5 1}}", "{{range 1 1}}", "{{range -2 2}}", "{{range 0 0}}", "{{range 1}}", "{{range}}",
        "{{range '1' '3'}}", "{{range 1 '3'}}", "{{range 1.0 3.0}}", "{{range 1.5 3}}", "{{range missing 3}}",
        "{{range 1 missing}}", "{{range 'a' 3}}", "{{#range 1 3}}x{{/range}}", "{{#each (range 1 3)}}{{this}};{{/each}}",
        "{{size (range 1 100)}}", "{{toJson (range 1 3)}}", "{{join (range 1 3) ','}}", "{{range 1 3 2}}",
        "{{range 1 3 step=2}}", "{{range (size 'ab') 4}}", "{{range true 3}}")
