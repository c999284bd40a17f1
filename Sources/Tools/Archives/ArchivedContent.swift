import SDBasics
import SDJSON
import SDStubModel

/// The body of an archived response. Tools write it decompressed, and as text if they consider it text.
struct ArchivedContent {
    struct Body {
        var bytes: [UInt8]
        var missingBytes = 0
        /// Whether the text's encoding was changed.
        var isRecoded = false
        /// Whether the bytes still have the content coding of the headers, as Stunt Double writes them for an unknown
        /// coding.
        var isEncoded = false
    }

    private let content: ArchivedValue
    private let attachment: (String) -> [UInt8]?

    init(_ content: ArchivedValue, _ attachment: @escaping (String) -> [UInt8]?) {
        self.content = content
        self.attachment = attachment
    }

    /// The media type given by the tool; nil for none, and for the placeholders that tools write for an unknown one.
    func mediaType() throws(ArchiveProblem) -> String? {
        let type = try content["mimeType"].text() ?? ""
        return type.isEmpty || type == "x-unknown" || type.hasPrefix("application/x-unknown") ? nil : type
    }

    /// The body; nil if the archive omits it.
    /// - Parameter fields: the response's headers; Content-Type gives the text's encoding.
    func body(of fields: inout [(name: String, value: String)]) throws(ArchiveProblem) -> Body? {
        if let name = try content["_file"].text() {
            return Body(bytes: try ArchivedFile.bytes(name, content["_file"], attachment))
        }
        let isInCoding = try content["_encoded"].flag()
        let size = content["size"].isAbsent ? 0 : try content["size"].size()
        guard let text = try content["text"].text(), !(text.isEmpty && size ?? 0 > 0) else {
            return size == 0 ? Body(bytes: []) : nil
        }
        let missing = try content["_missingBytes"].size() ?? 0
        if let encoding = try content["encoding"].text(), !encoding.isEmpty {
            let bytes = try Self.decoded(text, encoding, content)
            let isEncoded = isInCoding || bytes.starts(with: [0x1F, 0x8B])
            return Body(bytes: bytes, missingBytes: missing, isEncoded: isEncoded)
        }
        let place = fields.firstIndex { $0.name.lowercased() == "content-type" }
        let (bytes, type) = ArchivedText.bytes(of: text, place.map { fields[$0].value } ?? "")
        if let type, let place { fields[place].value = type }
        return Body(bytes: bytes, missingBytes: missing, isRecoded: type != nil)
    }

    /// Decodes a text in Base64, the only encoding of the format.
    static func decoded(
        _ text: String, _ encoding: String, _ owner: ArchivedValue
    ) throws(ArchiveProblem) -> [UInt8] {
        guard encoding.lowercased() == "base64" else {
            throw ArchiveProblem(
                "is an unknown encoding", at: owner["encoding"].pointer,
                expected: "base64, or no encoding for plain text",
                found: JSONValue.string(encoding).shortDescription)
        }
        do throws(Base64.Problem) {
            // Some tools insert line breaks.
            return try Base64.decode(text.contains { $0.isNewline } ? text.filter { !$0.isNewline } : text)
        } catch {
            throw ArchiveProblem(
                "is no Base64", at: owner["text"].pointer, expected: "Base64, as encoding says", found: error.detail)
        }
    }
}

/// A body in a file beside the archive, as Playwright writes it.
enum ArchivedFile {
    static func bytes(
        _ name: String, _ place: ArchivedValue, _ attachment: (String) -> [UInt8]?
    ) throws(ArchiveProblem) -> [UInt8] {
        // The system ends names at a zero byte.
        guard !name.isEmpty, !name.utf8.contains(0), !name.hasPrefix("/"), !name.split(separator: "/").contains(".."),
            let bytes = attachment(name)
        else {
            throw ArchiveProblem(
                "there is no such file", at: place.pointer, expected: "the name of a file in the archive's folder",
                found: JSONValue.string(name).shortDescription)
        }
        return bytes
    }
}

/// The bytes of a text that the tool decoded.
enum ArchivedText {
    /// The text in the encoding of its Content-Type if that is UTF-8 or Latin-1 and can express it; otherwise in UTF-8.
    /// - Returns: the bytes, and the corrected Content-Type; nil if it is unchanged.
    static func bytes(of text: String, _ type: String) -> (bytes: [UInt8], type: String?) {
        var parts = type.split(separator: ";").map(String.init)
        guard let place = parts.firstIndex(where: { Self.charset($0) != nil }),
            let charset = Self.charset(parts[place]), charset != "utf-8", charset != "utf8"
        else { return (Array(text.utf8), nil) }
        if ["iso-8859-1", "latin1", "us-ascii", "ascii"].contains(charset) {
            let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            if bytes.count == text.unicodeScalars.count { return (bytes, nil) }
        }
        parts[place] = " charset=utf-8"
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        return (Array(text.utf8), isPlain ? nil : parts.joined(separator: ";"))
    }

    private static func charset(_ parameter: String) -> String? {
        let parameter = parameter.lowercased().filter { $0 != " " && $0 != "\"" && $0 != "\t" }
        return parameter.hasPrefix("charset=") ? String(parameter.dropFirst("charset=".count)) : nil
    }
}
