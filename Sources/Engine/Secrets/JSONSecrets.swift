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
        /// Of `{"name": "password", "value": …}`: whether the name is secret, and the place of the value.
        var isNamedSecret = false
        var value: [SecretPlace] = []
    }

    static let nameKeys: Set<String> = ["name", "key", "field", "param", "parameter", "header", "expression"]
    static let valueKeys: Set<String> = ["value", "val", "content", "text", "equalto", "contains", "matches"]
    private static let deepest = 10_000

    private let text: [UInt8]
    private let isSecret: (ArraySlice<UInt8>) -> Bool
    /// Reads the text of a string for what is in it.
    private let inner: (Range<Int>) -> [SecretPlace]
    /// How far the text was read.
    private(set) var index: Int
    private(set) var places: [SecretPlace] = []
    /// Where the last document that could be read ends.
    private(set) var end: Int

    /// - Parameters:
    ///   - start: where to begin, and then to read one document alone; nil for all of the text.
    ///   - isWhole: whether all of the documents is secret.
    ///   - isSecret: whether a name is that of a secret.
    ///   - inner: the secrets in the text of a string.
    init(
        _ text: [UInt8], from start: Int? = nil, isWhole: Bool = false, isSecret: @escaping (ArraySlice<UInt8>) -> Bool,
        inner: @escaping (Range<Int>) -> [SecretPlace]
    ) {
        self.text = text
        self.isSecret = isSecret
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
            guard readDocument(isWhole) else {
                places.removeSubrange(count...)
                return
            }
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
                if frame.isNamedSecret { places += frame.value }
                index += 1
                if let last = frames.indices.last { frames[last].awaitsKey = frames[last].isObject }
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
                frames[last].valueIsSecret = frame.isSecret || isSecret(text[range])
                frames[last].awaitsKey = false
                continue
            }
            let isHidden = frames.last.map { $0.isObject ? $0.valueIsSecret : $0.isSecret } ?? isWhole
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                guard frames.count < Self.deepest else { return false }
                let isObject = byte == UInt8(ascii: "{")
                frames.append(Frame(isObject: isObject, isSecret: isHidden, awaitsKey: isObject))
                index += 1
                continue
            }
            guard let value = scalar(isHidden) else { return false }
            if let last = frames.indices.last, frames[last].isObject {
                note(value, in: &frames[last], isHidden)
                frames[last].awaitsKey = true
            }
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

    private func note(_ value: SecretPlace, in frame: inout Frame, _ isHidden: Bool) {
        guard !isHidden, frame.key.count <= 10 else { return }
        let key = String(decoding: frame.key, as: UTF8.self).lowercased()
        if Self.nameKeys.contains(key), value.kind == .text {
            frame.isNamedSecret = frame.isNamedSecret || isSecret(text[value.range])
        } else if Self.valueKeys.contains(key) {
            frame.value.append(value)
        }
    }
}
