import SDBasics
import SDPlatform

/// Finds the secrets in texts: by the names before them, wherever these stand, and by their values once these are known.
struct SecretSearch {
    /// The shortest value that is replaced wherever it stands; a shorter one may be a common word.
    private static let shortest = 8
    /// The most values that are known.
    private static let most = 1_000

    let names: SecretNames
    private(set) var values: Set<[UInt8]> = []

    init(_ names: SecretNames) {
        self.names = names
    }

    mutating func learn(_ value: some Sequence<UInt8>) {
        let value = Array(value)
        if value.count >= Self.shortest, values.count < Self.most { values.insert(value) }
    }

    /// Learns the values of a text that stand behind their names.
    mutating func learn(from text: [UInt8]) {
        for range in named(in: text) { learn(text[range]) }
    }

    /// The places of secrets, in order, none within another.
    func places(in text: [UInt8]) -> [Range<Int>] {
        var places = named(in: text)
        for value in values {
            var start = 0
            while let place = find(value, in: text, from: start) {
                places.append(place)
                start = place.upperBound
            }
        }
        places.sort { $0.lowerBound < $1.lowerBound }
        var merged: [Range<Int>] = []
        for place in places {
            if let last = merged.last, place.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                merged.append(place)
            }
        }
        return merged
    }

    private func find(_ value: [UInt8], in text: [UInt8], from start: Int) -> Range<Int>? {
        guard let first = value.first, text.count >= value.count else { return nil }
        var index = start
        while index <= text.count - value.count {
            if text[index] == first, text[index..<(index + value.count)].elementsEqual(value) {
                return index..<(index + value.count)
            }
            index += 1
        }
        return nil
    }

    // MARK: Names

    /// The values behind `"name": ` and `name=`.
    private func named(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                let end = stringEnd(text, index)
                if let value = jsonValue(text, behind: end),
                    names.contains(String(decoding: text[(index + 1)..<max(end - 1, index + 1)], as: UTF8.self))
                {
                    found.append(value)
                    index = value.upperBound
                } else {
                    index = end
                }
            case UInt8(ascii: "="):
                if let value = parameter(text, at: index) {
                    found.append(value)
                    index = value.upperBound
                } else {
                    index += 1
                }
            default: index += 1
            }
        }
        return found
    }

    /// The index behind a string of JSON that begins at `start`.
    private func stringEnd(_ text: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\n"): return index
            default: index += 1
            }
        }
        return text.count
    }

    /// The value behind a key of JSON: what stands in a string's quotes, or a number. Nil for anything else.
    private func jsonValue(_ text: [UInt8], behind key: Int) -> Range<Int>? {
        var index = skip(text, key)
        guard index < text.count, text[index] == UInt8(ascii: ":") else { return nil }
        index = skip(text, index + 1)
        guard index < text.count else { return nil }
        if text[index] == UInt8(ascii: "\"") {
            let end = stringEnd(text, index)
            let isClosed = end - 1 > index && text[end - 1] == UInt8(ascii: "\"")
            let value = (index + 1)..<(isClosed ? end - 1 : end)
            return value.isEmpty ? nil : value
        }
        let digits = text[index...].prefix { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }
        return digits.isEmpty ? nil : index..<digits.endIndex
    }

    private func skip(_ text: [UInt8], _ start: Int) -> Int {
        text[min(start, text.count)...].firstIndex { $0 > 0x20 } ?? text.count
    }

    /// The value behind the `=` of a form, a query or a cookie.
    private func parameter(_ text: [UInt8], at equals: Int) -> Range<Int>? {
        func isPart(_ byte: UInt8) -> Bool {
            byte > 0x20 && byte != UInt8(ascii: "&") && byte != UInt8(ascii: ";") && byte != UInt8(ascii: "?")
                && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "'")
        }
        var start = equals
        while start > 0, isPart(text[start - 1]), text[start - 1] != UInt8(ascii: "=") { start -= 1 }
        guard start < equals, names.contains(String(decoding: text[start..<equals], as: UTF8.self)) else { return nil }
        let value = text[(equals + 1)...].prefix(while: isPart)
        return value.isEmpty ? nil : value.indices
    }
}
