#!/usr/bin/env python3
"""Records how date matchers compare in the real WireMock.

    python3 Tools/oracle/record_datetime.py > Tests/Oracle/datetime.json

The jar is found at $STUNTDOUBLE_ORACLE or as ../shared/oracle/*.jar beside the package. It runs in the zone named in the
recording, in which dates without an offset are read. Each case is tested with `before`, `after` and `equalToDateTime`; an
answer has a letter for each that matched (`b`, `a`, `e`), and a `!` for each that the server failed to answer.
Only the standard library is used.
"""

import itertools
import json
import random
import sys

import recording
import wiremock
ZONE = "Australia/Sydney"
OPERATORS = (("before", "b"), ("after", "a"), ("equalToDateTime", "e"))


EXPECTED = [
    "2021-05-01T00:00:00Z", "2021-05-01T00:00:00+01:00", "2021-05-01T01:00:00+01:00[Europe/London]", "2021-05-01T00:00:00[Europe/London]",
    "2021-05-01T00:00:00", "2021-05-01T00:00", "2021-05-01", "2021-05", "2021", "2021-01-01T00:00:00Z", "+12021-05-01T00:00:00Z",
    "-0001-05-01T00:00:00Z", "Sat, 1 May 2021 00:00:00 GMT", "Sat, 01 May 2021 00:00:00 GMT", "Sat, 01 May 2021 01:00:00 +0100",
    "Saturday, 01-May-21 00:00:00 GMT", "Sat May  1 00:00:00 2021", "Sat May 01 00:00:00 2021", "", "rubbish", "2021-02-30", "20210501",
    "2021-05-01T00:00:00z", "2021-05-01t00:00:00z", "2021-05-01T24:00:00", "2021-05-01T24:00:00Z", "2021-05-01T00:00:00.5Z",
    "2021-05-01T00:00:00+0100", "2021-05-01T00:00:00+01", "2021-05-01 00:00:00Z", " 2021-05-01T00:00:00Z", "2021-05-01T00:00:00Z ",
    "2021-12-31T23:59:59.999999999Z", "1620000000", "1", "0", "-1", "12345", "123456789", "999999999", "1000000000", "021", "+2021",
]

