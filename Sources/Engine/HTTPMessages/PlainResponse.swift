public import SDHTTPTransport
public import SDPlatform

/// A response of the daemon itself rather than of a stub: admin replies, reports, refusals, files. It always has a
/// Content-Length, except for a 304, where the field would state the length of the omitted content.
public struct PlainResponse: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// The content instead of `body`: shared bytes, and ranges of files.
    private(set) var parts: [BodyContent] = []
    /// Whether to close the connection after the response.
    public var closes = false

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public init(status: Int, headers: [(name: String, value: String)], content: [BodyContent]) {
        self.init(status: status, headers: headers)
        parts = content
    }

    /// The whole content.
    public var content: [BodyContent] { parts.isEmpty ? [.bytes(body)] : parts }

    /// The size of a large body that no other response shares, to charge until the client has received it; nil for
    /// others.
    var ownCount: Int? { parts.isEmpty && body.count >= MemoryCharge.least ? body.count : nil }

    /// Makes a response with a text for people.
    public init(status: Int, text: String, headers: [(name: String, value: String)] = []) {
        self.init(status: status, text: Array(text.utf8), headers: headers)
    }

    /// Makes a response with a text for people, in UTF-8.
    public init(status: Int, text: [UInt8], headers: [(name: String, value: String)] = []) {
        self.init(status: status, headers: headers, body: text)
        self.headers.append(("Content-Type", "text/plain;charset=UTF-8"))
    }

    /// The response to one request: without the body for HEAD, and with the Connection field that the request's version
    /// needs.
    /// - Parameter memory: charged for a large body until the client has received it.
    public func script(for request: Request, _ memory: MemoryLedger? = nil) -> WireScript {
        let form = ResponseVariant(request, gzipAllowed: false)
        let isClosing = closes || form.contains(.closing)
        var head = ResponseHead(status: status, message: nil)
        if isClosing {
            head.add("Connection", "close")
        } else if form.contains(.http10) {
            head.add("Connection", "keep-alive")
        }
        for (name, value) in headers { head.add(name, value) }
        let isOnePiece = parts.isEmpty && !body.isEmpty
        let count = isOnePiece ? body.count : content.reduce(0) { $0 + $1.count }
        if status != 304 { head.add("Content-Length", String(count)) }
        let end = isClosing ? WireStep.End.close : .keepAlive
        if isOnePiece, ownCount == nil, !form.contains(.headOnly) {
            return WireScript(head: head, body: body, end: end)
        }
        var steps: [WireStep] = [.head(head)]
        if !form.contains(.headOnly) {
            if ownCount != nil, let memory {
                steps.append(.body(WireBytes(body, in: memory.account(.answers))))
            } else {
                steps += content.map(\.step)
            }
        }
        return WireScript(steps + [.end(end)])
    }
}
