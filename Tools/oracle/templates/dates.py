"""Dates: reading, moving, cutting off, and writing them. Cases about the present moment record only its form."""

from . import cases as asked, values

DATE = "(parseDate '2021-03-04T05:06:07Z')"
EVENING = "(parseDate '2024-12-31T21:45:09Z')"
PATTERNS = (
    "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSS", "yy M d", "y", "yyy", "yyyyy", "YYYY", "YY", "M", "MM",
    "MMM", "MMMM", "MMMMM", "L", "LL", "LLL", "LLLL", "d", "dd", "ddd", "D", "DD", "DDD", "E", "EE", "EEE", "EEEE", "EEEEE",
    "u", "uu", "e", "ee", "c", "F", "w", "ww", "W", "q", "Q", "QQQ", "a", "aa", "H", "HH", "h", "hh", "k", "kk", "K", "KK", "m",
    "mm", "s", "ss", "S", "SS", "SSS", "SSSSSS", "n", "N", "A", "z", "zz", "zzz", "zzzz", "Z", "ZZ", "ZZZZ", "ZZZZZ", "X", "XX",
    "XXX", "x", "xxx", "O", "V", "VV", "G", "GG", "GGGG", "B", "EEE, dd MMM yyyy HH:mm:ss z", "''", "'it''s' yyyy",
    "h 'o''clock' a", "'unclosed", "yyyy-MM-dd'", "b", "T", "yyyyMMdd'T'HHmmssZ", "[yyyy]", "#yyyy", "{yyyy}", "yyyy/MM/dd é",
    "hh:mm a", "P", "J", "epoch", "unix", "EPOCH", "Epoch", "", " ", "dd.MM.yyyy")
OFFSETS = (
    "1 seconds", "1 second", "90 seconds", "-1 seconds", "5 minutes", "5 minute", "-5 minutes", "3 hours", "-30 hours",
    "3 days", "3 day", "-4 days", "1 weeks", "1 week", "2 months", "1 month", "-1 months", "12 months", "1 years", "1 year",
    "-10 years", "0 days", "3  days", " 3 days", "3 days ", "3 DAYS", "3 Days", "+3 days", "3", "days", "3days", "3.5 days",
    "three days", "3 fortnights", "3 decades", "1 millis", "1 milliseconds", "", "100000000000 days", "2147483648 seconds",
    "3 days 4 hours", "a b")
ZONES = (
    "UTC", "GMT", "Z", "Europe/Zurich", "Australia/Sydney", "America/New_York", "Asia/Kolkata", "GMT+2", "GMT+02:00", "UTC+1",
    "+02:00", "+2", "-0530", "EST", "PST", "CET", "Nonsense/Zone", "", "europe/zurich", "utc")
FORMS = (
    "2021-03-04T05:06:07Z", "2021-03-04T05:06:07.123Z", "2021-03-04T05:06:07.123456789Z", "2021-03-04T05:06:07+02:00",
    "2021-03-04T05:06:07.5-05:30", "2021-03-04T05:06Z", "2021-03-04T05:06:07", "2021-03-04T05:06", "2021-03-04", "2021-03",
    "2021", "20210304", "2021-03-04 05:06:07", "2021-03-04T05:06:07+0200", "2021-03-04T05:06:07[Europe/Zurich]",
    "2021-03-04T05:06:07+01:00[Europe/Zurich]", "Thu, 04 Mar 2021 05:06:07 GMT", "Thu, 4 Mar 2021 05:06:07 GMT",
    "Thu, 04 Mar 2021 05:06:07 +0200", "Thursday, 04-Mar-21 05:06:07 GMT", "Thu Mar  4 05:06:07 2021",
    "Thu Mar 04 05:06:07 2021", "1614834367", "1614834367000", "not a date", "", " ", "2021-13-04", "2021-02-30",
    "2021-02-29T00:00:00Z", "2021-03-04T24:00:00Z", "2021-03-04t05:06:07z", " 2021-03-04T05:06:07Z ",
    "Fri, 04 Mar 2021 05:06:07 GMT", "04/03/2021", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
    "10000-01-01T00:00:00Z")
