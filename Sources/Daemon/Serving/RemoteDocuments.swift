import SDBasics
package import SDCommand
import SDJSON
package import SDOpenAPI
import SDPlatform
import SDStubFiles
import SDStubModel
import SDUpstream
import Synchronization

/// The documents of URLs to which OpenAPI documents of files refer: `--openapi-remote`. A document is read when its
/// reference is, never for a request, under the rules for all calls to other servers. If it cannot be read again, the
/// last content stays.
package final class RemoteDocuments: Sendable {
    /// The limits for one reading of the folder.
    struct Limits: Sendable {
        /// The maximum number of documents.
        var documents = 100
        /// The maximum size in bytes, of one and of all.
        var bytes = 64 << 20
        var bytesOfOne = 8 << 20
        /// The time limits in milliseconds, of one and of all.
        var milliseconds = 30_000
        var millisecondsOfOne = 10_000
    }

    private struct Known {
        /// The last content; nil if it was never read.
        var json: JSONValue?
        /// The problem of the last reading; nil if it succeeded.
        var problem: ModelProblem?
    }

    private struct Kept {
        var known: [String: Known] = [:]
        /// Whether documents are being refreshed; callers that can do without do not wait.
        var isRenewing = false
        /// The documents refreshed this time.
        var renewed: Set<String> = []
        // The use of this reading of the folder.
        var documents = 0
        var bytes = 0
        var milliseconds = 0
    }

    /// The maximum number of documents kept for a failed refresh.
    private static let maxKept = 1_000

    private let upstream: Upstream
    private let limits: Limits
    private let kept = Mutex(Kept())
    /// Allows one call at a time, only on threads that read the folder. Under it: `kept`, a `DocumentFetch`, and the locks
    /// of a call to another server.
    private let fetching = Mutex(())

    /// - Returns: nil if references to URLs are off.
    package convenience init?(_ options: ServeOptions) {
        guard options.readsRemoteDocuments else { return nil }
        self.init(UpstreamSettings(options))
    }

    init(_ settings: UpstreamSettings, _ limits: Limits = Limits()) {
        // Without client certificates: those are for the servers that stubs name.
        upstream = Upstream(settings)
        self.limits = limits
    }

    /// Starts another reading of the folder, with new limits.
    func beginReading() {
        kept.withLock { ($0.documents, $0.bytes, $0.milliseconds) = (0, 0, 0) }
    }

    /// Allows refreshes by `renewed` until `read` returns.
    func renew(_ read: () -> Void) {
        beginReading()
        kept.withLock { ($0.isRenewing, $0.renewed) = (true, []) }
        read()
        kept.withLock { $0.isRenewing = false }
    }

    /// The last content of a URL's document; read now if it never was. Must not be called on a loop.
    package func document(_ url: String) -> RemoteDocument {
        if let known = known(url) { return known }
        return fetching.withLock { _ in
            if let known = known(url) { return known }
            return read(url)
        }
    }

    /// A URL's document, read now. Must not be called on a loop.
    func renewed(_ url: String) -> RemoteDocument {
        fetching.withLock { _ in
            let isNew = kept.withLock { $0.renewed.insert(url).inserted }
            return isNew ? read(url) : Self.document(kept.withLock { $0.known[url] })
        }
    }

    private func known(_ url: String) -> RemoteDocument? {
        kept.withLock { kept in
            guard kept.known[url] != nil || kept.isRenewing else { return nil }
            return Self.document(kept.known[url])
        }
    }

    private static func document(_ known: Known?) -> RemoteDocument {
        guard let known else {
            return .failed(ModelProblem(pointer: .root, message: "it is still being read"))
        }
        guard let problem = known.problem else { return .read(known.json ?? .null) }
        return known.json.map { .kept($0, because: problem) } ?? .failed(problem)
    }

    private func read(_ url: String) -> RemoteDocument {
        let result = fetched(url)
        return kept.withLock { kept in
            if kept.known.count >= Self.maxKept { kept.known = kept.known.filter { kept.renewed.contains($0.key) } }
            switch result {
            case .success(let json): kept.known[url] = Known(json: json)
            case .failure(let problem): kept.known[url, default: Known()].problem = problem
            }
            return Self.document(kept.known[url])
        }
    }

    private func fetched(_ url: String) -> Result<JSONValue, ModelProblem> {
        func refuse(_ message: String, _ expected: String?) -> Result<JSONValue, ModelProblem> {
            .failure(ModelProblem(pointer: .root, message: message, expected: expected))
        }
        let taken = kept.withLock { (documents: $0.documents, bytes: $0.bytes, milliseconds: $0.milliseconds) }
        guard url == url.withoutUser else {
            return refuse("nothing is read with a user or password", "a URL without them")
        }
        guard taken.documents < limits.documents else {
            return refuse("too many documents of URLs", "at most \(limits.documents)")
        }
        let left = (bytes: limits.bytes - taken.bytes, time: limits.milliseconds - taken.milliseconds)
        guard left.bytes > 0 else {
            return refuse("the documents before it are too large", "at most \(limits.bytes >> 20) MiB of all")
        }
        guard left.time > 0 else {
            return refuse("the documents before it took too long", "at most \(limits.milliseconds / 1_000) s for all")
        }
        let begin = SystemCalls.monotonicMilliseconds()
        let answer = DocumentFetch(
            url, most: min(left.bytes, limits.bytesOfOne), milliseconds: min(left.time, limits.millisecondsOfOne)
        ).run(upstream)
        let size = (try? answer.get())?.count ?? 0
        kept.withLock { kept in
            kept.documents += 1
            kept.bytes += size
            kept.milliseconds += Int(SystemCalls.monotonicMilliseconds() - begin)
        }
        switch answer {
        case .success(let bytes): return NeighbourFiles.document(bytes, url: url)
        case .failure(let refusal): return refuse(refusal.message, refusal.expected)
        }
    }
}
