import SDJournal
import SDOutgoingCalls
import SDPlatform
package import SDUpstream
import SDWireValues
import Synchronization

/// One exchange while it passes, and afterwards. Its loop only puts pieces aside; whoever asks for the exchange puts them
/// together.
package final class ExchangeTape: ExchangeRecord {
    private struct State {
        /// What was sent of a streamed body.
        var sent: [[UInt8]] = []
        var sentBytes = 0
        var missingRequestBytes = 0
        var head: UpstreamHead?
        var latency: UInt64 = 0
        /// The pieces of the answer's body, and when each came.
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
    private let room: RecordingRoom
    private let charge: MemoryCharge
    private let state = Mutex(State())

    init(_ event: ServeEvent, _ request: Request, url: String, _ room: RecordingRoom, _ charge: MemoryCharge) {
        self.event = event
        self.request = request
        self.url = url
        self.room = room
        self.charge = charge
    }

    var sequence: UInt64 { event.sequence }

    // MARK: While it passes

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

    // MARK: Afterwards

    /// The exchange without its bodies, and how many bytes the answer had; nil while there is no answer, or if none came.
    package var outline: (exchange: RecordedExchange, bytes: Int)? {
        let state = state.withLock { $0 }
        return outline(state).map { ($0, state.receivedBytes) }
    }

    /// The exchange; nil while there is no answer, or if none came. Copies the bodies: not for a loop.
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
        // What follows a 101 is no body that could be replayed.
        guard let head = state.head, head.status != 101 else { return nil }
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        var exchange = RecordedExchange(
            method: text(request.method), url: url, target: text(request.url), status: head.status)
        exchange.requestHeaders = SessionIdentity.removed(
            from: request.headers.map { (text($0.name), HeaderText.string($0.value)) })
        exchange.missingRequestBytes = missingRequestBytes(state)
        exchange.wallTime = request.wallTime
        exchange.reason = head.reason
        // The client saw the fields that are the other server's and the stub's; those of the connection are gone.
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

    /// Whether the body has come as far as its head says: the client may have seen its end before this was told of it.
    private func hasAll(_ state: State, _ head: UpstreamHead) -> Bool {
        let length = head.headers.first { FieldName.is($0.name, "content-length") }?.value
        return length == String(state.receivedBytes)
    }

    /// The bytes of the request's body that found no room, or were not sent since the answer came before them.
    private func missingRequestBytes(_ state: State) -> Int {
        guard let announced = request.bodyStream?.count else { return state.missingRequestBytes }
        return state.missingRequestBytes + max(announced - state.sentBytes, 0)
    }
}
