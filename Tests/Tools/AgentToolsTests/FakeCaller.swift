import SDAgentTools
import SDJSON
import Synchronization

/// An admin API that gives answers by call, and notes what it was asked.
final class FakeCaller: AdminCaller {
    private let answers: [String: (status: Int, text: String)]
    private let asked = Mutex<[AdminQuestion]>([])

    /// - Parameter answers: by method and target without its query, such as `GET /__admin/gates`; `{}` for others.
    init(_ answers: [String: (status: Int, text: String)] = [:]) {
        self.answers = answers
    }

    var questions: [AdminQuestion] { asked.withLock { $0 } }

    func ask(_ question: AdminQuestion, _ then: @escaping @Sendable (Result<AdminReply, ToolProblem>) -> Void) {
        asked.withLock { $0.append(question) }
        let call = "\(question.method) \(question.target.prefix { $0 != "?" })"
        let answer = answers[call] ?? (200, "{}")
        then(.success(AdminReply(status: answer.status, body: Array(answer.text.utf8))))
    }
}

/// A server for agents with what it answers.
struct Agent {
    let server: AgentServer
    let caller: FakeCaller
    var origin = AgentServer.Origin.line

    static let meta: JSONValue = [
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
    ]

    init(
        _ answers: [String: (status: Int, text: String)] = [:], context: ToolContext = ToolContext(version: "1.2.3"),
        origin: AgentServer.Origin = .line
    ) {
        server = AgentServer(context)
        caller = FakeCaller(answers)
        self.origin = origin
    }

    func answer(_ text: String) -> AgentServer.Answer? {
        let answer = Mutex<AgentServer.Answer?>(nil)
        server.answer(Array(text.utf8), from: origin, asking: caller) { given in answer.withLock { $0 = given } }
        return answer.withLock { $0 }
    }

    /// Asks by the stateless protocol.
    func ask(_ method: String, _ params: JSONObject = [:]) -> JSONValue {
        var params = params
        params["_meta"] = Self.meta
        let message: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .object(params)]
        return answer(message.compactText)?.document ?? .null
    }

    /// Calls a tool; what it says as a document, with `isError` and its `text`.
    func call(_ tool: String, _ arguments: JSONValue = [:]) -> (document: JSONValue, text: String, isError: Bool) {
        let result = ask("tools/call", ["name": .string(tool), "arguments": arguments])["result"]
        return (
            result?["structuredContent"] ?? .null, result?["content"]?[0]?["text"]?.stringValue ?? "",
            result?["isError"]?.boolValue ?? true
        )
    }
}
