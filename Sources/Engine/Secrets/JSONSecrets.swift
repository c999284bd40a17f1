/// Reads a text of JSON, or of several documents one after another, as in NDJSON, for its secrets.
struct JSONSecrets {
    /// A container that is open.
    private struct Frame {
        let isObject: Bool
        /// Whether all in it is secret.
        let isSecret: Bool
        /// Whether a key, or a value, may come next; whether what stands behind a key is secret.
        var awaitsKey: Bool
        var valueIsSecret = false
        var key: ArraySlice<UInt8> = []
        /// Of `{"name": "password", "value": …}`: whether the name is secret. A list `["Authorization", "…"]` within
        /// another is such a pair, too.
        var isNamedSecret = false
        /// Where the values begin and end among all that may be such values.
        var values: [Range<Int>] = []
        /// The number of values of a list so far.
        var count = 0
        /// Whether it is the schema of a secret, of which but the examples are secret.
        var isSchema = false
        /// Where the value that is read begins among those, while it is a list or object; nil if it is no such value.
        var valueStart: Int?
    }

    static let nameKeys: Set<String> = ["name", "key", "field", "param", "parameter", "header", "expression"]
    static let valueKeys: Set<String> = ["value", "values", "val", "equalto", "contains", "matches"]
    private static let deepest = 10_000
    /// How often the text may be read ahead to tell schemas from values.
    private static let mostAhead = 2

    private let text: [UInt8]
    private let isSecret: (ArraySlice<UInt8>) -> Bool
    /// Whether a text is itself one of the names, and says nothing.
    private let isListed: (ArraySlice<UInt8>) -> Bool
    /// Reads the text of a string for what is in it.
    private let inner: (Range<Int>) -> [SecretPlace]
    /// How far the text was read.
    private(set) var index: Int
    private(set) var places: [SecretPlace] = []
    /// The texts, numbers and words that belong to a pair of which the name may be that of a secret, and which are.
    private var paired: [SecretPlace] = []
    private var secretPairs: [Range<Int>] = []
    /// The number of open values of such pairs.
    private var openValues = 0
    /// The bytes that were read ahead.
    private(set) var ahead = 0
    /// Where the last document that could be read ends.
    private(set) var end: Int

