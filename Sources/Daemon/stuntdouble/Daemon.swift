import SDCommand
import SDFolders
import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDPlatform
import SDReportForms
import SDReports
import SDServing
import Synchronization

/// The serving process, from its options to its exit status: the service, the signals, the port file.
final class Daemon: Sendable {
    private let options: ServeOptions
    private let log: Log
    private let output = StandardOutput()
    private let service: MockService
    private let startedAt: MonotonicInstant
    private let portFile: OwnPortFile
    private let watchdog: Watchdog
    private let wasToldToStop = Atomic(false)
    private let holders: RunHolders?

    /// Serves until the daemon ends.
    /// - Parameter holders: the runs that use this daemon, which exits after the last one; nil for a daemon of its own.
    /// - Returns: the exit status: 0 after an orderly end, 1 if stubs are invalid, a port is taken, or a file or folder
    ///   cannot be created.
    static func serve(_ options: ServeOptions, startedAt: MonotonicInstant, holders: RunHolders? = nil) -> Int32 {
        if let invalid = options.invalidValue { return PrintedCommands.report(invalid) }
        do throws(StubFileTemplateProblem) {
            let template = try options.filenameTemplate.map(StubFileTemplate.init)
            let daemon = Daemon(options, template, startedAt: startedAt, holders: holders)
            let status = daemon.run()
            daemon.output.flush()
            daemon.log.flush()
            return status
        } catch {
            let option = CommandLineError.Source.option("--filename-template")
            return PrintedCommands.report(
                .invalidValue(option, found: options.filenameTemplate, expected: error.expected))
        }
    }

    private init(
        _ options: ServeOptions, _ template: StubFileTemplate?, startedAt: MonotonicInstant, holders: RunHolders?
    ) {
        self.options = options
        self.holders = holders
        self.startedAt = startedAt
        let log = Log(
            format: options.logFormat == .json ? .json : .text, threshold: options.verbose ? .debug : .info)
        let portFile = OwnPortFile()
        let watchdog = Watchdog {
            log.error("an event loop was blocked during shutdown; exiting after --drain-timeout")
            portFile.remove()
            log.flush()
        }
        (self.log, self.portFile, self.watchdog) = (log, portFile, watchdog)
        service = MockService(options, template: template, log: log, startedAt: startedAt) { drain in
            watchdog.expectEnd(within: drain)
            try? ServiceManager()?.stopping()
        }
    }

    private func run() -> Int32 {
        guard removeStalePortFile() else { return 1 }
        for notice in options.notices { log.warning(notice) }
        SystemCalls.ignoreBrokenPipes()
        SystemCalls.raiseDescriptorLimit()
        SystemCalls.boundFreeMemory(loops: options.workers)
        if let shortage = ServerLimits.descriptorShortage(options) { log.warning(shortage) }
        guard let contents = try? service.load() else {
            let problems = service.loader.problems.map(\.json)
            if !problems.isEmpty {
                holders?.refuse(JSONValue.object(["problems": .array(problems)]).compactText + "\n")
            }
            return 1
        }
        do throws(TransportError) {
            let server = try service.makeServer()
            let listeners = try service.listen(server)
            var report = ReadyReport(
                version: Manual.version, listeners: listeners, unixSocket: options.unixSocket,
                stubCount: service.session.stubCount + service.session.messageStubCount, folder: options.root.name,
                duration: startedAt.elapsed)
            report.adminPort = service.adminPort
            report.page = service.adminAt.first.map { "\($0)/__admin/ui/" }
            guard handleSignals() else { return 1 }
            defer { portFile.remove() }
            if service.replicas == nil {
                guard printReady(report) else { return 1 }
            } else {
                service.startReplicas(server)
                printReadyOnceTogether(report)
            }
            service.watch(contents, isAlone: true)
            watchParent()
            try server.run()
            watchdog.loopsHaveEnded()
            service.stopWatching()
            return 0
        } catch {
            let port = error.port ?? options.port
            var (cause, fix) = (nil as String?, "stuntdouble doctor")
            if error.isAddressInUse {
                fix = "\(port == options.adminPort ? "--admin-port" : "--port") 0 takes a free port"
                cause = (SystemCalls.listener(onPort: port).map { "it is in use by \($0); " } ?? "") + fix
            } else if error.isNotPermitted, port < 1_024 {
                cause =
                    "only root may listen on ports below 1024. Take a higher one, which `docker run -p \(port):PORT` maps to "
                    + "\(port), or allow it with the sysctl net.ipv4.ip_unprivileged_port_start=\(port), in a container with "
                    + "`docker run --sysctl`"
                fix = "--port 8080"
            }
            log.error(error.description + (cause.map { ": \($0)" } ?? ""), parts: [LogField("fix", .string(fix))])
            return 1
        }
    }

    // MARK: Starting

    private func printReady(_ report: ReadyReport) -> Bool {
        writePortFile(report) && (holders.map { tell($0, report) } ?? announce(report))
    }

    /// Reports readiness once the other replicas' changes have been received, or cannot be had. The loops run
    /// meanwhile.
    private func printReadyOnceTogether(_ report: ReadyReport) {
        WorkQueue(name: "replicas").add { [self] in
            var report = report
            report.isAlone = service.waitForReplicas(milliseconds: 10_000)
            report.duration = startedAt.elapsed
            if !printReady(report) { service.stop("the ready line cannot be written", isAwaited: false) }
        }
    }

