private import SDCJSONTape

extension JSONWriter {
    /// Appends the content of a string in runs that need no escapes: looking at megabytes byte by byte takes seconds in
    /// a debug build.
    mutating func addEscaped(_ text: String) {
        var text = text
        text.withUTF8 { text in
            var place = 0
            while let start = text.baseAddress, place < text.count {
                let end = place + cj_plain_length(start + place, text.count - place)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[place..<end]))
                if end < text.count { Self.escape(text[end], into: &bytes) }
                place = end + 1
            }
        }
    }
}

extension [UInt8] {
    /// The number of bytes that are not plain in a JSON string: quotes, backslashes, control characters, and non-ASCII.
    package var specialCountInJSON: Int {
        withUnsafeBufferPointer { bytes in bytes.baseAddress.map { cj_count_special($0, bytes.count) } ?? 0 }
    }
}
