import SDBasics
package import SDSecrets

/// What is hidden where people and other programs may read it: in the log, and in all answers of the admin API that are
/// not WireMock's. `SecretNames` says which names are those of secrets, `SecretReader` finds them in texts and bodies.
///
/// WireMock's answers show requests as they were received, because tests compare them. Everything else that shows a
/// request asks a `Redaction?`: for a text of the request, or for the request or evaluation as a whole.
public struct Redaction: Sendable, Equatable {
    /// The text in place of a hidden value.
    public static let mark = HiddenValue.mark

    private static let marks = SecretMarks(text: mark)
    private static let markBytes = Array(mark.utf8)

    package let names: SecretNames

    /// Makes a redaction, which always includes the names of `SecretNames.usual`.
    /// - Parameter names: further names of headers, parameters and members, in any spelling.
    public init(_ names: [String] = []) {
        self.names = SecretNames(names)
    }

    /// The redaction with further names.
    public func adding(_ names: [String]) -> Redaction {
        Redaction(names: self.names.adding(names))
    }

    private init(names: SecretNames) {
        self.names = names
    }

    public func hides(_ name: String) -> Bool { names.contains(name) }

    /// A URL, request target or any other text, without what is secret in it. A text that was read before stays as it is.
    public func text(_ text: String) -> String {
        guard text.utf8.contains(where: { Self.signs.contains($0) }) else { return text }
        let bytes = Array(text.utf8)
        let places = SecretReader(names).places(in: bytes).filter { place in
            // A value may end before the bracket of the mark.
            place.range.count > Self.markBytes.count
                || !bytes[place.range.lowerBound...].starts(with: Self.markBytes)
        }
        return places.isEmpty ? text : String(decoding: Self.marks.replacing(places, in: bytes), as: UTF8.self)
    }

    /// What a text has that holds something to hide: a bracket begins a list of pairs.
    private static let signs = Set("=@%:<&[".utf8)

    /// Differences within documents, such as `$.user.password: expected "a", was "b"`, without what is secret in them.
    /// - Parameter documents: those that were compared; a difference quotes a part, of which it does not show whose it is.
    package func differences(_ differences: [String], in documents: [String]) -> [String] {
        guard !differences.isEmpty else { return differences }
        var words: Set<String> = []
        for document in documents {
            let bytes = Array(document.utf8)
            for place in SecretReader(names).places(in: bytes) {
                words.formUnion(Self.words(of: String(decoding: bytes[place.range], as: UTF8.self)))
            }
        }
        return differences.map { difference in
            let path = difference.prefix { $0 != ":" }
            let isSecret =
                path.split { ".[]'\"/@".contains($0) }.contains { hides(String($0)) }
                || !words.isDisjoint(with: Self.words(of: difference)) || endsWithin(difference, words)
            return isSecret ? place(String(path)) + ": differs" : text(difference)
        }
    }

    /// The place of a difference: a path, or an expression, which may hold the secret that it looks for. One that ends within
    /// quotes is hidden as a whole.
    private func place(_ path: String) -> String {
        let isWhole = ["'", "\""].allSatisfy { quote in path.filter { String($0) == quote }.count.isMultiple(of: 2) }
        return isWhole ? expression(path) ?? path : Self.mark
    }

    /// The runs of letters and digits in a text.
    private static func words(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { String($0) }
    }

    /// Whether a text is cut within one of some words.
    private func endsWithin(_ text: String, _ words: Set<String>) -> Bool {
        guard let last = Self.words(of: text).last, last.utf8.count > 2 else { return false }
        return words.contains { $0.hasPrefix(last) }
    }

    /// A body without what is secret in it.
    /// - Parameter type: its content type; nil if it is not known.
    public func body(_ bytes: [UInt8], type: String?) -> [UInt8] {
        Self.marks.replacing(SecretReader(names).places(in: bytes, contentType: type), in: bytes)
    }
}

extension Redaction? {
    /// The value of a header or parameter, or the mark in its place.
    public func shown(_ name: String, _ value: String) -> String {
        guard let self else { return value }
        return self.hides(name) ? Redaction.mark : self.text(value)
    }

    /// A URL, or any other text, without what is secret in it.
    public func shownURL(_ text: String) -> String {
        self?.text(text) ?? text
    }

    /// A body without what is secret in it.
    public func shown(body: [UInt8], type: String?) -> [UInt8] {
        self?.body(body, type: type) ?? body
    }
}