READABLE = (*FORMS[:6], *FORMS[15:22], "2021-03-04t05:06:07z")
READ = (
    ("04/03/2021", "dd/MM/yyyy"), ("04/03/2021 05:06", "dd/MM/yyyy HH:mm"), ("4 Mar 2021", "d MMM yyyy"),
    ("04/03/2021 05:06 +0200", "dd/MM/yyyy HH:mm Z"), ("04/03/2021 05:06 +02:00", "dd/MM/yyyy HH:mm XXX"),
    ("2021-03", "yyyy-MM"), ("2021", "yyyy"), ("05:06", "HH:mm"), ("05:06 PM 04/03/2021", "hh:mm a dd/MM/yyyy"),
    ("1614834367", "unix"), ("1614834367123", "epoch"), ("-1", "epoch"), ("abc", "epoch"), ("abc", "unix"), ("1.5", "unix"),
    ("", "unix"), ("2021-03-04T05:06:07Z", "yyyy-MM-dd'T'HH:mm:ssX"), ("2021-03-04T05:06:07Z", "yyyy-MM-dd'T'HH:mm:ss'Z'"),
    ("abc", "dd/MM/yyyy"), ("04/03/2021", "bad pattern b"), ("04/03/2021", "'"), ("04/03/21", "dd/MM/yy"),
    ("2021-03-04", "yyyy-MM-dd"), ("2021-03-04 trailing", "yyyy-MM-dd"), ("31/02/2021", "dd/MM/yyyy"), ("2021-063", "yyyy-DDD"),
    ("Thu 4 March 2021", "EEE d MMMM yyyy"), ("2021-03-04 05:06:07.123", "yyyy-MM-dd HH:mm:ss.SSS"),
    ("2021-03-04T05:06:07 Europe/Zurich", "yyyy-MM-dd'T'HH:mm:ss VV"), ("2021-03-04T05:06:07 CET", "yyyy-MM-dd'T'HH:mm:ss z"))
TRUNCATIONS = (
    "first second of minute", "first minute of hour", "first hour of day", "first day of month", "first day of next month",
    "last day of month", "first day of year", "first day of next year", "last day of year", "First Day Of Month",
    "FIRST DAY OF MONTH", "first  day of month", "day", "first day of week", "", "nonsense", "first_day_of_month",
    "firstDayOfMonth")


# `format` is a pattern of SimpleDateFormat; `parseDate` and `dateFormat` have those of java.time.
def of_writing():
    # With a pattern the system's time zone counts, which was UTC.
    yield from asked(*(f"{{{{date {DATE} format={quoted(pattern)}}}}}" for pattern in PATTERNS))
    yield from asked(
        *(f"{{{{date {EVENING} format={quoted(pattern)}}}}}" for pattern in (
            "hh:mm a", "h", "k", "K", "D", "w", "YYYY", "u", "EEEE", "MMMM", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "F", "W", "E",
            "zzzz")))
    yield from asked(
        f"{{{{date {DATE}}}}}", f"{{{{{DATE[1:-1]}}}}}", "{{date (parseDate '2021-03-04T05:06:07.123Z')}}",
        "{{date (parseDate '2021-03-04T05:06:07.120Z') format='yyyy-MM-dd HH:mm:ss.SSS'}}",
        "{{date (parseDate '2021-03-04T05:06:07.999Z') format='epoch'}}",
        "{{date (parseDate '2021-03-04T05:06:07.999Z') format='unix'}}",
        "{{date (parseDate '1969-12-31T23:59:58.500Z') format='unix'}}",
        "{{date (parseDate '1969-12-31T23:59:59Z') format='epoch'}}", f"{{{{date {DATE} format=missing}}}}",
        f"{{{{date {DATE} format=1}}}}", f"{{{{date {DATE} 'yyyy'}}}}", f"{{{{date {DATE} locale='de' format='EEEE d MMMM'}}}}",
        f"{{{{#date {DATE}}}}}x{{{{/date}}}}")
    for zone in ZONES:
        yield from asked(
            f"{{{{date {DATE} timezone='{zone}'}}}}", f"{{{{date {DATE} timezone='{zone}' format='yyyy-MM-dd HH:mm:ss Z z'}}}}")
    yield from asked(
        f"{{{{date {DATE} timezone='Europe/Zurich' format='epoch'}}}}",
        f"{{{{date {DATE} timezone='Europe/Zurich' format='unix'}}}}", f"{{{{date {DATE} timezone=missing}}}}",
        f"{{{{date {DATE} timezone=1}}}}", "{{date (parseDate '2021-07-04T05:06:07Z') timezone='Europe/Zurich'}}",
        "{{date (parseDate '2021-07-04T05:06:07Z') timezone='Europe/Zurich' format='z zzzz Z XXX'}}",
        "{{date (parseDate '2021-07-04T05:06:07Z') timezone='Australia/Sydney' format=\"EEE, d MMM yyyy HH:mm:ss z\"}}")


