package import SDAnswering
package import SDHTTPTransport
package import SDJournal
package import SDPlatform
import SDUpstream
import Synchronization

/// Everything that passes to other servers and back while it is recorded, whole, whatever the journal keeps.
package final class RecordedTraffic: ExchangeRecorder {
    private let memory: MemoryLedger
    private let tapes = Mutex<[ExchangeTape]>([])
    /// Is told of each exchange that was whole, on the loop of its request.
    private let kept: (@Sendable (RecordedExchange) -> Void)?

    private let keepsAll: Bool

    /// - Parameter keepsAll: whether exchanges stay here after `kept` was told of them.
    package init(
        _ memory: MemoryLedger, keepsAll: Bool = true, kept: (@Sendable (RecordedExchange) -> Void)? = nil
    ) {
        self.memory = memory
        self.keepsAll = keepsAll
        self.kept = kept
    }

    package func begin(_ event: ServeEvent, _ request: Request, url: String) -> (any ExchangeRecord)? {
        let tape = ExchangeTape(event, request, url: url, memory, kept)
        if keepsAll { tapes.withLock { $0.append(tape) } }
        return tape
    }

    /// What has passed so far, by the sequences of its events.
    package var exchanges: [UInt64: RecordedExchange] {
        var exchanges: [UInt64: RecordedExchange] = [:]
        for tape in tapes.withLock({ $0 }) { exchanges[tape.sequence] = tape.exchange }
        return exchanges
    }
}

/// Two that take up the same exchanges.
final class RecorderPair: ExchangeRecorder {
    private let one: RecordedTraffic
    private let other: RecordedTraffic

    init(_ one: RecordedTraffic, _ other: RecordedTraffic) {
        self.one = one
        self.other = other
    }

    func begin(_ event: ServeEvent, _ request: Request, url: String) -> (any ExchangeRecord)? {
        RecordPair(records: [one, other].compactMap { $0.begin(event, request, url: url) })
    }

    private final class RecordPair: ExchangeRecord {
        private let records: [any ExchangeRecord]

        init(records: [any ExchangeRecord]) {
            self.records = records
        }

        func sent(_ bytes: [UInt8]) { for record in records { record.sent(bytes) } }
        func answered(_ head: UpstreamHead) { for record in records { record.answered(head) } }
        func received(_ bytes: [UInt8]) { for record in records { record.received(bytes) } }
        func ended(_ problem: UpstreamProblem?) { for record in records { record.ended(problem) } }
    }
}

/// One exchange while it passes.
private final class ExchangeTape: ExchangeRecord {
    private struct State {
        var sent: [UInt8] = []
        var head: UpstreamHead?
        var latency: UInt64 = 0
        var body: [UInt8] = []
        var chunks: [RecordedExchange.Chunk] = []
        var last: UInt64 = 0
        var missingBytes = 0
        var missingRequestBytes = 0
        var isOver = false
        var hasFailed = false
    }

    private let event: ServeEvent
    private let request: Request
    private let url: String
    private let begin = SystemCalls.monotonicNanoseconds()
    private let memory: MemoryLedger
    private let charge: MemoryCharge
    private let kept: (@Sendable (RecordedExchange) -> Void)?
    private let state = Mutex(State())

    init(
        _ event: ServeEvent, _ request: Request, url: String, _ memory: MemoryLedger,
        _ kept: (@Sendable (RecordedExchange) -> Void)?
    ) {
        self.event = event
        self.request = request
        self.url = url
        self.memory = memory
        self.kept = kept
        charge = MemoryCharge(request.byteCount, to: memory.account(.recordings))
    }

    var sequence: UInt64 { event.sequence }

    func sent(_ bytes: [UInt8]) {
        let hasRoom = hasRoom(for: bytes)
        state.withLock { state in
            if hasRoom, state.missingRequestBytes == 0 {
                state.sent += bytes
            } else {
                state.missingRequestBytes += bytes.count
            }
        }
    }

    func answered(_ head: UpstreamHead) {
        let now = SystemCalls.monotonicNanoseconds()
        state.withLock { state in
            state.head = head
            state.latency = now - begin
            state.last = now
        }
    }

    func received(_ bytes: [UInt8]) {
        let hasRoom = hasRoom(for: bytes)
        let now = SystemCalls.monotonicNanoseconds()
        state.withLock { state in
            guard hasRoom, state.missingBytes == 0 else {
                state.missingBytes += bytes.count
                return
            }
            state.body += bytes
            state.chunks.append(RecordedExchange.Chunk(gap: now - state.last, count: bytes.count))
            state.last = now
        }
    }

    func ended(_ problem: UpstreamProblem?) {
        state.withLock { state in
            state.isOver = true
            state.hasFailed = problem != nil
        }
        if let kept, let exchange { kept(exchange) }
    }

    /// What is too much for the memory is left out, and told.
    private func hasRoom(for bytes: [UInt8]) -> Bool {
        guard memory.hasRoom(for: bytes.count, refusing: "a recorded body") else { return false }
        charge.add(bytes.count)
        return true
    }

    /// The exchange; nil while there is no answer, or if none came.
    var exchange: RecordedExchange? {
        let state = state.withLock { $0 }
        guard let head = state.head else { return nil }
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        var exchange = RecordedExchange(
            method: text(request.method), url: url, target: text(request.url), status: head.status)
        exchange.requestHeaders = SessionIdentity.removed(from: request.headers.map { (text($0.name), text($0.value)) })
        exchange.requestBody = Array(request.body) + state.sent
        exchange.missingRequestBytes = state.missingRequestBytes
        exchange.wallTime = request.wallTime
        exchange.reason = head.reason
        // The client saw the fields that are the other server's and the stub's; those of the connection are gone.
        exchange.responseHeaders = event.response?.fields ?? head.headers
        exchange.responseBody = state.body
        exchange.chunks = state.chunks
        exchange.missingBytes = state.missingBytes
        exchange.isBroken = state.hasFailed || !state.isOver
        exchange.latency = state.latency
        exchange.duration = state.last - begin
        return exchange
    }
}
