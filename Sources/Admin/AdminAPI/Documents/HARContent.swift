import SDBasics
import SDJSON
import SDJournal
import SDPlatform
import SDStubModel

/// A body in an archive: decompressed, as text if that preserves every byte, otherwise as Base64.
struct HARContent {
    /// The maximum size of a decompressed body, so that a few kilobytes cannot become a gigabyte, or block a loop for
    /// long. A larger one stays compressed.
    private static let largestDecompressed = 1 << 20

    /// The body as shown.
    private let body: [UInt8]
    private let type: String?
    private var members = JSONObject()

    /// - Parameters:
    ///   - body: the body as sent; possibly only its start.
    ///   - whole: the size of a truncated body; nil if it is complete.
    ///   - coding: the Content-Encoding; nil for none.
    ///   - redaction: hides values in the body.
    init(_ body: [UInt8], whole: Int?, type: String?, coding: String?, _ redaction: Redaction? = nil) {
        self.type = type
        if let coding = coding?.lowercased(), coding != "identity", !body.isEmpty {
            if whole == nil, let plain = Self.decoded(body, coding, hides: redaction != nil) {
                self.body = redaction.redacted(body: plain, type: type)
                members["compression"] = .number(JSONNumber(plain.count - body.count))
                return
            }
            // An extension of the format: the text still has the coding that the header names.
            members["_encoded"] = true
            if redaction != nil {
                // Nothing in it can be redacted.
                self.body = []
                members["_missingBytes"] = .number(JSONNumber(whole ?? body.count))
                return
            }
        }
        self.body = redaction.redacted(body: body, type: type)
        if let whole { members["_missingBytes"] = .number(JSONNumber(whole - body.count)) }
    }

    /// The decoded body; nil if it stays encoded.
    private static func decoded(_ body: [UInt8], _ coding: String, hides: Bool) -> [UInt8]? {
        if coding == "gzip" { return try? decompressed(body[...], limit: largestDecompressed) }
        return hides ? ContentCoding.decoded(body, [coding]) : nil
    }

    /// The content of a response.
    /// - Parameter text: decodes bytes in the response's charset.
    func response(text: (ArraySlice<UInt8>) -> String) -> JSONObject {
        let missing = members["_missingBytes"]?.intValue ?? 0
        var json: JSONObject = [
            "size": .number(JSONNumber(body.count + missing)), "mimeType": .string(type ?? ""),
        ]
        add(text, to: &json)
        return json
    }

    /// The `postData` of a request.
    func request(text: (ArraySlice<UInt8>) -> String) -> JSONObject {
        var json: JSONObject = ["mimeType": .string(type ?? "")]
        add(text, to: &json)
        return json
    }

    private func add(_ makeText: (ArraySlice<UInt8>) -> String, to json: inout JSONObject) {
        let text = members["_encoded"] == nil ? makeText(body[...]) : ""
        if isExact(text) {
            json["text"] = .string(text)
        } else {
            json["text"] = .string(Base64.encode(body))
            json["encoding"] = "base64"
        }
        for member in members.members { json[member.key] = member.value }
    }

    /// Whether readers of the text get the same bytes: in UTF-8, or in Latin-1 if the type says so.
    private func isExact(_ text: String) -> Bool {
        guard !text.utf8.contains(0) else { return false }
        if text.utf8.elementsEqual(body) { return true }
        return type?.lowercased().contains(text: "iso-8859-1") == true
            && text.unicodeScalars.elementsEqual(body) { $0.value == UInt32($1) }
    }
}
