package import SDCapture
import SDHTTPMessages
import SDJournal
package import SDMatching
package import SDMockEngine
import SDPlatform
package import SDStubModel
import SDStubs

/// Recordings: exchanges with other servers become stubs of the session.
extension Session {
    package var recordingStatus: SessionRecorder.Status { recordings.status }

    /// The server to which the recording that is under way leads; nil if there is none, or others lead there.
    package var recordingTarget: String? { recordings.current?.spec.targetBaseUrl }

    /// The number of exchanges that found no room in the recording that is under way; nil for none.
    package var unrecordedExchanges: Int? {
        recordings.traffic.map(\.counts.leftOut).flatMap { $0 == 0 ? nil : $0 }
    }

    /// The recording that is under way; nil if there is none.
    package var currentRecording: SessionRecorder.Recording? { recordings.current }

    /// Begins a recording, unless there is one.
    /// - Parameter kept: is told of each exchange that has ended, on the loop of its request.
    /// - Returns: the stub that leads to the recorded server, to be added; nil if there is none.
    /// - Throws: what is wrong with the filters' pattern.
    package func startRecording(
        _ spec: RecordSpec, kept: (@Sendable (ExchangeTape) -> Void)? = nil
    ) throws(StubRefusal) -> StubMapping? {
        let filter = try compile(spec.filters.pattern)
        let proxy = spec.targetBaseUrl.map { target in
            var stub = StubMapping()
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

    /// Tells of each exchange with another server from now on, whether there is a recording or not.
    /// - Parameter kept: is called on the loop of the request.
    package func recordAll(_ kept: @escaping @Sendable (ExchangeTape) -> Void) {
        recordings.recordAll(
            RecordedTraffic(memory, keepsAll: false, kept: kept) { [weak self] in self?.warned($0) })
    }

    /// Ends the recording; nil if there is none. Its stub for the recorded server is still there.
    package func endRecording() -> SessionRecorder.Recording? {
        let recording = recordings.end()
        if recording != nil { activity.note(.recording(isStarted: false)) }
        return recording
    }

    /// The stubs of what was recorded since its begin. Takes time.
    package func stubs(of recording: SessionRecorder.Recording) -> RecordedStubs {
        var stubs = RecordedStubs(
            of: exchanges(of: recording), recording.spec, filter: recording.filter, secretNames)
        if let remark = recording.traffic.remark { stubs.add(remark: remark) }
        return stubs
    }

    /// What was recorded since its begin, in order.
    package func exchanges(of recording: SessionRecorder.Recording) -> [RecordedExchange] {
        let events = withJournal { $0.newestFirst() }.filter { $0.arrival > recording.start }
        return exchanges(events, recording.traffic, recording.spec.filters)
    }

    /// The stubs of what is in the journal. Takes time.
    /// - Throws: what is wrong with the filters' pattern.
    package func stubs(ofJournal spec: RecordSpec) throws(StubRefusal) -> RecordedStubs {
        let filter = try compile(spec.filters.pattern)
        let events = withJournal { $0.newestFirst() }
        let seen = recordings.traffic
        return RecordedStubs(
            of: exchanges(events, seen, spec.filters), spec, filter: filter, secretNames)
    }

    /// The exchanges that a spec asks for, in the order in which they were made.
    /// - Parameter traffic: what a recording has seen, which has whole bodies; nil for none.
    private func exchanges(
        _ events: [ServeEvent], _ traffic: RecordedTraffic?, _ filters: RecordSpec.Filters
    ) -> [RecordedExchange] {
        var exchanges = traffic?.exchanges ?? [:]
        for event in events where event.proxied != nil || filters.allowsNonProxied {
            if exchanges[event.sequence] == nil { exchanges[event.sequence] = RecordedExchange(event) }
        }
        let chosen = filters.ids.map { Set($0.compactMap(eventIDs.sequence)) }
        return exchanges.filter { chosen?.contains($0.key) ?? true }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The stubs without those that cannot be served, which are told among the remarks: one of them would cost all others.
    package func servable(_ stubs: RecordedStubs) -> RecordedStubs {
        stubs.keeping { stub in
            switch compile(stub) {
            case .success: nil
            case .failure(.unserved(_, let problems)): problems.first?.message ?? "it cannot be served"
            case .failure(let refusal): "\(refusal)"
            }
        }
    }

    /// Writes the body files of recorded stubs, and adds the stubs. Must not be called on a loop. A body whose file has no
    /// place stays in its stub.
    /// - Returns: what was added, with a remark for what is not as it was meant.
    /// - Throws: why the bodies, or the stubs, could not be stored.
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

    /// Adds stubs so that the exchange that was made first is tried first.
    private func add(_ stubs: RecordedStubs) throws(StubRefusal) {
        if !stubs.mappings.isEmpty { try importStubs(StubImport(mappings: stubs.mappings.reversed())) }
    }

    /// Removes the stub that led to the recorded server. Must not be called on a loop.
    package func removeProxy(of recording: SessionRecorder.Recording) throws(StubRefusal) {
        if let id = recording.proxyStub { _ = try remove(id) }
    }
}
