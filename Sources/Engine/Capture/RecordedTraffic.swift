import SDBasics
package import SDJournal
package import SDOutgoingCalls
package import SDPlatform
import SDUpstream
package import SDWireValues
import Synchronization

/// What passes to other servers and back while it is recorded, whole, whatever the journal keeps: so many exchanges, and
/// as many bytes as a part of the process's memory.
package final class RecordedTraffic: ExchangeRecorder {
    /// The most exchanges of a recording.
    package static let mostExchanges = 100_000

    private let room: RecordingRoom
    private let most: Int
    private let keepsAll: Bool
    private let tapes = Mutex<(kept: [ExchangeTape], leftOut: Int)>(([], 0))

    /// - Parameters:
    ///   - keepsAll: whether exchanges stay here after `kept` was told of them.
    ///   - most: the most exchanges that stay here.
    ///   - kept: is told of each exchange that has an answer and has ended, on the loop of its request.
    ///   - warn: is told once of each bound that is reached, with a sentence.
    package init(
        _ memory: MemoryLedger, keepsAll: Bool = true, most: Int = mostExchanges,
        kept: (@Sendable (ExchangeTape) -> Void)? = nil, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        room = RecordingRoom(memory, kept: kept, warn: warn)
        self.keepsAll = keepsAll
        self.most = most
    }

    package func begin(_ event: ServeEvent, _ request: Request, url: String) -> (any ExchangeRecord)? {
        let charge = room.charge(for: request)
        let tape = charge.map { ExchangeTape(event, request, url: url, room, $0) }
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

    /// The number of exchanges that stay here, and of those for which there was no room.
    package var counts: (kept: Int, leftOut: Int) { tapes.withLock { ($0.kept.count, $0.leftOut) } }

    /// What became of those that found no room; nil for none.
    package var remark: String? {
        let leftOut = counts.leftOut
        guard leftOut > 0 else { return nil }
        return "\(leftOut.of("exchange")) found no room, and \(leftOut == 1 ? "is" : "are") not recorded"
    }

    /// What has passed so far, by the sequences of its events. Copies the bodies: not for a loop.
    package var exchanges: [UInt64: RecordedExchange] {
        var exchanges: [UInt64: RecordedExchange] = [:]
        for tape in tapes.withLock({ $0.kept }) { exchanges[tape.sequence] = tape.exchange }
        return exchanges
    }
}

/// The memory that the exchanges of a recording share, and who is told of them.
final class RecordingRoom: Sendable {
    /// The bytes that an exchange counts beside its bodies and heads.
    private static let overhead = 2 << 10

    private let memory: MemoryLedger
    let kept: (@Sendable (ExchangeTape) -> Void)?
    let warn: @Sendable (String) -> Void
    private let isFull = Atomic(false)

    init(
        _ memory: MemoryLedger, kept: (@Sendable (ExchangeTape) -> Void)?, warn: @escaping @Sendable (String) -> Void
    ) {
        self.memory = memory
        self.kept = kept
        self.warn = warn
    }

    /// The charge of an exchange that begins; nil if there is no room for it, which is told.
    func charge(for request: Request) -> MemoryCharge? {
        let bytes = request.byteCount + Self.overhead
        return has(bytes) ? MemoryCharge(bytes, to: memory.account(.recordings)) : nil
    }

    /// Whether there is room for bytes more, which the charge counts then. What finds none is left out, which is told.
    func hasRoom(for bytes: Int, _ charge: MemoryCharge) -> Bool {
        guard has(bytes) else { return false }
        charge.add(bytes)
        return true
    }

    private func has(_ bytes: Int) -> Bool {
        if memory.hasRoom(forRecorded: bytes) { return true }
        if !isFull.exchange(true, ordering: .relaxed) {
            let most = memory.mostRecorded >> 20
            warn("the recording has no room for more: all recordings may have \(most) MiB, half of --max-memory")
        }
        return false
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
