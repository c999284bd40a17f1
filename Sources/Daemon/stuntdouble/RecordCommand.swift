import SDBasics
import SDCapture
import SDCommand
import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDPlatform
import SDRecording
import SDSecrets
import SDServing
import Synchronization

/// `stuntdouble record`: proxies requests to a server until stopped, then writes the exchanges as stubs.
final class RecordCommand: Sendable {
    private let options: RecordOptions
    private let output = StandardOutput()
    private let log: Log
    private let service: MockService
    /// The ended exchanges that are not printed yet, and the known secrets, under one lock.
    private let untold = Mutex<[ExchangeCapture]>([])
    /// The order of the printed lines. Under it: `untold`, and the lock of an exchange.
    private let telling: Mutex<ExchangeSecrets>
    private let lines = WorkQueue(name: "lines")
    /// The names of secrets, from the command line and the folder's files.
    private let names: SecretNames

    /// Runs the command.
    /// - Returns: the exit status: 1 if it could not start, or a write failed.
    static func run(_ options: RecordOptions, startedAt: MonotonicInstant) -> Int32 {
        if let invalid = options.serve.invalidValue { return PrintedCommands.report(invalid) }
        let command = RecordCommand(options, startedAt: startedAt)
        let status = command.run()
        command.output.flush()
        command.log.flush()
        return status
    }

    private init(_ options: RecordOptions, startedAt: MonotonicInstant) {
        self.options = options
        let names = SecretNames(options.redacted + redactedNames(in: options.serve.root))
        self.names = names
        telling = Mutex(ExchangeSecrets(names))
        log = Log(format: Console.wantsJSON ? .json : .text, threshold: options.serve.verbose ? .debug : .warning)
        var serve = options.serve
        // Recorded requests are real and have real secrets, so reports, exports and events are redacted too.
        (serve.redacts, serve.redactedNames) = (true, serve.redactedNames + options.redacted)
        service = MockService(serve, template: nil, log: log, startedAt: startedAt)
    }

    private func run() -> Int32 {
        SystemCalls.ignoreBrokenPipes()
        SystemCalls.ignoreFileSizeSignals()
        SystemCalls.raiseDescriptorLimit()
        do throws(SystemError) {
            try SystemCalls.makeFolders(options.serve.root.path)
        } catch {
            log.error(
                "cannot make the folder \(options.serve.root.path): \(error.reason)",
                parts: [LogField("fix", .string(RecordedFolder.Report.fix))])
            return 1
        }
        // Existing stubs answer only with `--only-unmatched`.
        do throws(MockService.StartFailure) {
            if options.onlyUnmatched { _ = try service.load() } else { try service.showCertificate() }
        } catch {
            return 1
        }
        // A spec without filters is always accepted, and without a target it adds no stub.
        _ = try? service.session.startRecording(RecordSpec(), kept: { [self] in reportLater($0) })
        do throws(TransportError) {
            let server = try service.makeServer()
            let listeners = try service.listen(server)
            try handleSignals()
            let urls = listeners.flatMap(\.urls)
            say(
                [
                    "event": "ready", "target": .string(options.target.withoutUser),
                    "folder": .string(options.serve.root.path),
                    "port": listeners.first.map { .number(JSONNumber($0.port)) } ?? .null,
                    "urls": .array(urls.map { .string($0) }),
                ],
                else:
                    "Recording \(options.target.withoutUser) at \(urls.joined(separator: " and ")); Ctrl-C ends it and writes "
                    + options.serve.root.path)
            try server.run()
            service.stopWatching()
        } catch {
            let fix = error.isAddressInUse ? "--port 0 takes a free port" : "stuntdouble doctor"
            log.error(error.description, parts: [LogField("fix", .string(fix))])
            return 1
        }
        return write()
    }

    /// Prints a line; with `--json`, a document.
    private func say(_ document: @autoclosure () -> JSONValue, else text: @autoclosure () -> String) {
        output.print((Console.wantsJSON ? Printable.json(document().compactText) : Printable.lines(text())) + "\n")
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

    private func reportLater(_ tape: ExchangeCapture) {
        untold.withLock { $0.append(tape) }
        lines.add { [self] in reportAll() }
    }

    /// Prints the lines of all ended exchanges, in order.
    private func reportAll() {
        telling.withLock { secrets in
            for tape in untold.withLock({ tapes in
                defer { tapes = [] }
                return tapes
            }) { report(tape, &secrets) }
        }
    }

    /// Prints an exchange's line, from its head, without the secrets that it or an earlier exchange revealed.
    private func report(_ tape: ExchangeCapture, _ secrets: inout ExchangeSecrets) {
        guard let (exchange, bytes) = tape.outline else { return }
        secrets.learn(tape.exchange ?? exchange)
        let target = secrets.shown(exchange.target)
        let type = exchange.responseHeaders.first { $0.name.lowercased() == "content-type" }.map {
            secrets.shown($0.value)
        }
        let shownType = type ?? "no type"
        let time = exchange.duration / 1_000_000
        let loss = "\(exchange.failure ?? "broke off"), and is not kept"
        let end = exchange.isBroken ? loss : "\(bytes) bytes, \(time) ms"
        say(
            [
                "event": "exchange", "method": .string(exchange.method), "url": .string(target),
                "status": .number(JSONNumber(exchange.status)), "contentType": .string(shownType),
                "bytes": .number(JSONNumber(bytes)),
                "milliseconds": .number(JSONNumber(Int(time))), "isWhole": .bool(!exchange.isBroken),
            ],
            else: "\(exchange.method) \(target) → \(exchange.status) \(shownType), \(end)")
    }

    // MARK: Writing

    private func write() -> Int32 {
        reportAll()
        guard let recording = service.session.endRecording() else { return 1 }
        let all = recording.traffic.exchanges.sorted { $0.key < $1.key }.map(\.value)
        let exchanges = all.filter { !$0.isBroken && $0.missingBytes == 0 }
        if exchanges.count < all.count {
            log.warning("not kept, as not whole: \((all.count - exchanges.count).of("exchange"))")
        }
        if let warning = recording.traffic.warning { log.warning(warning) }
        guard !exchanges.isEmpty else {
            say(written([], exchanges: 0, secrets: 0), else: "Nothing was recorded")
            return 0
        }
        let writer = RecordedWriter(
            folder: options.serve.root.path, format: options.format, names: names,
            keepsTiming: options.keepsTiming)
        let result = writer.write(exchanges) { _ in options.target }
        say(
            written(result.report.changes, exchanges: exchanges.count, secrets: result.secrets),
            else: result.texts.joined(separator: "\n"))
        for problem in result.report.problems {
            log.error(problem, parts: [LogField("fix", .string(RecordedFolder.Report.fix))])
        }
        return result.report.problems.isEmpty ? 0 : 1
    }

    private func written(_ changes: [RecordedFolder.Change], exchanges: Int, secrets: Int) -> JSONValue {
        [
            "event": "written", "folder": .string(options.serve.root.path), "exchanges": .number(JSONNumber(exchanges)),
            "secrets": .number(JSONNumber(secrets)), "files": .array(changes.map(\.json)),
        ]
    }
}
