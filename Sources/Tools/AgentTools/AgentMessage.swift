import SDBasics
import SDJSON

/// A JSON-RPC 2.0 message from an agent's client.
struct AgentMessage: Sendable {
    /// Nil for a notification, which gets no answer.
    let id: JSONValue?
    let method: String
    let params: JSONObject
    /// Whether the message itself states the protocol version, as since 2026-07-28.
    let isStateless: Bool

    /// The kind of a message.
    enum Content {
        case message(AgentMessage)
        /// An answer; never expected, since this server asks no questions.
        case answer
    }

    /// - Throws: the error to answer with.
    static func read(_ bytes: [UInt8]) throws(AgentError) -> Content {
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw AgentError(.parse, "the message is not JSON: \(error)")
        }
        if json.arrayValue != nil {
            throw AgentError(.request, "a batch is not taken: send one message at a time")
        }
        guard let object = json.objectValue else {
            throw AgentError(.request, "a message is an object, and this is \(json.shortDescription)")
        }
        let given = object["id"]
        let id: JSONValue? = given?.stringValue != nil || given?.numberValue != nil ? given : nil
        guard object["jsonrpc"]?.stringValue == "2.0" else {
            throw AgentError(.request, "jsonrpc: expected \"2.0\"" + found(object["jsonrpc"]), id: id)
        }
        guard let method = object["method"] else {
            if object["result"] != nil || object["error"] != nil { return .answer }
            throw AgentError(.request, "a message needs a method", id: id)
        }
        guard let name = method.stringValue else {
            throw AgentError(.request, "method: expected a text" + found(method), id: id)
        }
        if let given, id == nil { throw AgentError(.request, "id: expected a text or a number" + found(given)) }
        let params = object["params"]
        if let params, params.objectValue == nil, !params.isNull {
            throw AgentError(.params, "params: expected an object" + found(params), id: id)
        }
        let members = params?.objectValue ?? [:]
        let isStateless = name != "initialize" && members["_meta"]?[MetaKey.version] != nil
        return .message(AgentMessage(id: id, method: name, params: members, isStateless: isStateless))
    }

    private static func found(_ value: JSONValue?) -> String { value.map { ", found \($0.shortDescription)" } ?? "" }
}

/// Members of `_meta` reserved by the protocol.
enum MetaKey {
    static let version = "io.modelcontextprotocol/protocolVersion"
    static let capabilities = "io.modelcontextprotocol/clientCapabilities"
    static let server = "io.modelcontextprotocol/serverInfo"
}

/// A JSON-RPC error.
struct AgentError: Error {
    enum Code: Int {
        case parse = -32700
        case request = -32600
        case method = -32601
        case params = -32602
        case header = -32020
        case version = -32022
        case resource = -32002
    }

    let code: Code
    let message: String
    var id: JSONValue?
    var data: JSONValue?

    init(_ code: Code, _ message: String, id: JSONValue? = nil, data: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.id = id
        self.data = data
    }

    var document: JSONValue {
        var error: JSONObject = ["code": number(code.rawValue), "message": .string(message)]
        error["data"] = data
        return ["jsonrpc": "2.0", "id": id ?? .null, "error": .object(error)]
    }

    /// The HTTP status of the answer.
    /// - Parameter isStateless: whether the message uses the protocol of 2026-07-28 or later; before, an error is a
    ///   200.
    func status(isStateless: Bool) -> Int {
        switch code {
        case .parse, .request, .header, .version: 400
        case .params, .resource: isStateless ? 400 : 200
        case .method: isStateless ? 404 : 200
        }
    }
}
