import SDBasics
import SDCapture
import SDStubModel

/// The fields of a request that made its answer conditional or partial (RFC 9110, sections 13 and 14). The answer
/// depends on them, so the stub requires them.
enum RecordedCondition {
    private static let names: [Int: [String]] = [
        206: ["Range", "If-Range"], 416: ["Range", "If-Range"],
        304: ["If-None-Match", "If-Modified-Since"],
        412: ["If-Match", "If-None-Match", "If-Unmodified-Since", "If-Modified-Since"],
    ]

    /// The matchers of these headers; empty if the answer does not depend on any.
    static func matchers(_ exchange: RecordedExchange) -> [NamedMatcher] {
        (names[exchange.status] ?? []).compactMap { name in
            exchange.requestHeaders.first(named: name).map { value in
                let isSecret = value.contains(text: RedactedExchanges.placeholder)
                return NamedMatcher(name, isSecret ? ValueMatcher(.matches, ".*") : ValueMatcher(.equalTo, value))
            }
        }
    }

    /// A warning about the number of answers that depend on a condition; nil for none.
    static func warning(_ count: Int) -> String? {
        count == 0
            ? nil
            : "\(count == 1 ? "1 answer" : "\(count) answers") to a condition or a range (304, 206, 412, 416) "
                + "\(count == 1 ? "is" : "are") given to requests with the same one alone"
    }
}
