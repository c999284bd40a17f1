import SDHTTPMessages
import SDHTTPTransport
import SDMockEngine

/// The reason why a call is refused before anything else is asked of it.
struct AdminRefusal {
    /// A sentence without its full stop, as is the fix.
    let reason: String
    /// The option that allows the call; nil if there is none.
    let fix: String?

    var text: String { ([reason] + (fix.map { [$0] } ?? [])).map { $0 + "." }.joined(separator: " ") }

    /// The answer: a text for people, or the errors of the admin API for a client that asks for JSON.
    func response(to request: Request) -> PlainResponse {
        guard request.prefersJSON else { return PlainResponse(status: 403, text: text + "\n") }
        return .json(ErrorDocument(code: 40, title: reason, detail: fix).json, status: 403)
    }
}
