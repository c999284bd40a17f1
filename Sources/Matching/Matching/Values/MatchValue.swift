/// What a matcher is asked about: a text, and, where it is a document that others ask about too, what it was parsed to.
struct MatchValue {
    /// In UTF-8.
    let text: ArraySlice<UInt8>
    private let shared: ParsedDocument?

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        shared = nil
    }

    init(_ document: ParsedDocument) {
        text = document.text
        shared = document
    }

    /// The text as a document; parsed anew for a value that is none of its own.
    var document: ParsedDocument { shared ?? ParsedDocument(text) }
    /// Before decoding to UTF-8.
    var binary: ArraySlice<UInt8> { shared?.binary ?? text }
    var string: String { String(decoding: text, as: UTF8.self) }

    /// The text for a note, cut at a length that nobody reads.
    var shown: String {
        guard text.count > Self.longestShown else { return string }
        var end = text.startIndex + Self.longestShown
        while end > text.startIndex, text[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: text[..<end], as: UTF8.self) + "…"
    }

    /// In bytes.
    private static let longestShown = 500
}
