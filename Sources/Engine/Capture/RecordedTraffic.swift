import SDBasics
package import SDJournal
package import SDOutgoingCalls
package import SDPlatform
import SDUpstream
package import SDWireValues
import Synchronization

/// The recorded exchanges with other servers, whole, regardless of the journal's limits. Their number and their memory
/// are limited.
package final class RecordedTraffic: ExchangeRecorder {
    /// The largest number of exchanges of a recording.
    package static let maxExchanges = 100_000

    private let room: RecordingBudget
    private let most: Int
    private let keepsAll: Bool
    private let tapes = Mutex<(kept: [ExchangeCapture], leftOut: Int)>(([], 0))

    /// - Parameters:
    ///   - keepsAll: whether exchanges stay here after `kept` was called.
    ///   - most: the largest number of exchanges that stay here.
    ///   - kept: called for each ended exchange with an answer, on the loop of its request.
    ///   - warn: called once for each limit that is reached, with a message.
    package init(
        _ memory: MemoryLedger, keepsAll: Bool = true, most: Int = maxExchanges,
        kept: (@Sendable (ExchangeCapture) -> Void)? = nil, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        room = RecordingBudget(memory, kept: kept, warn: warn)
        self.keepsAll = keepsAll
        self.most = most
    }

    package func begin(_ event: ServeEvent, _ request: Request, url: String) -> (any ExchangeRecord)? {
        let charge = room.charge(for: request)
        let tape = charge.map { ExchangeCapture(event, request, url: url, room, $0) }
        guard keepsAll else { return tape }
        let leftOut = tapes.withLock { tapes -> Int in
            if let tape, tapes.kept.count < most {
                tapes.kept.append(tape)
                return 0
            }
            tapes.leftOut += 1
            return tapes.leftOut
        }
        guard leftOut > 0 else { return tape }
        if leftOut == 1, tape != nil {
            room.warn("the recording takes up nothing more, since it has \(most) exchanges: end it, and begin another")
        }
        return nil
    }

    /// The number of stored exchanges, and of those past the limits.
    package var counts: (kept: Int, leftOut: Int) { tapes.withLock { ($0.kept.count, $0.leftOut) } }

    /// The warning about exchanges past the limits; nil for none.
    package var warning: String? { Self.warning(leftOut: counts.leftOut) }

    /// The warning about `leftOut` exchanges past the limits; nil for none.
    package static func warning(leftOut: Int) -> String? {
        guard leftOut > 0 else { return nil }
        return "\(leftOut.of("exchange")) found no room, and \(leftOut == 1 ? "is" : "are") not recorded"
    }

    /// The exchanges so far, by the sequence numbers of their events. Copies the bodies: not for a loop.
    package var exchanges: [UInt64: RecordedExchange] {
        var exchanges: [UInt64: RecordedExchange] = [:]
        for tape in tapes.withLock({ $0.kept }) { exchanges[tape.sequence] = tape.exchange }
        return exchanges
    }
}

/// The memory that the exchanges of a recording share, and the callbacks.
final class RecordingBudget: Sendable {
    /// The bytes that an exchange counts besides its bodies and heads.
    private static let overhead = 2 << 10

    private let memory: MemoryLedger
    let kept: (@Sendable (ExchangeCapture) -> Void)?
    let warn: @Sendable (String) -> Void
    private let isFull = Atomic(false)

    init(
        _ memory: MemoryLedger, kept: (@Sendable (ExchangeCapture) -> Void)?, warn: @escaping @Sendable (String) -> Void
    ) {
        self.memory = memory
        self.kept = kept
        self.warn = warn
    }

    /// The charge of a new exchange; nil with a warning if the memory limit is reached.
    func charge(for request: Request) -> MemoryCharge? {
        let bytes = request.byteCount + Self.overhead
        return has(bytes) ? MemoryCharge(bytes, to: memory.account(.recordings)) : nil
    }

    /// Charges more bytes; false with a warning if the memory limit is reached.
    func hasRoom(for bytes: Int, _ charge: MemoryCharge) -> Bool {
        guard has(bytes) else { return false }
        charge.add(bytes)
        return true
    }

    private func has(_ bytes: Int) -> Bool {
        if memory.hasRoom(forRecorded: bytes) { return true }
        if !isFull.exchange(true, ordering: .relaxed) {
            let most = memory.maxRecorded >> 20
            warn("the recording has no room for more: all recordings may have \(most) MiB, half of --max-memory")
        }
        return false
    }
}

/// Records the same exchanges in two recordings.
final class RecorderPair: ExchangeRecorder {
    private let one: RecordedTraffic
    private let other: RecordedTraffic

    init(_ one: RecordedTraffic, _ other: RecordedTraffic) {
        self.one = one
        self.other = other
    }

    func begin(_ event: ServeEvent, _ request: Request, url: String) -> (any ExchangeRecord)? {
        let records = [one, other].compactMap { $0.begin(event, request, url: url) }
        return records.isEmpty ? nil : RecordPair(records: records)
    }

    private final class RecordPair: ExchangeRecord {
        private let records: [any ExchangeRecord]

        init(records: [any ExchangeRecord]) {
            self.records = records
        }

        func sent(_ bytes: [UInt8]) { for record in records { record.sent(bytes) } }
        func answered(_ head: UpstreamHead) { for record in records { record.answered(head) } }
        func received(_ bytes: [UInt8]) { for record in records { record.received(bytes) } }
        func ended(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
            for record in records { record.ended(end) }
        }
    }
}