VALUES = [
    "2021-05-01T00:00:00Z", "2021-05-01T00:00:00.000Z", "2021-05-01T00:00:00.000000001Z", "2021-05-01T00:00:00.0000000001Z", "2021-05-01T00:00Z",
    "2021-04-30T23:59:59.999999999Z", "2021-05-01T00:00:00+01:00", "2021-05-01T01:00:00+01:00", "2021-05-01T10:00:00+10:00",
    "2021-05-01T01:00:00+01:00[Europe/London]", "2021-05-01T00:00:00+01:00[Europe/London]", "2021-05-01T00:00:00+00:00[Europe/London]",
    "2021-05-01T01:00:00[Europe/London]", "2021-05-01T00:00:00Z[UTC]", "2021-05-01T00:00:00Z[GMT]", "2021-05-01T00:00:00Z[Nowhere/City]",
    "2021-05-01T00:00:00Z[+01:00]", "2021-05-01T00:00:00Z[UTC+1]", "2021-05-01T00:00:00Z[EST]", "2021-05-01T00:00:00Z[Z]",
    "2021-05-01T10:00:00", "2021-05-01T00:00:00", "2021-05-01T00:00", "2021-05-01T00", "2021-05-01", "2021-05", "2021", "2021-5-1", "2021-W17",
    "Sat, 1 May 2021 00:00:00 GMT", "Sat, 01 May 2021 00:00:00 GMT", "Sat, 01 May 2021 00:00 GMT", "01 May 2021 00:00:00 GMT",
    "Sat, 01 May 2021 01:00:00 +0100", "Sat, 01 May 2021 01:00:00 +01:00", "Sun, 01 May 2021 00:00:00 GMT", "sat, 01 may 2021 00:00:00 gmt",
    "Sat, 01 May 2021 00:00:00 UTC", "Sat, 01 May 2021 00:00:00 Z", "Sat, 01 May 2021 00:00:00 EST", "Sat, 01 May 2021 00:00:00",
    "Sat, 01 May 21 00:00:00 GMT", "Saturday, 01-May-21 00:00:00 GMT", "Saturday, 01-May-21 00:00:00 UTC", "Saturday, 01-May-21 00:00:00 EST",
    "Saturday, 01-May-21 00:00:00 PDT", "Saturday, 01-May-21 00:00:00 BST", "Saturday, 01-May-21 00:00:00 CET", "Saturday, 01-May-21 00:00:00 +0100",
    "Saturday, 01-May-21 00:00:00 +01:00", "Saturday, 01-May-21 00:00:00 Z", "Saturday, 01-May-21 00:00:00 Europe/London",
    "Saturday, 01-May-21 00:00:00 GMT+1", "Saturday, 01-May-21 00:00:00 AEST", "Saturday, 01-May-21 00:00:00 Coordinated Universal Time",
    "Saturday, 1-May-21 00:00:00 GMT", "saturday, 01-may-21 00:00:00 GMT", "Sat, 01-May-21 00:00:00 GMT", "Saturday, 01-May-2021 00:00:00 GMT",
    "Saturday, 01-May-99 00:00:00 GMT", "Sunday, 01-May-21 00:00:00 GMT", "Sat May  1 00:00:00 2021", "Sat May 1 00:00:00 2021",
    "Sat May 01 00:00:00 2021", "Sat May  01 00:00:00 2021", "Sat May 15 00:00:00 2021", "Sat May  15 00:00:00 2021", "Sun May  1 00:00:00 2021",
    "sat may  1 00:00:00 2021", "Sat May  1 00:00:00 21", "Sat May  1 00:00:00 12021", "2021-02-29T00:00:00Z", "2021-02-31", "2021-13",
    "2021-05-01T24:00:00Z", "2021-05-01T24:00:00", "2021-05-01T23:59:60Z", "2021-05-01T25:00:00Z", "2021-05-01T00:00:00z", "2021-05-01t00:00:00Z",
    "+2021-05-01T00:00:00Z", "+12021-05-01T00:00:00Z", "12021-05-01T00:00:00Z", "-2021-05-01T00:00:00Z", "-0000-05-01T00:00:00Z",
    "0000-01-01T00:00:00Z", "2021-05-01T00:00:00+18:00", "2021-05-01T00:00:00+18:01", "2021-05-01T00:00:00-00:00", "2021-05-01T00:00:00+01",
    "2021-05-01T00:00:00+0100", "2021-05-01T00:00:00+01:00:30", "2021-05-01T00:00:00 01:00", "2021-05-01T00:00:00.Z", "2021-05-01T00:00:00,5Z",
    "2021-05-01 00:00:00Z", "2021-05-01T00:00:00 Z", " 2021-05-01T00:00:00Z", "2021-05-01T00:00:00Z ", "2021-05-01T00:00:00Zx", "", " ", "rubbish",
    "1619827200000", "1619827200", "999999999", "1000000000", "99999", "+99999", "-99999", "+1000000000", "-1000000000", "20210501", "1", "21", "021",
    "-1", "-2021", "+2021", "0", "-0", "2147483647", "2147483648", "99999999999999999999", "2021-05-01T00:00:00Z[", "2021-05-01T00:00:00Z[]", "now", "null",
]

FEW = [
    "2021-05-01T00:00:00Z", "2021-05-01T00:00:01Z", "2021-04-30T23:59:59Z", "2021-05-01T00:00:00", "2021-05-01", "2021-05", "2021", "2021-05-16T12:34:56.789Z",
    "2021-05-16T12:34:56.789", "2021-05-31T00:00:00+02:00", "2021-05-31T23:30:00Z[Europe/London]", "2021-06-01T00:00:00Z", "2021-12-31T00:00:00Z",
    "2022-01-01T00:00:00Z", "2021-01-01T00:00:00Z", "2020-02-29T13:00:00-05:00", "2020-12-31T23:30:00-01:00", "Sun, 16 May 2021 12:34:56 GMT",
    "Sunday, 16-May-21 12:34:56 GMT", "Sun May 16 12:34:56 2021", "rubbish", "",
]

TRUNCATIONS = [
    "first second of minute", "first minute of hour", "first hour of day", "first day of month", "first day of next month", "last day of month",
    "first day of year", "first day of next year", "last day of year",
]

