import SDJSON
import SDStubModel

/// Matchers of dates. A date is a text: `2026-03-01T10:00:00Z`, a prefix of it such as `2026-03`, `now`, or an offset
/// such as `now +3 days`.
///
/// `format` sets how the request's date is parsed: a pattern of Java's `DateTimeFormatter`, `unix` or `epoch`; by
/// default ISO 8601 or HTTP's. A date can be truncated to a boundary, such as `first day of month`: `truncating`
/// applies to a relative expected date (`now`), before its offset is added unless `last` is true; `truncatingActual`
/// applies to the request's.
extension Stub.Match {
    /// A date before another one.
    public static func before(
        _ date: String, format: String? = nil, truncating: String? = nil, last: Bool = false,
        truncatingActual: String? = nil
    ) -> Stub.Match {
        Stub.Match(.before, date).dated(format, truncating, last, truncatingActual)
    }

    /// A date after another one.
    public static func after(
        _ date: String, format: String? = nil, truncating: String? = nil, last: Bool = false,
        truncatingActual: String? = nil
    ) -> Stub.Match {
        Stub.Match(.after, date).dated(format, truncating, last, truncatingActual)
    }

    /// The same date, in any notation.
    public static func date(
        _ date: String, format: String? = nil, truncating: String? = nil, last: Bool = false,
        truncatingActual: String? = nil
    ) -> Stub.Match {
        Stub.Match(.equalToDateTime, date).dated(format, truncating, last, truncatingActual)
    }

    private func dated(
        _ format: String?, _ truncating: String?, _ last: Bool, _ truncatingActual: String?
    ) -> Stub.Match {
        option("actualFormat", format)
            .option("truncateExpected", truncating)
            .option("truncateActual", truncatingActual)
            .option("applyTruncationLast", last)
    }
}
