import SDBasics
import SDHTTPTransport
package import SDReports
import SDStubModel

/// The statistics of dropped events, for reports: response times, broken answers, and faults that acted.
package struct EventStats: Sendable {
    package private(set) var times = ResponseTimes()
    package private(set) var slow = SlowCounts()
    package private(set) var aborted = KindCounts<Report.Aborted>()
    package var faults = KindCounts<Report.ActedFault>()
    /// The arrival of the last event that does not count.
    private var last: UInt64 = 0
    /// Events whose answers had not ended when they were added.
    private var unended: [(event: ServeEvent, isTimed: Bool)] = []

    /// The largest number of unended events, and the largest size of one in bytes.
    private static let maxUnended = 100
    /// The largest number of unended events of a session that ends.
    private static let maxClosing = 10
    private static let largestUnended = 64 << 10

    package init() {}

    /// Clears everything; events up to this arrival no longer count.
    package mutating func reset(after arrival: UInt64) {
        self = EventStats()
        last = arrival
    }

    /// Adds an event that the journal drops.
    mutating func add(dropped event: ServeEvent) {
        guard event.arrival > last else { return }
        if !unended.isEmpty { countEnded() }
        add(event, isTimed: true)
    }

    /// Adds an event that no journal stores: its faults alone, as most requests have none.
    mutating func add(unrecorded event: ServeEvent) {
        guard event.mayHaveFaults else { return }
        if !unended.isEmpty { countEnded() }
        add(event, isTimed: false)
    }

    private mutating func add(_ event: ServeEvent, isTimed: Bool) {
        if event.duration == nil, unended.count < Self.maxUnended, event.byteCount <= Self.largestUnended {
            unended.append((event, isTimed))
        } else {
            count(event, path: Array(event.request.path), isTimed: isTimed)
        }
    }

    /// Counts the events that have ended by now.
    private mutating func countEnded() {
        guard unended.contains(where: { $0.event.duration != nil }) else { return }
        let waiting = unended
        unended = []
        for (event, isTimed) in waiting { add(event, isTimed: isTimed) }
    }

    /// Adds the statistics of a child session, except for its response times.
    package mutating func add(_ other: EventStats, of test: Report.Test) {
        slow.add(other.slow, of: test)
        aborted.add(other.aborted, of: test)
        faults.add(other.faults, of: test)
    }

    /// Adds statistics whose entries already name their sessions, except for response times.
    package mutating func add(_ other: EventStats) {
        slow.add(other.slow, of: nil)
        aborted.add(other.aborted, of: nil)
        faults.add(other.faults, of: nil)
    }

    /// Adds the response times of other statistics.
    package mutating func addTimes(of other: EventStats) { times.add(other.times) }

    /// Drops the response times by stub, which were added elsewhere. What tells the number of slow answers stays.
    package mutating func dropTimes() { times.dropStubs() }

    /// These statistics with some more events, and with those that have not ended.
    package func adding(_ events: some Sequence<ServeEvent>) -> EventStats {
        var stats = self
        for (event, isTimed) in unended { stats.count(event, path: Array(event.request.path), isTimed: isTimed) }
        for event in events { stats.count(event, path: nil, isTimed: true) }
        stats.unended = []
        return stats
    }

    /// The statistics of a session that ends, with its last events. Some whose answers have not ended are counted when
    /// they are read: a client may just be disconnecting.
    package func closing(with events: some Sequence<ServeEvent>) -> EventStats {
        var stats = self
        stats.unended = []
        for (event, isTimed) in unended + events.map({ ($0, true) }) {
            if event.duration == nil, stats.unended.count < Self.maxClosing, event.byteCount <= Self.largestUnended {
                stats.unended.append((event, isTimed))
            } else {
                stats.count(event, path: Array(event.request.path), isTimed: isTimed)
            }
        }
        return stats
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
        // A fault caused by a rule, such as a session's, was counted above.
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
    /// Why the answer broke off unintentionally, without a full stop; nil for any other.
    fileprivate var abortion: String? {
        guard let end, end.outcome != .sent else { return nil }
        // The bytes that were sent; whether the client received them is unknown.
        let sent = "\(Int(clamping: end.bodyBytesSent ?? 0).of("byte")) of the body sent"
        return switch end.outcome {
        case .clientDisconnected:
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
