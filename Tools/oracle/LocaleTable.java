import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.FormatStyle;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.WeekFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes the table of locales as Java 17 has them from CLDR 39, WireMock's source.
 *
 *     java -Dfile.encoding=UTF-8 Tools/oracle/LocaleTable.java > Sources/Matching/JavaTime/Locales/LocaleTable.swift
 *
 * To add a language, name it in LANGUAGES and run this again. A row has the fields in which a locale differs from the
 * one that it names as its parent, which is the one that leaves the fewest of them.
 */
public class LocaleTable {
    private static final List<String> LANGUAGES = List.of(
        "cs", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "ja", "ko", "nb", "nl", "pl", "pt", "ro", "ru", "sv", "tr",
        "uk", "zh");
    /** The patterns of names that stand alone, with those of the names within a date, which they usually equal. */
    private static final Map<String, String> ALONE = Map.of(
        "LLLL", "MMMM", "LLL", "MMM", "LLLLL", "MMMMM", "cccc", "EEEE", "ccc", "EEE", "ccccc", "EEEEE", "qqqq", "QQQQ", "qqq",
        "QQQ", "qqqqq", "QQQQQ");

    private static Map<String, String> fields(Locale locale) {
        var fields = new LinkedHashMap<String, String>();
        var currency = (DecimalFormat) NumberFormat.getCurrencyInstance(locale);
        DecimalFormatSymbols symbols = currency.getDecimalFormatSymbols();
        fields.put("signs", List.of(
            symbols.getDecimalSeparator(), symbols.getGroupingSeparator(), symbols.getMinusSign(), symbols.getPercent(),
            symbols.getPerMill(), symbols.getMonetaryDecimalSeparator(), symbols.getMonetaryGroupingSeparator())
            .stream().map(String::valueOf).collect(Collectors.joining()) + symbols.getExponentSeparator());
        fields.put("number", ((DecimalFormat) NumberFormat.getInstance(locale)).toPattern());
        fields.put("percent", ((DecimalFormat) NumberFormat.getPercentInstance(locale)).toPattern());
        fields.put("currency", currency.toPattern());
        fields.put("symbol", symbols.getCurrencySymbol());
        fields.put("code", symbols.getInternationalCurrencySymbol());
        fields.put("decimals", String.valueOf(currency.getMaximumFractionDigits()));
        var week = WeekFields.of(locale);
        fields.put("week", "" + week.getFirstDayOfWeek().getValue() + week.getMinimalDaysInFirstWeek());
        fields.put("dates", joined(style -> pattern(style, null, locale)));
        fields.put("times", joined(style -> pattern(null, style, locale)));
        // Which of them joins a date to a time goes by the shorter of their styles.
        fields.put("joins", joined(style -> pattern(style, style, locale)
            .replace(pattern(style, null, locale), "{1}").replace(pattern(null, style, locale), "{0}")));
        for (var pattern : List.of("MMMM", "MMM", "MMMMM", "LLLL", "LLL", "LLLLL")) {
            put(fields, pattern, locale, IntStream.rangeClosed(1, 12).mapToObj(month -> LocalDate.of(2020, month, 1)));
        }
        for (var pattern : List.of("EEEE", "EEE", "EEEEE", "cccc", "ccc", "ccccc")) {
            put(fields, pattern, locale, IntStream.rangeClosed(1, 7).mapToObj(day -> LocalDate.of(2020, 6, day)));
        }
        for (var pattern : List.of("QQQQ", "QQQ", "QQQQQ", "qqqq", "qqq", "qqqqq")) {
            put(fields, pattern, locale, IntStream.of(1, 4, 7, 10).mapToObj(month -> LocalDate.of(2020, month, 1)));
        }
        for (var pattern : List.of("GGGG", "G", "GGGGG")) {
            put(fields, pattern, locale, IntStream.of(-1, 2020).mapToObj(year -> LocalDate.of(year, 1, 1)));
        }
        put(fields, "a", locale, IntStream.of(1, 13).mapToObj(hour -> LocalTime.of(hour, 0)));
        fields.put("UTC", text("zzzz", locale, LocalDate.EPOCH.atStartOfDay(java.time.ZoneId.of("UTC"))));
        return fields;
    }

