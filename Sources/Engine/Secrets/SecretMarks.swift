/// The replacements of secrets. They keep the JSON type of the value.
package struct SecretMarks: Sendable {
    package let text: String
    let number: String
    let boolean: String

    /// The marks in recordings.
    package static let recorded = SecretMarks(text: "REDACTED")
    /// The marks in recorded requests, where they match any value.
    package static let matched = SecretMarks(text: "REDACTED", scalars: "REDACTED")

    /// - Parameter scalars: the replacement of numbers and booleans; nil for a value of the same type.
    package init(text: String, scalars: String? = nil) {
        self.text = text
        number = scalars ?? "0"
        boolean = scalars ?? "false"
    }

    private func mark(_ kind: SecretLocation.Kind) -> String {
        switch kind {
        case .text: text
        case .number: number
        case .boolean: boolean
        }
    }

    /// The replacement of a secret.
    package func bytes(for place: SecretLocation) -> [UInt8] {
        let bytes = Array(mark(place.kind).utf8)
        return place.encoding.map { $0.encoded(bytes) } ?? bytes
    }

    /// A document with its secrets replaced.
    /// - Parameter places: in order, without nesting.
    package func replacing(_ places: [SecretLocation], in document: [UInt8]) -> [UInt8] {
        if places.isEmpty { return document }
        var result: [UInt8] = []
        result.reserveCapacity(document.count)
        var end = 0
        for place in places {
            result += document[end..<place.range.lowerBound]
            result += bytes(for: place)
            end = place.range.upperBound
        }
        return result + document[end...]
    }
}

/// JSON for comparison with requests, in which placeholders for secrets match any value.
package enum SecretPlaceholders {
    /// A JSON document with placeholders for its secrets; each text that contains a secret becomes a placeholder as a
    /// whole.
    /// - Parameter places: in order, without nesting.
    package static func replacing(_ places: [SecretLocation], in document: [UInt8]) -> [UInt8] {
        if places.isEmpty { return document }
        // A text in a wide encoding is returned as UTF-8.
        guard let encoding = places[0].encoding, let layer = TextLayer(document[...], encoding) else {
            return plain(places.map { ($0.range, $0.kind) }, document)
        }
        // Converts the places to indices of the decoded text.
        var inner: [(Range<Int>, SecretLocation.Kind)] = []
        var index = 0
        for place in places {
            while index < layer.bytes.count, layer.origin(index) < place.range.lowerBound { index += 1 }
            let start = index
            while index < layer.bytes.count, layer.origin(index) < place.range.upperBound { index += 1 }
            inner.append((start..<index, place.kind))
        }
        return plain(inner, layer.bytes)
    }

    private static func plain(_ places: [(range: Range<Int>, kind: SecretLocation.Kind)], _ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var (index, end, next) = (0, 0, 0)
        func skipped(_ start: Int) -> Int { text[min(start, text.count)...].firstIndex { $0 > 0x20 } ?? text.count }
        while next < places.count, index < text.count {
            let start = index
            let quote = text[index]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                // A number, a word, or the text in between.
                let place = places[next]
                if place.range.lowerBound <= index {
                    result += text[end..<place.range.lowerBound]
                    result += mark(place.kind)
                    (end, index) = (place.range.upperBound, max(place.range.upperBound, index + 1))
                    next += 1
                } else {
                    index += 1
                }
                continue
            }
            index += 1
            while index < text.count, text[index] != quote { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
            index = min(index + 1, text.count)
            let isKey = text.indices.contains(skipped(index)) && text[skipped(index)] == UInt8(ascii: ":")
            var holdsSecret = false
            while next < places.count, places[next].range.lowerBound < index {
                holdsSecret = true
                if isKey {
                    result += text[end..<places[next].range.lowerBound]
                    result += Array(SecretMarks.recorded.text.utf8)
                    end = places[next].range.upperBound
                }
                next += 1
            }
            if holdsSecret, !isKey {
                result += text[end..<start]
                result += mark(.text)
                end = index
            }
        }
        return result + text[min(end, text.count)...]
    }

    private static func mark(_ kind: SecretLocation.Kind) -> [UInt8] {
        switch kind {
        case .text: Array(#""${json-unit.any-string}""#.utf8)
        case .number: Array(#""${json-unit.any-number}""#.utf8)
        case .boolean: Array(#""${json-unit.any-boolean}""#.utf8)
        }
    }
}
