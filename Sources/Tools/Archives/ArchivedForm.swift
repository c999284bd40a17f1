import SDJSON

/// The body of an archived request: a text, or the parameters of a form.
struct ArchivedForm {
    private let data: ArchivedValue
    private let attachment: (String) -> [UInt8]?

    init(_ data: ArchivedValue, _ attachment: @escaping (String) -> [UInt8]?) {
        self.data = data
        self.attachment = attachment
    }

    var isAbsent: Bool { data.isAbsent }

    func mediaType() throws(ArchiveProblem) -> String? {
        let type = try data["mimeType"].text() ?? ""
        return type.isEmpty ? nil : type
    }

    /// The body; nil if there is none, or the archive lacks a part of it. Forms with files cannot be rebuilt, because
    /// their parts are not recorded completely.
    func body() throws(ArchiveProblem) -> [UInt8]? {
        if let name = try data["_file"].text() { return try ArchivedFile.bytes(name, data["_file"], attachment) }
        if try data["_missingBytes"].size() ?? 0 > 0 { return nil }
        if let text = try data["text"].text(), !text.isEmpty {
            if let encoding = try data["encoding"].text(), !encoding.isEmpty {
                return try ArchivedContent.decoded(text, encoding, data)
            }
            return ArchivedText.bytes(of: text, try mediaType() ?? "").bytes
        }
        let isMultipart = try mediaType()?.lowercased().hasPrefix("multipart/") == true
        let parameters = try data["params"].fields()
        return parameters.isEmpty || isMultipart ? nil : Array(Self.encoded(parameters).utf8)
    }

    /// Parameters as a query or form. Tools disagree about decoding them, so valid escapes are kept.
    static func encoded(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        let isEncoded = isEncoded(text)
        return WebAddress.percentEncoded(text) { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "*"):
                true
            case UInt8(ascii: "%"), UInt8(ascii: "+"): isEncoded
            default: false
            }
        }
    }

    /// Whether a text has at least one escape, and no invalid one.
    private static func isEncoded(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let marks = bytes.indices.filter { bytes[$0] == UInt8(ascii: "%") }
        return !marks.isEmpty
            && marks.allSatisfy { mark in
                bytes[(mark + 1)...].prefix(2).filter { Unicode.Scalar($0).properties.isASCIIHexDigit }.count == 2
            }
    }
}
