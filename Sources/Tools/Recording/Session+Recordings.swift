package import SDCapture
import SDHTTPMessages
import SDJournal
package import SDMatching
package import SDMockEngine
import SDPlatform
package import SDStubModel
import SDStubs

/// Recordings: proxied exchanges become stubs of the session.
extension Session {
    package var recordingStatus: SessionRecorder.Status { recordings.status }

    /// The target of the current recording; nil without one, or if other stubs do the proxying.
    package var recordingTarget: String? { recordings.current?.spec.targetBaseUrl }

    /// The number of exchanges for which the current recording had no room; nil for none.
    package var unrecordedExchanges: Int? {
        recordings.traffic.map(\.counts.leftOut).flatMap { $0 == 0 ? nil : $0 }
    }

    /// The current recording; nil if there is none.
    package var currentRecording: SessionRecorder.Recording? { recordings.current }

    /// Starts a recording, unless one is running.
    /// - Parameter kept: called with each ended exchange, on its request's loop.
    /// - Returns: the stub that proxies to the recorded server, to be added; nil without a target.
    /// - Throws: the problems of the filters' pattern.
    package func startRecording(
        _ spec: RecordSpec, kept: (@Sendable (ExchangeCapture) -> Void)? = nil
    ) throws(StubRefusal) -> StubMapping? {
        let filter = try compile(spec.filters.pattern)
        let proxy = spec.targetBaseUrl.map { target in
            var stub = StubMapping(id: StubMapping.randomID())
            stub.response.proxyBaseUrl = target
            return stub
        }
        let recording = SessionRecorder.Recording(
            spec: spec, filter: filter,
            traffic: RecordedTraffic(memory, kept: kept) { [weak self] in self?.warned($0) },
            proxyStub: proxy?.id,
            start: counts.served)
        guard recordings.begin(recording) else { return nil }
        activity.note(.recording(isStarted: true))
        return proxy
    }

    /// Reports each proxied exchange from now on, recording or not.
    /// - Parameter kept: called on the request's loop.
    package func recordAll(_ kept: @escaping @Sendable (ExchangeCapture) -> Void) {
        recordings.recordAll(
            RecordedTraffic(memory, keepsAll: false, kept: kept) { [weak self] in self?.warned($0) })
    }

    /// Marks that a recording, made by another replica, has stopped.
    package func noteRecordingStopped() { recordings.noteStopped() }

    /// Ends the recording; nil if there is none. Its proxy stub stays.
    package func endRecording() -> SessionRecorder.Recording? {
        let recording = recordings.end()
        if recording != nil { activity.note(.recording(isStarted: false)) }
        return recording
    }

    /// The stubs of the recording so far. Slow.
    /// - Parameter others: the other replicas' exchanges.
    package func stubs(
        of recording: SessionRecorder.Recording, and others: RecordedElsewhere = RecordedElsewhere()
    ) -> RecordedStubs {
        var stubs = RecordedStubs(
            of: exchanges(of: recording, and: others), recording.spec, filter: recording.filter, secretNames)
        if let warning = RecordedTraffic.warning(leftOut: recording.traffic.counts.leftOut + others.leftOut) {
            stubs.add(warning: warning)
        }
        return stubs
    }

    /// The exchanges of the recording so far, in order.
    package func exchanges(
        of recording: SessionRecorder.Recording, and others: RecordedElsewhere = RecordedElsewhere()
    ) -> [RecordedExchange] {
        let events = withJournal { $0.newestFirst() }.filter { $0.arrival > recording.start }
        return exchanges(events, recording.traffic, others, recording.spec.filters)
    }

    /// The stubs of the journal. Slow.
    /// - Throws: the problems of the filters' pattern.
    package func stubs(
        ofJournal spec: RecordSpec, and others: RecordedElsewhere = RecordedElsewhere()
    ) throws(StubRefusal) -> RecordedStubs {
        let filter = try compile(spec.filters.pattern)
        let events = withJournal { $0.newestFirst() }
        let seen = recordings.traffic
        return RecordedStubs(
            of: exchanges(events, seen, others, spec.filters), spec, filter: filter, secretNames)
    }

    /// The exchanges that a spec selects, in chronological order.
    /// - Parameter traffic: the traffic captured by a recording, with whole bodies; nil for none.
    private func exchanges(
        _ events: [ServeEvent], _ traffic: RecordedTraffic?, _ others: RecordedElsewhere, _ filters: RecordSpec.Filters
    ) -> [RecordedExchange] {
        var exchanges = others.exchanges
        exchanges.merge(traffic?.exchanges ?? [:]) { $1 }
        for event in events where event.proxied != nil || filters.allowsNonProxied {
            if exchanges[event.sequence] == nil { exchanges[event.sequence] = RecordedExchange(event) }
        }
        let chosen = filters.ids.map { Set($0.compactMap(eventIDs.sequence)) }
        return exchanges.filter { chosen?.contains($0.key) ?? true }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The stubs without those that do not compile, each reported as a warning: one of them would make the whole change
    /// fail.
    package func servable(_ stubs: RecordedStubs) -> RecordedStubs {
        stubs.keeping { stub in
            switch compile(stub) {
            case .success: nil
            case .failure(.unserved(_, let problems)): problems.first?.message ?? "it cannot be served"
            case .failure(let refusal): "\(refusal)"
            }
        }
    }

    /// Writes the body files of recorded stubs, and adds the stubs. Must not be called on a loop. A body that cannot be
    /// written to a file stays in its stub.
    /// - Returns: what was added, with warnings.
    /// - Throws: why the bodies or the stubs could not be stored.
    package func keep(_ stubs: RecordedStubs) throws(StubRefusal) -> RecordedStubs {
        var stubs = stubs
        recordings.note(stubs.mappings, saved: stubs.saved)
        for file in stubs.bodyFiles {
            do throws(BodyFileRefusal) {
                try bodies.write(file.name, file.bytes)
            } catch .failed(let reason) {
                throw .notStored("\(file.name): \(reason)")
            } catch {
                stubs.putBack(file, "\(file.name) is not written, and its stub has the body: \(error.reason)")
            }
        }
        do throws(StubRefusal) {
            try add(stubs)
        } catch {
            guard case .unserved = error else { throw error }
            stubs = servable(stubs)
            try add(stubs)
        }
        return stubs
    }

    /// Adds stubs so that the earliest exchange is tried first.
    private func add(_ stubs: RecordedStubs) throws(StubRefusal) {
        if !stubs.mappings.isEmpty { try importStubs(StubImport(mappings: stubs.mappings.reversed())) }
    }

    /// Removes the recording's proxy stub. Must not be called on a loop.
    package func removeProxy(of recording: SessionRecorder.Recording) throws(StubRefusal) {
        if let id = recording.proxyStub { _ = try remove(id) }
    }
}