# A date that was read keeps the time zone it was read with, and `timezone` does not change it.
def of_zones():
    for date in (
            "(parseDate '2021-07-04' format='yyyy-MM-dd')", "(parseDate '1625375167' format='unix')",
            "(parseDate '1625375167000' format='epoch')", "(parseDate '2021-07-04T05:06:07+02:00')",
            "(parseDate '2021-07-04T05:06:07+0530' format=\"yyyy-MM-dd'T'HH:mm:ssZ\")",
            "(parseDate '2021-07-04T05:06:07 Europe/Zurich' format=\"yyyy-MM-dd'T'HH:mm:ss VV\")"):
        yield from asked(
            *(f"{{{{{date[1:-1]}{option}}}}}" if not option else f"{{{{date {date}{option}}}}}" for option in (
                "", " timezone='Asia/Kolkata'", " timezone='Asia/Kolkata' format='yyyy-MM-dd HH:mm:ss Z z'",
                " format='yyyy-MM-dd HH:mm:ss Z z'", " format='epoch'", " offset='1 hours'")))
        yield from asked(
            f"{{{{date (date {date} timezone='Asia/Kolkata')}}}}", f"{{{{truncateDate {date} 'first hour of day'}}}}",
            f"{{{{date (truncateDate {date} 'first hour of day') timezone='Asia/Kolkata'}}}}",
            f"{{{{dateFormat {date} 'yyyy-MM-dd HH:mm z'}}}}",
            f"{{{{dateFormat {date} 'yyyy-MM-dd HH:mm z' tz='Asia/Kolkata'}}}}")
    yield from asked(
        "{{matches (date (now) timezone='Asia/Kolkata') '.*Z'}}",
        "{{matches (date (now timezone='Asia/Kolkata')) '.*\\+05:30'}}",
        "{{matches (date (now timezone='Asia/Kolkata') timezone='UTC') '.*\\+05:30'}}",
        "{{matches (date (now timezone='Asia/Kolkata') format='Z') '.*'}}",
        "{{date (now timezone='Asia/Kolkata') format='Z z'}}", "{{now timezone='Asia/Kolkata' format='Z z'}}")
    for zone in ZONES:
        yield from asked(
            f"{{{{size (upper (now timezone='{zone}'))}}}}",
            f"{{{{now timezone='{zone}' format='X'}}}}" if zone not in (
                "Europe/Zurich", "Australia/Sydney", "America/New_York", "PST", "CET",
                "europe/zurich") else "{{now format='X'}}")


