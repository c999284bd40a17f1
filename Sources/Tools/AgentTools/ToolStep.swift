import SDBasics
import SDJSON

/// What a tool does next. A tool is a value that says which questions it asks one after another, so that whoever runs it
/// may wait for the answers in its own way: by blocking, or by being called back.
enum ToolStep: Sendable {
    case done(ToolResult)
    indirect case ask(AdminQuestion, @Sendable (AdminReply) throws(ToolProblem) -> ToolStep)

    /// Asks, and goes on with the JSON of a good answer. Any other answer is the tool's problem.
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

/// What a tool says: a short text for its reader, and the same as a document.
struct ToolResult: Sendable {
    var text: String
    var structured: JSONValue
}

extension ToolProblem {
    /// The refusal of a call.
    init(_ reply: AdminReply, _ question: AdminQuestion) {
        self.init(reply.complaint)
        switch reply.status {
        case 401:
            fix =
                "start stuntdouble mcp with the daemon's credentials: --admin-token TOKEN, or --admin-api-basic-auth USER:PASSWORD"
        case 404 where reply.complaint.contains(text: "session"),
            410 where reply.complaint.contains(text: "session"):
            fix = "begin a session with session_begin, and pass its id as session"
        case 404 where reply.complaint.contains(text: "The admin API has no"):
            fix = "the daemon is of an older version, which lacks \(question.path.prefix { $0 != "?" })"
        default: break
        }
    }
}

extension AdminCaller {
    /// Does what a tool says.
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
