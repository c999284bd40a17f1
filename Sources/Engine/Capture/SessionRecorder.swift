import SDJournal
package import SDMatching
package import SDOutgoingCalls
import SDPlatform
package import SDStubModel
import Synchronization

/// The recording of a session: its state, and the recorded traffic.
package final class SessionRecorder: Sendable {
    /// WireMock's states of a recording.
    package enum Status: String, Sendable {
        case neverStarted = "NeverStarted"
        case recording = "Recording"
        case stopped = "Stopped"
    }

    /// A recording in progress.
    package struct Recording: Sendable {
        package let spec: RecordSpec
        package let filter: CompiledPattern
        package let traffic: RecordedTraffic
        /// The id of the stub that proxies to the recorded server; nil if other stubs do.
        package let proxyStub: StubMapping.ID?
        /// The sequence number of the last event before it.
        package let start: UInt64

        package init(
            spec: RecordSpec, filter: CompiledPattern, traffic: RecordedTraffic, proxyStub: StubMapping.ID?,
            start: UInt64
        ) {
            self.spec = spec
            self.filter = filter
            self.traffic = traffic
            self.proxyStub = proxyStub
            self.start = start
        }
    }

    private struct State {
        var status = Status.neverStarted
        var recording: Recording?
        /// Records all exchanges, independently of recordings.
        var lasting: RecordedTraffic?
        /// Stubs with secrets, and their redacted versions.
        var saved: [StubMapping.ID: (stub: StubMapping, safe: StubMapping)] = [:]
    }

    private let state = Mutex(State())
    /// Whether anything is recorded: usually not, and each proxied request checks. Written under the lock.
    private let isRecording = Atomic(false)

    package init() {}

    /// The recorder of exchanges; nil if nothing is recorded.
    package var recorder: (any ExchangeRecorder)? {
        guard isRecording.load(ordering: .acquiring) else { return nil }
        return switch state.withLock({ ($0.recording?.traffic, $0.lasting) }) {
        case (nil, nil): nil
        case (let one?, nil), (nil, let one?): one
        case (let one?, let other?): RecorderPair(one, other)
        }
    }

    /// Records all exchanges from now on.
    package func recordAll(_ traffic: RecordedTraffic) {
        change { $0.lasting = traffic }
    }

    package var status: Status { state.withLock { $0.status } }

    /// The recording in progress; nil for none.
    package var current: Recording? { state.withLock { $0.recording } }

    /// The traffic of the recording; nil for none.
    package var traffic: RecordedTraffic? { state.withLock { $0.recording?.traffic } }

    /// Changes what is recorded.
    private func change<Result: Sendable>(_ work: (inout State) -> Result) -> Result {
        state.withLock { state in
            let result = work(&state)
            isRecording.store(state.recording != nil || state.lasting != nil, ordering: .releasing)
            return result
        }
    }

    /// Starts a recording.
    /// - Returns: false if one is in progress, which continues.
    package func begin(_ recording: Recording) -> Bool {
        change { state in
            guard state.recording == nil else { return false }
            state.status = .recording
            state.recording = recording
            return true
        }
    }

    /// Sets the status after a recording that another replica has made.
    package func noteStopped() {
        change { if $0.status == .neverStarted { $0.status = .stopped } }
    }

    /// Ends the recording; nil if there is none.
    package func end() -> Recording? {
        change { state in
            guard let recording = state.recording.take() else { return nil }
            state.status = .stopped
            return recording
        }
    }

    /// Stores the redacted versions of stubs with secrets.
    /// - Parameter saved: the redacted version of each stub that has secrets.
    package func note(_ stubs: [StubMapping], saved: [StubMapping.ID: StubMapping]) {
        state.withLock { state in
            for stub in stubs { state.saved[stub.id] = saved[stub.id].map { (stub, $0) } }
        }
    }

    /// The stub for its file: without secrets, if it is unchanged since its recording.
    package func written(_ stub: StubMapping) -> StubMapping {
        guard let form = state.withLock({ $0.saved[stub.id] }) else { return stub }
        guard form.stub.request == stub.request, form.stub.response == stub.response else { return stub }
        var safe = stub
        (safe.request, safe.response) = (form.safe.request, form.safe.response)
        if stub.name == form.stub.name { safe.name = form.safe.name }
        if stub.scenarioName == form.stub.scenarioName {
            safe.scenarioName = form.safe.scenarioName
            safe.requiredScenarioState = form.safe.requiredScenarioState
            safe.newScenarioState = form.safe.newScenarioState
        }
        return safe
    }
}
