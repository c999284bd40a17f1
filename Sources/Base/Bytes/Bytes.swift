/// Loops over the bytes of requests and stubs. They run over spans, so they neither allocate nor count references.
extension ArraySlice<UInt8> {
    /// Whether no byte is above 0x7F.
    public var isASCII: Bool {
        let span = span
        var seen: UInt8 = 0
        for index in span.indices { seen |= span[index] }
        return seen < 0x80
    }

    /// Whether both slices hold the same bytes.
    public func equals(_ other: ArraySlice<UInt8>) -> Bool {
        let left = span
        let right = other.span
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }

    /// Whether the bytes of `other` stand at `position`.
    public func continues(with other: ArraySlice<UInt8>, at position: Int) -> Bool {
        let left = span
        let right = other.span
        guard position >= 0, right.count <= left.count, position <= left.count - right.count else { return false }
        for index in right.indices where left[position &+ index] != right[index] { return false }
        return true
    }

    /// Whether `needle` occurs anywhere. An empty needle always does.
    public func contains(_ needle: ArraySlice<UInt8>) -> Bool {
        guard let first = needle.first else { return true }
        let haystack = span
        var position = 0
        while position <= haystack.count - needle.count {
            if haystack[position] == first, continues(with: needle, at: position) { return true }
            position += 1
        }
        return false
    }
}

extension String {
    /// The string's UTF-8 bytes as one slice.
    public var bytes: ArraySlice<UInt8> {
        Array(utf8)[...]
    }
}
