import SDHTTPMessages
import SDJournal
package import SDMatching
import SDPlatform
package import SDRecording
package import SDStubModel
import SDStubs
import Synchronization

/// Recordings: exchanges with other servers become stubs of the session.
extension Session {
    package var recordingStatus: SessionRecorder.Status { recordings.status }

    /// Begins a recording, unless there is one.
    /// - Parameter kept: is told of each exchange, on the loop of its request.
    /// - Returns: the stub that leads to the recorded server, to be added; nil if there is none.
    /// - Throws: what is wrong with the filters' pattern.
    package func startRecording(
        _ spec: RecordSpec, kept: (@Sendable (RecordedExchange) -> Void)? = nil
    ) throws(StubRefusal) -> StubMapping? {
        let filter = try compile(spec.filters.pattern)
        let proxy = spec.targetBaseUrl.map { target in
            var stub = StubMapping()
            stub.response.proxyBaseUrl = target
            return stub
        }
        let recording = SessionRecorder.Recording(
            spec: spec, filter: filter, traffic: RecordedTraffic(shared.memory, kept: kept), proxyStub: proxy?.id,
            start: state.withLock { $0.served })
        return recordings.begin(recording) ? proxy : nil
    }

    /// Tells of each exchange with another server from now on, whether there is a recording or not.
    /// - Parameter kept: is called on the loop of the request.
    package func recordAll(_ kept: @escaping @Sendable (RecordedExchange) -> Void) {
        recordings.recordAll(RecordedTraffic(shared.memory, keepsAll: false, kept: kept))
    }

    /// Ends the recording; nil if there is none. Its stub for the recorded server is still there.
    package func endRecording() -> SessionRecorder.Recording? { recordings.end() }

    /// The stubs of what was recorded since its begin. Takes time.
    package func stubs(of recording: SessionRecorder.Recording) -> RecordedStubs {
        RecordedStubs(of: exchanges(of: recording), recording.spec, filter: recording.filter)
    }

    /// What was recorded since its begin, in order.
    package func exchanges(of recording: SessionRecorder.Recording) -> [RecordedExchange] {
        let events = withJournal { $0.newestFirst() }.filter { $0.sequence > recording.start }
        return SessionRecorder.exchanges(events, recording.traffic, recording.spec.filters, eventIDs)
    }

    /// The stubs of what is in the journal. Takes time.
    /// - Throws: what is wrong with the filters' pattern.
    package func stubs(ofJournal spec: RecordSpec) throws(StubRefusal) -> RecordedStubs {
        let filter = try compile(spec.filters.pattern)
        let events = withJournal { $0.newestFirst() }
        let seen = recordings.traffic
        return RecordedStubs(
            of: SessionRecorder.exchanges(events, seen, spec.filters, eventIDs), spec, filter: filter)
    }

    /// Writes the body files of recorded stubs, and adds the stubs. Must not be called on a loop.
    /// - Throws: why the bodies, or the stubs, could not be stored.
    package func keep(_ stubs: RecordedStubs) throws(StubRefusal) {
        for file in stubs.bodyFiles {
            do throws(BodyFileRefusal) {
                try bodies.write(file.name, file.bytes)
            } catch {
                throw .notStored("\(file.name): \(error.reason)")
            }
        }
        if stubs.mappings.isEmpty { return }
        // The exchange that was made first is tried first.
        try perform(.importAll(StubImport(mappings: stubs.mappings.reversed())))
    }

    /// Removes the stub that led to the recorded server. Must not be called on a loop.
    package func removeProxy(of recording: SessionRecorder.Recording) throws(StubRefusal) {
        if let id = recording.proxyStub { try perform(.remove(id)) }
    }
}
