import SDBasics
import SDJSON

/// A parsed `$ref`: the document, and the location in it.
struct DocumentReference {
    /// The target document.
    enum Target: Hashable {
        /// The document that contains the reference.
        case same
        /// A file, by its path relative to the folder of the description.
        case file(String)
        /// A URL without a fragment.
        case url(String)
    }

    /// The location in a document.
    enum Fragment: Hashable {
        case pointer([String])
        /// The `$anchor` of a schema.
        case anchor(String)
    }

    /// Why a reference is not followed.
    struct Refusal: Error {
        var message: String
        var expected: String
    }

    var target: Target
    var fragment: Fragment

    /// Parses a reference.
    /// - Parameter name: the path or URL of the document that contains it; empty for the main document.
    static func reading(_ text: String, in name: String) -> Result<DocumentReference, Refusal> {
        let mark = text.utf8.firstIndex(of: 0x23) ?? text.endIndex
        let document = String(text[..<mark])
        guard let fragment = fragment(text[mark...].dropFirst()) else {
            return .failure(
                Refusal(message: "the part after # is no place", expected: "such as #/components/schemas/Pet"))
        }
        return target(document, in: name).map { DocumentReference(target: $0, fragment: fragment) }
    }

    private static func fragment(_ text: Substring) -> Fragment? {
        guard let decoded = percentDecoded(text) else { return nil }
        guard decoded.isEmpty || decoded.utf8.first == UInt8(ascii: "/") else { return .anchor(decoded) }
        return JSONPointer(text: decoded).map { .pointer($0.tokens) }
    }

    private static func target(_ document: String, in name: String) -> Result<Target, Refusal> {
        guard !document.isEmpty else { return .success(.same) }
        if isURL(document) { return .success(.url(document)) }
        if hasScheme(document) {
            return .failure(
                Refusal(
                    message: "only files beside the document and http URLs are referred to",
                    expected: "a path such as schemas/pet.yaml"))
        }
        if isURL(name) { return .success(.url(url(document, from: name))) }
        guard let path = path(document, from: name) else {
            return .failure(
                Refusal(
                    message: "the file is not in the folder of the document",
                    expected: "a path that stays in the folder"))
        }
        return .success(.file(path))
    }

    // MARK: Paths

    /// The path relative to the description's folder; nil if it leads out of the folder in any notation.
    private static func path(_ document: String, from name: String) -> String? {
        let text = document.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard text.count == document.utf8.count, text.first != UInt8(ascii: "/") else { return nil }
        var segments = name.split(separator: "/").dropLast().map(String.init)
        for raw in document.split(separator: "/") {
            guard let segment = percentDecoded(raw), isPlain(segment) else { return nil }
            switch segment {
            case ".": guard raw == "." else { return nil }
            case "..":
                guard raw == "..", !segments.isEmpty else { return nil }
                segments.removeLast()
            default: segments.append(segment)
            }
        }
        return segments.isEmpty ? nil : segments.joined(separator: "/")
    }

    private static func isPlain(_ segment: String) -> Bool {
        !segment.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }
    }

    // MARK: URLs

    static func isURL(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// Whether a text starts with a scheme such as `file:`, or a drive such as `C:`.
    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return text.hasPrefix("//") }
        return !text[..<colon].utf8.contains(UInt8(ascii: "/"))
    }

    /// Resolves a relative URL (RFC 3986, section 5.2).
    static func url(_ reference: String, from base: String) -> String {
        guard let scheme = base.firstRange(ofText: "://") else { return reference }
        if reference.hasPrefix("//") { return base[..<scheme.lowerBound] + ":" + reference }
        let rest = base[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let origin = base[..<scheme.upperBound] + authority
        var segments: [Substring] = []
        if !reference.hasPrefix("/") {
            let path = rest.dropFirst(authority.count).prefix { $0 != "?" && $0 != "#" }
            segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().dropLast()
        }
        for segment in reference.drop(while: { $0 == "/" }).split(separator: "/", omittingEmptySubsequences: false) {
            switch segment {
            case ".": continue
            case "..": if !segments.isEmpty { segments.removeLast() }
            default: segments.append(segment)
            }
        }
        return origin + "/" + segments.joined(separator: "/")
    }

    // MARK: Escapes

    /// The text with `%XX` decoded; nil if an escape is invalid or the result is not UTF-8.
    static func percentDecoded(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let code = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