FORMATS = {
    "unix": ["1619827200", "1619827199", "1619827201", "0", "-1", "+1619827200", "1619827200000", "1e9", "1619827200.5", "", "x", " 1619827200",
             "99999999999", "31556889864403199", "9223372036854775807", "9223372036854775808", "٣", "0x10"],
    "epoch": ["1619827200000", "1619827199999", "1619827200001", "0", "-1", "+1619827200000", "1619827200", "x", "", "9223372036854775807",
              "-9223372036854775808", "9223372036854775808", "1.5"],
    "UNIX": ["1619827200"],
    "dd/MM/yyyy": ["01/05/2021", "1/5/2021", "01/05/21", "30/04/2021", "02/05/2021", "31/02/2021", "32/05/2021", "01/05/12021", "01/05/+12021", "01/05/2021 ", "00/05/2021", ""],
    "d/M/yyyy": ["1/5/2021", "01/05/2021", "001/5/2021", "31/2/2021", "29/2/2021", "0/5/2021", "-1/5/2021", "+1/5/2021"],
    "d/M/yy": ["1/5/21", "1/5/2021", "1/5/99", "1/5/2", "1/5/00"],
    "d/M/y": ["1/5/2021", "1/5/21", "1/5/-1", "1/5/+2021", "1/5/12021", "1/5/0"],
    "d/M/u": ["1/5/2021", "1/5/-1", "1/5/0", "1/5/12021"],
    "uuuu-MM-dd'T'HH:mm:ss": ["2021-05-01T00:00:00", "2021-05-01T24:00:00", "2021-05-01t00:00:00", "2021-05-01T00:00:00Z"],
    "yyyy-MM-dd'T'HH:mm:ssX": ["2021-05-01T00:00:00Z", "2021-05-01T01:00:00+01", "2021-05-01T01:00:00+0100", "2021-05-01T01:00:00+01:00", "2021-05-01T00:00:00z", "2021-05-01T01:30:00+0130"],
    "yyyy-MM-dd'T'HH:mm:ssXX": ["2021-05-01T00:00:00Z", "2021-05-01T01:00:00+01", "2021-05-01T01:00:00+0100", "2021-05-01T01:00:00+01:00"],
    "yyyy-MM-dd'T'HH:mm:ssXXX": ["2021-05-01T00:00:00Z", "2021-05-01T01:00:00+01", "2021-05-01T01:00:00+0100", "2021-05-01T01:00:00+01:00", "2021-05-01T01:00:00+01:00:00"],
    "yyyy-MM-dd'T'HH:mm:ssXXXX": ["2021-05-01T00:00:00Z", "2021-05-01T01:00:00+0100", "2021-05-01T01:00:00+010030"],
    "yyyy-MM-dd'T'HH:mm:ssXXXXX": ["2021-05-01T00:00:00Z", "2021-05-01T01:00:00+01:00", "2021-05-01T01:00:00+01:00:30"],
    "yyyy-MM-dd'T'HH:mm:ssx": ["2021-05-01T00:00:00+00", "2021-05-01T00:00:00Z", "2021-05-01T01:00:00+01", "2021-05-01T01:30:00+0130"],
    "yyyy-MM-dd'T'HH:mm:ssxxx": ["2021-05-01T00:00:00+00:00", "2021-05-01T00:00:00Z", "2021-05-01T01:00:00+01:00"],
    "yyyy-MM-dd'T'HH:mm:ssZ": ["2021-05-01T00:00:00+0000", "2021-05-01T00:00:00Z", "2021-05-01T01:00:00+0100", "2021-05-01T01:00:00+01:00"],
    "yyyy-MM-dd'T'HH:mm:ssZZZZ": ["2021-05-01T00:00:00GMT", "2021-05-01T01:00:00GMT+01:00", "2021-05-01T01:00:00+0100"],
    "yyyy-MM-dd'T'HH:mm:ssZZZZZ": ["2021-05-01T00:00:00Z", "2021-05-01T01:00:00+01:00", "2021-05-01T01:00:00+0100"],
    "yyyy-MM-dd'T'HH:mm:ssO": ["2021-05-01T00:00:00GMT", "2021-05-01T01:00:00GMT+1", "2021-05-01T01:00:00GMT+01:00", "2021-05-01T01:30:00GMT+1:30"],
    "yyyy-MM-dd'T'HH:mm:ssOOOO": ["2021-05-01T00:00:00GMT", "2021-05-01T01:00:00GMT+1", "2021-05-01T01:00:00GMT+01:00"],
    "yyyy-MM-dd'T'HH:mm:ssVV": ["2021-05-01T00:00:00Z", "2021-05-01T01:00:00Europe/London", "2021-05-01T01:00:00+01:00", "2021-05-01T01:00:00UTC+1", "2021-05-01T00:00:00UTC", "2021-05-01T00:00:00Nowhere"],
    "yyyy-MM-dd HH:mm:ss VV": ["2021-05-01 00:00:00 Z", "2021-05-01 01:00:00 Europe/London", "2021-03-28 01:30:00 Europe/London", "2021-10-31 01:30:00 Europe/London"],
    "yyyy-MM-dd HH:mm:ss z": ["2021-05-01 00:00:00 GMT", "2021-05-01 00:00:00 UTC", "2021-05-01 00:00:00 PST", "2021-05-01 00:00:00 PDT", "2021-05-01 00:00:00 CEST", "2021-05-01 00:00:00 EST", "2021-05-01 00:00:00 JST", "2021-05-01 00:00:00 Z", "2021-05-01 00:00:00 +01:00", "2021-05-01 00:00:00 Europe/Paris"],
    "yyyy-MM-dd HH:mm:ss zzzz": ["2021-05-01 00:00:00 Greenwich Mean Time", "2021-05-01 00:00:00 Pacific Daylight Time", "2021-05-01 00:00:00 GMT"],
    "yyyyMMdd": ["20210501", "2021-05-01", "202151", "120210501", "20210430", "20211301"],
    "yyyyMMddHHmmss": ["20210501000000", "20210501000001", "202105010000000", "20210501"],
    "yyyyMMddHHmmssSSS": ["20210501000000000", "20210501000000001", "20210501000000"],
    "yyMMdd": ["210501", "20210501", "2151"],
    "yyyy-MM-dd HH:mm:ss.SSS": ["2021-05-01 00:00:00.000", "2021-05-01 00:00:00.001", "2021-05-01 00:00:00.0", "2021-05-01 00:00:00.0000"],
    "yyyy-MM-dd HH:mm:ss[.SSSSSS]": ["2021-05-01 00:00:00", "2021-05-01 00:00:00.000001", "2021-05-01 00:00:00.000"],
    "yyyy-MM-dd[ HH:mm[:ss]]": ["2021-05-01", "2021-05-01 00:00", "2021-05-01 00:00:01", "2021-05-01 "],
    "yyyy-MM-dd hh:mm a": ["2021-05-01 12:00 AM", "2021-05-01 12:00 PM", "2021-05-01 01:00 PM", "2021-05-01 13:00 PM", "2021-05-01 12:00 am", "2021-05-01 00:00 AM"],
    "yyyy-MM-dd h:mm a": ["2021-05-01 12:00 AM", "2021-05-01 1:00 PM", "2021-05-01 01:00 PM"],
    "yyyy-MM-dd kk:mm": ["2021-05-01 24:00", "2021-05-01 01:00", "2021-05-01 00:00"],
    "yyyy-MM-dd KK:mm a": ["2021-05-01 00:00 AM", "2021-05-01 11:00 PM", "2021-05-01 12:00 PM"],
    "yyyy-MM-dd hh:mm": ["2021-05-01 12:00"],
    "yyyy-MM-dd HH": ["2021-05-01 00", "2021-05-01 23", "2021-05-01 24"],
    "yyyy-MM-dd mm": ["2021-05-01 00"],
    "EEE, d MMM yyyy": ["Sat, 1 May 2021", "Sun, 1 May 2021", "Saturday, 1 May 2021", "sat, 1 may 2021"],
    "EEEE d MMMM yyyy": ["Saturday 1 May 2021", "Sat 1 May 2021", "Friday 30 April 2021"],
    "EEEEE d MMM yyyy": ["S 1 May 2021"],
    "d MMM uuuu G": ["1 May 2021 AD", "1 May 2021 BC"],
    "d MMM yyyy G": ["1 May 2021 AD", "1 May 2021 BC", "1 May 0001 BC"],
    "d MMM yyyy GGGG": ["1 May 2021 Anno Domini"],
    "d MMMMM yyyy": ["1 M 2021"],
    "d LLL yyyy": ["1 May 2021"],
    "d LLLL yyyy": ["1 May 2021", "1 April 2021"],
    "yyyy-DDD": ["2021-121", "2021-120", "2021-365", "2021-366", "2021-001", "2021-1"],
    "yyyy-D": ["2021-121", "2021-1", "2021-366", "2020-366"],
    "yyyy-'Q'Q": ["2021-Q2", "2021-Q5"],
    "yyyy QQQ": ["2021 Q2"],
    "yyyy QQQQ": ["2021 2nd quarter"],
    "YYYY-'W'ww-e": ["2021-W18-7", "2021-W18-6", "2021-W17-6", "2021-W18-1", "2021-W54-1"],
    "YYYY-'W'ww": ["2021-W18"],
    "YYYY-'W'w-c": ["2021-W18-7", "2021-W18-6"],
    "YYYY 'week' ww EEE": ["2021 week 18 Sat", "2021 week 18 Sun"],
    "yyyy-MM-W-e": ["2021-05-1-7", "2021-05-1-6"],
    "yyyy-MM": ["2021-05", "2021-04", "2021-13"],
    "MM/yyyy": ["05/2021"],
    "yyyy": ["2021", "2022", "2020", "21", "12021"],
    "uuuu": ["2021", "-2021", "0000"],
    "yy": ["21", "20", "22"],
    "y": ["2021", "1"],
    "MM-dd": ["05-01"],
    "HH:mm:ss": ["00:00:00"],
    "yyyy-MM-dd A": ["2021-05-01 0", "2021-05-01 86399999", "2021-05-01 86400000"],
    "yyyy-MM-dd N": ["2021-05-01 0", "2021-05-01 1"],
    "yyyy-MM-dd HH:mm:ss n": ["2021-05-01 00:00:00 0", "2021-05-01 00:00:00 1", "2021-05-01 00:00:00 999999999", "2021-05-01 00:00:00 1000000000"],
    "yyyy-MM-dd HH:mm:ss S": ["2021-05-01 00:00:00 0", "2021-05-01 00:00:00 1"],
    "pppd/M/yyyy": ["  1/5/2021", "1/5/2021", " 01/5/2021"],
    "d'th of' MMMM yyyy": ["1th of May 2021"],
    "yyyy''MM''dd": ["2021'05'01"],
    "yyyy-MM-dd 'o''clock' H": ["2021-05-01 o'clock 0", "2021-05-01 oclock 0"],
    "dd MMM yyyy HH:mm:ss Z": ["01 May 2021 00:00:00 +0000", "01 May 2021 01:00:00 +0100", "01 May 2021 00:00:00 GMT"],
    "yyyy-MM-dd'T'HH:mm:ss[XXX][X]": ["2021-05-01T00:00:00Z", "2021-05-01T01:00:00+01:00", "2021-05-01T01:00:00+01", "2021-05-01T00:00:00"],
    "yyyy-MM-dd'T'HH:mm:ssXXX'['VV']'": ["2021-05-01T01:00:00+01:00[Europe/London]", "2021-05-01T01:00:00+02:00[Europe/London]"],
    "EEE MMM dd HH:mm:ss zzz yyyy": ["Sat May 01 00:00:00 UTC 2021", "Sat May 01 00:00:00 GMT 2021", "Sat May 01 00:00:00 AEST 2021"],
    "": ["", "2021-05-01"],
    "yyyy-MM-dd yyyy": ["2021-05-01 2021", "2021-05-01 2022"],
    "uuuu-MM-dd yyyy": ["2021-05-01 2021", "2021-05-01 2022"],
    "yyyy-MM-dd VV": ["2021-05-01 Europe/London", "2021-05-01 Z"],
    "yyyy-MM-ddXXX": ["2021-05-01Z", "2021-05-01+01:00"],
    "HH:mm:ss dd.MM.yyyy": ["00:00:00 01.05.2021"],
    "g": ["59335"],
    "yyyy-MM-dd B": ["2021-05-01 at night"],
    "yyyy-MM-dd HH:mm v": ["2021-05-01 00:00 GMT", "2021-05-01 00:00 PT"],
}

