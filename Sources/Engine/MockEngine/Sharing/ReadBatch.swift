import SDAnswering
import SDHTTPTransport
import SDJournal
import SDPlatform

/// Why a batch cannot be read, without a full stop.
public struct BatchProblem: Error, Sendable, Equatable {
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    init(_ problem: PackedReader.Problem) {
        message = "a batch of the journal cannot be read: \(problem.message)"
    }
}

/// The values of another replica's batch. Reading it changes nothing.
struct ReadBatch {
    struct Section {
        /// The session's id; empty for the default session.
        let session: String
        let era: UInt64
        let stubs: [PackedStubs.Read]
        let events: [ReadEvent]
        let notes: [ReadNote]
    }

    private(set) var sections: [Section] = []
    /// The number of the replica that sent it.
    private(set) var replica: UInt64 = 0

    init(_ batch: [UInt8], _ options: ResponseOptions) throws(BatchProblem) {
        guard batch.starts(with: JournalBatch.mark), batch.count > JournalBatch.mark.count else {
            throw BatchProblem("expected a batch of the journal, which begins with SDJ, found something else")
        }
        let version = batch[JournalBatch.mark.count]
        guard version == JournalBatch.version else {
            throw BatchProblem(
                """
                a batch of the journal has version \(version), and this replica reads version \(JournalBatch.version): \
                all replicas must run the same version of Stunt Double
                """)
        }
        do throws(PackedReader.Problem) {
            var reader = try PackedReader(sealed: batch)
            for _ in 0...JournalBatch.mark.count { _ = try reader.byte() }
            replica = try reader.number()
            guard replica <= Replica.highest else { throw .init("replica \(replica) is above \(Replica.highest)") }
            let clock = ReplicaClock()
            while !reader.isAtEnd { sections.append(try Self.section(&reader, clock, options)) }
        } catch {
            throw BatchProblem(error)
        }
    }

    private static func section(
        _ reader: inout PackedReader, _ clock: ReplicaClock, _ options: ResponseOptions
    ) throws(PackedReader.Problem) -> Section {
        let session = try reader.text()
        let era = try reader.number()
        var stubs: [PackedStubs.Read] = []
        for _ in 0..<(try reader.count()) { stubs.append(try PackedStubs.Read(&reader, options)) }
        var events: [ReadEvent] = []
        for _ in 0..<(try reader.count()) {
            var part = try reader.part()
            events.append(try ReadEvent(&part, stubs: stubs.count, clock))
        }
        var notes: [ReadNote] = []
        for _ in 0..<(try reader.count()) {
            var part = try reader.part()
            notes.append(try ReadNote(&part))
        }
        return Section(session: session, era: era, stubs: stubs, events: events, notes: notes)
    }
}

/// Converts another replica's times to this process's clock.
struct ReplicaClock {
    private let wall = UInt64(max(SystemCalls.wallClockMilliseconds(), 0)) &* 1_000_000
    private let monotonic = SystemCalls.monotonicNanoseconds()

    /// The monotonic time for a time in nanoseconds since 1970; at most the current time.
    func monotonic(at time: UInt64) -> UInt64 {
        let age = wall > time ? wall - time : 0
        return monotonic > age ? monotonic - age : 1
    }
}

/// An event of a batch.
struct ReadEvent {
    let sequence: UInt64
    let request: Request
    /// The number of its stub; 0 for none.
    let stub: Int
    let (isAgain, isRepeated): (Bool, Bool)
    let end: ServeEnd?
    let extras: PackedExtras?
    private let isUnmatched: Bool
    private let wholeBody: Int?
    private let response: PackedEvent.Response
    private let own: ServedResponse?
    private let delay: UInt64

    /// - Parameter stubs: the number of stubs in the batch.
    /// - Throws: what is wrong with the bytes.
    init(_ reader: inout PackedReader, stubs: Int, _ clock: ReplicaClock) throws(PackedReader.Problem) {
        let flags = PackedEvent.Flags(rawValue: try reader.byte())
        guard PackedEvent.Flags.all.isSuperset(of: flags) else { throw .init("an event has unknown flags") }
        (isAgain, isRepeated) = (flags.contains(.isAgain), flags.contains(.isRepeated))
        isUnmatched = flags.contains(.isUnmatched)
        sequence = try reader.number()
        guard sequence > 0, sequence <= JournalOutbox.highest else {
            throw .init("an event has the sequence \(sequence), which no replica can have given")
        }
        request = try Request(&reader) { clock.monotonic(at: $0) }
        wholeBody = flags.contains(.isCut) ? try reader.count(upTo: 1 << 62) : nil
        stub = try reader.count(upTo: UInt64(stubs))
        guard let response = PackedEvent.Response(rawValue: try reader.byte()) else {
            throw .init("a response is of an unknown kind")
        }
        guard response != .constant || stub > 0 else { throw .init("a response belongs to no stub") }
        self.response = response
        own = response == .own ? try ServedResponse(&reader) : nil
        delay = try reader.number()
        end =
            flags.contains(.hasEnded)
            ? try Self.end(&reader, since: request.clockTime, isPartlySent: flags.contains(.isPartlySent)) : nil
        extras = flags.contains(.hasExtras) ? try PackedExtras(&reader) : nil
        guard reader.isAtEnd else { throw .init("an event goes on behind its end") }
    }

    private static func end(
        _ reader: inout PackedReader, since begin: UInt64, isPartlySent: Bool
    ) throws(PackedReader.Problem) -> ServeEnd {
        guard let outcome = ServeEnd.Outcome(rawValue: try reader.byte()) else { throw .init("an end is unknown") }
        let bytes = try reader.number()
        let body = isPartlySent ? try reader.number() : nil
        let (first, last) = (try reader.number(), try reader.number())
        func time(_ offset: UInt64) -> UInt64 {
            let (time, isTooLate) = begin.addingReportingOverflow(offset)
            return isTooLate ? .max : time
        }
        return ServeEnd(
            outcome: outcome, bytesSent: bytes, bodyBytesSent: body,
            firstByteTime: first == 0 ? 0 : time(first - 1), endTime: time(last))
    }

    /// Makes the session's event.
    /// - Parameter arrival: the number of events in its journal, including this one.
    func event(_ arrival: UInt64, _ found: PackedStubs.Found?, _ activity: SessionActivity) -> ServeEvent {
        ServeEvent(
            sequence: sequence, arrival: arrival, request: request, matched: found?.matched, addedDelay: delay,
            notes: extras?.notes ?? [], file: extras?.file, isUnmatched: isUnmatched, owner: found?.owner,
            keepsSubEvents: extras != nil, wholeBody: wholeBody, activity: activity)
    }

    /// Whether a known event can be completed with this one: the body of its request has not grown.
    func isMore(of event: ServeEvent) -> Bool { request.bodyCount == event.request.bodyCount }

    /// Completes a known event with its response and end.
    /// - Returns: the bytes to charge for what is new.
    func fill(_ event: ServeEvent) -> Int {
        var bytes = 0
        event.take(delay: delay)
        if let filled = event.extras { bytes += extras?.fill(filled) ?? 0 }
        if !event.hasResponse {
            switch response {
            case .none: break
            case .constant: if event.matchedStub != nil { event.sends() }
            case .own:
                if let own {
                    event.sends(own)
                    bytes += own.byteCount
                }
            }
        }
        if let end, event.end == nil { event.take(end) }
        return bytes
    }
}
