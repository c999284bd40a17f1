import SDCReactor
import SDPlatform

/// Where a raw connection leads.
package enum RawPlace: Sendable {
    /// At least one address, in the order in which they are preferred; `name` is the server in TLS, which is spoken with `trust`.
    case server([ServerAddress], port: Int, name: String, trust: CallTrust?)
    case unixSocket(path: String)
}

/// Why a raw connection has ended.
package struct RawConnectionEnd: Sendable {
    package enum Kind: Sendable {
        /// The server closed it, or reset it.
        case closed, reset
        /// It was not made, or not in time.
        case unreachable, timedOut
        /// The server's certificate is not good, or the handshake has failed otherwise.
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
    /// What TLS or the system says of it; may be empty.
    package let reason: String

    fileprivate init(_ code: cr_raw_code, _ error: Int32, _ text: String) {
        kind = Kind(code)
        reason = text.isEmpty && error != 0 ? SystemError(code: error, call: "connect", path: "").reason : text
    }
}

/// Is told what becomes of a raw connection, on its loop's thread, and never within one of its functions.
package protocol RawConnectionObserver: AnyObject, Sendable {
    /// Called once: bytes may be sent.
    func connectionOpens()
    /// Called with bytes that are good until this returns.
    func connectionReceives(_ bytes: UnsafeBufferPointer<UInt8>)
    /// Called once and last, unless the connection was closed here.
    func connectionEnds(_ end: RawConnectionEnd)
}

/// A connection to a server for a protocol that is spoken elsewhere: bytes both ways, in the clear or over TLS. Used on the loop's
/// thread alone.
package final class RawConnection: Sendable {
    // Nil once it has ended, or was closed.
    private nonisolated(unsafe) var raw: OpaquePointer?
    private nonisolated(unsafe) var observer: (any RawConnectionObserver)?

    private init(_ observer: any RawConnectionObserver) {
        self.observer = observer
    }

    /// Begins to connect.
    /// - Parameters:
    ///   - milliseconds: the time for all addresses together and the handshake.
    ///   - mostUnsent: the most bytes that wait for the server to take them.
    package static func open(
        _ place: RawPlace, on loop: Loop, within milliseconds: Int, mostUnsent: Int,
        _ observer: any RawConnectionObserver
    ) -> RawConnection {
        let connection = RawConnection(observer)
        // Held by C until it has ended.
        let context = Unmanaged.passRetained(connection)
        var raw = cr_raw_place()
        raw.connect_ms = UInt32(clamping: max(milliseconds, 1))
        raw.most_unsent = max(mostUnsent, 1)
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

    /// Sends bytes, which are copied: all that are sent while the loop sees to what has happened leave together.
    /// - Returns: false, and sends none of them, if the connection is not open, or more would wait than may.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let raw, let start = bytes.baseAddress else { return raw != nil }
        return cr_raw_send(raw, start, bytes.count)
    }

    /// Closes the connection; the observer is told nothing more. What has not left is dropped.
    package func close() {
        observer = nil
        guard let raw = raw.take() else { return }
        cr_raw_close(raw)
        Unmanaged.passUnretained(self).release()
    }
}
