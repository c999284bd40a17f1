import SDCapture
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDRecording
import SDStubModel

/// Recordings on several replicas: each records what it proxies, and the one that is asked makes the stubs, which all
/// get.
extension AdminCall {
    /// What the others have recorded, and headers for the answer; or the error.
    typealias Heard = Result<(others: RecordedElsewhere, headers: [(name: String, value: String)]), ReplicaProblem>

    /// Gets all requests, and the others' recordings.
    func hearOfRecordings(_ replicas: any ReplicaControl, then: @escaping @Sendable (Heard) -> Void) {
        var question = ReplicatedCall(self, needsJournal: false)
        (question.method, question.url, question.body) = ("GET", "/__admin/recordings/preview", [])
        question.takesLong = true
        replicas.gather([session]) { [session, question] result in
            switch result {
            case .failure(let problem): then(.failure(problem))
            case .success(let silent):
                let headers = Self.missing(silent)
                // The others record if this replica does.
                guard session.currentRecording != nil else { return then(.success((RecordedElsewhere(), headers))) }
                replicas.ask(question) { result in
                    then(result.map { (RecordedElsewhere($0), headers) })
                }
            }
        }
    }

    /// This replica's recording, for another one.
    func ownRecording() -> AdminAnswer {
        guard let recording = session.currentRecording else { return .now(.emptyObject) }
        return withBodyFiles { .told(recording) }
    }

    /// The maximum size of a change with recorded stubs in bytes, unless a single stub is larger.
    private static let maxBytes = 8 << 20

    /// Writes the body files of recorded stubs and adds the stubs, on all replicas. A body that cannot be written to a
    /// file stays in its stub.
    /// - Parameter then: receives what was added and headers for the answer, or the error.
    func keepEverywhere(
        _ stubs: RecordedStubs, _ replicas: any ReplicaControl,
        then: @escaping @Sendable (Result<RecordedStubs, Refused>, [(name: String, value: String)]) -> Void
    ) {
        putFiles(of: session.servable(stubs), from: 0) { [self] stubs in
            let documents = SharedStubs.documents(of: stubs, maxBytes: Self.maxBytes)
            keep(documents[...], Kept(), replicas) { refused, kept in
                if let refused { return then(.failure(Refused(response: refused)), kept.headers) }
                let stubs = stubs.keeping { kept.tooLarge.contains($0.id) ? Self.tooLarge : nil }
                then(.success(stubs), kept.headers)
            }
        }
    }

    private static let tooLarge = "it is too large for a change that replicas make together"

    /// The result of adding recorded stubs.
    private struct Kept {
        var headers: [(name: String, value: String)] = []
        /// The stubs that were left out.
        var tooLarge: Set<StubMapping.ID> = []
    }

    /// An error answer.
    struct Refused: Error {
        let response: PlainResponse
    }

    private func putFiles(
        of stubs: RecordedStubs, from index: Int, then: @escaping @Sendable (RecordedStubs) -> Void
    ) {
        guard index < stubs.bodyFiles.count else { return then(stubs) }
        let file = stubs.bodyFiles[index]
        var put = ReplicatedCall(self, needsJournal: false)
        (put.method, put.url, put.body) = ("PUT", "/__admin/files/\(Self.path(of: file.name))", file.bytes)
        put.fields.removeAll { ["content-type", "content-encoding"].contains($0.name) }
        ask(put) { [self] answer in
            var stubs = stubs
            if answer.status >= 300 {
                let reason = (try? JSONValue(parsing: answer.body))?["errors"]?.arrayValue?.first?["title"]?.stringValue
                stubs.putBack(
                    file, "\(file.name) is not written, and its stub has the body: \(reason ?? "\(answer.status)")")
            }
            putFiles(of: stubs, from: index + 1, then: then)
        }
    }

    private func keep(
        _ documents: ArraySlice<JSONValue>, _ kept: Kept, _ replicas: any ReplicaControl,
        then: @escaping @Sendable (PlainResponse?, Kept) -> Void
    ) {
        guard let document = documents.first else { return then(nil, kept) }
        let stubs: SharedStubs
        do throws(ModelProblems) {
            stubs = try SharedStubs(document)
        } catch {
            return then(AdminError(422, ErrorDocument(error)).response, kept)
        }
        var change = ReplicatedCall(self, needsJournal: false)
        (change.method, change.url) = ("POST", "/__admin/recordings/snapshot")
        change.fields = [("content-type", "application/json")]
        change.body = document.compactBytes
        // Saved stubs must not contain secrets.
        stubs.note(in: session)
        session.rehearse(stubs.change) { [self, change] refusal in
            if let refusal { return then(AdminError(refusal).response, kept) }
            replicas.make(change, nil) { own, _ in
                var kept = kept
                if own.status == 413 {
                    // A document of that size has a single stub; the others are not affected.
                    kept.tooLarge.formUnion(stubs.mappings.map(\.id))
                } else if own.status >= 300 {
                    return then(own, kept)
                } else if kept.headers.isEmpty {
                    kept.headers = own.headers.filter { $0.name == "X-StuntDouble-Silent-Replicas" }
                }
                keep(documents.dropFirst(), kept, replicas, then: then)
            }
        }
    }

    /// Adds stubs that this or another replica has made from a recording.
    func keepHere() throws(AdminError) -> AdminAnswer {
        let stubs = try read(SharedStubs.init)
        stubs.note(in: session)
        return change(stubs.change) { _ in .emptyObject }
    }

    private static func path(of file: String) -> String {
        file.split(separator: "/").map { URLEscaping.component(String($0)) }.joined(separator: "/")
    }

    /// Makes an internal call, and calls `then` with its answer.
    private func ask(_ call: ReplicatedCall, then: @escaping @Sendable (PlainResponse) -> Void) {
        let request = call.request
        switch answer(to: request, of: session) {
        case .now(let response): then(response)
        case .later(let answer): answer(DeferredReply(within: request, sessions.base.memory, then))
        }
    }
}

extension PlainResponse {
    /// A replica's recording, encoded for another one.
    static func told(_ recording: SessionRecorder.Recording) -> PlainResponse {
        PlainResponse(
            status: 200, headers: [("Content-Type", "application/json")],
            body: RecordedElsewhere.json(of: recording.traffic).compactBytes)
    }
}
