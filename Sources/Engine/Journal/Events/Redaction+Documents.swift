import SDBasics
public import SDJSON
public import SDStubModel

/// Stubs, and documents of our own, with secrets redacted. Used for admin API calls that WireMock does not have, and
/// for everything shown to agents.
extension Redaction? {
    /// A document with secrets redacted: in members by name, in texts, and in the values of matchers.
    public func redacted(_ document: JSONValue) -> JSONValue {
        guard let redaction = self else { return document }
        let text = redaction.body(redaction.expressions(in: document).compactBytes, type: "application/json")
        return (try? JSONValue(parsing: text)) ?? .null
    }

    /// The text of a JSON file; its layout is unchanged if nothing is hidden.
    public func redacted(file text: String) -> String {
        guard let redaction = self else { return text }
        if let json = try? JSONValue(parsing: text.utf8) {
            let shown = self.redacted(json)
            if shown == json { return text }
            return shown.prettyText + "\n"
        }
        return String(decoding: redaction.body(Array(text.utf8), type: nil), as: UTF8.self)
    }

    /// A stub, which may expect the very values that are hidden in requests, and answer with others.
    /// - Parameter view: the members to include.
    public func redacted(_ stub: StubMapping, _ view: StubMapping.View = .api) -> JSONValue {
        guard let redaction = self else { return stub.json(view: view) }
        var shown = stub
        shown.request = self.redacted(stub.request)
        shown.response.base64Body = stub.response.base64Body.map(redaction.base64)
        return self.redacted(shown.json(view: view))
    }
}

extension Redaction {
    /// A body in Base64.
    fileprivate func base64(_ text: String) -> String {
        guard let bytes = try? Base64.decode(text) else { return text }
        let shown = body(bytes, type: nil)
        return shown == bytes ? text : Base64.encode(shown)
    }
}
