public import HTTPTransport

/// A response of the daemon's own, not of a stub: admin replies, reports, refusals, files. Always with its Content-Length,
/// but for a 304, where that would be the length of what it does not send.
public struct PlainResponse: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// Close the connection behind it.
    public var closes = false

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A text for people.
    public init(status: Int, text: String, headers: [(name: String, value: String)] = []) {
        self.init(status: status, headers: headers, body: Array(text.utf8))
        self.headers.append(("Content-Type", "text/plain;charset=UTF-8"))
    }

    /// The response to one request: without the body for HEAD, and with what its version needs to hear about the
    /// connection.
    public func script(for request: Request) -> WireScript {
        let form = ResponseForm(request, gzipAllowed: false)
        let isClosing = closes || form.contains(.closing)
        var head = ResponseHead(status: status, message: nil)
        if isClosing {
            head.add("Connection", "close")
        } else if form.contains(.http10) {
            head.add("Connection", "keep-alive")
        }
        for (name, value) in headers { head.add(name, value) }
        if status != 304 { head.add("Content-Length", String(body.count)) }
        var steps: [WireStep] = [.head(head)]
        if !form.contains(.headOnly) { steps.append(.body(WireBytes(body))) }
        return WireScript(steps + [.end(isClosing ? .close : .keepAlive)])
    }
}