    /// - Parameters:
    ///   - start: where to begin, and then to read one document alone; nil for all of the text.
    ///   - isWhole: whether all of the documents is secret.
    ///   - isSecret: whether a name is that of a secret.
    ///   - isListed: whether a text is itself one of the names, and no value that reads like one.
    ///   - inner: the secrets in the text of a string.
    init(
        _ text: [UInt8], from start: Int? = nil, isWhole: Bool = false, isSecret: @escaping (ArraySlice<UInt8>) -> Bool,
        isListed: @escaping (ArraySlice<UInt8>) -> Bool,
        inner: @escaping (Range<Int>) -> [SecretPlace]
    ) {
        self.text = text
        self.isSecret = isSecret
        self.isListed = isListed
        self.inner = inner
        index = start ?? (text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        end = index
        while true {
            skip()
            guard index < text.count else {
                end = text.count
                return
            }
            let count = places.count
            (paired, secretPairs, openValues) = ([], [], 0)
            guard readDocument(isWhole) else {
                places.removeSubrange(count...)
                return
            }
            takePairs()
            end = index
            if start != nil { return }
        }
    }

    private mutating func skip() {
        // A record separator begins each document of a JSON text sequence.
        while index < text.count, text[index] <= 0x20 { index += 1 }
    }

    /// Reads one document; false if it is none.
    private mutating func readDocument(_ isWhole: Bool) -> Bool {
        var frames: [Frame] = []
        repeat {
            skip()
            guard index < text.count else { return false }
            let byte = text[index]
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                guard let frame = frames.popLast(), frame.isObject == (byte == UInt8(ascii: "}")) else { return false }
                if frame.isNamedSecret, frame.isObject || frame.count == 2 { secretPairs += frame.values }
                index += 1
                if let last = frames.indices.last {
                    frames[last].awaitsKey = frames[last].isObject
                    if let start = frames[last].valueStart.take() {
                        openValues -= 1
                        if start < paired.count { frames[last].values.append(start..<paired.count) }
                    }
                }
                continue
            }
            if byte == UInt8(ascii: ",") {
                guard !frames.isEmpty else { return false }
                index += 1
                continue
            }
            if let frame = frames.last, frame.awaitsKey {
                guard byte == UInt8(ascii: "\""), let range = string() else { return false }
                skip()
                guard index < text.count, text[index] == UInt8(ascii: ":") else { return false }
                index += 1
                let last = frames.count - 1
                frames[last].key = text[range]
                frames[last].valueIsSecret =
                    frame.isSecret || isSecret(text[range])
                    || frame.isSchema && Self.schemaValues.contains(String(decoding: text[range], as: UTF8.self))
                frames[last].awaitsKey = false
                continue
            }
            var isHidden = frames.last.map { $0.isObject ? $0.valueIsSecret : $0.isSecret } ?? isWhole
            if let last = frames.indices.last, !frames[last].isObject { frames[last].count += 1 }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                guard frames.count < Self.deepest else { return false }
                let isObject = byte == UInt8(ascii: "{")
                if let last = frames.indices.last, mayBeValue(frames[last]) {
                    frames[last].valueStart = paired.count
                    openValues += 1
                }
                let isSchema = isObject && isHidden && frames.last?.isSecret == false && self.isSchema()
                if isSchema { isHidden = false }
                frames.append(
                    Frame(isObject: isObject, isSecret: isHidden, awaitsKey: isObject, isSchema: isSchema))
                index += 1
                continue
            }
            guard let value = scalar(isHidden) else { return false }
            guard let last = frames.indices.last else { continue }
            let isValue = mayBeValue(frames[last])
            if openValues > 0 || isValue { paired.append(value) }
            if isValue { frames[last].values.append((paired.count - 1)..<paired.count) }
            note(value, in: &frames[last], within: frames.dropLast().last)
            if frames[last].isObject { frames[last].awaitsKey = true }
        } while !frames.isEmpty
        return true
    }

    /// Reads a string, number or word, and takes up what is secret of it; nil if there is none.
    /// - Returns: its place.
    private mutating func scalar(_ isHidden: Bool) -> SecretPlace? {
        if text[index] == UInt8(ascii: "\"") {
            guard let range = string() else { return nil }
            if isHidden {
                if !range.isEmpty { places.append(SecretPlace(range)) }
            } else {
                places += inner(range)
            }
            return SecretPlace(range)
        }
        let word = text[index...].prefix { Self.isWord($0) }
        guard let first = word.first else { return nil }
        index = word.endIndex
        var place = SecretPlace(word.indices)
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): place.kind = .number
        default:
            let text = String(decoding: word, as: UTF8.self)
            if text == "null" { return SecretPlace(word.startIndex..<word.startIndex) }
            guard text == "true" || text == "false" || text == "NaN" || text == "Infinity" else { return nil }
            place.kind = text.utf8.count > 5 || text == "NaN" ? .number : .boolean
        }
        if isHidden { places.append(place) }
        return place
    }

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Reads a string, and returns the place of its text; nil if it does not end.
    private mutating func string() -> Range<Int>? {
        let start = index + 1
        var place = start
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "\\"): place += 2
            case UInt8(ascii: "\""):
                index = place + 1
                return start..<place
            case UInt8(ascii: "\n"): return nil
            default: place += 1
            }
        }
        return nil
    }

    // MARK: Pairs

    /// Whether what comes next in a list or object would be the value of a pair.
    private func mayBeValue(_ frame: Frame) -> Bool {
        guard frame.isObject else { return frame.count == 2 && frame.isNamedSecret }
        guard !frame.valueIsSecret, frame.key.count <= 10 else { return false }
        return Self.valueKeys.contains(String(decoding: frame.key, as: UTF8.self).lowercased())
    }

    /// Notes the name of a pair.
    private func note(_ value: SecretPlace, in frame: inout Frame, within outer: Frame?) {
        guard value.kind == .text, !value.range.isEmpty else { return }
        guard frame.isObject else {
            if outer?.isObject == false, !frame.isSecret {
                // Two names are a row of them; a password may read like one.
                if frame.count == 1 { frame.isNamedSecret = isSecret(text[value.range]) }
                if frame.count == 2, isListed(text[value.range]) { frame.isNamedSecret = false }
            }
            return
        }
        guard !frame.valueIsSecret, frame.key.count <= 10,
            Self.nameKeys.contains(String(decoding: frame.key, as: UTF8.self).lowercased())
        else { return }
        frame.isNamedSecret = frame.isNamedSecret || isSecret(text[value.range])
    }

    private mutating func takePairs() {
        var end = 0
        for pair in secretPairs.sorted(by: { $0.lowerBound < $1.lowerBound }) where pair.upperBound > end {
            places += paired[max(pair.lowerBound, end)..<pair.upperBound].filter { !$0.range.isEmpty }
            end = pair.upperBound
        }
    }

    // MARK: Schemas

    /// What the `type` of a schema, or of a scheme of security, may be.
    private static let schemaTypes: Set<String> = [
        "string", "integer", "number", "boolean", "object", "array", "null", "apiKey", "http", "oauth2",
        "openIdConnect",
        "mutualTLS", "keyword", "text", "password", "long", "uuid", "email", "hidden",
    ]
    /// The members of a schema that show a value.
    private static let schemaValues: Set<String> = ["default", "example", "examples", "const"]
    private static let schemaKeys: Set<String> = schemaValues.union([
        "type", "$ref", "$id", "$comment", "$defs", "properties", "patternProperties", "additionalProperties",
        "required",
        "items", "prefixItems", "enum", "format", "title", "description", "minLength", "maxLength", "minlength",
        "maxlength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems",
        "maxItems", "uniqueItems", "minProperties", "maxProperties", "nullable", "readOnly", "writeOnly", "deprecated",
        "oneOf", "anyOf", "allOf", "not", "discriminator", "externalDocs", "xml", "name", "in", "scheme",
        "bearerFormat",
        "flows", "openIdConnectUrl", "schema", "style", "explode", "allowEmptyValue", "contentEncoding",
        "contentMediaType", "label", "placeholder", "help", "optional", "index", "sensitive", "secret",
    ])

    /// Whether the object that begins here says how a value is to look, as in an OpenAPI document, and holds none.
    private mutating func isSchema() -> Bool {
        guard ahead < Self.mostAhead * text.count else { return false }
        let start = index
        defer {
            ahead += index - start
            index = start
        }
        index += 1
        var (isTyped, depth) = (false, 0)
        while true {
            skip()
            guard index < text.count else { return false }
            switch text[index] {
            case UInt8(ascii: "}") where depth == 0: return isTyped
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case UInt8(ascii: "\""):
                guard let key = string() else { return false }
                skip()
                guard depth == 0, index < text.count, text[index] == UInt8(ascii: ":") else { continue }
                index += 1
                let name = String(decoding: text[key], as: UTF8.self)
                guard Self.schemaKeys.contains(name) || name.hasPrefix("x-") else { return false }
                skip()
                guard index < text.count else { return false }
                let first = text[index]
                let isText = first == UInt8(ascii: "\"")
                switch name {
                case "type":
                    let word = isText ? text[(index + 1)...].prefix(16).prefix { $0 != UInt8(ascii: "\"") } : []
                    guard !isText || Self.schemaTypes.contains(String(decoding: word, as: UTF8.self)) else {
                        return false
                    }
                    isTyped = true
                case "$ref", "properties", "oneOf", "anyOf", "allOf", "items": isTyped = true
                default: break
                }
            default: index += 1
            }
        }
    }
}
