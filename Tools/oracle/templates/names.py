"""What the reader of templates takes for a name, a number, a keyword; character by character."""

from . import cases as asked

KEYWORDS = (
    "else", "as", "true", "false", "null", "this", "each", "elsewhere", "asx", "trueish", "falsehood", "else-x", "else.x",
    "true.x", "as.x", "elseif", "else if", "not", "inline", "@root", "@first", "..", ".", "../x", "./x", "x..", "_", "$", "@",
    "-", "x-", "-x", "x--y", "x.", "x/", "/x", "x//y", "x./y", "x.y/z", "x.[y]", "[x]", "[x y]", "[x].y", "[x].[y]", "[x]y",
    "x[y]", "x.[y].z", "x.[y]z", "x/[y]", "[]", "x.[]", "[[x]]", "x.0", "x.0y", "x0", "0x", "x.-1", "x.[-1]", "x.1.2", "x.1a",
    "x.a1", "x:y", "x::y", ":x", "x.y:z", "x'y", "x.'y'", "x.\"y\"", "'x'.y", "#x", "x#", "@x.y", "x.@y", "@../x", "@../../x",
    "../@x", "this.x", "this/x", "this.[x]", "x.this", "x.this.y", "x.../y", "x/../y", "../..", "../../x", "..x", "...", "../",
    "./", ".x", ".[x]", "..[x]")
NUMBERS = (
    "0", "-0", "00", "007", "-7", "--7", "+7", "7-", "1.5", "-1.5", "1.", ".5", "-.5", "1..5", "1.5.5", "1,5", "1e5", "1E5",
    "1f", "1L", "0x1F", "1_000", "10.0", "10.50", "0.0", "-0.0", "0.10", "123456789", "1234567890", "12345678901", "2147483647",
    "2147483648", "-2147483648", "-2147483649", "99999999999999999999", "0.1234567890123456789", "123456789.123456789",
    "1.7976931348623157", "100000000.0", "10000000.0", "9999999.0", "0.001", "0.0009", "0.00001", "1 2", "1'a'", "1a", "1.a",
    "a.1", "-a", "- 1")


# A name begins with a letter of ASCII, of Latin-1 from \u00c0, or of \u0410 to \u044f, or with `_`, `$`, `@`, `:`; digits, `.`, `/`
# and `-` may follow. The longest token wins, so that what is no name because of one character is a path of a partial, or nothing.
def cases():
    printable = [chr(code) for code in range(33, 127)]
    printable += [
        "\u00a0", "\u00e9", "\u4e2d", "\U0001F600", "\u2028", "\u0001", "\x7f", "\u200b", "\u00aa", "\u00b5", "\u00b7",
        "\u00bf",
        "\u00c0", "\u00d7", "\u00df", "\u00f7", "\u00ff", "\u0100", "\u017f", "\u0180", "\u024f", "\u0301", "\u03b1", "\u0430",
        "\u05d0", "\u1e00", "\u2160", "\u040f", "\u0410", "\u044f", "\u0450"]
    for character in printable:
        yield from asked("{{a" + character + "b}}", "{{" + character + "b}}", "{{a" + character + "}}")
    for character in printable[:32] + printable[94:102]:
        yield from asked(
            "{{val a" + character + "b}}", "{{val x" + character + "='y'}}", "{{val missing or=a" + character + "b}}",
            "{{#a" + character + "b}}x{{/a" + character + "b}}", "{{> a" + character + "b}}", "{{val [a" + character + "b]}}")
    for word in KEYWORDS:
        yield from asked(
            "{{" + word + "}}", "{{val " + word + "}}", "{{val missing or=" + word + "}}", "{{val missing " + word + "='x'}}",
            "{{#" + word + "}}a{{/" + word + "}}", "{{#if " + word + "}}a{{else}}b{{/if}}",
            "{{#if false}}{{" + word + "}}{{/if}}")
    for number in NUMBERS:
        yield from asked(
            "{{val " + number + "}}", "{{val missing or=" + number + "}}", "{{toJson " + number + "}}",
            "{{eq " + number + " 1}}")
    for text in (
            "'a'", '"a"', "'a", "a'", "''", "'a''b'", "'a' 'b'", "'a'b", "a'b'", "'a\\'b'", "'a\\\\'b'", "'a\\\\\\'b'",
            "\"a'b\"", "'a\"b'", "'a\\\"b'", "\"a\\'b\"", "\"a\\\"b\"", "'\\n'", "'\n'", "'\r\n'", "'\t'", "'}'", "'}}'",
            "'{{'", "'{{x}}'", "'\\{{x}}'", "' }} '", "'}}}'", "'='", "'a=b'", "'(a)'", "'|a|'", "'\u00e9\U0001F600'", "'\\'",
            "'\\\\'", "\"\\\"", "'a\\", "`a`", "\u2019a\u2019"):
        yield from asked(
            "{{val " + text + "}}", "{{val missing or=" + text + "}}", "{{val (val " + text + ")}}",
            "{{#eq " + text + " 'a'}}y{{else}}n{{/eq}}")
