import SDCommand
import SDFolders
import SDHTTPTransport
import SDMockEngine
import SDPlatform
import SDReporting
import SDServing

/// The serving process, from its options to its exit status: a service, and what it means to the process.
final class Daemon: Sendable {
    private let options: ServeOptions
    private let log: Log
    private let output = StandardOutput()
    private let service: MockService
    private let startedAt: MonotonicInstant

    /// Serves until the daemon ends.
    /// - Returns: the exit status: 0 after an orderly end, 1 if stubs are invalid, a port is taken, or a file or folder
    ///   cannot be made.
    static func serve(_ options: ServeOptions, startedAt: MonotonicInstant) -> Int32 {
        if let invalid = options.invalidSystemKey {
            return PrintedCommands.report(
                .invalidValue(.option("--permitted-system-keys"), found: invalid.text, expected: invalid.expected))
        }
        do throws(StubFileTemplateProblem) {
            let template = try options.filenameTemplate.map(StubFileTemplate.init)
            let daemon = Daemon(options, template, startedAt: startedAt)
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

    private init(_ options: ServeOptions, _ template: StubFileTemplate?, startedAt: MonotonicInstant) {
        self.options = options
        self.startedAt = startedAt
        log = Log(
            format: options.logFormat == .json ? .json : .text, threshold: options.verbose ? .debug : .info)
        service = MockService(options, template: template, log: log, startedAt: startedAt) {
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
        guard let contents = try? service.load() else { return 1 }
        do throws(TransportError) {
            let server = try service.makeServer()
            let listeners = try service.listen(server)
            try handleSignals(server)
            var portFile: PortFile?
            guard writePortFile(listeners, &portFile) else { return 1 }
            defer { portFile?.remove() }
            announce(listeners)
            service.watch(contents, isAlone: true)
            watchParent()
            try server.run()
            service.stopWatching()
            return 0
        } catch {
            let holder = error.isAddressInUse ? SystemCalls.listener(onPort: options.port) : nil
            log.error(error.description + (holder.map { ": it is in use by \($0)" } ?? ""))
            return 1
        }
    }

    // MARK: Starting

    /// Removes an old port file, so that no reader gets the port of a daemon that has ended, even if this start fails.
    private func removeStalePortFile() -> Bool {
        guard let path = options.portFile else { return true }
        do throws(SystemError) {
            try PortFile.removeStale(path)
            return true
        } catch {
            let isForeign = error.code == SystemCalls.fileExists
            let reason = isForeign ? "it exists and is not a port file of an earlier daemon" : error.reason
            log.error("cannot replace the port file \(path): \(reason)")
            return false
        }
    }

    /// Removes an old port file if the command line is invalid. The environment variable is ignored: it may name the
    /// file of a running daemon.
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

    /// Writes the port file. Returns false if it cannot be written, because a script may wait for it.
    private func writePortFile(_ listeners: [ReadyReport.Listener], _ file: inout PortFile?) -> Bool {
        guard let path = options.portFile, let port = listeners.first?.port else { return true }
        do throws(SystemError) {
            file = try PortFile(path: path, port: port)
            return true
        } catch {
            log.error("cannot write the port file \(path): \(error.reason)")
            return false
        }
    }

    /// Reports that requests are answered from now on. The listeners are open, so connections made before the loop runs
    /// wait in the backlog.
    private func announce(_ listeners: [ReadyReport.Listener]) {
        let report = ReadyReport(
            version: Manual.version, listeners: listeners, unixSocket: options.unixSocket,
            stubCount: service.session.stubCount, folder: options.root.path, duration: startedAt.elapsed)
        output.print(report.line(options.logFormat == .json ? .json : .text))
        do throws(SystemError) {
            try ServiceManager()?.ready(status: "serving")
        } catch {
            log.warning("cannot notify the service manager: \(error)")
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

    private func handleSignals(_ server: Server) throws(TransportError) {
        for signal in Signals.stop {
            try server.onSignal(signal) { [service] in service.stop("signal received") }
        }
        let reloads = ReloadRequests { [service] wait, work in
            service.after(milliseconds: Int64(wait.milliseconds), work)
        } read: { [service] began in
            service.reload(began)
        }
        try server.onSignal(Signals.reload) { reloads.ask() }
    }
}
