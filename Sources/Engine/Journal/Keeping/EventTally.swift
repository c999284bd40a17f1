import SDBasics
import SDHTTPTransport
package import SDReports
import SDStubModel

/// What reports tell of events whatever the journal drops: how long their answers took, those that broke off, and the faults
/// that acted.
package struct EventTally: Sendable {
    package private(set) var times = TimeTally()
    package private(set) var slow = SlowTally()
    package private(set) var aborted = KindTally<Report.Aborted>()
    package var faults = KindTally<Report.ActedFault>()
    /// The arrival of the last event that does not count.
    private var last: UInt64 = 0
    /// Events whose answers had not ended when they came.
    private var unended: [(event: ServeEvent, isTimed: Bool)] = []

    /// The most events that are kept until they end, and the most bytes of one.
    private static let mostUnended = 100
    /// The most that a session leaves when it ends.
    private static let mostClosing = 10
    private static let largestUnended = 64 << 10

    package init() {}

    /// Forgets everything, and all events up to this arrival.
    package mutating func begin(after arrival: UInt64) {
        self = EventTally()
        last = arrival
    }

    /// Adds an event that the journal drops.
    mutating func add(dropped event: ServeEvent) {
        guard event.arrival > last else { return }
        if !unended.isEmpty { settle() }
        keep(event, isTimed: true)
    }

    /// Adds an event that no journal keeps: its faults alone, as most requests have none.
    mutating func add(unrecorded event: ServeEvent) {
        guard event.mayHaveFaults else { return }
        if !unended.isEmpty { settle() }
        keep(event, isTimed: false)
    }

    private mutating func keep(_ event: ServeEvent, isTimed: Bool) {
        if event.duration == nil, unended.count < Self.mostUnended, event.byteCount <= Self.largestUnended {
            unended.append((event, isTimed))
        } else {
            count(event, path: Array(event.request.path), isTimed: isTimed)
        }
    }

    /// Counts what has ended by now.
    private mutating func settle() {
        guard unended.contains(where: { $0.event.duration != nil }) else { return }
        let waiting = unended
        unended = []
        for (event, isTimed) in waiting { keep(event, isTimed: isTimed) }
    }

    /// Adds those of a session that was begun through this one, but for the times of its answers.
    package mutating func add(_ other: EventTally, of test: Report.Test) {
        slow.add(other.slow, of: test)
        aborted.add(other.aborted, of: test)
        faults.add(other.faults, of: test)
    }

    /// Adds those of sessions that are named in them already, but for the times of their answers.
    package mutating func add(_ other: EventTally) {
        slow.add(other.slow, of: nil)
        aborted.add(other.aborted, of: nil)
        faults.add(other.faults, of: nil)
    }

    /// Adds the times of another one's answers.
    package mutating func addTimes(of other: EventTally) { times.add(other.times) }

    /// Drops the times of its answers, which were added to another one, but for what tells how many are slow.
    package mutating func dropTimes() { times.dropStubs() }

    /// The tally with some more events, and with those that have not ended.
    package func adding(_ events: some Sequence<ServeEvent>) -> EventTally {
        var tally = self
        for (event, isTimed) in unended { tally.count(event, path: Array(event.request.path), isTimed: isTimed) }
        for event in events { tally.count(event, path: nil, isTimed: true) }
        tally.unended = []
        return tally
    }

    /// The tally of a session that ends, with its last events. Some whose answers have not ended are looked at again when it is
    /// read: a client may have left just now.
    package func closing(with events: some Sequence<ServeEvent>) -> EventTally {
        var tally = self
        tally.unended = []
        for (event, isTimed) in unended + events.map({ ($0, true) }) {
            if event.duration == nil, tally.unended.count < Self.mostClosing, event.byteCount <= Self.largestUnended {
                tally.unended.append((event, isTimed))
            } else {
                tally.count(event, path: Array(event.request.path), isTimed: isTimed)
            }
        }
        return tally
    }

    private mutating func count(_ event: ServeEvent, path: @autoclosure () -> [UInt8]?, isTimed: Bool) {
        if isTimed, let time = event.duration {
            slow.add(time) {
                let request = event.request
                let answer = Report.Slow(
                    method: String(decoding: request.method, as: UTF8.self),
                    url: String(decoding: request.url, as: UTF8.self), stub: event.reportedStub,
                    time: Double(time) / 1_000_000, delay: Double(event.addedDelay) / 1_000_000)
                return (answer, path())
            }
            if let reason = event.abortion { addAborted(event, reason) }
            times.add(
                time, delay: event.addedDelay, by: event.matchedStub?.stubID, { event.reportedStub },
                {
                    let request = event.request
                    return (
                        String(decoding: request.method, as: UTF8.self), String(decoding: request.url, as: UTF8.self)
                    )
                })
        }
        guard event.mayHaveFaults else { return }
        let (stub, kept) = (event.reportedStub, path())
        func add(_ fault: String, _ outcome: String?, _ source: String?) {
            faults.add(
                Report.ActedFault(fault: fault, outcome: outcome, source: source, stub: stub, count: 1), path: kept)
        }
        for fault in event.faults { add(fault.name, fault.then, fault.label) }
        // One of a rule, such as the session's, is among those above.
        if let fault = event.fault, !event.faults.contains(where: { $0.then == fault.rawValue }) {
            add(fault.rawValue, nil, nil)
        }
    }

    private mutating func addAborted(_ event: ServeEvent, _ reason: String) {
        let request = event.request
        aborted.add(
            Report.Aborted(
                method: String(decoding: request.method, as: UTF8.self),
                url: String(decoding: request.url, as: UTF8.self), count: 1, stub: event.reportedStub, reason: reason),
            path: Array(request.path))
    }
}

extension ServeEvent {
    /// Why the answer broke off that nobody ended on purpose, a sentence without a full stop; nil for any other.
    fileprivate var abortion: String? {
        guard let end, end.outcome != .sent else { return nil }
        // What was sent: whether the client has received it nobody knows.
        let sent = "\(Int(clamping: end.bodyBytesSent ?? 0).of("byte")) of the body sent"
        return switch end.outcome {
        case .clientGone:
            end.firstByteTime == 0 ? "The client left before the answer" : "The client left with \(sent)"
        case .clientStalled: "The client stopped reading with \(sent)"
        case .targetGone: "The server whose answer was passed on broke off with \(sent)"
        case .refused:
            end.firstByteTime == 0
                ? "The rest of the request's body was refused before the answer"
                : "The rest of the request's body was refused with \(sent)"
        case .sent, .faultApplied, .stopped, .cancelled: nil
        }
    }
}
