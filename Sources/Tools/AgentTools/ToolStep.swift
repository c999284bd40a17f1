import SDBasics
import SDJSON

/// The next step of a tool. Tools describe their admin calls as values, so that the runner can wait for answers by
/// blocking or by callback.
enum ToolStep: Sendable {
    case done(ToolResult)
    indirect case ask(AdminQuestion, @Sendable (AdminReply) throws(ToolProblem) -> ToolStep)

    /// Makes a call, and continues with the JSON of a successful answer. Any other answer fails the tool.
    static func get(
        _ question: AdminQuestion, _ next: @escaping @Sendable (JSONValue) throws(ToolProblem) -> ToolStep
    ) -> ToolStep {
        .ask(question) { reply throws(ToolProblem) in
            guard reply.isSuccess else { throw ToolProblem(reply, question) }
            return try next(reply.json)
        }
    }

    static func done(_ text: String, _ structured: JSONObject) -> ToolStep {
        .done(ToolResult(text: text, structured: .object(structured)))
    }
}

/// A tool's result: a short text, and the same as a document.
struct ToolResult: Sendable {
    var text: String
    var structured: JSONValue
}

extension ToolProblem {
    /// The problem for an error answer.
    init(_ reply: AdminReply, _ question: AdminQuestion) {
        self.init(reply.errorMessage)
        switch reply.status {
        case 401:
            fix =
                "start stuntdouble mcp with the daemon's credentials: --admin-token TOKEN, or --admin-api-basic-auth USER:PASSWORD"
        case 404 where reply.errorMessage.contains(text: "session"),
            410 where reply.errorMessage.contains(text: "session"):
            fix = "begin a session with session_begin, and pass its id as session"
        case 404 where reply.errorMessage.contains(text: "The admin API has no"):
            fix = "the daemon is of an older version, which lacks \(question.path.prefix { $0 != "?" })"
        default: break
        }
    }
}

extension AdminCaller {
    /// Runs a tool's steps.
    func run(_ step: ToolStep, _ then: @escaping @Sendable (Result<ToolResult, ToolProblem>) -> Void) {
        switch step {
        case .done(let result): then(.success(result))
        case .ask(let question, let next):
            ask(question) { [self] answer in
                do throws(ToolProblem) {
                    run(try next(try answer.get()), then)
                } catch {
                    then(.failure(error))
                }
            }
        }
    }
}
