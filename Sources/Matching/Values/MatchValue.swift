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
}
