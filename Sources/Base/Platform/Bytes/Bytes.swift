private import SDCPlatform

/// Loops over bytes of requests and stubs. They use spans, so they neither allocate nor count references.
extension ArraySlice<UInt8> {
    /// Whether no byte is above 0x7F.
    public var isASCII: Bool {
        let span = span
        var seen: UInt8 = 0
        for index in span.indices { seen |= span[index] }
        return seen < 0x80
    }

    /// Whether both slices hold the same bytes.
    public func equals(_ other: ArraySlice<UInt8>) -> Bool { span.equals(other.span) }

    /// Whether the bytes of `other` stand at `position`.
    public func continues(with other: ArraySlice<UInt8>, at position: Int) -> Bool {
        let left = span
        let right = other.span
        guard position >= 0, right.count <= left.count, position <= left.count - right.count else { return false }
        for index in right.indices where left[position &+ index] != right[index] { return false }
        return true
    }

    /// Whether `needle` occurs anywhere. An empty needle always does. The time is linear.
    public func contains(_ needle: ArraySlice<UInt8>) -> Bool {
        guard !needle.isEmpty else { return true }
        // The C library's search is fast everywhere, but not linear everywhere.
        if needle.count > 32 { return containsLong(needle) }
        return withUnsafeBytes { bytes in
            needle.withUnsafeBytes { part in
                guard let start = bytes.baseAddress, let first = part.baseAddress else { return false }
                return cp_contains(start, bytes.count, first, part.count)
            }
        }
    }

    /// `contains` for needles that could make a plain search quadratic.
    private func containsLong(_ needle: ArraySlice<UInt8>) -> Bool {
        guard needle.count <= count else { return false }
        var search = ByteSearch(for: needle)
        let bytes = span
        for index in bytes.indices where search.ends(with: bytes[index]) { return true }
        return false
    }
}

extension Span<UInt8> {
    /// Whether both spans hold the same bytes.
    public func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }
}

extension String {
    /// The string's UTF-8 bytes as one slice.
    public var bytes: ArraySlice<UInt8> {
        Array(utf8)[...]
    }
}
