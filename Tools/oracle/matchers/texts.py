"""Values that are texts, numbers or dates, and matchers that should match a given one.

Whether they do is WireMock's to say; the aim is that about half of them do.
"""

import base64

WORDS = ["ada", "Grace", "x", "12", "3.50", "-7", "a,b", "A-1", "a+b c", "true", "null", "foo=bar", "a/b", "(x)", "a.b*c", "q\"q", "",
         "00012", "ada lovelace", "$.a", "1e3", "%41", "a&b", "semi;colon", "[1]", "UPPER", "mIxEd"]
WIDE_WORDS = ["ünïcode", "ÀÉ", "日本", "ß", "e\u0301", "🙂", "tab\there", "two\nlines", "İ"]
DATES = ["2021-06-14T12:13:14Z", "2021-06-14T12:13:14+02:00", "2021-06-14T00:00:00Z", "2021-06-14T12:13:14.123Z", "2021-06-01T00:00:00Z",
         "2021-06-14T12:13:14", "2021-06-14", "2021-06", "2021", "Mon, 14 Jun 2021 12:13:14 GMT", "Monday, 14-Jun-21 12:13:14 GMT",
         "Mon Jun 14 12:13:14 2021", "Tue Jun  1 12:13:14 2021", "2021-06-14T12:13Z", "1995-01-01T00:00:00Z", "2105-12-31T23:59:59Z",
         "2105-12-31", "1995-01", "2021-06-14 12:13:14", "not a date", "2021-02-30T00:00:00Z", "2021-06-14T24:00:00Z",
         "2021-06-14T12:13:14-00:00", "2020-02-29T10:00:00Z"]
TRUNCATIONS = ["first second of minute", "first minute of hour", "first hour of day", "first day of month", "first day of next month",
               "last day of month", "first day of year", "first day of next year", "last day of year"]
FORMATS = [("dd/MM/yyyy", ["14/06/2021", "1/6/2021", "31/12/2105", "2021-06-14"]),
           ("yyyy-MM-dd HH:mm:ss", ["2021-06-14 12:13:14", "1995-01-01 00:00:00", "2021-06-14T12:13:14"]),
           ("dd MMM yyyy", ["14 Jun 2021", "14 June 2021", "01 Jan 1995"]), ("unix", ["1623672794", "0", "4289500799", "-1"]),
           ("epoch", ["1623672794000", "1623672794", "0", "4289500799000"]), ("yyyyMMdd'T'HHmmssX", ["20210614T121314Z", "20210614T121314+02"]),
           ("EEE, dd MMM yyyy HH:mm:ss zzz", ["Mon, 14 Jun 2021 12:13:14 GMT"]), ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", ["2021-06-14T12:13:14.123Z"]),
           ("HH:mm", ["12:13"]), ("yyyy/MM", ["2021/06"])]


def word(rng, wide=False):
    return rng.choice(WORDS + WIDE_WORDS) if wide else rng.choice(WORDS)


def changed(rng, text):
    """A text similar to `text`."""
    return rng.choice([text + "x", "x" + text, text.upper(), text.swapcase(), text[:-1], text[1:], text * 2, word(rng), text.replace("a", "b"),
                       text.lower(), text, text])


def quoted(text):
    return "\\Q" + text + "\\E"


def regex(rng, text):
    """A regular expression that should match the whole of `text`."""
    half = len(text) // 2
    return rng.choice([
        quoted(text), ".*", ".+", quoted(text[:half]) + ".*", ".*" + quoted(text[half:]), "(?i)" + quoted(text.upper()), "[^,]*",
        "(" + quoted(text) + "|zzz)", "\\d+", "[a-zA-Z ]+", "\\w*", "^" + quoted(text) + "$", "(?s).*", ".{" + str(len(text)) + "}",
        "(?!zzz).*", "\\S+", "[\\w,+ -]{1,20}", quoted(text) + "?", "(?<part>" + quoted(text[:half]) + ").*", "-?[0-9]+(\\.[0-9]+)?"])


