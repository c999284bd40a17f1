import HTTPTransport
public import JSON
import Matching
import Platform
public import StubModel
import Synchronization

/// What goes on in a session, as the admin API asks for it.
extension Session {
    // MARK: Waiting

    /// Looks at the journal for what a document expects, and, where `isWaiting`, hears of what comes until it is cancelled.
    /// - Throws: that a pattern cannot be compiled, with its place in the document.
    /// - Parameter isWait: the document is that of `requests/wait`, whose pattern stands at its root.
    public func verification(
        _ document: VerificationDocument, isWait: Bool, isWaiting: Bool
    ) throws(StubRefusal) -> Verification {
        var patterns: [CompiledPattern] = []
        var problems: [StubProblem] = []
        for (place, expectation) in document.expectations.enumerated() {
            do {
                let root = isWait ? "/pattern" : "/expectations/\(place)/pattern"
                patterns.append(try CompiledPattern(expectation.pattern, at: root))
            } catch {
                problems += error.problems.map { StubProblem($0) }
            }
        }
        guard problems.isEmpty else { throw .unserved(StubMapping().id, problems) }
        let verification = Verification(document, patterns, in: self)
        try verification.begin(isWaiting: isWaiting)
        return verification
    }

    public func idleWatch(quietMilliseconds: Int, timer: @escaping IdleWatch.Timer) -> IdleWatch {
        IdleWatch(self, quietMilliseconds: quietMilliseconds, timer: timer)
    }

    // MARK: In flight

    /// How many requests were decided whose answers have not ended, whatever they wait for.
    public var inFlightCount: Int {
        let ended = activity.ended
        let served = state.withLock { $0.served }
        return served > ended ? Int(clamping: served - ended) : 0
    }

    /// The answer to `GET /in-flight`: the answers that take their time by design, the oldest first.
    public func inFlight() -> JSONValue {
        let now = SystemCalls.monotonicNanoseconds()
        let events = activity.inFlight.events
        return [
            "inFlight": .array(events.map { json($0, now: now) }),
            "meta": ["total": number(max(inFlightCount, events.count))],
        ]
    }

    private func json(_ event: ServeEvent, now: UInt64) -> JSONValue {
        let request = event.request
        let age = now > request.clockTime ? now - request.clockTime : 0
        var json: JSONObject = [
            "id": .string(eventIDs.text(event.sequence)), "sequence": number(event.sequence),
            "method": .string(String(decoding: request.method, as: UTF8.self)),
            "url": .string(String(decoding: request.url, as: UTF8.self)),
        ]
        json["stub"] = event.stubJSON
        json["since"] = .string(Timestamp(milliseconds: Int64(clamping: request.wallTime / 1_000_000)).description)
        json["ageMs"] = number(age / 1_000_000)
        json["state"] = event.status == nil ? "waiting" : age < event.addedDelay ? "delayed" : "sending"
        json["delayMs"] = number(event.addedDelay / 1_000_000)
        return .object(json)
    }

    /// Ends the answer of an event's id; false where none such is in flight.
    public func endInFlight(_ id: StubMapping.ID) -> Bool {
        eventIDs.sequence(id).map { activity.inFlight.end($0) } ?? false
    }

    /// Ends all answers that take their time by design, and says how many there were.
    public func endInFlight() -> Int {
        activity.inFlight.endAll(through: state.withLock { $0.served })
    }

    /// How many calls wait, and one more where somebody reads the stream of events.
    public var listenerCount: Int { activity.listenerCount }

    /// Somebody waits for an answer of it, for something to happen in it, or listens.
    public var isBusy: Bool { listenerCount > 0 || inFlightCount > 0 }

    // MARK: Changes

    /// Tells those who listen; not under the session's lock.
    func changed(_ change: SessionChange) {
        activity.changed(change, served: state.withLock { $0.served })
    }

    func tellRemoved(_ stubs: [CompiledStub]) {
        for stub in stubs { changed(.stub(.removed, .init(stub.mapping))) }
    }

    /// Tells those who listen that files were read again.
    public func reloaded(_ reload: FileReload) {
        changed(.reload(reload))
    }

    // MARK: The end

    /// Ends all that is in flight, all calls that wait, and all streams of events: the session is not served any more.
    public func stopActivity() {
        activity.stop()
    }
}

extension ServeEvent {
    /// The stub that answered, by its id and name; nil where none did.
    var stubJSON: JSONValue? {
        matched.map { stub in
            var json: JSONObject = ["id": .string(stub.id.lowercasedString)]
            json["name"] = stub.name.map { .string($0) }
            return .object(json)
        }
    }
}
