"""Numbers and dates in other languages and regions than American English."""

from . import cases as asked

# With the first of each language there is no currency.
MAIN = (
    "cs_CZ", "da_DK", "de", "de_AT", "de_CH", "de_DE", "el_GR", "en", "en_AU", "en_CA", "en_GB", "en_IE", "en_IN", "en_NZ", "en_US",
    "en_ZA", "es", "es_419", "es_ES", "es_MX", "fi_FI", "fr", "fr_BE", "fr_CA", "fr_CH", "fr_FR", "hu_HU", "it_IT", "ja_JP", "ko_KR",
    "nb_NO", "nl_BE", "nl_NL", "pl_PL", "pt", "pt_BR", "pt_PT", "ro_RO", "ru_RU", "sv_SE", "tr_TR", "uk_UA", "zh_CN", "zh_TW")
OTHERS = (
    "de_BE", "de_LI", "de_LU", "en_001", "en_150", "en_AE", "en_BE", "en_BZ", "en_CH", "en_DE", "en_DK", "en_FI", "en_HK", "en_IL",
    "en_KE", "en_MT", "en_NL", "en_PH", "en_PK", "en_SE", "en_SG", "en_US", "en_ZW", "es_AR", "es_BO", "es_CL", "es_CO", "es_CR",
    "es_DO", "es_EC", "es_PE", "es_PR", "es_PY", "es_US", "es_UY", "es_VE", "fr_CM", "fr_DZ", "fr_LU", "fr_MA", "fr_SN", "fr_TN",
    "it_CH", "ja", "nl", "nl_CW", "pt_AO", "pt_CH", "pt_MZ", "ro_MD", "ru_UA", "sv_FI", "zh", "zh_HK", "zh_SG", "")
LETTERS = "MMMM MMM MMMMM LLLL LLL LLLLL EEEE EEE EEEEE cccc ccc ccccc QQQQ QQQ QQQQQ qqqq qqq G GGGG GGGGG a e c w W YYYY Y"
STYLES = "'full' 'long' 'medium' 'short'"


def each(values, text):
    return "{{#each (array " + values + ")}}" + text + "{{/each}}"


def numbers(locale):
    styles = "'' 'integer' 'percent' 'currency' '#,##0.00' '0.0E0' '##0.##E0' '#,##0.00 ¤;(#,##0.00 ¤¤)' '¤¤¤0.0' '0.0%' '-0.0‰'"
    yield each(styles, each(
        "1234567.891 -1234.5 -0.5 0", "{{numberFormat this ../this '" + locale + "'}}{{#unless @last}} | {{/unless}}") + "\n")
    options = ("maximumFractionDigits=0", "minimumFractionDigits=3", "groupingUsed=false", "roundingMode='up'")
    yield " | ".join(f"{{{{numberFormat 1234567.891 'currency' '{locale}' {option}}}}}" for option in options)


def dates(locale):
    date = "(parseDate '2020-02-03T20:01:02Z')"
    yield each(STYLES, f"{{{{dateFormat {date} this '{locale}'}}}}" + each(
        STYLES, f" | {{{{dateFormat {date} ../this '{locale}' time=this}}}}") + "\n")


def names(locale):
    # Each month, each day of the week, both halves of the day.
    days = " ".join(f"'2020-{month:02}-{month + 6:02}T{month * 2 - 1:02}:05:06Z'" for month in range(1, 13))
    yield each(days, f"{{{{dateFormat (parseDate this) '{LETTERS}' '{locale}'}}}}\n")
    # The ends of years.
    days = "'2016-01-02' '2018-12-31' '2021-01-03' '2022-01-01' '2024-12-29' '2026-12-31'"
    yield each(days, f"{{{{dateFormat (parseDate this format='yyyy-MM-dd') 'EEE e c w W YYYY d' '{locale}'}}}}\n")


def cases():
    for locale in MAIN:
        yield from asked(*numbers(locale), *dates(locale), *names(locale))
    for locale in OTHERS:
        yield from asked(*numbers(locale), *dates(locale))
    yield from asked(
        "{{dateFormat (parseDate '2020-02-13T10:11:12Z') 'short' null locale='de'}}",
        "{{dateFormat (parseDate '2020-02-13T10:11:12Z') 'short' 'fr' locale='de'}}",
        "{{dateFormat (parseDate '2020-02-13T10:11:12Z') locale='de_AT'}}",
        "{{dateFormat (parseDate '2020-02-13T10:11:12Z') format='full' time='long' locale='fr' tz='UTC'}}",
        "{{dateFormat (parseDate '2020-02-13T10:11:12Z') 'O OOOO XXX VV' 'de' tz='Europe/Berlin'}}",
        "{{dateFormat (parseDate '2020-02-13T10:11:12Z') 'z zzzz' 'de_DE'}}",
        "{{dateFormat (parseDate '2020-02-13T10:11:12Z') 'full' locale=null}}",
        "{{dateFormat (parseDate '2020-02-13T10:11:12Z') 'full' missing}}", "{{numberFormat 1234.5 'currency' missing}}",
        "{{numberFormat 1234.5 'CURRENCY' 'de_DE'}}", "{{numberFormat 1234.5 'currency' locale='de_DE'}}",
        "{{now format=\"'x'\" locale='de'}}", "{{stringFormat '%,.2f' 1234.5 locale='de'}}",
        "{{numberFormat 1234.5 'currency' request.query.locale}}")
    # Of these WireMock says that they are none.
    yield from asked(
        *(f"{{{{numberFormat 1234.5 'currency' {locale}}}}}" for locale in (
            "'de-DE'", "'DE'", "'german'", "'en_gb'", "'zh_Hans_CN'", "' de_DE'", "'de_'", "5", "true")),
        *(f"{{{{dateFormat (parseDate '2020-02-13T10:11:12Z') 'short' {locale}}}}}" for locale in ("'de-DE'", "'german'", "5")))
