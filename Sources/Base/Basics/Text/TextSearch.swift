/// Byte-wise text search. `_StringProcessing` would link Swift's regular expression engine into the daemon.
extension StringProtocol {
    /// Whether a text occurs. An empty one always does.
    @inlinable
    public func contains(text: some StringProtocol) -> Bool {
        firstRange(ofText: text) != nil
    }

    /// The first occurrence of a text; nil if there is none. An empty one occurs at the start.
    @inlinable
    public func firstRange(ofText text: some StringProtocol) -> Range<Index>? {
        let needle = text.utf8
        guard let first = needle.first else { return startIndex..<startIndex }
        var rest = utf8[...]
        while let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: needle) { return place..<rest.index(place, offsetBy: needle.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension StringProtocol {
    /// The path and query of an absolute URL; nil for any other text.
    public var pathOfURL: String? {
        guard let scheme = firstRange(ofText: "://"), !self[..<scheme.lowerBound].contains(where: { "/?".contains($0) })
        else { return nil }
        let rest = self[scheme.upperBound...].prefix { $0 != "#" }
        let path = rest.firstIndex { $0 == "/" || $0 == "?" }.map { String(rest[$0...]) } ?? ""
        return path.hasPrefix("/") ? path : "/" + path
    }
}

extension StringProtocol {
    /// The text with each occurrence of `text` replaced, byte by byte from the start.
    public func replacing(text: some StringProtocol, with other: some StringProtocol) -> String {
        let bytes = Array(utf8)
        let sought = Array(text.utf8)
        guard !sought.isEmpty else { return String(self) }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: sought) {
                result += Array(other.utf8)
                index += sought.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
