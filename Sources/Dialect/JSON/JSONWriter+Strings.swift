private import SDCJSONTape

extension JSONWriter {
    /// Adds the text of a string, a run that needs no escape at a time: texts of megabytes are not looked at byte by byte,
    /// which takes seconds in a build without optimization.
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
    /// How many bytes are no plain letter of a JSON string: quotes, backslashes, control characters, and what is beyond ASCII.
    package var specialCountInJSON: Int {
        withUnsafeBufferPointer { bytes in bytes.baseAddress.map { cj_count_special($0, bytes.count) } ?? 0 }
    }
}
