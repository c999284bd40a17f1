import SDCReactor

/// The outcome of a call.
package enum CallOutcome: Sendable {
    case done
    /// No address of the server is known; or every address is denied.
    case noAddress, denied
    /// Connecting failed with a system error, or timed out.
    case refused, unreachable, connectTimedOut
    /// The server's certificate was rejected, or the handshake failed otherwise.
    case distrusted, insecure
    /// The server speaks only HTTP/2.
    case needsHTTP2
    /// An HTTP/2 call met a server that speaks HTTP/1.
    case noHTTP2
    /// The proxy did not open a tunnel to the server.
    case noTunnel
    /// No connection became free in time.
    case noConnection
    case timedOut
    /// The connection was closed before an answer, reset, or closed in the middle of an answer.
    case noAnswer, reset, cut
    /// The server reset the HTTP/2 stream.
    case brokenStream
    /// The answer is not HTTP, or contradicts itself.
    case malformed
    case badChunks
    case tooLarge
    case unaskedSwitch
    /// The request's body was shorter or longer than announced.
    case brokenUpload
    case outOfMemory
    /// The HTTP/2 library is not installed.
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
            case CR_CALL_PROXY_FAILED: .noTunnel
            case CR_CALL_NO_CONNECTION: .noConnection
            case CR_CALL_TIMED_OUT: .timedOut
            case CR_CALL_NO_ANSWER: .noAnswer
            case CR_CALL_RESET: .reset
            case CR_CALL_CUT_HEAD, CR_CALL_CUT_BODY: .cut
            case CR_CALL_NO_HTTP, CR_CALL_BAD_HEAD, CR_CALL_BAD_HTTP2: .malformed
            case CR_CALL_BAD_CHUNKS: .badChunks
            case CR_CALL_TOO_LARGE: .tooLarge
            case CR_CALL_UNEXPECTED_SWITCH: .unaskedSwitch
            case CR_CALL_BROKEN_UPLOAD: .brokenUpload
            case CR_CALL_NO_MEMORY: .outOfMemory
            default: .stopped
            }
    }
}

/// The end of a call. Valid only during the hook that receives it.
package struct CallEnd {
    private let raw: UnsafePointer<cr_call_end>

    init(_ raw: UnsafePointer<cr_call_end>) {
        self.raw = raw
    }

    package var outcome: CallOutcome { CallOutcome(raw.pointee.code) }
    /// Whether the call ended during the TLS handshake.
    package var isInHandshake: Bool { raw.pointee.in_handshake }
    /// Whether the final head was received.
    package var isAnswered: Bool { raw.pointee.answered }
    /// The client certificate that the server was shown in the handshake.
    package var shown: SentCertificate { SentCertificate(raw.pointee.presented) }
    /// The trailers of a complete answer.
    package var trailers: [(name: String, value: String)] {
        raw.pointee.trailers.map { $0.pointee.field_count == 0 ? [] : CallAnswer($0.pointee).fields } ?? []
    }

    /// The error as a sentence without a full stop.
    /// - Parameters:
    ///   - place: the host and port.
    ///   - stallTimeout: the call's stall timeout in milliseconds.
    package func sentence(_ place: String, stallTimeout: Int) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CR_CALL_TEXT_ROOM)) { room in
            guard let start = room.baseAddress else { return place }
            cr_call_describe(raw, place, UInt32(clamping: stallTimeout), start)
            return String(cString: start)
        }
    }
}
