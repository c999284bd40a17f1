import SDCReactor

/// What became of a call.
package enum CallOutcome: Sendable {
    case done
    /// No address of the server is known, or none may be connected to.
    case noAddress, denied
    /// No connection was made, for a reason that the system has.
    case refused, unreachable, connectTimedOut
    /// The certificate, or the handshake otherwise.
    case distrusted, insecure
    /// The server speaks nothing else.
    case needsHTTP2
    /// The server speaks HTTP/1 to a call in HTTP/2.
    case noHTTP2
    /// The proxy in front does not lead to the server.
    case noWay
    /// None was free in time.
    case noConnection
    case timedOut
    /// The connection was closed or reset before an answer, or in the middle of one.
    case noAnswer, reset, cut
    /// The server has reset the stream of HTTP/2.
    case brokenStream
    /// What came is no HTTP, or contradicts itself.
    case malformed
    case badChunks
    case tooLarge
    case unaskedSwitch
    /// The request's body ended before its length, or had more.
    case brokenUpload
    case outOfMemory
    /// The library for HTTP/2 is missing.
    case unavailable
    /// The loop has ended.
    case stopped

    init(_ code: cr_call_code) {
        self =
            switch code {
            case CR_CALL_DONE: .done
            case CR_CALL_NO_ADDRESS: .noAddress
            case CR_CALL_DENIED: .denied
            case CR_CALL_REFUSED: .refused
            case CR_CALL_UNREACHABLE: .unreachable
            case CR_CALL_CONNECT_TIMED_OUT: .connectTimedOut
            case CR_CALL_DISTRUSTED: .distrusted
            case CR_CALL_INSECURE: .insecure
            case CR_CALL_NEEDS_HTTP2: .needsHTTP2
            case CR_CALL_NO_HTTP2: .noHTTP2
            case CR_CALL_BROKEN_STREAM: .brokenStream
            case CR_CALL_UNAVAILABLE: .unavailable
            case CR_CALL_NO_WAY: .noWay
            case CR_CALL_NO_CONNECTION: .noConnection
            case CR_CALL_TIMED_OUT: .timedOut
            case CR_CALL_NO_ANSWER: .noAnswer
            case CR_CALL_RESET: .reset
            case CR_CALL_CUT_HEAD, CR_CALL_CUT_BODY: .cut
            case CR_CALL_NO_HTTP, CR_CALL_BAD_HEAD, CR_CALL_BAD_HTTP2: .malformed
            case CR_CALL_BAD_CHUNKS: .badChunks
            case CR_CALL_TOO_LARGE: .tooLarge
            case CR_CALL_UNASKED_SWITCH: .unaskedSwitch
            case CR_CALL_BROKEN_UPLOAD: .brokenUpload
            case CR_CALL_NO_MEMORY: .outOfMemory
            default: .stopped
            }
    }
}

/// The end of a call, good until the hook that is told it returns.
package struct CallEnd {
    private let raw: UnsafePointer<cr_call_end>

    init(_ raw: UnsafePointer<cr_call_end>) {
        self.raw = raw
    }

    package var outcome: CallOutcome { CallOutcome(raw.pointee.code) }
    /// Whether it ended in the handshake with the server.
    package var isShaking: Bool { raw.pointee.is_shaking }
    /// Whether the final head has come.
    package var isAnswered: Bool { raw.pointee.answered }
    /// What the server was shown in the handshake of the connection.
    package var shown: ShownCertificate { ShownCertificate(raw.pointee.shown) }
    /// The fields behind the body of an answer that is whole.
    package var trailers: [(name: String, value: String)] {
        raw.pointee.trailers.map { $0.pointee.field_count == 0 ? [] : CallAnswer($0.pointee).fields } ?? []
    }

    /// What went wrong, as a sentence without a full stop.
    /// - Parameters:
    ///   - place: the host with its port.
    ///   - patience: that of the call.
    package func sentence(_ place: String, patience: Int) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CR_CALL_TEXT_ROOM)) { room in
            guard let start = room.baseAddress else { return place }
            cr_call_describe(raw, place, UInt32(clamping: patience), start)
            return String(cString: start)
        }
    }
}
