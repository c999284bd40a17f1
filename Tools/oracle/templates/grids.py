"""Values times formats: how numbers are rounded and written."""

from . import cases as asked

LEFT = ("1", "7", "-7", "10", "0", "2.5", "-2.5", "10.25", "0.1", "'10.00'", "'7.125'", "'1e2'", "'-0.5'", "'100'")
RIGHT = ("3", "-3", "2", "0.5", "'3.0'", "'0.25'", "'8'")
NUMBERS = (
    "0", "1", "-1", "0.5", "1.5", "2.5", "-2.5", "0.125", "0.375", "1.005", "99.995", "1234.5", "-1234567.891", "0.0004",
    "1000000", "999999.999", "12345678901.25")
PATTERNS = (
    "0", "#", "0.0", "0.00", "#.##", "#,##0", "#,##0.0", "#,##0.00", "00.00", "000000", "0.###", "#.00", "#,##0.00;(#)", "0%",
    "0.0%", "0.00E0", "##0.##E0", "'n:'0", "0 kg", "$#,##0.00", "#,####", "#,##,##0", "\u00a40.00", "0.00\u2030", "-0", "+0;-0")
FORMATS = (
    "%s", "%.0f", "%.1f", "%.2f", "%.3f", "%f", "%e", "%.3e", "%g", "%.3g", "%10.2f", "%-10.2f|", "%010.2f", "%+.2f", "% .2f",
    "%(.2f", "%,.2f", "%,f", "%.10f", "%E", "%G", "%a", "%h", "%b", "%20s|", "%-20s|", "%.3s")
WHOLE = (
    "%d", "%5d", "%-5d|", "%05d", "%+d", "% d", "%(d", "%,d", "%x", "%X", "%#x", "%08x", "%o", "%#o", "%c", "%,015d", "%(,d",
    "%+,d", "%s", "%h", "%b", "%10s|", "%.2s", "%%%d", "%1$d %1$x", "%2$s", "%-d", "%+s")
DATES = (
    "2021-01-01T00:00:00Z", "2020-12-31T23:59:59.999Z", "2024-02-29T12:30:45.678Z", "1999-07-04T13:05:09Z",
    "1969-12-31T11:59:59.001Z")
LETTERS = (
    "yyyy-MM-dd'T'HH:mm:ss.SSSZ", "yy/M/d h:m:s a", "EEEE, d MMMM yyyy G", "D F W w YYYY u", "k K H h", "S SS SSS SSSS",
    "X XX XXX", "z zzzz Z", "MMM LLL EEE", "yyyyy MMMMM dddd", "''yyyy''", "epoch", "unix")


def quoted(text):
    return '"' + text + '"' if "'" in text else "'" + text + "'"


def cases():
    for left in LEFT:
        for operator in "+-*/%":
            yield from asked(*(f"{{{{math {left} '{operator}' {right}}}}}" for right in RIGHT))
    for number in NUMBERS:
        yield from asked(*(f"{{{{numberFormat {number} {quoted(pattern)}}}}}" for pattern in PATTERNS))
    for number in (
            "0.0", "1.0", "-1.0", "0.5", "2.5", "-2.5", "0.125", "1.005", "123456.789", "-0.000123456", "12345678901.5", "0.1"):
        yield from asked(*(f"{{{{stringFormat '{form}' {number}}}}}" for form in FORMATS))
    for number in ("0", "1", "-1", "42", "-1234567", "2147483647", "65"):
        yield from asked(*(f"{{{{stringFormat '{form}' {number}}}}}" for form in WHOLE))
    for date in DATES:
        yield from asked(*(f"{{{{date (parseDate '{date}') format={quoted(form)}}}}}" for form in LETTERS))
    for text in (
            "a", "ab", "abc", "the quick brown fox", "\U0001F600\U0001F600", "e\u0301x", "\u00e9\u00df\u0130", "\u4e2d\u6587",
            "tab\there", "a\nb c"):
        yield from asked(
            *(f"{{{{{call.replace('X', repr_of(text))}}}}}" for call in (
                "size X", "upper X", "lower X", "capitalize X", "capitalizeFirst X", "slugify X", "substring X 1",
                "substring X 0 1", "abbreviate X 4", "center X size=8 pad='-'", "ljust X size=5 pad='*'",
                "rjust X size=5 pad='*'", "wordWrap X 5", "cut X 'a'", "replace X 'a' 'b'", "base64 X", "urlEncode X",
                "toJson X", "regexExtract X '.'", "matches X '\\\\w+'", "contains X 'b'", "trim X", "stringFormat '%5s|' X",
                "stringFormat '%.1s' X")))


def repr_of(text):
    return "'" + text + "'"
