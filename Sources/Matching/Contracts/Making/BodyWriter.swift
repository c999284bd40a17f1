import SDJSON
import SDOpenAPI
import SDStubModel

/// Writes the body of an answer: an example, or a value generated from a schema.
struct BodyWriter {
    /// A body as it is sent.
    struct Body {
        var bytes: [UInt8]
        var type: String
        /// The name of the example; nil for a generated body.
        var example: String?
    }

    var maker: ValueMaker
    let choice: ContentChoice
    let seed: UInt64

    private var content: APIContent { choice.content }
    private var kind: BodyKind { BodyKind(of: choice.type) }

    mutating func body(example name: String?) throws(ContractRefusal) -> Body {
        if let name {
            guard let example = content.examples.first(where: { $0.name == name }) else {
                let names = content.examples.map(\.name).filter { !$0.isEmpty }
                throw ContractRefusal(
                    .noSuchExample, message: "The answer has no example of this name",
                    expected: names.isEmpty ? nil : "one of \(names.joined(separator: ", "))", found: name,
                    place: content.place)
            }
            return try written(example)
        }
        let wishes = maker.wishes
        if wishes.source == .examples,
            let example = content.examples.first(where: { wishes.takesAllExamples || isValid($0) })
        {
            return try written(example)
        }
        return try made()
    }

    // MARK: - Examples

    /// Whether an example satisfies its schema. Examples that are not JSON are trusted.
    private func isValid(_ example: APIExample) -> Bool {
        guard let schema = content.schema, example.value != nil || kind == .json else { return true }
        if kind != .json, kind != .text, example.value?.stringValue != nil { return true }
        return value(of: example).map { maker.isValid($0, schema) } ?? true
    }

    /// The value of an example; nil for other text. Some documents have JSON as a text.
    private func value(of example: APIExample) -> JSONValue? {
        if let value = example.value {
            guard kind == .json, let text = value.stringValue, let schema = content.schema,
                !maker.isValid(value, schema)
            else { return value }
            return (try? JSONValue(parsing: text)) ?? value
        }
        guard kind == .json, let text = example.serialized else { return nil }
        return try? JSONValue(parsing: text)
    }

    private mutating func written(_ example: APIExample) throws(ContractRefusal) -> Body {
        if let text = example.serialized {
            return Body(bytes: Array(text.utf8), type: choice.type, example: example.name)
        }
        guard let value = value(of: example) else { return Body(bytes: [], type: choice.type, example: example.name) }
        var body = try written(value, isExample: true)
        body.example = example.name
        return body
    }

    // MARK: - Made bodies

    private mutating func made() throws(ContractRefusal) -> Body {
        if let items = content.itemSchema {
            return try sequence(items)
        }
        guard let schema = content.schema else {
            // Nothing is known about it.
            return try written(kind == .json ? [:] : kind == .xml ? [:] : "text", isExample: false)
        }
        if kind == .binary { return Body(bytes: SmallFiles.bytes(of: choice.type), type: choice.type) }
        return try written(try maker.value(of: schema, seed: seed), isExample: false)
    }

    /// A value serialised by the content type.
    private mutating func written(_ value: JSONValue, isExample: Bool) throws(ContractRefusal) -> Body {
        var type = choice.type
        let bytes: [UInt8]
        switch kind {
        case .json: bytes = value.compactBytes
        case .xml:
            if let text = value.stringValue, isExample || content.schema == nil {
                bytes = Array(text.utf8)
            } else {
                bytes = XMLBody.bytes(of: value, content.schema, &maker)
            }
        case .form: bytes = FormBody.bytes(of: value, content.encoding)
        case .multipart:
            let parts = MultipartBody(value, content, seed: seed)
            bytes = parts.bytes
            type = parts.type(choice.type)
        case .sequence(let form):
            if isExample, let text = value.stringValue {
                bytes = Array(text.utf8)
            } else {
                bytes = form.bytes(of: value.arrayValue ?? [value])
            }
        case .text, .binary: bytes = value.stringValue.map { Array($0.utf8) } ?? value.compactBytes
        }
        return Body(bytes: bytes, type: type)
    }

    /// A sequence of items.
    private mutating func sequence(_ schema: APISchema) throws(ContractRefusal) -> Body {
        let wished = maker.wishes.listLength
        let count = min(max(wished?.lowerBound ?? 3, 0), ValueMaker.maxItems)
        var items: [JSONValue] = []
        for index in 0..<count {
            items.append(try maker.value(of: schema, seed: seed, item: index))
        }
        switch kind {
        case .sequence(let form): return Body(bytes: form.bytes(of: items), type: choice.type)
        case .multipart:
            let parts = MultipartBody(.array(items), content, seed: seed)
            return Body(bytes: parts.bytes, type: parts.type(choice.type))
        default: return try written(.array(items), isExample: false)
        }
    }
}

/// How values are serialised by a content type.
enum BodyKind: Equatable {
    case json, xml, form, multipart, text, binary
    case sequence(SequenceForm)

    init(of type: String) {
        guard let range = MediaRange(type[...]) else {
            self = .json
            return
        }
        switch (range.type, range.subtype) {
        case ("text", "event-stream"): self = .sequence(.events)
        case (_, "jsonl"), (_, "x-ndjson"), (_, "ndjson"), (_, "x-jsonlines"), (_, "json-lines"), (_, "jsonlines"),
            (_, "stream+json"), (_, "x-json-stream"):
            self = .sequence(.lines)
        case (_, "json-seq"): self = .sequence(.records)
        case (_, let name) where name.hasSuffix("+json-seq"): self = .sequence(.records)
        case (_, let name) where name.hasSuffix("+jsonl"): self = .sequence(.lines)
        case _ where range.isJSON: self = .json
        case (_, "xml"): self = .xml
        case (_, let name) where name.hasSuffix("+xml") && name != "svg+xml": self = .xml
        case ("application", "x-www-form-urlencoded"): self = .form
        case ("multipart", _): self = .multipart
        case (_, "yaml"), (_, "x-yaml"), (_, "javascript"), (_, "graphql"), ("text", _): self = .text
        case (_, let name) where name.hasSuffix("+yaml"): self = .text
        case ("application", "jwt"), ("application", "jose"), ("application", "problem"): self = .text
        case ("*", _): self = .json
        default: self = .binary
        }
    }
}

/// How the items of a sequence are serialised.
enum SequenceForm {
    case events, lines, records

    func bytes(of items: [JSONValue]) -> [UInt8] {
        switch self {
        case .lines: items.flatMap { $0.compactBytes + [10] }
        case .records: items.flatMap { [0x1E] + $0.compactBytes + [10] }
        case .events: items.flatMap(Self.event)
        }
    }

    /// An event: from an object with an event's fields, or with the item as its data.
    private static func event(_ item: JSONValue) -> [UInt8] {
        var text = ""
        if let object = item.objectValue, object["data"] != nil || object["event"] != nil {
            for name in ["event", "id", "retry", "data"] {
                guard let value = object[name], !value.isNull else { continue }
                let lines = lines(of: value)
                text += name == "data" ? data(lines) : "\(name): \(lines.joined(separator: " "))\n"
            }
        } else {
            text = data(lines(of: item))
        }
        return Array((text + "\n").utf8)
    }

    private static func data(_ lines: [String]) -> String { lines.map { "data: \($0)\n" }.joined() }

    /// The lines of a text, separated by CR, LF or both.
    private static func lines(of value: JSONValue) -> [String] {
        let text = value.stringValue ?? value.compactText
        return text.split(omittingEmptySubsequences: false) { ["\r\n", "\n", "\r"].contains($0) }.map(String.init)
    }
}
