package import SDHTTPTransport

/// A call to another server. What is not said here is not sent: no `Accept`, no `User-Agent`, no `Expect`.
package struct UpstreamRequest: Sendable {
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A body that is still on its way; in chunks if its length is not known.
        case stream(any BodyStream)
    }

    package var method: String
    /// The absolute URL, `http` or `https`. Path and query are sent byte for byte as they are here.
    package var url: String
    /// The URL, where it was read before; nil to have it read.
    package var target: UpstreamTarget?
    /// The fields in their order, each as it is to be sent. Without `Host` it is made of the URL. `Content-Length` and
    /// `Transfer-Encoding` are made of the body.
    package var headers: [(name: String, value: String)]
    /// Fields in front of these, `Host` included and what belongs to the body left out, which are sent byte for byte; nil for
    /// none.
    package var lines: FieldLines?
    package var body: Body
    /// Fields after a body in chunks.
    package var trailers: [(name: String, value: String)] = []
    /// The other protocols that the call asks for, as `Upgrade` has them, and the field `Connection` then made of that; nil for none.
    /// A server may answer with a 101, behind which the call is joined with its client (`UpstreamTransfer.join`).
    package var upgrade: String?
    /// Whether a body that is known is sent in chunks all the same.
    package var isChunked = false
    /// Whether the server's certificate must be good: signed by what the system trusts, for the host of the URL.
    package var checksCertificate = false
    /// Whether it is sent once in any case, on a connection of its own. What is not safe to repeat always is.
    package var isOnce = false
    /// Whether it is sent in HTTP/2: over TLS where the server offers that, in the clear without a question.
    package var speaksHTTP2 = false
    /// The time limit in milliseconds; nil for that of the settings.
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

/// What another server answers first.
package struct UpstreamHead: Sendable {
    package var status: Int
    /// The reason phrase as it came; empty in HTTP/2.
    package var reason: String
    /// The fields in their order and spelling, as they came.
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
        /// A library that the call needs is missing.
        case unavailable
        /// `--no-upstream`, or the list of targets.
        case forbidden, denied
        /// The URL cannot be called.
        case badURL
        case unknownHost, refusedConnection, timedOut, reset
        /// The client left before all of its body had come.
        case abandoned
        /// The certificate or the handshake.
        case insecure
        /// What came is no HTTP, or lies about its length.
        case malformed
        /// More than a limit allows.
        case tooLarge
        case other
    }

    package let kind: Kind
    /// What went wrong, as a sentence without a full stop, with host and port.
    package let message: String
    /// Host and port of the proxy of `--proxy-via`, if it is that which failed; nil for the server.
    package let proxy: String?

    package init(_ kind: Kind, _ message: String, proxy: String? = nil) {
        self.kind = kind
        self.message = message
        self.proxy = proxy
    }
}

/// Is told what becomes of a call, on its loop's thread, never inside `Upstream.start`.
package protocol UpstreamObserver: AnyObject, Sendable {
    /// Called with each informational answer but 100, before the final one.
    func upstreamInforms(_ head: UpstreamHead)
    /// Called once, unless the call fails first.
    func upstreamAnswers(_ head: UpstreamHead)
    /// Called with each piece of the body as it came: a chunk that came in one read is one piece. Nothing is decoded but
    /// chunks. The bytes are good until this returns.
    func upstreamSends(_ bytes: UnsafeBufferPointer<UInt8>)
    /// The same, with bytes of its own.
    func upstreamSends(_ bytes: [UInt8])
    /// Called once and last, unless the transfer was cancelled: with the trailer fields, or why the call failed, perhaps
    /// in the middle of the body.
    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>)
}

extension UpstreamObserver {
    package func upstreamInforms(_ head: UpstreamHead) {}
    package func upstreamSends(_ bytes: UnsafeBufferPointer<UInt8>) { upstreamSends(Array(bytes)) }
    package func upstreamSends(_ bytes: [UInt8]) {}
}
