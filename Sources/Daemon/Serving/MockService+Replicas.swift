package import SDAdminAPI
import SDBasics
import SDCommand
package import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDPlatform
import SDRedis
import SDReplicas
import SDStubModel
import Synchronization

/// The service as one of several that are one mock server (`--shared`).
extension MockService {
    package var replicas: (any ReplicaControl)? { together.withLock { $0 } }

    /// Makes ready what the options say; the connection is made by `start`.
    func joinReplicas(_ sessions: SessionRegistry) {
        guard let text = options.shared, let address = try? RedisAddress(text) else { return }
        let startedAt = SystemCalls.wallClockMilliseconds() - Int64(uptimeMilliseconds)
        let identity = Replicas.Identity(
            name: options.sharedName ?? "default", version: Manual.version, startedAt: startedAt)
        let replicas = Replicas(
            identity, at: address, settings: RedisSettings(), sessions: sessions,
            replication: replication
        ) { [log] tale in
            switch tale {
            case .info(let text): log.info(text)
            case .warning(let text): log.repeated(.warning, cause: text, text)
            case .error(let text): log.error(text)
            }
        }
        together.withLock { $0 = replicas }
    }

    /// Begins to take part, once the server listens.
    package func startReplicas(_ server: Server) {
        guard let replicas = together.withLock({ $0 }) else { return }
        replicas.start(on: server.loop(), at: listeningAt, fingerprint: fingerprint)
    }

    /// Waits until all that the others have changed is known here, or says that it is not.
    package func waitForReplicas(milliseconds: Int64) {
        guard let replicas = together.withLock({ $0 }), !replicas.waitUntilReady(milliseconds: milliseconds) else {
            return
        }
        let problem = replicas.overview.problem.map { ": \($0)" } ?? ""
        log.warning("serving without the other replicas\(problem)")
    }

    /// Tells whether two folders have the same stubs.
    private var fingerprint: String {
        let texts = session.stubs.map { $0.json(view: .api).compactText }.sorted()
        return StubMapping.id(hashing: texts.joined(separator: "\n")).lowercasedString
    }
}