    private static let otherPortFile = [LogField("fix", "give --port-file another file")]

    /// Removes a stale port file, so that it is not read as this daemon's if the start fails.
    private func removeStalePortFile() -> Bool {
        guard let path = options.portFile else { return true }
        do throws(SystemError) {
            try PortFile.removeStale(path)
            return true
        } catch {
            let isForeign = error.code == SystemCalls.fileExists
            let reason = isForeign ? "it exists and is not a port file of an earlier daemon" : error.reason
            log.error("cannot replace the port file \(path): \(reason)", parts: Self.otherPortFile)
            return false
        }
    }

    /// Removes a stale port file if the command line is invalid. The environment variable is ignored: it may name a
    /// running daemon's file.
    static func removeStalePortFile(namedIn arguments: [String]) {
        let option = "--port-file"
        for (index, argument) in arguments.enumerated() {
            if argument.hasPrefix(option + "=") {
                try? PortFile.removeStale(String(argument.dropFirst(option.count + 1)))
            } else if argument == option, arguments.indices.contains(index + 1) {
                try? PortFile.removeStale(arguments[index + 1])
            }
        }
    }

    /// Writes the port file. Returns false on failure, because a script may wait for the file.
    private func writePortFile(_ report: ReadyReport) -> Bool {
        guard let path = options.portFile else { return true }
        do throws(SystemError) {
            portFile.set(try PortFile(path: path, ports: report.ports))
            return true
        } catch {
            log.error("cannot write the port file \(path): \(error.reason)", parts: Self.otherPortFile)
            return false
        }
    }

    /// Reports that requests are answered from now on. The listeners are open, so earlier connections wait in the
    /// backlog. Warnings of the start are logged before.
    private func announce(_ report: ReadyReport) -> Bool {
        log.flush()
        output.print(report.line(options.logFormat == .json ? .json : .text))
        if options.verbose { for line in report.linesOfWireMock { log.info(line) } }
        if let page = report.page, options.logFormat == .text { log.info("to look at what comes: \(page)") }
        do throws(SystemError) {
            try ServiceManager()?.ready(status: "serving")
        } catch {
            log.warning("cannot notify the service manager: \(error)")
        }
        return true
    }

    /// Reports readiness to the runs that use this daemon, after the start's log lines. Returns false if that fails.
    private func tell(_ holders: RunHolders, _ report: ReadyReport) -> Bool {
        log.flush()
        do throws(SystemError) {
            try holders.start(report.line(.json)) { [log, service] in
                log.debug("the last run has ended")
                service.stop("the last run has ended", isAwaited: false)
            }
            return true
        } catch {
            log.error("cannot wait for the runs: \(error)")
            return false
        }
    }

    private func watchParent() {
        guard options.exitWithParent else { return }
        let watch = ParentWatch()
        switch watch {
        case .nobody: log.warning("--exit-with-parent watches \(watch)")
        default: log.info("--exit-with-parent watches \(watch)")
        }
        do throws(SystemError) {
            try watch.start { [log, service] in
                log.info("--exit-with-parent ends the daemon: \(watch.endDescription)")
                service.stop("the parent has exited", isAwaited: false)
            }
        } catch {
            log.warning("cannot watch the parent: \(error)")
        }
    }

    // MARK: Ending

    /// Starts to handle signals, on a thread that a blocked loop cannot delay. Returns false on failure.
    private func handleSignals() -> Bool {
        let hangUp = Signals.HangUp(reloads: options.reloadsOnHangUp)
        let reloads = ReloadRequests { [service] wait, work in
            service.after(milliseconds: Int64(wait.milliseconds), work)
        } read: { [service] began in
            service.reload(began)
        }
        let signals = hangUp == .nothing ? Signals.stop : Signals.stop + [Signals.hangUp]
        do throws(SystemError) {
            try SystemCalls.handleSignals(signals) { [self] signal in
                switch (signal, hangUp) {
                case (Signals.hangUp, .reload): reloads.ask()
                case (Signals.hangUp, _): stop("the terminal was closed")
                default: stop("signal received")
                }
            }
            return true
        } catch {
            log.error("cannot handle signals: \(error)")
            return false
        }
    }

    /// Stops the service on its own thread, since it may have to wait for a loop. A second call ends the process at
    /// once.
    private func stop(_ reason: String) {
        let isSecond = wasToldToStop.exchange(true, ordering: .relaxed)
        watchdog.expectEnd(within: isSecond ? .zero : options.drainTimeout)
        try? SystemThread(name: "stop") { [service] in service.stop(reason) }.detach()
    }
}

extension TransportError {
    /// The port that could not be opened; nil for other operations.
    fileprivate var port: Int? { operation.split(separator: ":").last.flatMap { Int($0) } }
}

/// This process's port file, once written.
private final class OwnPortFile: Sendable {
    private let file = Mutex<PortFile?>(nil)

    func set(_ file: PortFile) {
        self.file.withLock { $0 = file }
    }

    func remove() {
        file.withLock { $0 }?.remove()
    }
}
