import SDCommand
import SDHTTPTransport
import SDMockEngine
import SDPlatform
import SDRecording
import SDServing
import Synchronization

/// `stuntdouble record`: sends requests on to a server until it is told to stop, and then writes what passed as stubs.
final class RecordCommand: Sendable {
    private let options: RecordOptions
    private let output = StandardOutput()
    private let log: Log
    private let service: MockService
    private let stops = Atomic(0)

    /// Runs the command.
    /// - Returns: the exit status: 1 if it could not begin, or something could not be written.
    static func run(_ options: RecordOptions, startedAt: MonotonicInstant) -> Int32 {
        let command = RecordCommand(options, startedAt: startedAt)
        let status = command.run()
        command.output.flush()
        command.log.flush()
        return status
    }

    private init(_ options: RecordOptions, startedAt: MonotonicInstant) {
        self.options = options
        log = Log(format: .text, threshold: options.serve.verbose ? .debug : .warning)
        service = MockService(options.serve, template: nil, log: log, startedAt: startedAt)
    }

    private func run() -> Int32 {
        for notice in options.notices { log.warning(notice) }
        SystemCalls.ignoreBrokenPipes()
        SystemCalls.raiseDescriptorLimit()
        do throws(SystemError) {
            try SystemCalls.makeFolders(options.serve.root.path)
        } catch {
            log.error("cannot make the folder \(options.serve.root.path): \(error.reason)")
            return 1
        }
        // Stubs that are there answer only if nothing else is to be recorded.
        if options.onlyUnmatched, (try? service.load()) == nil { return 1 }
        // A spec without filters is never refused, and one without a target adds no stub.
        _ = try? service.session.startRecording(RecordSpec(), kept: { [self] in tell($0) })
        do throws(TransportError) {
            let server = try service.makeServer()
            let listeners = try service.listen(server)
            try handleSignals()
            let urls = listeners.flatMap(\.urls).joined(separator: " and ")
            output.print(
                "Recording \(options.target) at \(urls); Ctrl-C ends it and writes \(options.serve.root.path)\n")
            try server.run()
            service.stopWatching()
        } catch {
            log.error(error.description)
            return 1
        }
        return write()
    }

    private func handleSignals() throws(TransportError) {
        do throws(SystemError) {
            try SystemCalls.handleSignals(Signals.stop) { [self] _ in
                try? SystemThread(name: "stop") { [service] in service.stop("signal received") }.detach()
            }
        } catch {
            log.warning("cannot handle signals: \(error)")
        }
    }

    /// Prints a line for an exchange, without what may be secret.
    private func tell(_ exchange: RecordedExchange) {
        let names = SecretNames(options.redacted)
        let shown = RedactedExchanges([exchange], names).exchanges[0]
        let type = shown.responseHeaders.first { $0.name.lowercased() == "content-type" }?.value ?? "no type"
        let time = exchange.duration / 1_000_000
        let end = exchange.isBroken ? "broke off, and is not kept" : "\(exchange.responseBody.count) bytes, \(time) ms"
        output.print("\(shown.method) \(shown.target) → \(shown.status) \(type), \(end)\n")
    }

    // MARK: Writing

    private func write() -> Int32 {
        guard let recording = service.session.endRecording() else { return 1 }
        let whole = recording.traffic.exchanges.sorted { $0.key < $1.key }.map(\.value)
        let exchanges = whole.filter { !$0.isBroken && $0.missingBytes == 0 && $0.missingRequestBytes == 0 }
        if exchanges.count < whole.count {
            log.warning("\(whole.count - exchanges.count) exchanges are not kept: they were not whole")
        }
        guard !exchanges.isEmpty else {
            output.print("Nothing was recorded\n")
            return 0
        }
        let names = SecretNames(options.redacted)
        let redacted = RedactedExchanges(exchanges, names)
        let folder = RecordedFolder(path: options.serve.root.path, target: options.target)
        let report: RecordedFolder.Report
        switch options.format {
        case .yaml:
            var routes = RecordedRoutes.Options()
            routes.keepsTiming = options.keepsTiming
            routes.folder = folder.name
            report = folder.write(RecordedRoutes(of: redacted.exchanges, names, routes))
        case .wiremock:
            report = folder.write(RecordedMappings(of: redacted.exchanges, names, keepsTiming: options.keepsTiming))
        }
        for line in report.lines { output.print(line + "\n") }
        if redacted.count > 0 {
            output.print("\(redacted.count) secrets became \(RedactedExchanges.placeholder)\n")
        }
        for problem in report.problems { log.error(problem) }
        return report.problems.isEmpty ? 0 : 1
    }
}
