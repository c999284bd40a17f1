import SDBasics
public import SDJSON
public import SDStubModel

/// Stubs, and documents of our own, without the values to hide. What the admin API says in calls that WireMock does not
/// have, and all that agents are shown, asks here.
extension Redaction? {
    /// A document without what is secret in it: members by their names, texts, and what matchers compare secrets with.
    public func shown(_ document: JSONValue) -> JSONValue {
        guard let redaction = self else { return document }
        let text = redaction.body(redaction.expressions(in: document).compactBytes, type: "application/json")
        return (try? JSONValue(parsing: text)) ?? .null
    }

    /// The text of a file of JSON, laid out as it was where nothing is hidden in it.
    public func shown(file text: String) -> String {
        guard let redaction = self else { return text }
        if let json = try? JSONValue(parsing: text.utf8) {
            let shown = self.shown(json)
            if shown == json { return text }
            return shown.prettyText + "\n"
        }
        return String(decoding: redaction.body(Array(text.utf8), type: nil), as: UTF8.self)
    }

    /// A stub, which may expect the very values that are hidden in requests, and answer with others.
    /// - Parameter view: the members that are shown.
    public func shown(_ stub: StubMapping, _ view: StubMapping.View = .api) -> JSONValue {
        guard let redaction = self else { return stub.json(view: view) }
        var shown = stub
        shown.request = self.shown(stub.request)
        shown.response.base64Body = stub.response.base64Body.map(redaction.base64)
        return self.shown(shown.json(view: view))
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
