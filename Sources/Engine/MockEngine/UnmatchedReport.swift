public import SDHTTPMessages
public import SDHTTPTransport
public import SDJournal
public import SDMatching
public import SDReports
public import SDStubModel

/// The report on an unmatched request, for the client, the log and the session's report.
public protocol UnmatchedReport: Sendable {
    var response: PlainResponse { get }
    /// The nearest stub; nil if there are none.
    var nearest: StubReference? { get }
    /// How to get a preflight answered, and which stub files have errors: a clause; nil for neither.
    var preflightHint: String? { get }
    /// The report as text in two columns.
    func text(_ redaction: Redaction?) -> String
    /// The nearest stub in the form of the session's report; nil if there are none.
    func entry(_ redaction: Redaction?) -> Report.Nearest?
    /// Whether the nearest stub has a different URL altogether, so that it was not meant; reports do not name it then.
    func isFar(_ redaction: Redaction?) -> Bool
    /// The first difference between the request and the nearest stub, such as `header Accept: expected contains "json",
    /// was "text/html"`.
    func difference(_ redaction: Redaction?) -> String?
}

/// Makes the report on a request within the rest of its budget. Supplied by a layer above the engine, which has no
/// diffs.
public typealias UnmatchedReporter =
    @Sendable (_ request: Request, _ session: Session, _ views: inout RequestViews) -> any UnmatchedReport

/// The report of a session without an `UnmatchedReporter`.
struct BareReport: UnmatchedReport {
    let response = PlainResponse(status: 404, text: "No stub matches.\n")
    let nearest: StubReference? = nil
    let preflightHint: String? = nil
    func text(_ redaction: Redaction?) -> String { "" }
    func entry(_ redaction: Redaction?) -> Report.Nearest? { nil }
    func isFar(_ redaction: Redaction?) -> Bool { false }
    func difference(_ redaction: Redaction?) -> String? { nil }
}
