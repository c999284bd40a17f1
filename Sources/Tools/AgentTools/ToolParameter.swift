import SDBasics
import SDJSON

/// A row of a tool's table of arguments, from which the schema and the checks are derived.
struct ToolParameter: Sendable {
    enum Kind: Sendable {
        case text
        case flag
        case integer(ClosedRange<Int>)
        /// Milliseconds, or a text such as `2s`; at most a tool's maximum wait.
        case duration
        case words([String])
        case texts
        case object
        /// A list of objects.
        case objects
        /// An object, a list of objects, or the text of a document.
        case document
        /// A text or a number.
        case key
    }

    let name: String
    let kind: Kind
    let isRequired: Bool
    let help: String
    /// The corrected form of a rejected value, for the fix.
    let example: (@Sendable (JSONValue) -> String)?

    init(
        _ name: String, _ kind: Kind, required isRequired: Bool = false, _ help: String,
        example: (@Sendable (JSONValue) -> String)? = nil
    ) {
        self.example = example
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.help = help
    }

    static let session = ToolParameter(
        "session", .text, "The id that session_begin gave; without it the daemon's own stubs and requests are meant.")

    var schema: JSONValue {
        var schema = typeSchema
        schema["description"] = .string(help)
        return .object(schema)
    }

    private var typeSchema: JSONObject {
        switch kind {
        case .text: ["type": "string", "minLength": 1]
        case .flag: ["type": "boolean"]
        case .integer(let range):
            [
                "type": "integer", "minimum": .number(JSONNumber(range.lowerBound)),
                "maximum": .number(JSONNumber(range.upperBound)),
            ]
        case .duration: ["type": ["integer", "string"]]
        case .words(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
        case .texts: ["type": "array", "items": ["type": "string"]]
        case .object: ["type": "object"]
        case .objects: ["type": "array", "items": ["type": "object"]]
        case .document: ["type": ["object", "array", "string"]]
        case .key: ["type": ["string", "integer"]]
        }
    }

    /// A description of the expected value.
    var expectation: String {
        switch kind {
        case .text: "a text that is not empty"
        case .flag: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration: "milliseconds, or a text such as \"2s\"; \"2m\" at most"
        case .words(let words): "one of " + words.joined(separator: ", ")
        case .texts: "a list of texts"
        case .object: "an object"
        case .objects: "a list of objects"
        case .document: "an object, a list of objects, or a text in YAML or JSON"
        case .key: "a number, or a text"
        }
    }

    func accepts(_ value: JSONValue) -> Bool {
        switch kind {
        case .text: value.stringValue?.isEmpty == false
        case .flag: value.boolValue != nil
        case .integer(let range): value.intValue.map(range.contains) ?? false
        case .duration: ToolArguments.milliseconds(value).map { $0 <= Bounds.milliseconds } ?? false
        case .words(let words): value.stringValue.map(words.contains) ?? false
        case .texts: value.arrayValue?.allSatisfy { $0.stringValue != nil } ?? false
        case .object: value.objectValue != nil
        case .objects: value.arrayValue?.allSatisfy { $0.objectValue != nil } ?? false
        case .document:
            value.objectValue != nil || value.stringValue != nil
                || (value.arrayValue?.allSatisfy { $0.objectValue != nil } ?? false)
        case .key: value.intValue != nil || value.stringValue != nil
        }
    }
}

/// The arguments of a call, checked against the tool's table.
struct ToolArguments: Sendable {
    private let values: JSONObject

    /// - Throws: the first invalid argument.
    init(_ given: JSONObject, of tool: Tool) throws(ToolProblem) {
        var values: JSONObject = [:]
        let names = tool.parameters.map(\.name)
        for member in given.members {
            guard let parameter = tool.parameters.first(where: { $0.name == member.key }) else {
                let nearest = meantName(by: member.key, among: names)
                throw ToolProblem(
                    "\(tool.name) has no argument \(quoted(member.key)); it takes \(names.joined(separator: ", "))",
                    fix: nearest.map { "write \($0) in place of \(quoted(member.key))" }
                        ?? "leave out \(quoted(member.key))",
                    nearest: nearest)
            }
            if member.value.isNull { continue }
            guard parameter.accepts(member.value) else {
                var nearest: String?
                if case .words(let words) = parameter.kind, let text = member.value.stringValue {
                    nearest = meantName(by: text, among: words)
                }
                throw ToolProblem(
                    "\(member.key): expected \(parameter.expectation), found \(member.value.shortDescription)",
                    fix: nearest.map { "write \(quoted($0))" } ?? parameter.example?(member.value)
                        ?? "give \(parameter.expectation)", nearest: nearest)
            }
            values[member.key] = member.value
        }
        if let missing = tool.parameters.first(where: { $0.isRequired && values[$0.name] == nil }) {
            throw ToolProblem(
                "\(tool.name) needs the argument \(missing.name): \(missing.help)",
                fix: "give \(missing.name): \(missing.expectation)")
        }
        self.values = values
        if let session = text("session"), !Self.isSessionID(session) {
            throw ToolProblem(
                "session: \(quoted(session)) is no id of a session",
                fix: "begin a session with session_begin, and pass its id as session")
        }
    }

    subscript(name: String) -> JSONValue? { values[name] }
    func text(_ name: String) -> String? { values[name]?.stringValue }
    func flag(_ name: String) -> Bool { values[name]?.boolValue ?? false }
    func integer(_ name: String) -> Int? { values[name]?.intValue }
    func texts(_ name: String) -> [String] { (values[name]?.arrayValue ?? []).compactMap(\.stringValue) }
    var session: String? { text("session") }

    /// A time in milliseconds.
    func milliseconds(_ name: String) -> Int? { values[name].flatMap(Self.milliseconds) }

    static func milliseconds(_ value: JSONValue) -> Int? {
        if let number = value.intValue { return number >= 0 ? number : nil }
        guard let text = value.stringValue else { return nil }
        for (unit, factor) in [("ms", 1), ("s", 1_000), ("m", 60_000)] where text.hasSuffix(unit) {
            guard let number = Double(text.dropLast(unit.count)), number >= 0, number < 1e9 else { return nil }
            return Int(number * Double(factor))
        }
        return nil
    }

    /// Whether a text is safe in a path as a session's id.
    private static func isSessionID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "-")
            }
    }
}

/// A text in quotes, shortened and printable.
func quoted(_ text: String) -> String { "\"" + Printable.line(text.prefix(80)) + "\"" }

/// A text escaped for a query or a path.
func escaped(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
        let isPlain =
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            || "-._~".utf8.contains(byte)
        if isPlain {
            escaped.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
            let digits = String(byte, radix: 16, uppercase: true)
            escaped += "%" + (digits.count == 1 ? "0" : "") + digits
        }
    }
    return escaped
}