def of_moving():
    yield from asked(*(f"{{{{date {DATE} offset='{offset}'}}}}" for offset in OFFSETS))
    yield from asked(
        "{{date (parseDate '2021-01-31T00:00:00Z') offset='1 months'}}",
        "{{date (parseDate '2024-02-29T00:00:00Z') offset='1 years'}}",
        "{{date (parseDate '2021-03-31T00:00:00Z') offset='-1 months'}}",
        "{{date (parseDate '2021-03-27T12:00:00Z') offset='1 days' timezone='Europe/Zurich'}}",
        f"{{{{date {DATE} offset=missing}}}}", f"{{{{date {DATE} offset=1}}}}",
        f"{{{{date {DATE} offset='1 days' format='yyyy-MM-dd'}}}}",
        f"{{{{date {DATE} offset='3 hours' timezone='Asia/Kolkata' format='HH:mm'}}}}",
        f"{{{{date (date {DATE} offset='1 days') offset='1 days'}}}}")


def of_reading():
    yield from asked(
        *(f"{{{{parseDate '{form}'}}}}" for form in FORMS),
        *(f"{{{{date (parseDate '{form}') format='epoch'}}}}" for form in READABLE))
    yield from asked(*(f"{{{{parseDate '{text}' format={quoted(form)}}}}}" for text, form in READ))
    yield from asked(
        "{{parseDate}}", "{{parseDate missing}}", "{{parseDate 1614834367}}", "{{parseDate 1614834367 format='unix'}}",
        "{{parseDate 1614834367000 format='epoch'}}", "{{parseDate '2021-03-04' format=missing}}",
        "{{parseDate '2021-03-04' format=1}}", "{{parseDate '2021-03-04' 'yyyy-MM-dd'}}",
        "{{#parseDate '2021-03-04T05:06:07Z'}}x{{/parseDate}}", "{{parseDate (parseDate '2021-03-04T05:06:07Z')}}",
        "{{#if (parseDate 'nonsense')}}a{{else}}b{{/if}}", "{{date (parseDate '2021-03-04T05:06:07Z') }}",
        "{{parseDate '2021-03-04T05:06:07Z' format=''}}", "{{upper (parseDate '2021-03-04T05:06:07Z')}}",
        "{{toJson (parseDate '2021-03-04T05:06:07Z')}}",
        "{{eq (parseDate '2021-03-04T05:06:07Z') (parseDate '2021-03-04T05:06:07Z')}}",
        "{{gt (parseDate '2021-03-04T05:06:08Z') (parseDate '2021-03-04T05:06:07Z')}}",
        "{{stringFormat '%s' (parseDate '2021-03-04T05:06:07Z')}}", "{{size (parseDate '2021-03-04T05:06:07Z')}}",
        "{{val (parseDate '2021-03-04T05:06:07Z') assign='d'}}{{date d format='yyyy'}}")


def of_cutting():
    yield from asked(
        *(f"{{{{date (truncateDate {date} '{truncation}')}}}}" for truncation in TRUNCATIONS for date in (
            DATE, "(parseDate '2024-02-29T23:59:59.999Z')")))
    yield from asked(
        f"{{{{truncateDate {DATE} 'first day of month'}}}}", f"{{{{truncateDate {DATE}}}}}", "{{truncateDate}}",
        "{{truncateDate missing 'first day of month'}}", "{{truncateDate 'x' 'first day of month'}}",
        f"{{{{truncateDate {DATE} 1}}}}", f"{{{{truncateDate {DATE} missing}}}}",
        "{{truncateDate '2021-03-04T05:06:07Z' 'first day of month'}}",
        f"{{{{#truncateDate {DATE} 'first day of month'}}}}x{{{{/truncateDate}}}}",
        "{{date (truncateDate (now) 'first day of year') format='MM-dd HH:mm:ss'}}",
        "{{date (truncateDate (now) 'first hour of day') format='HH:mm:ss.SSS'}}",
        "{{date (truncateDate (now timezone='Asia/Kolkata') 'first hour of day') format='HH:mm:ss' timezone='Asia/Kolkata'}}",
        f"{{{{date (truncateDate (date {DATE} timezone='Asia/Kolkata') 'first hour of day')}}}}",
        f"{{{{date (truncateDate {DATE} 'first day of month') offset='-1 days' format='yyyy-MM-dd'}}}}",
        f"{{{{date (truncateDate (date {DATE} offset='1 months') 'last day of month')}}}}")


