/// Parses JSON, or several consecutive documents, as in NDJSON, for secrets.
struct JSONSecrets {
    /// An open container.
    private struct Frame {
        let isObject: Bool
        /// Whether its whole content is secret.
        let isSecret: Bool
        /// Whether a key is expected; and whether the value of the key is secret.
        var awaitsKey: Bool
        var valueIsSecret = false
        var key: ArraySlice<UInt8> = []
        /// For `{"name": "password", "value": …}`: whether the name is secret. A list `["Authorization", "…"]` within
        /// another list is such a pair, too.
        var isNamedSecret = false
        /// The ranges of its values in `paired`.
        var values: [Range<Int>] = []
        /// The number of values of a list so far.
        var count = 0
        /// Whether it is the schema of a secret, in which only the examples are secret.
        var isSchema = false
        /// The start of the current list or object in `paired`; nil if it is not a pair's value.
        var valueStart: Int?
    }

    static let nameKeys: Set<String> = ["name", "key", "field", "param", "parameter", "header", "expression"]
    static let valueKeys: Set<String> = ["value", "values", "val", "equalto", "contains", "matches"]
    private static let deepest = 10_000
    /// How often the text may be read ahead to distinguish schemas from values.
    private static let maxAhead = 2

    private let text: [UInt8]
    private let isSecret: (ArraySlice<UInt8>) -> Bool
    /// Whether a text is itself one of the names, and so not a secret.
    private let isListed: (ArraySlice<UInt8>) -> Bool
    /// Parses the text of a string for secrets.
    private let inner: (Range<Int>) -> [SecretLocation]
    /// The index up to which the text was parsed.
    private(set) var index: Int
    private(set) var places: [SecretLocation] = []
    /// The texts, numbers and words of pairs whose names may be secret; and the ranges of those whose names are.
    private var paired: [SecretLocation] = []
    private var secretPairs: [Range<Int>] = []
    /// The number of open values of such pairs.
    private var openValues = 0
    /// The number of bytes that were read ahead.
    private(set) var ahead = 0
    /// The end of the last valid document.
    private(set) var end: Int

    /// - Parameters:
    ///   - start: where to start parsing a single document; nil to parse the whole text.
    ///   - isWhole: whether the whole content is secret.
    ///   - isSecret: whether a name is a secret's.
    ///   - isListed: whether a text is itself one of the names, rather than a secret value.
    ///   - inner: finds the secrets in the text of a string.
    init(
        _ text: [UInt8], from start: Int? = nil, isWhole: Bool = false, isSecret: @escaping (ArraySlice<UInt8>) -> Bool,
        isListed: @escaping (ArraySlice<UInt8>) -> Bool,
        inner: @escaping (Range<Int>) -> [SecretLocation]
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
        // A record separator precedes each document of a JSON text sequence.
        while index < text.count, text[index] <= 0x20 { index += 1 }
    }

    /// Parses one document; false if it is invalid.
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

    /// Parses a string, number or word, and adds its secrets; nil if there is none.
    /// - Returns: its place.
    private mutating func scalar(_ isHidden: Bool) -> SecretLocation? {
        if text[index] == UInt8(ascii: "\"") {
            guard let range = string() else { return nil }
            if isHidden {
                if !range.isEmpty { places.append(SecretLocation(range)) }
            } else {
                places += inner(range)
            }
            return SecretLocation(range)
        }
        let word = text[index...].prefix { Self.isWord($0) }
        guard let first = word.first else { return nil }
        index = word.endIndex
        var place = SecretLocation(word.indices)
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): place.kind = .number
        default:
            let text = String(decoding: word, as: UTF8.self)
            if text == "null" { return SecretLocation(word.startIndex..<word.startIndex) }
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

    /// Parses a string, and returns the range of its text; nil if it does not end.
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

    /// Whether the next element of a list or object would be the value of a pair.
    private func mayBeValue(_ frame: Frame) -> Bool {
        guard frame.isObject else { return frame.count == 2 && frame.isNamedSecret }
        guard !frame.valueIsSecret, frame.key.count <= 10 else { return false }
        return Self.valueKeys.contains(String(decoding: frame.key, as: UTF8.self).lowercased())
    }

    /// Records the name of a pair.
    private func note(_ value: SecretLocation, in frame: inout Frame, within outer: Frame?) {
        guard value.kind == .text, !value.range.isEmpty else { return }
        guard frame.isObject else {
            if outer?.isObject == false, !frame.isSecret {
                // Two names form a list of names, not a pair; but a password may look like a name.
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

    /// The possible `type`s of a schema, or of a security scheme.
    private static let schemaTypes: Set<String> = [
        "string", "integer", "number", "boolean", "object", "array", "null", "apiKey", "http", "oauth2",
        "openIdConnect",
        "mutualTLS", "keyword", "text", "password", "long", "uuid", "email", "hidden",
    ]
    /// The members of a schema that contain a value.
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

    /// Whether the object that starts here is a schema, as in an OpenAPI document, rather than a value.
    private mutating func isSchema() -> Bool {
        guard ahead < Self.maxAhead * text.count else { return false }
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