REFUSED_FORMATS = [
    "bogus pattern", "yyyy-MM-dd'T", "{", "}", "#", "ddd", "HHH", "aa", "VVV", "V", "XXXXXX", "xxxxxx", "ZZZZZZ", "zzzzz", "OO", "OOO", "cc", "eeeeee", "EEEEEE",
    "MMMMMM", "QQQQQQ", "GGGGGG", "DDDD", "FF", "WW", "www", "SSSSSSSSSS", "]", "[", "[[yyyy]", "p", "pp", "ppp-", "i", "l", "yyyyyyyyyyyyyyyyyyyy",
    "uuuuuuuuuuuuuuuuuuuu", "YYYYYYYYYYYYYYYYYYYY", "nnnnnnnnnnnnnnnnnnnn", "AAAAAAAAAAAAAAAAAAAA", "yyyy[", "yyyy[-MM", "T", "'", "''", "BB", "vv", "kkk", "mmm", "sss", "hhh", "KKK",
]

NOW_VALUES = ["1000-01-01T00:00:00Z", "9000-01-01T00:00:00Z", "1000-01-01T00:00:00", "9000-01-01", "1000", "rubbish"]
NOW_EXPECTED = [
    "now", "now +3 days", "now -1 months", "now +15 MINUTES", "+15 minutes", "-15 minutes", "3 hours", "now 3 hours", "NOW", "Now +1 days", " now", "now ", "now +0 seconds",
    "now+1 days", "now + 1 days", "now +1", "now +x days", "now +1 days ago", "now +1 years", "now +1 day", "now +1 weeks", "now +1 foo", "1 day", "3 Hours", "now  +1 days",
    "now +1  days", "now ++1 days", "now +-1 days", "--1 days", "now +99999999999 days", "99999999999 days", "now +2147483647 seconds", "now -2147483648 seconds",
    "now -2147483649 seconds", "now +1.5 days", "\tnow", "now\t+1 days", "days", "+ days", "1 day 2 hours", "2000 years", "-2000 years", "now +1 DAYS", "3 centuries",
]
UNITS = ["seconds", "minutes", "hours", "days", "months", "years", "DAYS", "Days", "day", "weeks", "", "nanos"]


