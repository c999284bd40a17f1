import SDBasics
import SDJSON

/// An archived exchange as text: the request and the response.
struct ExchangeText {
    /// The maximum size of a body in bytes.
    private static let longestBody = 4_096
    /// The maximum number of header fields per message.
    private static let maxFields = 100

    /// - Parameters:
    ///   - entry: an entry of an archive (HAR).
    ///   - session: the id of its session; nil for the default one.
    static func text(_ entry: JSONValue, session: String?) -> String {
        let request = entry["request"] ?? .null
        let response = entry["response"] ?? .null
        let status = response["status"]?.intValue ?? 0
        var text = "#\(entry["_sequence"]?.intValue ?? 0) \(Tool.requestText(request)): \(status)"
        if let session { text += ", in the session \(session)" }
        if let stub = entry["_stub"]?.stringValue { text += ", by \(Printable.line(stub.prefix(200)))" }
        if entry["_unmatched"]?.boolValue == true { text += ", which no stub answered: see the tool unmatched" }
        text += "\nRequest:" + message(request["headers"], request["postData"])
        if status > 0 { text += "\nResponse \(status):" + message(response["headers"], response["content"]) }
        return text
    }

    private static func message(_ headers: JSONValue?, _ body: JSONValue?) -> String {
        let fields = headers?.arrayValue ?? []
        var text = fields.prefix(maxFields).map { field in
            "\n  \(Tool.line(field["name"])): \(Printable.line((field["value"]?.stringValue ?? "").prefix(500)))"
        }.joined()
        if fields.count > maxFields { text += "\n  … (\(fields.count) fields in all)" }
        let content = body?["text"]?.stringValue ?? ""
        guard !content.isEmpty else { return text + "\n  (no body)" }
        if let encoding = (body?["encoding"] ?? body?["_encoding"])?.stringValue {
            return text
                + "\n  (a body that is no text: \(content.utf8.count) letters of \(Printable.line(encoding.prefix(20))))"
        }
        let lines = Printable.lines(Bounds.cut(content, to: longestBody)).split(
            separator: "\n", omittingEmptySubsequences: false)
        return text + "\n" + lines.map { "\n  " + $0 }.joined()
    }
}
