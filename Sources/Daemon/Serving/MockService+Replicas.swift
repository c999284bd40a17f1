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

/// The service as a replica (`--shared`).
extension MockService {
    package var replicas: (any ReplicaControl)? { together.withLock { $0 } }

    /// Prepares replication; `start` connects.
    func joinReplicas(_ sessions: SessionRegistry) {
        guard let text = options.shared, let address = try? RedisAddress(text) else { return }
        let startedAt = SystemCalls.wallClockMilliseconds() - Int64(uptimeMilliseconds)
        var identity = Replicas.Identity(
            name: options.sharedName, version: Manual.version, startedAt: startedAt)
        identity.options = StubMapping.id(hashing: options.ofReplicas).lowercasedString
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

    /// Joins the other replicas, once the server listens.
    package func startReplicas(_ server: Server) {
        guard let replicas = together.withLock({ $0 }) else { return }
        let known = Mutex<(reading: Int, fingerprint: String)?>(nil)
        let readAgain: @Sendable ([String: UInt64]) -> Void = { [loader] in loader.readAgain($0) }
        replicas.start(on: server.loop(), at: listeningAt, readAgain: readAgain) { [session, loader] in
            let reading = loader.readings.load(ordering: .relaxed)
            if let known = known.withLock({ $0 }), known.reading == reading { return known.fingerprint }
            // Identifies the folder's stubs, for comparison with other replicas.
            let texts = session.stubsOfFiles.map { $0.json(view: .api).compactText }.sorted()
            let fingerprint = StubMapping.id(hashing: texts.joined(separator: "\n")).lowercasedString
            known.withLock { $0 = (reading, fingerprint) }
            return fingerprint
        }
    }

    /// Waits until all changes of the other replicas are known here.
    /// - Returns: the reason for a failure; nil on success.
    package func waitForReplicas(milliseconds: Int64) -> String? {
        guard let replicas = together.withLock({ $0 }), !replicas.waitUntilReady(milliseconds: milliseconds) else {
            return nil
        }
        return replicas.overview.problem ?? "they did not tell in time what they have changed"
    }
}
