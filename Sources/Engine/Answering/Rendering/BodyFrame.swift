import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDStubModel

/// Everything in a response of one variant that does not depend on its body.
struct BodyFrame: Sendable {
    enum Framing: Sendable {
        /// No body at all: 1xx, 204, 304.
        case none
        /// Chunks, with this value of Transfer-Encoding.
        case chunked(String)
        case length
        /// The length that the stub states itself, right or wrong; nil if it is not a number.
        case stated(Int?)
    }

    private let early: [WireStep]
    /// The head without the fields that depend on the body.
    private let head: ResponseHead
    private let framing: Framing
    private let hasBody: Bool
    private let isHeadOnly: Bool
    /// Whether the body is sent with gzip.
    let isCompressed: Bool
    private let dribble: DribbleDelay?
    private let isClosing: Bool
    private let trailers: [(name: String, value: String)]

    package init(
        early: [WireStep], head: ResponseHead, framing: Framing, hasBody: Bool, isHeadOnly: Bool, isCompressed: Bool,
        dribble: DribbleDelay?, isClosing: Bool, trailers: [(name: String, value: String)]
    ) {
        self.early = early
        self.head = head
        self.framing = framing
        self.hasBody = hasBody
        self.isHeadOnly = isHeadOnly
        self.isCompressed = isCompressed
        self.dribble = dribble
        self.isClosing = isClosing
        self.trailers = trailers
    }

    /// The head of a response that consists of one head, one body and one end, without its Content-Length; nil for
    /// others. Made on demand.
    var plainHead: ResponseHead? {
        if case .stated = framing { return nil }
        let isPlain = early.isEmpty && !isCompressed && dribble == nil && trailers.isEmpty
        return isPlain ? Self.framed(head, framing, hasBody: hasBody) : nil
    }

    /// The head with its framing fields, except the length of a body.
    private static func framed(_ head: ResponseHead, _ framing: Framing, hasBody: Bool) -> ResponseHead {
        guard case .chunked(let coding) = framing else { return head }
        var head = head
        head.addChunks(coding, hasBody: hasBody)
        return head
    }

    /// The response with a body that was made for one request.
    /// - Parameter plainHead: the frame's `plainHead`, made before.
    package func script(_ body: [UInt8], _ plainHead: ResponseHead?) -> WireScript {
        guard var head = plainHead else { return script([.bytes(body)]) }
        if case .length = framing { head.add("Content-Length", String(body.count)) }
        return WireScript(head: head, body: hasBody ? body : [], end: isClosing ? .close : .keepAlive)
    }

    /// Whether making the response with this body takes longer than a loop has time for.
    package func isLong(_ parts: [BodyContent]) -> Bool {
        isCompressed && parts.count == 1 && parts[0].wholeBytes?.isLongToCompress ?? false
    }

    /// - Parameter parts: the body, in consecutive parts.
    package func script(_ parts: [BodyContent]) -> WireScript {
        var body = parts
        var head = head
        // A file that is too large for memory is not compressed, because that would block all other clients.
        if isCompressed, body.count == 1, let compressed = body[0].wholeBytes?.compressed {
            body = [.bytes(compressed)]
            head.add("Content-Encoding", "gzip")
        }
        let size = body.reduce(0) { $0 + $1.count }
        if case .length = framing { head.add("Content-Length", String(size)) }

        var steps = early + [.head(Self.framed(head, framing, hasBody: hasBody))]
        if hasBody, size > 0 {
            if let dribble, body.count == 1 {
                steps += Self.dribbled(body[0], dribble)
            } else {
                steps += body.map(\.step)
            }
        }
        let endsShort = promisesMore(than: size) && !isHeadOnly
        steps.append(.end(isClosing || endsShort ? .close : .keepAlive, trailers: trailers))
        return WireScript(steps)
    }

    /// Whether the stub states more bytes than there are, or no valid number. Then only the end of the connection ends
    /// the body.
    private func promisesMore(than count: Int) -> Bool {
        guard case .stated(let length) = framing else { return false }
        guard let length, length >= 0 else { return true }
        return length > count
    }

    /// The largest number of chunks of one body: each takes about fifty bytes of memory, and no client can distinguish
    /// more.
    private static let maxPieces = 65_536

    /// The body in equal chunks, with the remainder in the last one and a pause before each.
    static func dribbled(_ body: BodyContent, _ dribble: DribbleDelay) -> [WireStep] {
        let count = min(dribble.numberOfChunks, body.count, maxPieces)
        let pause = UInt64(max(dribble.totalDuration, 0) / count) * 1_000_000
        let size = body.count / count
        let pieces = (0..<count).map { $0 * size..<($0 == count - 1 ? body.count : ($0 + 1) * size) }
        return body.steps(pieces).flatMap { [.wait(nanoseconds: pause), $0] }
    }
}

/// The common part of a stub's responses that differ only in the body: made once for each variant.
final class ResponseFrame: Sendable {
    private let status: Int
    private let reason: String?
    private let fields: [(name: String, value: String)]
    private let frame: BodyFrame
    private let plainHead: ResponseHead?

    package init(_ definition: ResponseDefinition, _ fields: [(name: String, value: String)], _ frame: BodyFrame) {
        status = definition.status
        reason = definition.statusMessage
        self.fields = fields
        self.frame = frame
        plainHead = frame.plainHead
    }

    package func script(_ body: [UInt8]) -> WireScript { frame.script(body, plainHead) }

    /// The response as events store it.
    package func served(_ body: [UInt8], bodyLimit: Int) -> ServedResponse {
        ServedResponse(status: status, reason: reason, fields: fields, body: body, bodyLimit: bodyLimit)
    }
}

/// The parts of an answer around a streamed body.
struct StreamFrame {
    package let opening: [WireStep]
    package let end: WireStep
    /// Whether the answer has a body.
    package let hasBody: Bool
}
