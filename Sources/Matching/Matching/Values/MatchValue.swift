/// A value to match: a text, and its parsed form if other tests share it.
package struct MatchValue {
    /// The text in UTF-8.
    let text: ArraySlice<UInt8>
    private let shared: ParsedDocument?

    package init(_ text: ArraySlice<UInt8>) {
        self.text = text
        shared = nil
    }

    package init(_ document: ParsedDocument) {
        text = document.text
        shared = document
    }

    /// The text as a document; parsed on each call unless shared.
    func document(_ views: inout RequestViews) -> ParsedDocument { shared ?? ParsedDocument(text, views.budget) }
    /// The bytes before decoding to UTF-8.
    var binary: ArraySlice<UInt8> { shared?.binary ?? text }

    /// The text; empty if the budget does not suffice for reading it.
    func string(_ views: inout RequestViews) -> String {
        views.tryReserve(2, forTextOf: text.count) ? String(decoding: text, as: UTF8.self) : ""
    }

    /// The text for a note, shortened.
    var shown: String {
        guard text.count > Self.longestShown else { return String(decoding: text, as: UTF8.self) }
        var end = text.startIndex + Self.longestShown
        while end > text.startIndex, text[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: text[..<end], as: UTF8.self) + "…"
    }

    /// The maximum length of a text in a note, in bytes.
    private static let longestShown = 500
}
