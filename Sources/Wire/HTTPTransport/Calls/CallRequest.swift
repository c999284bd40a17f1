import SDCReactor

/// A call to another server, ready to be sent.
package struct CallRequest {
    package enum Body {
        case none
        /// The complete body as it is sent, framing included.
        case bytes([UInt8])
        /// A streamed body of that length, or in chunks that are framed as they are sent.
        case stream(length: Int?)
    }

    /// The server name for TLS, in lower case: a host name, or an address without brackets.
    package var name: String
    package var port: Int
    /// The port of the proxy whose addresses `addresses` holds; nil without a proxy.
    package var proxyPort: Int?
    /// The CONNECT head to send to the proxy; empty without a tunnel.
    package var way: [UInt8] = []
    /// The TLS trust; nil for a plain connection.
    package var trust: CallTrust?
    /// In order of preference.
    package var addresses: [ServerAddress]
    /// The request line, the fields and the empty line, as they are sent.
    package var head: [UInt8]
    package var body = Body.none
    /// Whether this is a HEAD request: its answer has no body, whatever its fields say.
    package var isHead = false
    /// Whether the request asks to switch protocols. A 101 then is the final answer, followed by bytes in both
    /// directions.
    package var switches = false
    /// Whether the connection is closed after the call.
    package var closes = false
    /// Whether the call needs a new connection.
    package var isFresh = false
    /// Whether the call uses HTTP/2: over TLS if the server offers it (ALPN), in the clear with prior knowledge.
    /// Requires `isFresh` and `closes`; a body of `.bytes` must not be chunked.
    package var speaksHTTP2 = false
    /// Whether the request is idempotent and may be repeated when a reused connection turns out to be dead.
    package var repeats = false
    /// The timeout for connecting to any of the addresses, handshake included, in milliseconds.
    package var connectTime = 300_000
    /// The maximum time without progress, in milliseconds.
    package var stallTimeout = 300_000

    package init(to name: String, port: Int, _ addresses: [ServerAddress], trust: CallTrust? = nil, head: [UInt8]) {
        (self.name, self.port, self.addresses, self.trust, self.head) = (name, port, addresses, trust, head)
    }

    /// Calls `body` with the C request, which is valid during the call only.
    /// - Parameter bytes: the body; must stay at its address until the call ends.
    func withRaw<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout cr_call_request) -> Result
    ) -> Result {
        var raw = cr_call_request()
        raw.port = UInt16(clamping: port)
        raw.dial_port = UInt16(clamping: proxyPort ?? 0)
        raw.trust = trust?.raw
        switch self.body {
        case .none: raw.kind = CR_CALL_NO_BODY
        case .bytes:
            raw.kind = CR_CALL_BYTES
            (raw.body, raw.body_length) = (bytes.baseAddress, bytes.count)
        case .stream(let length):
            raw.kind = CR_CALL_STREAM
            raw.chunked = length == nil
            raw.length = UInt64(clamping: length ?? 0)
        }
        (raw.is_head, raw.may_switch) = (isHead, switches)
        (raw.closes, raw.fresh, raw.retryable, raw.in_http2) = (closes, isFresh, repeats, speaksHTTP2)
        raw.connect_ms = UInt32(clamping: max(connectTime, 1))
        raw.stall_timeout_ms = UInt32(clamping: max(stallTimeout, 1))
        return name.withCString { name in
            raw.name = name
            return head.withUnsafeBufferPointer { head in
                (raw.head, raw.head_length) = (head.baseAddress, head.count)
                return way.withUnsafeBufferPointer { way in
                    (raw.connect_head, raw.connect_head_length) = (way.baseAddress, way.count)
                    // A `ServerAddress` is laid out as its one member.
                    return addresses.withUnsafeBytes { addresses in
                        raw.addresses = addresses.assumingMemoryBound(to: cr_address.self).baseAddress
                        raw.address_count = self.addresses.count
                        return body(&raw)
                    }
                }
            }
        }
    }
}
