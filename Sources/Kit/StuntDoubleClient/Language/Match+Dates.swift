import SDJSON
import SDStubModel

/// Matchers of dates. A date is a text: `2026-03-01T10:00:00Z`, or a part of it such as `2026-03`, `now`, or a distance
/// such as `now +3 days`.
///
/// With `format` the request's date is read by a format of Java's `DateTimeFormatter`, as `unix` or as `epoch`, and not as
/// ISO 8601 or HTTP's. A date may be moved to a boundary, such as `first day of month`: the one that is expected by
/// `truncating`, before its distance is added unless `last` is true, and the request's by `truncatingActual`.
extension Stub.Match {
    /// A date before another.
    public static func before(
        _ date: String, format: String? = nil, truncating: String? = nil, last: Bool = false,
        truncatingActual: String? = nil
    ) -> Stub.Match {
        Stub.Match(.before, date).dated(format, truncating, last, truncatingActual)
    }

    /// A date after another.
    public static func after(
        _ date: String, format: String? = nil, truncating: String? = nil, last: Bool = false,
        truncatingActual: String? = nil
    ) -> Stub.Match {
        Stub.Match(.after, date).dated(format, truncating, last, truncatingActual)
    }

    /// A date equal to this one, however it is written.
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
