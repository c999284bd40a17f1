import SDHTTPMessages
import SDHTTPTransport
import SDMockEngine

/// Why a call is rejected before it is routed.
struct AdminRefusal {
    /// A sentence without a full stop, like the fix.
    let reason: String
    /// The option that would allow the call; nil if there is none.
    let fix: String?

    var text: String { ([reason] + (fix.map { [$0] } ?? [])).map { $0 + "." }.joined(separator: " ") }

    /// The answer: text, or admin API errors for a client that accepts JSON.
    func response(to request: Request) -> PlainResponse {
        guard request.prefersJSON else { return PlainResponse(status: 403, text: text + "\n") }
        return .json(ErrorDocument(code: 40, title: reason, detail: fix).json, status: 403)
    }
}
