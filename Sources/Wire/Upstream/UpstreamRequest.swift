package import SDHTTPTransport

/// A call to another server. No other fields are added: no `Accept`, no `User-Agent`, no `Expect`.
package struct UpstreamRequest: Sendable {
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A streamed body; in chunks if its length is unknown.
        case stream(any BodyStream)
    }

    package var method: String
    /// The absolute URL, `http` or `https`. Path and query are sent byte for byte.
    package var url: String
    /// The parsed URL; nil to have it parsed.
    package var target: UpstreamTarget?
    /// The fields in order. Without `Host`, it is derived from the URL. `Content-Length` and `Transfer-Encoding` are
    /// derived from the body.
    package var headers: [(name: String, value: String)]
    /// Fields before these, including `Host` and without those of the body, sent byte for byte; nil for none.
    package var lines: FieldLines?
    package var body: Body
    /// Fields after a chunked body.
    package var trailers: [(name: String, value: String)] = []
    /// The value of `Upgrade`, which also determines `Connection`; nil for none. If the server answers with a 101, the
    /// call is joined with its client (`UpstreamTransfer.join`).
    package var upgrade: String?
    /// Whether a known body is nevertheless sent in chunks.
    package var isChunked = false
    /// Whether the server's certificate must be trusted by the system and valid for the URL's host.
    package var checksCertificate = false
    /// Whether it is sent only once, on a new connection. Always the case if it is not safe to repeat.
    package var isOnce = false
    /// Whether it uses HTTP/2: over TLS if the server offers it (ALPN), in the clear with prior knowledge.
    package var speaksHTTP2 = false
    /// The timeout in milliseconds; nil for the settings'.
    package var timeout: Int?

    package init(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: Body = .none
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    func readTarget() throws(UpstreamProblem) -> UpstreamTarget {
        if let target { return target }
        return try UpstreamTarget(url)
    }
}

/// The head of another server's answer.
package struct UpstreamHead: Sendable {
    package var status: Int
    /// The reason phrase as received; empty in HTTP/2.
    package var reason: String
    /// The fields in order and with their case, as received.
    package var headers: [(name: String, value: String)]
    package var version: HTTPVersion

    package init(status: Int, reason: String, headers: [(name: String, value: String)], version: HTTPVersion) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.version = version
    }
}

/// Why a call failed.
package struct UpstreamProblem: Error, Sendable, Equatable {
    package enum Kind: Sendable, CaseIterable {
        /// A required library is missing.
        case unavailable
        /// Forbidden by `--no-upstream`, or denied by the target rules.
        case forbidden, denied
        /// The URL is invalid for a call.
        case badURL
        case unknownHost, refusedConnection, timedOut, reset
        /// The client disconnected before its whole body had arrived.
        case abandoned
        /// The certificate was rejected, or the handshake failed.
        case insecure
        /// The answer is not HTTP, or has a wrong length.
        case malformed
        /// Larger than a limit.
        case tooLarge
        case other
    }

    package let kind: Kind
    /// The error as a sentence without a full stop, with host and port.
    package let message: String
    /// The host and port of the proxy of `--proxy-via`, if the proxy failed; nil if the server did.
    package let proxy: String?

    package init(_ kind: Kind, _ message: String, proxy: String? = nil) {
        self.kind = kind
        self.message = message
        self.proxy = proxy
    }
}

/// The observer of a call. Called on its loop's thread, never inside `Upstream.start`.
package protocol UpstreamObserver: AnyObject, Sendable {
    /// Called with each informational answer except 100, before the final one.
    func upstreamInforms(_ head: UpstreamHead)
    /// Called once, unless the call fails first.
    func upstreamAnswers(_ head: UpstreamHead)
    /// Called with each slice of the body as received: a chunk that arrives in one read is one slice. Only chunks are
    /// decoded. The bytes are valid until this returns.
    func upstreamSends(_ bytes: UnsafeBufferPointer<UInt8>)
    /// The same with an array; called by the default implementation of the function above.
    func upstreamSends(_ bytes: [UInt8])
    /// Called after a 101 when more may be sent, after `UpstreamTransfer.send` returned false.
    func upstreamWants()
    /// Called after a 101 when the server has finished sending.
    func upstreamInputEnds()
    /// Called once, as the last callback; not after a cancel. With the trailer fields, or why the call failed, possibly
    /// in the middle of the body.
    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>)
}

extension UpstreamObserver {
    package func upstreamInforms(_ head: UpstreamHead) {}
    package func upstreamWants() {}
    package func upstreamInputEnds() {}
    package func upstreamSends(_ bytes: UnsafeBufferPointer<UInt8>) { upstreamSends(Array(bytes)) }
    package func upstreamSends(_ bytes: [UInt8]) {}
}
