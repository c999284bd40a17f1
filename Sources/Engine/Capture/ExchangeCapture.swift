import SDJournal
import SDOutgoingCalls
import SDPlatform
package import SDUpstream
import SDWireValues
import Synchronization

/// The capture of one exchange, during it and afterwards. Its loop only stores slices; a caller that reads the exchange
/// joins them.
package final class ExchangeCapture: ExchangeRecord {
    private struct State {
        /// The bytes that were sent of a streamed body.
        var sent: [[UInt8]] = []
        var sentBytes = 0
        var missingRequestBytes = 0
        var head: UpstreamHead?
        var latency: UInt64 = 0
        /// The slices of the answer's body, and the time before each.
        var pieces: [[UInt8]] = []
        var gaps: [UInt64] = []
        var receivedBytes = 0
        var missingBytes = 0
        var trailers: [RecordedExchange.Field] = []
        var last: UInt64 = 0
        var isOver = false
        var hasFailed = false
    }

    private let event: ServeEvent
    private let request: Request
    private let url: String
    private let begin = SystemCalls.monotonicNanoseconds()
    private let room: RecordingBudget
    private let charge: MemoryCharge
    private let state = Mutex(State())

    init(_ event: ServeEvent, _ request: Request, url: String, _ room: RecordingBudget, _ charge: MemoryCharge) {
        self.event = event
        self.request = request
        self.url = url
        self.room = room
        self.charge = charge
    }

    var sequence: UInt64 { event.sequence }

    // MARK: Capturing

    package func sent(_ bytes: [UInt8]) {
        let hasRoom = room.hasRoom(for: bytes.count, charge)
        state.withLock { state in
            state.sentBytes += bytes.count
            if hasRoom, state.missingRequestBytes == 0 {
                state.sent.append(bytes)
            } else {
                state.missingRequestBytes += bytes.count
            }
        }
    }

    package func answered(_ head: UpstreamHead) {
        let now = SystemCalls.monotonicNanoseconds()
        state.withLock { state in
            state.head = head
            state.latency = now - begin
            state.last = now
        }
    }

    package func received(_ bytes: [UInt8]) {
        let hasRoom = room.hasRoom(for: bytes.count, charge)
        let now = SystemCalls.monotonicNanoseconds()
        state.withLock { state in
            state.receivedBytes += bytes.count
            guard hasRoom, state.missingBytes == 0 else {
                state.missingBytes += bytes.count
                return
            }
            state.pieces.append(bytes)
            state.gaps.append(now - state.last)
            state.last = now
        }
    }

    package func ended(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        let isAnswer = state.withLock { state in
            guard !state.isOver else { return false }
            state.isOver = true
            switch end {
            case .success(let trailers): state.trailers = trailers
            case .failure: state.hasFailed = true
            }
            return state.head != nil
        }
        if isAnswer { room.kept?(self) }
    }

    // MARK: Reading

    /// The exchange without its bodies, and the number of bytes of the answer; nil without an answer.
    package var outline: (exchange: RecordedExchange, bytes: Int)? {
        let state = state.withLock { $0 }
        return outline(state).map { ($0, state.receivedBytes) }
    }

    /// The exchange; nil without an answer. Copies the bodies: not for a loop.
    package var exchange: RecordedExchange? {
        let state = state.withLock { $0 }
        guard var exchange = outline(state) else { return nil }
        exchange.requestBody = Array(request.body)
        for piece in state.sent { exchange.requestBody += piece }
        exchange.responseBody.reserveCapacity(state.receivedBytes)
        for piece in state.pieces { exchange.responseBody += piece }
        exchange.chunks = zip(state.gaps, state.pieces).map { RecordedExchange.Chunk(gap: $0, count: $1.count) }
        return exchange
    }

    private func outline(_ state: State) -> RecordedExchange? {
        // Bytes after a 101 are not a body that could be replayed.
        guard let head = state.head, head.status != 101 else { return nil }
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        var exchange = RecordedExchange(
            method: text(request.method), url: url, target: text(request.url), status: head.status)
        exchange.requestHeaders = SessionPropagation.removed(
            from: request.headers.map { (text($0.name), HeaderText.string($0.value)) })
        exchange.missingRequestBytes = missingRequestBytes(state)
        exchange.wallTime = request.wallTime
        exchange.reason = head.reason
        // The client saw the fields of the other server and the stub; connection fields are removed.
        exchange.responseHeaders = event.response?.fields ?? head.headers
        exchange.trailers = state.trailers
        exchange.missingBytes = state.missingBytes
        if head.status == 508, state.pieces.first?.starts(with: ProxyFailure.ownLoop.utf8) == true {
            exchange.failure = "this server was called by itself"
        }
        exchange.isBroken = state.hasFailed || exchange.failure != nil || !state.isOver && !hasAll(state, head)
        exchange.latency = state.latency
        exchange.duration = state.last - begin
        return exchange
    }

    /// Whether the body is as long as its head states: the client may have seen its end before this capture.
    private func hasAll(_ state: State, _ head: UpstreamHead) -> Bool {
        let length = head.headers.first { FieldName.is($0.name, "content-length") }?.value
        return length == String(state.receivedBytes)
    }

    /// The number of bytes of the request's body that were not stored, or not sent because the answer came first.
    private func missingRequestBytes(_ state: State) -> Int {
        guard let announced = request.bodyStream?.count else { return state.missingRequestBytes }
        return state.missingRequestBytes + max(announced - state.sentBytes, 0)
    }
}
