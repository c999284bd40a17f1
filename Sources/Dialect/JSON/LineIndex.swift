/// Converts byte offsets to positions, and lines and columns to offsets, in time independent of the length of a line.
package struct LineIndex: Sendable {
    private let bytes: [UInt8]
    private var lineStarts: [Int] = [0]
    /// The number of characters that start before each multiple of `stride`.
    private var characterCounts: [Int] = []

    private static let stride = 1024

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        characterCounts.reserveCapacity(bytes.count / Self.stride + 1)
        var characters = 0
        var previous: UInt8 = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if index % Self.stride == 0 { characterCounts.append(characters) }
            if byte & 0xC0 != 0x80 { characters += 1 }
            if byte == UInt8(ascii: "\n"), previous == UInt8(ascii: "\r") {
                lineStarts[lineStarts.count - 1] = index + 1
            } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                lineStarts.append(index + 1)
            }
            previous = byte
            index += 1
        }
    }

    package func line(of offset: Int) -> Int { Self.last(of: lineStarts, upTo: offset) + 1 }

    package func position(of offset: Int) -> TextPosition {
        let low = Self.last(of: lineStarts, upTo: offset)
        let start = lineStarts[low]
        let column = 1 + characters(before: max(start, offset)) - characters(before: start)
        return TextPosition(line: low + 1, column: column, offset: offset)
    }

    /// The position of the character at `line` and `column`, both from 1; the end of the text if it does not exist.
    package func position(line: Int, column: Int) -> TextPosition {
        guard lineStarts.indices.contains(line - 1) else {
            return TextPosition(line: line, column: column, offset: bytes.count)
        }
        let start = lineStarts[line - 1]
        let (wanted, isBeyond) = characters(before: start).addingReportingOverflow(max(column, 1) - 1)
        let offset = isBeyond ? bytes.count : max(start, self.offset(after: wanted))
        return TextPosition(line: line, column: column, offset: offset)
    }

    private func characters(before offset: Int) -> Int {
        let offset = min(max(offset, 0), bytes.count)
        guard !characterCounts.isEmpty else { return 0 }
        let block = min(offset / Self.stride, characterCounts.count - 1)
        return bytes[(block * Self.stride)..<offset].reduce(characterCounts[block]) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    /// The offset of the character with `count` characters before it.
    private func offset(after count: Int) -> Int {
        let low = Self.last(of: characterCounts, upTo: count)
        guard low < characterCounts.count else { return bytes.count }
        var left = count - characterCounts[low]
        var offset = low * Self.stride
        while offset < bytes.count, left > 0 || bytes[offset] & 0xC0 == 0x80 {
            if bytes[offset] & 0xC0 != 0x80 { left -= 1 }
            offset += 1
        }
        return offset
    }

    /// The index of the last of these ascending numbers that is at most `bound`; 0 if there is none.
    private static func last(of numbers: [Int], upTo bound: Int) -> Int {
        var low = 0
        var high = numbers.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if numbers[middle] <= bound { low = middle } else { high = middle }
        }
        return low
    }
}
