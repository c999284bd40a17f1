/// A text to find in another, in any letter case. With a `*`, which stands for any text, it must match the whole.
struct TextGlob: Sendable, Equatable {
    private let parts: [[UInt8]]

    init(_ text: String) {
        parts = text.lowercased().split(separator: "*", omittingEmptySubsequences: false).map { Array($0.utf8) }
    }

    /// A text without a `*`.
    init(part text: String) {
        parts = [Array(text.lowercased().utf8)]
    }

    func matches(_ text: String) -> Bool { matches(small: Array(text.lowercased().utf8)) }

    /// - Parameter text: in any ASCII letter case.
    func matches(_ text: some Sequence<UInt8>) -> Bool {
        matches(small: text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 })
    }

    /// - Parameter text: in lower case.
    private func matches(small text: [UInt8]) -> Bool {
        guard parts.count > 1 else { return text[...].firstPlace(of: parts[0]) != nil }
        let (first, last) = (parts[0], parts[parts.count - 1])
        guard text.count >= first.count + last.count, text.starts(with: first),
            text.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = text[first.count..<(text.count - last.count)]
        for part in parts.dropFirst().dropLast() {
            guard let place = rest.firstPlace(of: part) else { return false }
            rest = rest[(place + part.count)...]
        }
        return true
    }
}

extension ArraySlice<UInt8> {
    /// The index of the first occurrence of some bytes; nil if there is none.
    fileprivate func firstPlace(of bytes: [UInt8]) -> Int? {
        guard let first = bytes.first else { return startIndex }
        var start = startIndex
        while endIndex - start >= bytes.count, let place = self[start...].firstIndex(of: first) {
            guard endIndex - place >= bytes.count else { return nil }
            if self[place..<(place + bytes.count)].elementsEqual(bytes) { return place }
            start = place + 1
        }
        return nil
    }
}
