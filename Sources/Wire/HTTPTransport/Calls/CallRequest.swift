import SDCReactor

/// A call to another server, ready to be sent.
package struct CallRequest {
    package enum Body {
        case none
        /// As it is sent, framing included.
        case bytes([UInt8])
        /// Of that length, or in chunks, which are framed as they are sent.
        case stream(length: Int?)
    }

    /// The host as TLS is told it, in lower case: a name, or an address without brackets.
    package var name: String
    package var port: Int
    /// The port of the proxy in front, whose the addresses are; nil for none.
    package var proxyPort: Int?
    /// What asks that proxy for a way to the server, a head by CONNECT; empty if it is not asked.
    package var way: [UInt8] = []
    /// Nil in the clear.
    package var trust: CallTrust?
    /// In the order in which they are preferred.
    package var addresses: [ServerAddress]
    /// The request line and the fields with the empty line, as they are sent.
    package var head: [UInt8]
    package var body = Body.none
    /// Whether the answer has no body, whatever its fields say.
    package var isHead = false
    /// Whether it asks for another protocol: a 101 is an answer, behind which bytes go both ways.
    package var switches = false
    /// Whether the connection is not kept.
    package var closes = false
    /// Whether it goes out on a connection that was not used before.
    package var isFresh = false
    /// Whether it is made in HTTP/2: over TLS where the server offers that, in the clear without a question. It then `isFresh` and
    /// `closes`, and a body of bytes is not in chunks.
    package var speaksHTTP2 = false
    /// Whether it may be sent again where a connection that was kept has died: it is idempotent.
    package var repeats = false
    /// The time for connecting to any of the addresses, with the handshake, in milliseconds.
    package var connectTime = 300_000
    /// The longest time between two steps forward, in milliseconds.
    package var patience = 300_000

    package init(to name: String, port: Int, _ addresses: [ServerAddress], trust: CallTrust? = nil, head: [UInt8]) {
        (self.name, self.port, self.addresses, self.trust, self.head) = (name, port, addresses, trust, head)
    }

    /// Calls `body` with the request for C, which is good as long as that runs.
    /// - Parameter bytes: the body, where it stays until the call ends.
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
        (raw.head_alone, raw.to_switch) = (isHead, switches)
        (raw.closes, raw.fresh, raw.repeats, raw.in_http2) = (closes, isFresh, repeats, speaksHTTP2)
        raw.connect_ms = UInt32(clamping: max(connectTime, 1))
        raw.patience_ms = UInt32(clamping: max(patience, 1))
        return name.withCString { name in
            raw.name = name
            return head.withUnsafeBufferPointer { head in
                (raw.head, raw.head_length) = (head.baseAddress, head.count)
                return way.withUnsafeBufferPointer { way in
                    (raw.way, raw.way_length) = (way.baseAddress, way.count)
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
