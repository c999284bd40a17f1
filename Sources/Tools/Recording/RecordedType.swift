import SDBasics
import SDJSON

/// The interpretation of a content type, as in WireMock's recorder.
struct RecordedType {
    /// The media type without parameters; nil if there is none.
    let mediaType: String?

    init(_ contentType: String?) {
        mediaType = contentType.map { String($0.prefix { $0 != ";" }.filter { $0 != " " }) }
    }

    func mentions(_ word: String) -> Bool { mediaType?.contains(text: word) ?? false }

    var isText: Bool {
        ["text", "json", "xml", "html", "yaml", "csv", "x-www-form-urlencoded"].contains(where: mentions)
    }

    /// The extension for a file with such a body.
    /// - Parameter path: the URL's path.
    func fileExtension(path: String, body: [UInt8]) -> String {
        if let mediaType {
            for (word, name) in [("json", "json"), ("xml", "xml"), ("text", "txt")] where mentions(word) {
                return name
            }
            if let name = Self.byMediaType[mediaType] { return name }
        }
        let last = RecordedName.decoded(path).split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        if let dot = last.lastIndex(of: "."), case let suffix = last[last.index(after: dot)...], Self.isSuffix(suffix) {
            return String(suffix)
        }
        if (try? JSONValue(parsing: body[...], dialect: .lenient)) != nil { return "json" }
        let visible = body.drop { $0 <= 0x20 }
        return visible.first == UInt8(ascii: "<") && visible.last { $0 > 0x20 } == UInt8(ascii: ">") ? "xml" : "txt"
    }

    /// Whether a text is a valid extension on every file system.
    private static func isSuffix(_ text: Substring) -> Bool {
        (1...16).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }
    }

    private static let byMediaType = [
        "image/jpeg": "jpeg", "image/gif": "gif", "image/tiff": "tiff", "image/png": "png", "image/x-icon": "ico",
        "audio/x-aiff": "aiff", "video/x-ms-asf": "asf", "video/mpeg": "mp2", "audio/mpeg": "mp3",
        "video/quicktime": "mov", "application/pdf": "pdf",
    ]
}
