import SDBasics
package import SDSecrets

/// The redaction of secrets in everything that people and other programs may read: the log, and all answers of the
/// admin API that WireMock does not have. `SecretNames` lists the names of secrets, `SecretReader` finds them in texts
/// and bodies.
///
/// WireMock's answers show requests as they were received, because tests compare them. All other code that shows a
/// request calls a `Redaction?`: for a text of the request, or for the request or evaluation as a whole.
public struct Redaction: Sendable, Equatable {
    /// The replacement for a hidden value.
    public static let mark = HiddenValue.mark

    private static let marks = SecretMarks(text: mark)
    private static let markBytes = Array(mark.utf8)

    package let names: SecretNames

    /// Makes a redaction, which always includes the names of `SecretNames.usual`.
    /// - Parameter names: further names of headers, parameters and members, in any spelling.
    public init(_ names: [String] = []) {
        self.names = SecretNames(names)
    }

    /// This redaction with further names.
    public func adding(_ names: [String]) -> Redaction {
        Redaction(names: self.names.adding(names))
    }

    private init(names: SecretNames) {
        self.names = names
    }

    public func hides(_ name: String) -> Bool { names.contains(name) }

    /// A URL, request target or any other text, with secrets redacted. A text that was already redacted is unchanged.
    public func text(_ text: String) -> String {
        guard text.utf8.contains(where: { Self.signs.contains($0) }) else { return text }
        let bytes = Array(text.utf8)
        let places = SecretReader(names).places(in: bytes).filter { place in
            // A parsed value may end before the closing bracket of the mark.
            place.range.count > Self.markBytes.count
                || !bytes[place.range.lowerBound...].starts(with: Self.markBytes)
        }
        return places.isEmpty ? text : String(decoding: Self.marks.replacing(places, in: bytes), as: UTF8.self)
    }

    /// The characters that every text with a secret contains; a bracket begins a list of pairs.
    private static let signs = Set("=@%:<&[".utf8)

    /// Differences within documents, such as `$.user.password: expected "a", was "b"`, with secrets redacted.
    /// - Parameter documents: the compared documents; a difference quotes a part without the member that it belongs to.
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

    /// The path of a difference, redacted: an expression may contain the secret that it searches for. A path that ends
    /// within quotes is hidden as a whole.
    private func place(_ path: String) -> String {
        let isWhole = ["'", "\""].allSatisfy { quote in path.filter { String($0) == quote }.count.isMultiple(of: 2) }
        return isWhole ? expression(path) ?? path : Self.mark
    }

    /// The runs of letters and digits in a text.
    private static func words(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { String($0) }
    }

    /// Whether a text ends within one of the words.
    private func endsWithin(_ text: String, _ words: Set<String>) -> Bool {
        guard let last = Self.words(of: text).last, last.utf8.count > 2 else { return false }
        return words.contains { $0.hasPrefix(last) }
    }

    /// A body with secrets redacted.
    /// - Parameter type: its content type; nil if unknown.
    public func body(_ bytes: [UInt8], type: String?) -> [UInt8] {
        Self.marks.replacing(SecretReader(names).places(in: bytes, contentType: type), in: bytes)
    }
}

extension Redaction? {
    /// The value of a header or parameter, redacted if the name is a secret's.
    public func redacted(_ name: String, _ value: String) -> String {
        guard let self else { return value }
        return self.hides(name) ? Redaction.mark : self.text(value)
    }

    /// A URL, or any other text, with secrets redacted.
    public func redactedURL(_ text: String) -> String {
        self?.text(text) ?? text
    }

    /// A body with secrets redacted.
    public func redacted(body: [UInt8], type: String?) -> [UInt8] {
        self?.body(body, type: type) ?? body
    }
}
