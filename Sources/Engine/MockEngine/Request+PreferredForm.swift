import SDBasics
public import SDHTTPTransport

extension Request {
    /// Whether the client accepts JSON explicitly, and does not prefer plain text.
    public var prefersJSON: Bool {
        guard let accept = header(Array("accept".utf8)) else { return false }
        let text = String(decoding: accept, as: UTF8.self).lowercased()
        guard let json = text.firstRange(ofText: "application/json") else { return false }
        return text.firstRange(ofText: "text/").map { json.lowerBound < $0.lowerBound } ?? true
    }

    /// Whether the client is a browser that shows a page: it accepts HTML explicitly, and does not prefer plain text.
    public var prefersHTML: Bool {
        guard let accept = header(Array("accept".utf8)) else { return false }
        let text = String(decoding: accept, as: UTF8.self).lowercased()
        guard let html = text.firstRange(ofText: "text/html") else { return false }
        return text.firstRange(ofText: "text/plain").map { html.lowerBound < $0.lowerBound } ?? true
    }
}
