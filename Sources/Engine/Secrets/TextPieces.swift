/// A part of a multipart body, which may be cut off.
struct MultipartPart {
    /// The range of its fields, and of its content.
    let head: Range<Int>
    let body: Range<Int>
    /// The name of the form's field; nil for none.
    private(set) var name: [UInt8]?
    private(set) var contentType: String?

    /// The boundary in the first line of a body; nil if there is none.
    static func boundary(_ text: [UInt8]) -> [UInt8]? {
        guard text.starts(with: "--".utf8) else { return nil }
        let line = text.prefix(200).prefix { $0 != 0x0D && $0 != 0x0A }
        return line.count > 2 && line.count < text.count ? Array(line.dropFirst(2)) : nil
    }

    /// The parts of a body; empty if the boundary does not occur.
    static func parts(of text: [UInt8], _ boundary: [UInt8]) -> [MultipartPart] {
        let mark = Array("--".utf8) + boundary
        var borders: [Range<Int>] = []
        var index = 0
        while let first = text[index...].firstIndex(of: UInt8(ascii: "-")) {
            let isAtLine = first == 0 || text[first - 1] == 0x0A
            if isAtLine, text[first...].starts(with: mark) {
                borders.append(first..<(first + mark.count))
                index = first + mark.count
            } else {
                index = first + 1
            }
        }
        return borders.indices.compactMap { number in
            let start = borders[number].upperBound
            if text[start...].starts(with: "--".utf8) { return nil }
            var end = number + 1 < borders.count ? borders[number + 1].lowerBound : text.count
            if number + 1 < borders.count {
                if end > start, text[end - 1] == 0x0A { end -= 1 }
                if end > start, text[end - 1] == 0x0D { end -= 1 }
            }
            return MultipartPart(text, start..<max(end, start))
        }
    }

    private init(_ text: [UInt8], _ range: Range<Int>) {
        var index = range.lowerBound
        // The head ends with an empty line.
        var lineStart = index
        var bodyStart = range.upperBound
        while index < range.upperBound {
            if text[index] == 0x0A {
                let isEmpty = text[lineStart..<index].allSatisfy { $0 == 0x0D }
                if isEmpty, lineStart > range.lowerBound {
                    bodyStart = index + 1
                    break
                }
                lineStart = index + 1
            }
            index += 1
        }
        head = range.lowerBound..<bodyStart
        body = bodyStart..<range.upperBound
        for line in text[head].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let field = String(decoding: line, as: UTF8.self)
            let lowercase = field.lowercased()
            if lowercase.hasPrefix("content-type:") {
                contentType = String(field.dropFirst("content-type:".count).drop { $0 == " " })
            } else if lowercase.hasPrefix("content-disposition:") {
                name = Self.parameter(Array(line))
            }
        }
    }

    /// The `name`, or `name*`, of a field.
    private static func parameter(_ line: [UInt8]) -> [UInt8]? {
        let word = Array("name".utf8)
        var index = 0
        while index + word.count < line.count {
            defer { index += 1 }
            let before = index == 0 ? 0x20 : line[index - 1]
            guard before <= 0x20 || before == UInt8(ascii: ";"),
                line[index..<(index + word.count)].map({ $0 | 0x20 }) == word
            else { continue }
            var start = index + word.count
            let isExtended = line[start] == UInt8(ascii: "*")
            if isExtended { start += 1 }
            while start < line.count, line[start] <= 0x20 { start += 1 }
            guard start < line.count, line[start] == UInt8(ascii: "=") else { continue }
            start += 1
            while start < line.count, line[start] <= 0x20 { start += 1 }
            if start < line.count, line[start] == UInt8(ascii: "\"") {
                return Array(line[(start + 1)...].prefix { $0 != UInt8(ascii: "\"") })
            }
            let value = line[start...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") }
            // In the extended form, charset and language precede the value: UTF-8''name.
            guard isExtended, let quote = value.lastIndex(of: UInt8(ascii: "'")) else { return Array(value) }
            return Array(value[(quote + 1)...])
        }
        return nil
    }
}

/// An event of an event stream as ranges of its text.
struct EventRanges {
    /// The ranges of its data, one for each line.
    var data: [Range<Int>] = []
    /// Its other lines.
    var others: [Range<Int>] = []

    /// Whether a text begins like an event stream.
    static func isStream(_ text: ArraySlice<UInt8>) -> Bool {
        let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.endIndex < text.endIndex else { return line.starts(with: "data:".utf8) }
        return ["data:", "event:", "id:", "retry:", ":"].contains { line.starts(with: $0.utf8) }
            && (line.starts(with: "data:".utf8)
                || text.split(maxSplits: 16) { $0 == 0x0A || $0 == 0x0D }.contains { $0.starts(with: "data:".utf8) })
    }

    static func events(_ text: [UInt8]) -> [EventRanges] {
        var events: [EventRanges] = []
        var event = EventRanges()
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, text[index] != 0x0A, text[index] != 0x0D { index += 1 }
            let line = start..<index
            if index + 1 < text.count, text[index] == 0x0D, text[index + 1] == 0x0A { index += 1 }
            index += 1
            if line.isEmpty {
                events.append(event)
                event = EventRanges()
            } else if text[line].starts(with: "data".utf8), line.count == 4 || text[line.lowerBound + 4] == 0x3A {
                var first = min(line.lowerBound + 5, line.upperBound)
                if first < line.upperBound, text[first] == 0x20 { first += 1 }
                event.data.append(first..<line.upperBound)
            } else {
                event.others.append(line)
            }
        }
        events.append(event)
        return events
    }
}
