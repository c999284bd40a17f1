public import SDJSON

/// The content of a message: WireMock's entity.
public struct MessageBody: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case text(String)
        case json(JSONValue)
        case bytes([UInt8])
        /// The text of a file below `__files`.
        case file(String)
        /// A value in a store.
        case stored(store: String, key: String)
    }

    public var content: Content
    public var format: String?
    public var charset: String?
    public var compression: String?
    /// Whether JSON is sent in one line, and a string that is a single expression becomes the expression's value.
    public var isCompact = false
    /// Whether the JSON notation is an object.
    private var isObject = false

    public init(text: String) { content = .text(text) }

    /// Makes a body in object notation.
    package init(_ content: Content) {
        self.content = content
        isObject = true
    }

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MessageBody? {
        switch value {
        case .null: return nil
        case .string(let text): return MessageBody(text: text)
        case .object(let object): return read(object, &reader)
        default:
            reader.refuse(
                "not what a message says", expected: "a text, or an object such as {\"data\": {\"a\": 1}}",
                found: value.shortDescription)
            return nil
        }
    }

    private static func read(_ object: JSONObject, _ reader: inout ModelReader) -> MessageBody? {
        let names = DialectNames.messageContent
        for name in object.keys where !names.contains(name) {
            let suggestion = reader.nearest(name, names) ?? "data"
            reader.reportUnknownKey(name, valid: names, suggestion: suggestion)
        }
        var texts: [String: String] = [:]
        var isCompact: Bool?
        if let value = object["compact"] { isCompact = reader.within("compact") { $0.bool(value) } }
        for member in object.members where !["data", "compact"].contains(member.key) && names.contains(member.key) {
            reader.within(member.key) { texts[member.key] = $0.string(member.value) }
        }
        var body = MessageBody(content(object, texts, &reader))
        body.isCompact = isCompact ?? false
        body.format = texts["format"].flatMap { $0 == "text" ? nil : $0 }
        body.charset = texts["charset"].flatMap { $0.uppercased() == "UTF-8" ? nil : $0 }
        body.compression = texts["compression"].flatMap { $0 == "none" ? nil : $0 }
        if case .json = body.content { body.format = "json" }
        return body
    }

    private static func content(
        _ object: JSONObject, _ texts: [String: String], _ reader: inout ModelReader
    ) -> Content {
        if let text = texts["base64Data"] {
            do throws(Base64.Problem) {
                return .bytes(try Base64.decode(text))
            } catch {
                reader.refuse("base64Data is no Base64", expected: "bytes in Base64", found: text)
                return .text("")
            }
        }
        if let path = texts["filePath"] { return .file(path) }
        if let store = texts["dataStore"], let key = texts["dataRef"] { return .stored(store: store, key: key) }
        switch object["data"] {
        case .string(let text)?:
            let isBinary = texts["encoding"]?.lowercased() == "binary" || texts["compression"] != nil
            return isBinary && texts["compression"] != "none" ? .bytes(Array(text.utf8)) : .text(text)
        case .object?, .array?: return .json(object["data"] ?? .null)
        case nil, .null?: return .text("")
        case let other?:
            reader.within("data") {
                $0.refuse(
                    "not data of a message", expected: "a text, an object or a list", found: other.shortDescription)
            }
            return .text("")
        }
    }

    /// The JSON notation.
    public var json: JSONValue {
        if !isObject, case .text(let text) = content { return .string(text) }
        var object = JSONObject()
        object["compression"] = compression.map(JSONValue.string)
        var format = format
        if case .json(let value) = content {
            object["data"] = value
            object["format"] = "json"
            format = nil
        }
        object["format"] = format.map(JSONValue.string) ?? object["format"]
        object["charset"] = charset.map(JSONValue.string)
        if isCompact { object["compact"] = true }
        switch content {
        case .json: break
        case .text(let text): if !text.isEmpty || self.format != nil { object["data"] = .string(text) }
        case .bytes(let bytes): object["base64Data"] = .string(Base64.encode(bytes))
        case .file(let path): object["filePath"] = .string(path)
        case .stored(let store, let key):
            object["dataStore"] = .string(store)
            object["dataRef"] = .string(key)
        }
        return .object(object)
    }
}
