import SDCapture
import SDCommand
import SDFolders
import SDHTTPMessages
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDRecording
import SDStubModel
import Synchronization

/// WireMock's `--record-mappings`.
extension MockService {
    /// Writes a stub with its body for each new proxied request. These stubs are not served.
    func recordMappings() {
        struct Seen {
            var requests: Set<RequestPattern> = []
            var variants = RecordedVariants()
            var names: Set<String> = []
            var secrets: ExchangeSecrets
        }
        let seen = Mutex(Seen(secrets: ExchangeSecrets(session.secretNames)))
        let headers = options.matchedHeaders
        session.recordAll { [session, log, unwritten, weak self] tape in
            unwritten.change { $0 += 1 }
            session.bodyWork.add { [weak self] in
                defer { unwritten.change { $0 -= 1 } }
                guard let exchange = tape.exchange else { return }
                guard !exchange.isBroken, exchange.missingBytes == 0 else {
                    let target = session.redaction.redactedURL(exchange.target)
                    log.warning("\(exchange.method) \(target) is not recorded: its answer is not whole")
                    return
                }
                let recorded = seen.withLock { seen -> RecordedMapping? in
                    let safe = seen.secrets.withoutSecrets(exchange)
                    let pattern = RecordedMapping.pattern(of: safe, matching: headers, &seen.variants)
                    guard seen.requests.insert(pattern).inserted else { return nil }
                    return RecordedMapping(safe, pattern, &seen.names)
                }
                if let recorded { self?.write(recorded) }
            }
        }
    }

    /// Waits until recorded exchanges are written (as long as for responses, at least a second), and logs what is not.
    /// Called when no exchange is in progress any more.
    func finishRecording() {
        if unwritten.wait(milliseconds: 1_000, until: { $0 == 0 }) { return }
        let rest = Int64(options.drainTimeout.milliseconds) - 1_000
        if rest > 0 {
            log.info("ending: writing what --record-mappings has seen")
            if unwritten.wait(milliseconds: rest, until: { $0 == 0 }) { return }
        }
        let count = unwritten.change { $0 }
        log.warning(
            "\(count == 1 ? "an exchange" : "\(count) exchanges") that --record-mappings has seen could not be written in time: "
                + "a longer --drain-timeout gives it more")
    }

    private func write(_ recorded: RecordedMapping) {
        let name = recorded.fileName
        if let file = recorded.bodyFile {
            do throws(BodyFileRefusal) {
                try session.bodies.write(file.name, file.bytes)
            } catch {
                return log.error("cannot write \(file.name): \(error.reason)")
            }
        }
        do throws(SystemError) {
            try saveUnserved(name, recorded.stub.json(view: .file).prettyBytes + Array("\n".utf8))
            log.info("recorded \(name)")
        } catch {
            log.error("cannot write \(name): \(error)")
        }
    }
}
