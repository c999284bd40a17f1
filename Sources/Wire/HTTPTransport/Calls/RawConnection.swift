import SDCReactor
import SDPlatform

/// The target of a raw connection.
package enum RawPlace: Sendable {
    /// At least one address, in order of preference. With `trust`, the connection uses TLS, and `name` is the server
    /// name.
    case server([ServerAddress], port: Int, name: String, trust: CallTrust?)
    case unixSocket(path: String)
}

/// The end of a raw connection.
package struct RawConnectionEnd: Sendable {
    package enum Kind: Sendable {
        /// The server closed it, or reset it.
        case closed, reset
        /// Connecting failed or timed out.
        case unreachable, timedOut
        /// The server's certificate was rejected, or the handshake failed otherwise.
        case distrusted, insecure
        /// The loop has ended.
        case stopped

        fileprivate init(_ code: cr_raw_code) {
            self =
                switch code {
                case CR_RAW_CLOSED: .closed
                case CR_RAW_RESET: .reset
                case CR_RAW_UNREACHABLE: .unreachable
                case CR_RAW_TIMED_OUT: .timedOut
                case CR_RAW_DISTRUSTED: .distrusted
                case CR_RAW_INSECURE: .insecure
                default: .stopped
                }
        }
    }

    package let kind: Kind
    /// The message of TLS or of the system; may be empty.
    package let reason: String

    fileprivate init(_ code: cr_raw_code, _ error: Int32, _ text: String) {
        kind = Kind(code)
        reason = text.isEmpty && error != 0 ? SystemError(code: error, call: "connect", path: "").reason : text
    }
}

/// The observer of a raw connection. Called on the loop's thread, never from within one of the connection's functions.
package protocol RawConnectionObserver: AnyObject, Sendable {
    /// Called once, when bytes may be sent.
    func connectionOpens()
    /// Called with bytes that are valid until this returns.
    func connectionReceives(_ bytes: UnsafeBufferPointer<UInt8>)
    /// Called once, as the last callback; not after `close()`.
    func connectionEnds(_ end: RawConnectionEnd)
}

/// A byte stream to a server, plain or over TLS, for a protocol that the caller implements. Used on the loop's thread
/// only.
package final class RawConnection: Sendable {
    // Nil after the end or `close()`.
    private nonisolated(unsafe) var raw: OpaquePointer?
    private nonisolated(unsafe) var observer: (any RawConnectionObserver)?

    private init(_ observer: any RawConnectionObserver) {
        self.observer = observer
    }

    /// Starts to connect.
    /// - Parameters:
    ///   - milliseconds: the timeout for all addresses and the handshake together.
    ///   - maxUnsent: the maximum number of bytes buffered for the server.
    package static func open(
        _ place: RawPlace, on loop: Loop, within milliseconds: Int, maxUnsent: Int,
        _ observer: any RawConnectionObserver
    ) -> RawConnection {
        let connection = RawConnection(observer)
        // C holds this reference until the connection has ended.
        let context = Unmanaged.passRetained(connection)
        var raw = cr_raw_target()
        raw.connect_ms = UInt32(clamping: max(milliseconds, 1))
        raw.max_unsent = max(maxUnsent, 1)
        var hooks = Self.hooks
        let opened: OpaquePointer?
        switch place {
        case .unixSocket(let path):
            opened = path.withCString { path in
                raw.path = path
                return cr_raw_open(loop.raw, &raw, &hooks, context.toOpaque())
            }
        case .server(let addresses, let port, let name, let trust):
            (raw.port, raw.trust) = (UInt16(clamping: port), trust?.raw)
            raw.address_count = addresses.count
            opened = name.withCString { name in
                raw.name = name
                // A `ServerAddress` is laid out as its one member.
                return addresses.withUnsafeBytes { addresses in
                    raw.addresses = addresses.assumingMemoryBound(to: cr_address.self).baseAddress
                    return cr_raw_open(loop.raw, &raw, &hooks, context.toOpaque())
                }
            }
        }
        guard let opened else { fatalError("out of memory for a connection") }
        connection.raw = opened
        return connection
    }

    private static let hooks = cr_raw_hooks(
        opened: { context in at(context).observer?.connectionOpens() },
        received: { context, bytes, length in
            at(context).observer?.connectionReceives(UnsafeBufferPointer(start: bytes, count: length))
        },
        drained: nil,
        ended: { context, code, error, text in
            guard let context else { return }
            let connection = Unmanaged<RawConnection>.fromOpaque(context).takeRetainedValue()
            connection.raw = nil
            let text = text.map { String(cString: $0) } ?? ""
            connection.observer.take()?.connectionEnds(RawConnectionEnd(code, error, text))
        })

    private static func at(_ context: UnsafeMutableRawPointer?) -> RawConnection {
        guard let context else { preconditionFailure("a connection without its object") }
        return Unmanaged<RawConnection>.fromOpaque(context).takeUnretainedValue()
    }

    /// Sends bytes, which are copied. Bytes sent during one iteration of the loop leave together.
    /// - Returns: false, with nothing sent, if the connection is not open, or the buffer limit would be exceeded.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let raw, let start = bytes.baseAddress else { return raw != nil }
        return cr_raw_send(raw, start, bytes.count)
    }

    /// Closes the connection and drops unsent bytes. The observer is not called again.
    package func close() {
        observer = nil
        guard let raw = raw.take() else { return }
        cr_raw_close(raw)
        Unmanaged.passUnretained(self).release()
    }
}
