import SDExplaining
import SDHTTPTransport
import SDJSON
public import SDJournal
import SDMatching
public import SDStubModel

/// An unmatched request, for the log.
public struct UnmatchedRequest: Sendable {
    public let event: ServeEvent
    private let unmatched: UnmatchedReport

    init(_ event: ServeEvent, _ report: UnmatchedReport) {
        self.event = event
        unmatched = report
    }

    /// The nearest stub; nil if there are none.
    public var nearest: StubReference? { unmatched.nearest?.reference }

    /// Whether the nearest stub is of another URL altogether, so that nobody meant it: reports do not name it, either.
    public func isFar(_ redaction: Redaction?) -> Bool {
        unmatched.nearest?.change(redaction).isFar ?? false
    }

    /// What would answer a preflight, and which stub files have errors; nil for neither.
    public var advice: String? { unmatched.advice }

    /// The report that the client got, in two columns.
    public var report: String { event.extras?.unmatched?.report ?? unmatched.text }

    /// The first difference between the request and the nearest stub, such as `header Accept: expected contains "json",
    /// was "text/html"`.
    public func difference(_ redaction: Redaction?) -> String? {
        guard let nearest = unmatched.nearest else { return nil }
        return redaction.shown(nearest.evaluation).failing.first?.difference ?? nearest.ineligibility
    }
}
