import SDBasics
public import SDHTTPTransport

extension Request {
    /// Whether the client accepts JSON by name, and does not accept plain text before it.
    public var prefersJSON: Bool {
        guard let accept = header(Array("accept".utf8)) else { return false }
        let text = String(decoding: accept, as: UTF8.self).lowercased()
        guard let json = text.firstRange(ofText: "application/json") else { return false }
        return text.firstRange(ofText: "text/").map { json.lowerBound < $0.lowerBound } ?? true
    }
}
