public import SDHTTPMessages
public import SDHTTPTransport
public import SDJournal
public import SDMatching
public import SDReports
public import SDStubModel

/// What the client, the log and the report are told of a request that nothing answers.
public protocol UnmatchedReport: Sendable {
    var response: PlainResponse { get }
    /// The nearest stub; nil if there are none.
    var nearest: StubReference? { get }
    /// What would answer a preflight, and which stub files have errors: a clause; nil for neither.
    var advice: String? { get }
    /// The report in two columns.
    func text(_ redaction: Redaction?) -> String
    /// The nearest stub as the session's report names it; nil if there are none.
    func entry(_ redaction: Redaction?) -> Report.Nearest?
    /// Whether the nearest stub is of another URL altogether, so that nobody meant it: reports do not name it, either.
    func isFar(_ redaction: Redaction?) -> Bool
    /// The first difference between the request and the nearest stub, such as `header Accept: expected contains "json",
    /// was "text/html"`.
    func difference(_ redaction: Redaction?) -> String?
}

/// Makes the report on a request, given what is left of its budget. It stands above the engine, which knows no differences.
public typealias UnmatchedReporter =
    @Sendable (_ request: Request, _ session: Session, _ views: inout RequestViews) -> any UnmatchedReport

/// The report of a session that is not told how reports are made.
struct BareReport: UnmatchedReport {
    let response = PlainResponse(status: 404, text: "No stub matches.\n")
    let nearest: StubReference? = nil
    let advice: String? = nil
    func text(_ redaction: Redaction?) -> String { "" }
    func entry(_ redaction: Redaction?) -> Report.Nearest? { nil }
    func isFar(_ redaction: Redaction?) -> Bool { false }
    func difference(_ redaction: Redaction?) -> String? { nil }
}
