import SDBasics

/// The filter of a list of requests, as people type it: words that must all hold.
///
/// A word is a text in the method, the URL, the stub or the session, in any letter case. `GET`, `404`, `5xx` and
/// `key:value` ask for more; `-` before a word turns it round, `|` in it separates alternatives, and a word in quotes is a
/// text. Nothing is an error: what is not understood is a text.
public struct RequestFilter: Sendable {
    /// A condition, and whether it must not hold.
    struct Term: Sendable {
        var condition: Condition
        var isNegated = false
    }

    enum Condition: Sendable {
        case text([TextGlob])
        case method([String])
        /// One of the ranges of status codes.
        case status([ClosedRange<Int>])
        /// What came in place of a status, such as a part of the name of a fault.
        case ending([TextGlob])
        case state([State])
        case field(Field, [TextGlob])
        case header([HeaderText])
        case body([TextGlob])
        /// A range of microseconds.
        case duration(ClosedRange<UInt64>)
        /// A range of bytes.
        case size(ClosedRange<UInt64>)
        /// The age at most, in milliseconds.
        case last(UInt64)
        /// A key whose value is still to be typed.
        case anything
    }

    enum State: String, Sendable, CaseIterable {
        case unmatched, failed, fault, open, held, proxied
    }

    enum Field: String, Sendable, CaseIterable {
        case path, host, stub, file, session, proto, type
    }

    /// A header field, and what is in its value; nil for anything.
    struct HeaderText: Sendable {
        let name: [UInt8]
        let text: TextGlob?
    }

    /// The keys that may stand before a colon.
    public static let keys =
        ["is"] + Field.allCases.map(\.rawValue) + ["status", "method", "header", "body", "time", "size", "last"]
    /// The values of `is`.
    public static let states = State.allCases.map(\.rawValue)

    let terms: [Term]

    /// Reads a filter; any text is one. Of one that is too long (`FilterWord`), the first words count.
    public init(_ text: String) {
        terms = FilterWord.all(in: text).map { Term($0) }
    }

    public var isEmpty: Bool { terms.isEmpty }
}