def cases(generator):
    for expected in EXPECTED:
        yield expected, {}, VALUES if expected in EXPECTED[:9] else VALUES[::5] + [expected]
    for truncation in TRUNCATIONS + [t.upper().replace(" ", "_") for t in TRUNCATIONS[:2]]:
        for expected in ("2021-05-01T00:00:00Z", "2021-05-01T00:00:00", "2021-05-16T12:34:56.789Z", "2021-12-31T00:00:00Z", "2022-01-01T00:00:00Z"):
            yield expected, {"truncateActual": truncation}, FEW
        yield "2021-05-16T12:34:56.789Z", {"truncateExpected": truncation}, FEW
        yield "2021-05-16T12:34:56.789", {"truncateExpected": truncation, "truncateActual": truncation}, FEW
        yield "now", {"truncateExpected": truncation}, NOW_VALUES
        yield "2021-05-01", {"truncateActual": truncation, "actualFormat": "dd/MM/yyyy HH:mm"}, ["01/05/2021 00:00", "16/05/2021 12:34"]
        yield "2021-05-01T00:00:00Z", {"truncateActual": truncation, "actualFormat": "unix"}, ["1619827200", "1621168496"]
        for unit in UNITS[:6]:
            yield "now", {"truncateExpected": truncation, "expectedOffset": 3, "expectedOffsetUnit": unit,
                          "applyTruncationLast": generator.random() < 0.5}, NOW_VALUES[:2]
        for expected in ("2021-05-01T00:00:00", "2021-05-01T00:00:00Z"):
            yield expected, {"truncateActual": truncation, "actualFormat": "yyyy-MM-dd'T'HH:mm:ssXXX"}, FEW
            yield expected, {"truncateActual": truncation, "actualFormat": "epoch"}, ["1619827200000", "1621168496789"]
    for truncation in ("first day of week", "FOO", "", "first  day of month", "First Day Of Month", " first day of month", "first_day of month", "first day of monht"):
        yield "2021-05-01T00:00:00Z", {"truncateActual": truncation}, FEW[:3]
        yield "2021-05-01T00:00:00Z", {"truncateExpected": truncation}, FEW[:3]
    for expected in NOW_EXPECTED:
        yield expected, {}, NOW_VALUES
    for unit, offset in itertools.product(UNITS, (3, -3, 0)):
        yield "now", {"expectedOffset": offset, "expectedOffsetUnit": unit}, NOW_VALUES[:2]
    for offset in (5, -5):
        yield "2021-05-01T00:00:00Z", {"expectedOffset": offset, "expectedOffsetUnit": "days"}, FEW[:6]
        yield "2021-05-01T00:00:00", {"expectedOffset": offset, "expectedOffsetUnit": "months"}, FEW[:6]
        yield "now +1 days", {"expectedOffset": offset * 1000, "expectedOffsetUnit": "years"}, NOW_VALUES[:2]
        yield "3 hours", {"expectedOffset": offset * 1000, "expectedOffsetUnit": "years"}, NOW_VALUES[:2]
        yield "NOW", {"expectedOffset": offset * 1000, "expectedOffsetUnit": "years"}, NOW_VALUES[:2]
    yield "now", {"expectedOffset": 3}, NOW_VALUES
    yield "now", {"expectedOffsetUnit": "days"}, NOW_VALUES
    yield "now", {"expectedOffsetUnit": "rubbish"}, NOW_VALUES
    yield "2021-05-01", {"expectedOffset": 3}, FEW
    yield "2021-05-01", {"expectedOffsetUnit": "rubbish"}, FEW
    for pattern, values in FORMATS.items():
        for expected in ("2021-05-01T00:00:00Z", "2021-05-01T00:00:00", "2021-01-01"):
            yield expected, {"actualFormat": pattern}, values + ["2021-05-01T00:00:00Z", "rubbish"]
        yield values[0], {"actualFormat": pattern}, values[:1]
    for pattern in REFUSED_FORMATS:
        yield "2021-05-01", {"actualFormat": pattern}, ["2021-05-01", "1", "2021"]
    # Random moments in random formats.
    for _ in range(120):
        def moment():
            y, mo, d = generator.choice((1900, 1999, 2020, 2021, 2024)), generator.randint(1, 12), generator.randint(1, 28)
            h, mi, s = generator.randint(0, 23), generator.randint(0, 59), generator.randint(0, 59)
            date = f"{y:04}-{mo:02}-{d:02}"
            return generator.choice((
                date, f"{date}T{h:02}:{mi:02}:{s:02}", f"{date}T{h:02}:{mi:02}:{s:02}Z", f"{date}T{h:02}:{mi:02}Z", f"{date}T{h:02}:{mi:02}",
                f"{date}T{h:02}:{mi:02}:{s:02}-05:30", f"{date}T{h:02}:{mi:02}:{s:02}+11:00", f"{y:04}-{mo:02}", f"{y:04}",
                f"{date}T{h:02}:{mi:02}:{s:02}+01:00[Europe/Paris]", f"{date}T{h:02}:{mi:02}:{s:02}-08:00[America/Los_Angeles]",
                f"{d} {('Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec')[mo - 1]} {y:04} {h:02}:{mi:02}:{s:02} GMT"))
        options = {}
        if generator.random() < 0.4:
            options["truncateActual"] = generator.choice(TRUNCATIONS)
        yield moment(), options, [moment() for _ in range(6)]


