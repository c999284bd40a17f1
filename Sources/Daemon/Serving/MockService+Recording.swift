import SDCommand
import SDFolders
import SDHTTPMessages
import SDJSON
import SDMockEngine
import SDPlatform
import SDRecording
import SDStubModel
import Synchronization

/// WireMock's `--record-mappings`.
extension MockService {
    /// Writes a stub and its body for each new request that is sent on, as it passes. The stubs are not served.
    func recordMappings() {
        let seen = Mutex<Set<RequestPattern>>([])
        let headers = options.matchedHeaders
        session.recordAll { [session, log, weak self] exchange in
            guard !exchange.isBroken, exchange.missingBytes == 0 else {
                log.warning("\(exchange.method) \(exchange.target) is not recorded: its answer is not whole")
                return
            }
            session.bodyWork.add { [weak self] in
                let recorded = RecordedMapping(exchange, matching: headers)
                guard seen.withLock({ $0.insert(recorded.stub.request).inserted }) else { return }
                self?.write(recorded)
            }
        }
    }

    private func write(_ recorded: RecordedMapping) {
        let name = recorded.fileName
        do throws(BodyFileRefusal) {
            try session.bodies.write(recorded.bodyFile.name, recorded.bodyFile.bytes)
        } catch {
            log.error("cannot write \(recorded.bodyFile.name): \(error.reason)")
            return
        }
        do throws(SystemError) {
            try saveUnserved(name, recorded.stub.json(view: .file).prettyBytes + Array("\n".utf8))
            log.info("recorded \(name)")
        } catch {
            log.error("cannot write \(name): \(error)")
        }
    }
}
