import SDHTTPTransport
package import SDReports
import SDStubModel

/// What reports tell of events whatever the journal drops: how long their answers took, and the faults that acted.
package struct EventTally: Sendable {
    package private(set) var times = TimeTally()
    package var faults = FaultTally()
    /// The last event that does not count.
    private var last: UInt64 = 0
    /// Events whose answers had not ended when they came.
    private var unended: [(event: ServeEvent, isTimed: Bool)] = []

    /// The most events that are kept until they end, and the most bytes of one.
    private static let mostUnended = 100
    private static let largestUnended = 64 << 10

    /// Forgets everything, and all events up to this sequence.
    package mutating func begin(after sequence: UInt64) {
        self = EventTally()
        last = sequence
    }

    /// Adds an event that the journal drops.
    mutating func add(dropped event: ServeEvent) {
        guard event.sequence > last else { return }
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

    /// The tally with some more events, and with those that have not ended.
    package func adding(_ events: some Sequence<ServeEvent>) -> EventTally {
        var tally = self
        for (event, isTimed) in unended { tally.count(event, path: Array(event.request.path), isTimed: isTimed) }
        for event in events { tally.count(event, path: nil, isTimed: true) }
        return tally
    }

    private mutating func count(_ event: ServeEvent, path: @autoclosure () -> [UInt8]?, isTimed: Bool) {
        if isTimed, let time = event.duration {
            times.add(
                time, delay: event.addedDelay, by: event.matchedStub?.stubID, { event.stubReference },
                {
                    let request = event.request
                    return (
                        String(decoding: request.method, as: UTF8.self), String(decoding: request.url, as: UTF8.self)
                    )
                })
        }
        guard event.mayHaveFaults else { return }
        let (stub, kept) = (event.stubReference, path())
        func add(_ fault: String, _ outcome: String?, _ source: String?) {
            faults.add(
                Report.ActedFault(fault: fault, outcome: outcome, source: source, stub: stub, count: 1), path: kept)
        }
        for fault in event.faults { add(fault.name, fault.then, fault.label) }
        if let fault = event.fault { add(fault.rawValue, nil, nil) }
    }
}