class Server(wiremock.WireMock):
    def __init__(self):
        super().__init__(
            "--no-request-journal", java=[f"-Duser.timezone={ZONE}"], environment={"LC_ALL": "C", "TZ": ZONE})

    def ask(self, expected, options, values):
        """The answer for each value, or the message of the refusal, and the matcher as WireMock prints it."""
        self.call("DELETE", "/__admin/mappings")
        printed = None
        for operator, letter in OPERATORS:
            matcher = {operator: expected, **options}
            stub = {"request": {"method": "PUT", "urlPath": "/" + letter, "bodyPatterns": [matcher]}, "response": {"status": 200}}
            status, body = self.call("POST", "/__admin/mappings", json.dumps(stub).encode())
            if status != 201:
                return {"refused": json.loads(body)["errors"][0]["detail"]}
            printed = printed or json.loads(body)["request"]["bodyPatterns"][0]
        answers = {}
        for value in dict.fromkeys(values):
            marks = ""
            for _, letter in OPERATORS:
                status, _ = self.call("PUT", "/" + letter, value.encode())
                marks += letter if status == 200 else "!" if status >= 500 else ""
            answers[value] = marks
        return {"printed": printed, "answers": answers}


def main():
    rows = []
    with Server() as server:
        for expected, options, values in cases(random.Random(20210501)):
            rows.append({"expected": expected, "options": options, **server.ask(expected, options, values)})
    print(recording.one_a_line(json.dumps({"zone": ZONE, "cases": rows})), end="")
    asked = sum(len(row.get("answers", {})) or 1 for row in rows)
    print(f"{len(rows)} matchers, {asked} pairs", file=sys.stderr)


if __name__ == "__main__":
    main()
