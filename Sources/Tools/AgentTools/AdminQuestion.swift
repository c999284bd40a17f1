import SDBasics
import SDJSON

/// A call of the admin API made by a tool.
public struct AdminQuestion: Sendable, Hashable {
    public var method: String
    /// The id of the session; nil for the caller's own.
    public var session: String?
    /// The path below `/__admin`, with the query.
    public var path: String
    public var body: [UInt8]?
    public var contentType = "application/json"

    init(_ method: String, _ path: String, session: String? = nil, body: JSONValue? = nil) {
        self.method = method
        self.session = session
        self.path = path
        self.body = body?.compactBytes
    }

    init(_ method: String, _ path: String, session: String?, yaml: String) {
        self.init(method, path, session: session)
        body = Array(yaml.utf8)
        contentType = "application/yaml"
    }

    /// The whole path.
    public var target: String { (session.map { "/__session/\($0)" } ?? "") + "/__admin" + path }
}

/// The admin API's answer to a call.
public struct AdminReply: Sendable {
    public var status: Int
    public var body: [UInt8]

    public init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    var isSuccess: Bool { (200..<300).contains(status) }
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// The errors in the answer, one line each.
    var errorMessage: String {
        let errors = json["errors"]?.arrayValue ?? []
        let lines = errors.map { error in
            let title = error["title"]?.stringValue ?? ""
            // The detail starts with WireMock's words; its last line is ours.
            let detail = (error["detail"]?.stringValue ?? "").split(separator: "\n").last.map(String.init)
            return [title, detail].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
        }
        guard lines.isEmpty else { return lines.joined(separator: "\n") }
        let text = String(String(decoding: body.prefix(500), as: UTF8.self).prefix(200))
        return "the admin API answered \(status)" + (text.isEmpty ? "" : ": \(text)")
    }
}

/// Makes admin API calls.
public protocol AdminCaller: Sendable {
    /// Makes a call and passes the answer on, once: before it returns, or later on any thread.
    func ask(_ question: AdminQuestion, _ then: @escaping @Sendable (Result<AdminReply, ToolProblem>) -> Void)
}

/// Why a tool failed, for its caller.
public struct ToolProblem: Error, Sendable, Hashable {
    public var message: String
    /// The next step.
    public var fix: String?
    /// The nearest valid name.
    public var nearest: String?

    public init(_ message: String, fix: String? = nil, nearest: String? = nil) {
        self.message = message
        self.fix = fix
        self.nearest = nearest
    }
}
