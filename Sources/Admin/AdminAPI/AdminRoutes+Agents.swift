import SDAgentTools
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDPlatform

/// `/__admin/mcp`: tools for agents, if the daemon serves them. An addition to WireMock's admin API.
enum AgentRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("POST", "/mcp", later: answer).own,
        AdminRoute("GET", "/mcp", refuse),
        AdminRoute("DELETE", "/mcp", refuse).own,
    ]

    /// The maximum size of a message in bytes.
    private static let largestMessage = 4 << 20

    private static func answer(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        try admit(call)
        let message = try call.content()
        guard message.count <= largestMessage else {
            let title = "A message has at most \(largestMessage >> 20) MiB"
            throw AdminError(413, ErrorDocument(code: 10, title: title))
        }
        let header = { (name: String) in
            call.request.header(Array(name.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        let origin = AgentServer.Origin.http(
            version: header("mcp-protocol-version"), method: header("mcp-method"), name: header("mcp-name"))
        return .later { reply in
            let owed = OneShotReply(reply)
            let server = AgentServer(ToolContext(version: call.options.version))
            server.answer(message, from: origin, asking: InnerCaller(call)) { answer in
                owed.answer(response(answer))
            }
        }
    }

    private static func response(_ answer: AgentServer.Answer) -> PlainResponse {
        guard let document = answer.document else { return PlainResponse(status: answer.status) }
        return PlainResponse(
            status: answer.status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: document.compactBytes)
    }

    /// There is no event stream, and no protocol session that could be ended.
    private static func refuse(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        try admit(call)
        let document = ErrorDocument(
            code: 40, title: "\(call.request.methodText) is not for /__admin/mcp", detail: "POST a message of JSON-RPC."
        )
        return PlainResponse.json(document.json, status: 405).adding([("Allow", "POST")])
    }

    private static func admit(_ call: AdminCall) throws(AdminError) {
        guard !call.options.servesAgents else { return }
        let document = ErrorDocument(
            code: 404, title: "The daemon serves no tools for agents",
            detail: "Start it with --mcp, or use `stuntdouble mcp`.")
        throw AdminError(404, document)
    }
}

extension Request {
    fileprivate var methodText: String { String(decoding: method, as: UTF8.self) }
}

/// Makes admin calls within the process on behalf of an admitted caller.
struct InnerCaller: AdminCaller {
    private let call: AdminCall

    init(_ call: AdminCall) {
        self.call = call
    }

    func ask(_ question: AdminQuestion, _ then: @escaping @Sendable (Result<AdminReply, ToolProblem>) -> Void) {
        let request = Request(
            within: call.request, method: question.method, url: "/__admin" + question.path,
            contentType: question.body == nil ? nil : question.contentType, body: question.body ?? [])
        let take: @Sendable (PlainResponse) -> Void = { response in
            then(.success(AdminReply(status: response.status, body: response.body)))
        }
        let session: Session
        do throws(AdminError) {
            session = try named(question.session)
        } catch {
            return take(error.response)
        }
        switch call.answer(to: request, of: session) {
        case .now(let response): take(response)
        case .later(let answer): answer(DeferredReply(within: request, call.sessions.base.memory, take))
        }
    }

    /// The session named by a question, of those that its caller may name; the caller's own without a name.
    private func named(_ id: String?) throws(AdminError) -> Session {
        guard let id else { return call.session }
        let live = try SessionRoutes.named(
            AdminCall(
                request: call.request, session: call.session, sessions: call.sessions, daemon: call.daemon,
                waiting: call.waiting, options: call.options, parameters: ["id": id], query: [:], worker: call.worker))
        live.touch()
        return live.session
    }
}