def text_matcher(rng, text, depth=0):
    """A matcher that should match `text`; None is an absent value."""
    if text is None:
        return rng.choice([
            lambda: {"absent": True}, lambda: {"absent": True}, lambda: {"anything": "anything"}, lambda: {"doesNotContain": word(rng)},
            lambda: {"doesNotMatch": ".*"}, lambda: {"not": {"equalTo": word(rng)}}, lambda: {"or": [{"absent": True}, {"equalTo": word(rng)}]},
            lambda: {"and": [{"absent": True}, {"not": {"contains": word(rng)}}]}, lambda: {"not": {"not": {"absent": True}}},
            lambda: {"doesNotContain": ""}])()
    half = len(text) // 2
    simple = [
        lambda: {"equalTo": text}, lambda: {"equalTo": text}, lambda: {"equalTo": text.swapcase(), "caseInsensitive": True},
        lambda: {"equalTo": text.upper(), "caseInsensitive": rng.choice([True, False])}, lambda: {"contains": text[:half]},
        lambda: {"contains": text[half:]}, lambda: {"doesNotContain": word(rng)}, lambda: {"matches": regex(rng, text)},
        lambda: {"matches": regex(rng, text)}, lambda: {"doesNotMatch": regex(rng, word(rng))}, lambda: {"anything": "anything"}]
    nested = [
        lambda: {"and": [text_matcher(rng, text, depth + 1) for _ in range(rng.randint(2, 3))]},
        lambda: {"or": [text_matcher(rng, rng.choice([text, word(rng), None]), depth + 1) for _ in range(rng.randint(2, 3))]},
        lambda: {"not": text_matcher(rng, rng.choice([word(rng), None, changed(rng, text)]), depth + 1)}]
    return rng.choice(simple * 2 + nested * (3 if depth < 2 else 0))()


def binary_matcher(rng, content):
    return {"binaryEqualTo": base64.b64encode(rng.choice([content, content, content[:-1], content + b"\0"])).decode()}


def template_matcher(rng, text):
    """`matchesPathTemplate` with a text that may be a path."""
    segments = text.split("/")
    place = rng.randrange(len(segments))
    segments[place] = rng.choice(["{v}", "**", segments[place]])
    return {"matchesPathTemplate": "/".join(segments)}


def date(rng):
    return rng.choice(DATES)


def expected_date(rng):
    return rng.choice([date(rng), date(rng), "now", "now +3 days", "now -2 months", "+15 minutes", "-10 years", "3 hours", "now +1 YEARS",
                       "2021-06-14T12:13:14+02:00[Europe/Paris]", "now +0 seconds"])


def apt_expectation(rng, text):
    """An operator and operand that should hold for a date."""
    if any(year in text for year in ("2105", "4289500799")):
        return rng.choice([("after", "now"), ("after", "now +3 days"), ("after", "2021-06-14T12:13:14Z"), ("after", "2021")])
    return rng.choice([("before", "now"), ("before", "now -2 months"), ("before", "2105-12-31"), ("before", "2105-12-31T23:59:59Z"),
                       ("after", "1990"), ("after", "1960-01-01T00:00:00Z"), ("equalToDateTime", text),
                       ("equalToDateTime", "2021-06-14T12:13:14Z"), ("equalToDateTime", "2021-06-14T12:13:14")])


def date_matcher(rng, text):
    """A date matcher and a text for it: `text`, or one in the matcher's format."""
    options = {}
    if rng.random() < 0.25:
        options["actualFormat"], texts = rng.choice(FORMATS)
        text = rng.choice(texts)
    name, expected = apt_expectation(rng, text)
    if rng.random() < 0.35:
        name, expected = rng.choice(["before", "after", "equalToDateTime"]), rng.choice([text, expected_date(rng)])
    if rng.random() < 0.2:
        options["truncateExpected"] = rng.choice(TRUNCATIONS)
    if rng.random() < 0.2:
        options["truncateActual"] = rng.choice(TRUNCATIONS)
    if rng.random() < 0.15:
        options["applyTruncationLast"] = True
    if rng.random() < 0.2:
        options["expectedOffset"] = rng.choice([-3, 1, 40, 0])
        options["expectedOffsetUnit"] = rng.choice(["seconds", "minutes", "hours", "days", "months", "years"])
    return {name: expected, **options}, text


def truncated_date_matcher(rng):
    """An exact date that truncating the actual one may give."""
    truncation = rng.choice(TRUNCATIONS)
    reached = {"first second of minute": "2021-06-14T12:13:00Z", "first minute of hour": "2021-06-14T12:00:00Z",
               "first hour of day": "2021-06-14T00:00:00Z", "first day of month": "2021-06-01T00:00:00Z",
               "first day of next month": "2021-07-01T00:00:00Z", "last day of month": "2021-06-30T00:00:00Z",
               "first day of year": "2021-01-01T00:00:00Z", "first day of next year": "2022-01-01T00:00:00Z",
               "last day of year": "2021-12-31T00:00:00Z"}[truncation]
    return {rng.choice(["equalToDateTime", "equalToDateTime", "before"]): reached, "truncateActual": truncation}
