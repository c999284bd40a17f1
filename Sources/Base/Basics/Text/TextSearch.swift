/// Searches for a text in another one, byte by byte. Those of `_StringProcessing` would link Swift's engine for regular
/// expressions into the daemon.
extension StringProtocol {
    /// Whether a text occurs anywhere. An empty one always does.
    @inlinable
    public func contains(text: some StringProtocol) -> Bool {
        firstRange(ofText: text) != nil
    }

    /// The first place of a text, before which it does not occur; nil if it does not occur. An empty one occurs at the
    /// start.
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
    /// The text with another in place of each occurrence of `text`, from the beginning on, byte by byte.
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