    private interface OfStyle { String of(FormatStyle style); }

    private static String joined(OfStyle texts) {
        return List.of(FormatStyle.values()).stream().map(texts::of).collect(Collectors.joining("|"));
    }

    private static String pattern(FormatStyle date, FormatStyle time, Locale locale) {
        return DateTimeFormatterBuilder.getLocalizedDateTimePattern(date, time, IsoChronology.INSTANCE, locale);
    }

    private static String text(String pattern, Locale locale, TemporalAccessor value) {
        return DateTimeFormatter.ofPattern(pattern, locale).format(value);
    }

    private static void put(
        Map<String, String> fields, String pattern, Locale locale, java.util.stream.Stream<? extends TemporalAccessor> values
    ) {
        var names = values.map(value -> text(pattern, locale, value)).collect(Collectors.joining("|"));
        fields.put(pattern, ALONE.containsKey(pattern) && names.equals(fields.get(ALONE.get(pattern))) ? "" : names);
    }

    private static String row(String name, String parent, Map<String, String> fields, Map<String, String> inherited) {
        var row = new StringBuilder(name + "\t" + parent);
        fields.forEach((key, value) -> { if (!value.equals(inherited.get(key))) row.append("\t" + key + "=" + value); });
        return row.toString();
    }

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.US);
        var all = new LinkedHashMap<String, Map<String, String>>();
        all.put("root", fields(Locale.ROOT));
        for (var language : LANGUAGES) {
            var names = new TreeSet<String>();
            for (var locale : NumberFormat.getAvailableLocales()) {
                boolean isPlain = locale.getScript().isEmpty() && locale.getVariant().isEmpty() && !locale.hasExtensions();
                if (locale.getLanguage().equals(language) && isPlain) names.add(locale.toString());
            }
            // What others are compared with comes first.
            var ordered = new ArrayList<>(names);
            ordered.sort((left, right) -> Boolean.compare(right.matches("[a-z]+(_\\d+)?"), left.matches("[a-z]+(_\\d+)?")));
            for (var name : ordered) {
                var parts = name.split("_");
                all.put(name, fields(new Locale(parts[0], parts.length > 1 ? parts[1] : "")));
            }
        }
        var rows = new ArrayList<String>();
        all.forEach((name, fields) -> {
            String best = null;
            for (var known : all.keySet()) {
                if (known.equals(name)) break;
                boolean isParent = known.equals("root") || known.matches(name.split("_")[0] + "(_\\d+)?");
                if (!isParent) continue;
                var row = row(name, known, fields, all.get(known));
                if (best == null || row.length() < best.length()) best = row;
            }
            rows.add(best == null ? row(name, "", fields, Map.of()) : best);
        });
        System.out.println("""
            // swift-format-ignore-file

            /// The locales of Java 17, from CLDR 39: written by `Tools/oracle/LocaleTable.java`, not by hand.
            ///
            /// A row is a name, the row that has what this one lacks, and fields, all separated by tabs. A list in a field is
            /// separated by bars. `signs` are the decimal and grouping separators, the minus, percent and per mille signs, the separators of
            /// amounts of money, and what stands before an exponent; `week` is its first day, from 1 for Monday, and the fewest days that the first week
            /// of a year has in it; `dates`, `times` and `joins` are patterns from full to short; a key such as `MMMM` is a letter of
            /// a pattern, with the names that it prints, and empty where the names that stand alone are those within a date.
            enum LocaleTable {
                static let text = #\"\"\"""");
        for (var row : rows) System.out.println("        " + row);
        System.out.println("        \"\"\"#\n}");
    }
}
