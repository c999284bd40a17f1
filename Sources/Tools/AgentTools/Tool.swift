import SDBasics
import SDJSON

/// A tool: its description for agents, and its implementation.
struct Tool: Sendable {
    let name: String
    let title: String
    let help: String
    let parameters: [ToolParameter]
    /// Whether it changes nothing.
    var isReadOnly = false
    /// Whether it may remove something.
    var isDestructive = false
    /// Whether it may make the daemon call other servers.
    var reachesOthers = false
    let run: @Sendable (ToolArguments, ToolContext) throws(ToolProblem) -> ToolStep

    /// All tools, in the order in which they are listed.
    static let all = [
        sessionBegin, sessionEnd, stub, stubs, requests, unmatched, explain, verify, release, record, fault,
    ]

    var document: JSONValue {
        var schema: JSONObject = [
            "type": "object",
            "properties": .object(JSONObject(parameters.map { ($0.name, $0.schema) })),
        ]
        let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        schema["additionalProperties"] = false
        return [
            "name": .string(name), "title": .string(title), "description": .string(help),
            "inputSchema": .object(schema),
            "annotations": [
                "title": .string(title), "readOnlyHint": .bool(isReadOnly), "destructiveHint": .bool(isDestructive),
                "openWorldHint": .bool(reachesOthers),
            ],
        ]
    }
}

/// What tools can use besides the admin API.
public struct ToolContext: Sendable {
    /// The version of this program.
    public var version: String
    /// The mock server's URL; nil if the caller knows it.
    public var url: String?
    /// Writes a file by its path below the writable folder, and returns its location; nil if writing is not allowed.
    public var write: (@Sendable (_ path: String, _ bytes: [UInt8]) throws(ToolProblem) -> String)?

    public init(
        version: String, url: String? = nil,
        write: (@Sendable (_ path: String, _ bytes: [UInt8]) throws(ToolProblem) -> String)? = nil
    ) {
        self.version = version
        self.url = url
        self.write = write
    }
}

/// Limits on shown documents of unknown size.
enum Bounds {
    /// The maximum size of a text in a result, in bytes.
    static let text = 4_096
    /// The maximum number of elements of a list in a result.
    static let elements = 200
    /// The maximum size of a result in bytes.
    static let result = 256 << 10
    /// The maximum wait.
    static let milliseconds = 120_000

    /// A text of at most `limit` bytes, with a note about the omitted rest.
    static func cut(_ text: String, to limit: Int = text) -> String {
        guard text.utf8.count > limit else { return text }
        return String(decoding: Array(text.utf8.prefix(limit)), as: UTF8.self)
            + "… (cut: \(text.utf8.count) bytes in all)"
    }

    /// A document with texts and lists cut to the limits.
    static func cut(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(cut(text))
        case .array(let elements):
            var shown = elements.prefix(Self.elements).map { cut($0) }
            if elements.count > Self.elements { shown.append(.string("… (\(elements.count) in all)")) }
            return .array(shown)
        case .object(let object): return .object(JSONObject(object.members.map { ($0.key, cut($0.value)) }))
        default: return value
        }
    }
}
