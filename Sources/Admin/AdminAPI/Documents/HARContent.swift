import SDBasics
import SDJSON
import SDPlatform
import SDStubModel

/// A body as an archive has it: decompressed, as text where that gives back every byte, otherwise in Base64.
struct HARContent {
    /// A compressed body is shown decompressed up to this size, so that a few kilobytes cannot become a gigabyte and no
    /// loop is held for long. A larger one stays compressed.
    private static let largestDecompressed = 1 << 20

    /// The body as it is shown.
    private let body: [UInt8]
    private let type: String?
    private var members = JSONObject()

    /// - Parameters:
    ///   - body: the body as it was sent, perhaps only its beginning.
    ///   - whole: the size of a body that is kept truncated; nil if it is whole.
    ///   - coding: the Content-Encoding; nil for none.
    init(_ body: [UInt8], whole: Int?, type: String?, coding: String?) {
        self.type = type
        if let coding = coding?.lowercased(), coding != "identity", !body.isEmpty {
            if coding == "gzip", whole == nil,
                let plain = try? decompressed(body[...], limit: Self.largestDecompressed)
            {
                self.body = plain
                members["compression"] = .number(JSONNumber(plain.count - body.count))
                return
            }
            // Neither the format nor browsers know it: the text is still in the coding that the header names.
            members["_encoded"] = true
        }
        self.body = body
        if let whole { members["_missingBytes"] = .number(JSONNumber(whole - body.count)) }
    }

    /// The content of a response.
    /// - Parameter text: the text of bytes in the charset of the response.
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

    /// Whether readers get the same bytes of a text: in UTF-8, or in Latin-1 where the type says so.
    private func isExact(_ text: String) -> Bool {
        guard !text.utf8.contains(0) else { return false }
        if text.utf8.elementsEqual(body) { return true }
        return type?.lowercased().contains(text: "iso-8859-1") == true
            && text.unicodeScalars.elementsEqual(body) { $0.value == UInt32($1) }
    }
}