def of_the_present():
    iso = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
    yield from asked(
        *(f"{{{{matches {call} '{form}'}}}}" for call, form in (
        ("(now)", iso + "Z"), ("(now format='epoch')", "[0-9]{13}"), ("(now format='unix')", "[0-9]{10}"), (
            "(now format='yyyy-MM-dd')", "[0-9-]{10}"), (
            "(now timezone='Asia/Kolkata')", iso + "\\+05:30"), ("(now timezone='UTC')", iso + ".*"), (
            "(now timezone='Europe/Zurich')", iso + "\\+0[12]:00"), ("(now offset='3 days')", iso + "Z"), (
                "(now offset='-3 days' format='yyyy')", "[0-9]{4}"), ("(date)", iso + "Z"), (
                    "(date missing)", iso + "Z"), ("(date 'x')", iso + "Z"), ("(date 1)", iso + "Z"), (
                    "(date '2021-03-04')", "2021.*"), ("(now 'yyyy')", iso + "Z"), ("(now x=1)", iso + "Z"))))
    yield from asked(
        "{{matches (now) '.*\\.[0-9]+Z'}}", "{{now format=1}}",
        "{{now format='bad b'}}", "{{now offset='x'}}", "{{now offset='1 x'}}", "{{now timezone='Nonsense'}}x",
        "{{now format='\\'\\''}}", "{{#now format=\"'x'\"}}y{{/now}}", "{{size (now)}}", "{{size (now format='epoch')}}",
        "{{now format=''}}", "{{now format=\"'a'\"}}", "{{gt (now offset='1 days') (now)}}", "{{gt (now format='epoch') '1'}}")


def of_date_format():
    for form in (
            "", "'full'", "'long'", "'medium'", "'short'", "'yyyy-MM-dd'", "'nonsense'", "''", "'full' 'de'", "'long' 'de_DE'",
            "'medium' 'fr'", "'short' 'en_GB'", "'EEEE d MMMM' 'de'", "'EEEE d MMMM' 'fr_FR'", "'full' 'ja'", "format='yyyy'",
            "format='full' locale='de'", "format='long' tz='Asia/Kolkata'", "'yyyy-MM-dd HH:mm' tz='Asia/Kolkata'",
            "'yyyy-MM-dd HH:mm z' tz='Europe/Zurich'", "'full' time='short'", "'short' time='short'", "'medium' time='full'",
            "time='short'", "'short' time='nonsense'", "tz='Nonsense'", "'FULL'", "1", "'yyyy' 1", "'full' 'xx'", "locale='de'",
            "'dd/MM/yyyy' locale='de'", "'medium' tz=1", "format='medium' time='medium'",
            "format='short' time='long' locale='de'"):
        yield from asked(f"{{{{dateFormat {DATE} {form}}}}}".replace(" }}", "}}"))
    yield from asked(
        "{{dateFormat}}", "{{dateFormat missing}}", "{{dateFormat missing 'x'}}", "{{dateFormat 'x'}}", "{{dateFormat 1}}",
        "{{dateFormat 0}}", "{{dateFormat '2021-03-04'}}", "{{matches (dateFormat (now) 'yyyy') '[0-9]{4}'}}",
        f"{{{{#dateFormat {DATE} 'yyyy'}}}}x{{{{/dateFormat}}}}",
        f"{{{{dateFormat (date {DATE} timezone='Asia/Kolkata') 'HH:mm'}}}}",
        f"{{{{dateFormat (date {DATE} format='unix') 'HH:mm'}}}}")


def quoted(text):
    return '"' + text + '"' if "'" in text else "'" + text + "'"


def cases():
    for part in (of_writing, of_zones, of_moving, of_reading, of_cutting, of_the_present, of_date_format):
        yield from part()
