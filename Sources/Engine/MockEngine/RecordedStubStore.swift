import SDCapture
import SDStubModel
import SDStubs

/// The stub files as a recording writes them: with secrets redacted.
struct RecordedStubStore: StubStore {
    let store: any StubStore
    let recordings: SessionRecorder

    func write(_ stub: StubMapping, file: String?, companions: [StubMapping]) throws(StubStoreError) -> String {
        try store.write(recordings.written(stub), file: file, companions: companions.map(recordings.written))
    }

    func plannedWrite(
        _ stub: StubMapping, file: String?, companions: [StubMapping]
    ) throws(StubStoreError) -> PlannedWrite {
        try store.plannedWrite(
            recordings.written(stub), file: file, companions: companions.map(recordings.written))
    }

    func tryWriting(_ file: String, _ bytes: [UInt8]) throws(StubStoreError) { try store.tryWriting(file, bytes) }

    func text(of file: String) -> String? { store.text(of: file) }

    func remove(_ file: String) throws(StubStoreError) { try store.remove(file) }

    func flush(_ files: [String]) throws(StubStoreError) { try store.flush(files) }
}
