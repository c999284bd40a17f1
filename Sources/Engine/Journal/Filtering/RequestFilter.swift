import SDBasics

/// The filter of a list of requests, as people type it: words that must all hold.
///
/// A word is a text in the method, the URL, the stub or the session, in any letter case. `GET`, `404`, `5xx` and
/// `key:value` are conditions; `-` before a word negates it, `|` separates alternatives, and a word in quotes is a
/// text. There are no errors: a word that is not understood is a text.
public struct RequestFilter: Sendable {
    /// A condition, and whether it is negated.
    struct Term: Sendable {
        var condition: Condition
        var isNegated = false
    }

    enum Condition: Sendable {
        case text([TextGlob])
        case method([String])
        /// One of the ranges of status codes.
        case status([ClosedRange<Int>])
        /// What replaced a status, such as a part of a fault's name.
        case ending([TextGlob])
        case state([State])
        case field(Field, [TextGlob])
        case header([HeaderText])
        case body([TextGlob])
        /// A range in microseconds.
        case duration(ClosedRange<UInt64>)
        /// A range in bytes.
        case size(ClosedRange<UInt64>)
        /// The largest age in milliseconds.
        case last(UInt64)
        /// A key whose value is not typed yet.
        case anything
    }

    enum State: String, Sendable, CaseIterable {
        case unmatched, failed, fault, open, held, proxied
    }

    enum Field: String, Sendable, CaseIterable {
        case path, host, stub, file, session, proto, type
    }

    /// A header field, and a text in its value; nil for any value.
    struct HeaderText: Sendable {
        let name: [UInt8]
        let text: TextGlob?
    }

    /// The keys that may precede a colon.
    public static let keys =
        ["is"] + Field.allCases.map(\.rawValue) + ["status", "method", "header", "body", "time", "size", "last"]
    /// The values of `is`.
    public static let states = State.allCases.map(\.rawValue)

    let terms: [Term]

    /// Parses a filter; any text is valid. If it is too long (`FilterWord`), only its first words count.
    public init(_ text: String) {
        terms = FilterWord.all(in: text).map { Term($0) }
    }

    public var isEmpty: Bool { terms.isEmpty }
}
