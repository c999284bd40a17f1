import AdminAPI
import Command
import Folders
import HTTPTransport
import Memory
import MockEngine
import Platform
import Reporting
import StubFiles
import Synchronization

/// The serving process, from its options to its exit status.
final class Daemon: Sendable {
    private let options: ServeOptions
    private let log: Log
    private let output = StandardOutput()
    private let session: Session
    private let store: StubFileWriter
    private let bodies: FolderBodies
    private let loader: StubLoader
    private let ownChanges = OwnChanges()
    private let startedAt: ContinuousClock.Instant
    private let server = Mutex<Server?>(nil)
    private let front = Mutex<MockServer?>(nil)
    private let isStopping = Atomic(false)

    /// Serves until the daemon ends.
    /// - Returns: the exit status: 0 after an orderly end, 1 if stubs are invalid, a port is taken, or a file or folder
    ///   cannot be made.
    static func serve(_ options: ServeOptions, startedAt: ContinuousClock.Instant) -> Int32 {
        do throws(StubFileTemplateProblem) {
            let template = try options.filenameTemplate.map(StubFileTemplate.init)
            let daemon = Daemon(options, template ?? .usual, startedAt: startedAt)
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

    private init(_ options: ServeOptions, _ template: StubFileTemplate, startedAt: ContinuousClock.Instant) {
        self.options = options
        self.startedAt = startedAt
        log = Log(
            format: options.logFormat == .json ? .json : .text, threshold: options.verbose ? .debug : .info)
        let folder = StubFolder(options.root)
        store = StubFileWriter(folder: folder)
        let memory = MemoryLedger(limit: options.maxMemory ?? MemoryLedger.usualLimit())
        memory.whenShort { [log] text in log.repeated(.warning, cause: "memory", text) }
        bodies = FolderBodies(files: BodyFiles(path: folder.bodyFilesPath, memory: memory), memory: memory)
        let requests = RequestLogger(
            log, redaction: Redaction(options), folder: folder.path, showsReports: options.logsRequests)
        session = Session(
            options: SessionOptions(options),
            files: bodies,
            store: FolderStubs(store: store, ownChanges: ownChanges, template: template),
            log: options.logsRequests ? requests : nil, trouble: requests, memory: memory)
        loader = StubLoader(
            folder: folder, session: session, ownChanges: ownChanges, log: log, keepsGoing: options.keepsGoing)
    }

    private func run() -> Int32 {
        guard removeStalePortFile() else { return 1 }
        for notice in options.notices { log.warning(notice) }
        SystemCalls.raiseDescriptorLimit()
        SystemCalls.boundFreeMemory(loops: options.workers)
        if let shortage = ServerLimits.descriptorShortage(options) { log.warning(shortage) }
        guard makeFolders(), let contents = loadStubs() else { return 1 }
        do throws(TransportError) {
            let sessions = SessionRegistry(base: session) { [self] milliseconds, work in
                after(milliseconds: milliseconds, work)
            }
            let front = MockServer(sessions: sessions, admin: AdminOptions(options), daemon: self, log: self)
            self.front.withLock { $0 = front }
            let limits = ServerLimits(options, memory: session.memory.limit)
            let server = try Server(
                limits: limits, workers: options.workers, memory: session.memory, handler: front)
            self.server.withLock { $0 = server }
            let listeners = try listen(server)
            try handleSignals(server)
            var portFile: PortFile?
            guard writePortFile(listeners, &portFile) else { return 1 }
            defer { portFile?.remove() }
            announce(listeners)
            watch(contents)
            watchParent()
            try server.run()
            ownChanges.stopWatching()
            return 0
        } catch {
            let holder = error.isAddressInUse ? SystemCalls.listener(onPort: options.port) : nil
            log.error(error.description + (holder.map { ": it is in use by \($0)" } ?? ""))
            return 1
        }
    }

    // MARK: Starting

    /// Removes an old port file, so that nobody reads the port of a daemon that has ended, even if this start fails.
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

    /// Makes missing folders, like WireMock. A read-only folder is served; that a stub or body file cannot be saved is
    /// reported when one is to be saved.
    private func makeFolders() -> Bool {
        guard options.root.layout == .wireMock else { return true }
        do throws(SystemError) {
            try loader.folder.make()
            return true
        } catch {
            log.error("cannot create the folder \(options.root.path): \(error.reason)")
            return false
        }
    }

    /// Loads the stubs; nil if a file is invalid, because a daemon with other stubs than its files contain would be
    /// worse than none.
    private func loadStubs() -> StubFolderContents? {
        if !SystemCalls.isFolder(options.root.path) {
            log.error("no such folder: \(options.root.path)")
            return nil
        }
        let (diagnostics, contents) = loader.loadAll(atOnce: false)
        store.removeLeftovers(contents)
        for diagnostic in diagnostics {
            switch diagnostic.severity {
            case .error: log.error(options.keepsGoing ? loader.text(of: diagnostic) : diagnostic.description)
            case .warning: log.warning(diagnostic.description)
            }
        }
        let errors = diagnostics.filter { $0.severity == .error }.count
        if errors > 0, !options.keepsGoing {
            log.error("\(errors == 1 ? "1 error" : "\(errors) errors") in the stub files; --keep-going serves the rest")
            return nil
        }
        if let passedOver = loader.folder.filesBesideMappings.passedOver(in: loader.folder) { log.warning(passedOver) }
        if session.stubCount == 0 {
            log.warning("no stubs: " + options.root.emptiness(files: contents.files.count))
        }
        return contents
    }

    private func listen(_ server: Server) throws(TransportError) -> [ReadyReport.Listener] {
        var port = UInt16(clamping: options.port)
        var listeners: [ReadyReport.Listener] = []
        for address in options.bindAddresses {
            // With port 0, all addresses share the port of the first one.
            port = try server.listen(address: address, port: port)
            listeners.append(ReadyReport.Listener(address: address, port: Int(port)))
        }
        if let path = options.unixSocket { try server.listen(unixSocket: path) }
        return listeners
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
            stubCount: session.stubCount, folder: options.root.path, duration: startedAt.duration(to: .now))
        output.print(report.line(options.logFormat == .json ? .json : .text))
        do throws(SystemError) {
            try ServiceManager(environment: SystemCalls.environment())?.ready(status: "serving")
        } catch {
            log.warning("cannot notify the service manager: \(error)")
        }
    }

    private func watch(_ contents: StubFolderContents) {
        guard options.watch else { return }
        do throws(SystemError) {
            let watch = try FolderWatch(
                loader.folder, known: contents,
                onProblem: { [log] in log.warning("polling the folder for changes: \($0)") },
                onBodyFiles: { [session, loader] in
                    session.lookAtBodyFiles()
                    loader.takeDataFiles()
                },
                onChange: { [loader] in loader.take($0) })
            ownChanges.tell(watch)
        } catch {
            log.warning("cannot watch the folder: \(error)")
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
            try watch.start { [self] in
                log.info("--exit-with-parent ends the daemon: \(watch.endDescription)")
                stop("the parent has exited")
            }
        } catch {
            log.warning("cannot watch the parent: \(error)")
        }
    }

    // MARK: Ending

    private func handleSignals(_ server: Server) throws(TransportError) {
        for signal in Signals.stop {
            try server.onSignal(signal) { [self] in stop("signal received") }
        }
        let reloads = ReloadRequests { [self] wait, work in
            after(milliseconds: Int64(wait.milliseconds), work)
        } read: { [session, loader, log] began in
            session.afterChanges {
                began()
                log.info("reading the stub files again")
                loader.reload()
            }
        }
        try server.onSignal(Signals.reload) { reloads.ask() }
    }

    /// Stops the server. The first call drains it: no new connections, requests in flight may finish. The second call
    /// ends it at once.
    private func stop(_ reason: String) {
        guard let server = server.withLock({ $0 }) else { return }
        if isStopping.exchange(true, ordering: .relaxed) {
            server.stop()
            return
        }
        log.debug("ending: \(reason)")
        try? ServiceManager(environment: SystemCalls.environment())?.stopping()
        // Otherwise waiting calls and event streams would be drained until the time is over.
        front.withLock { $0 }?.endWaiting()
        server.drain(milliseconds: options.drainTimeout.milliseconds)
    }
}

extension Daemon: DaemonControl {
    func reloadFiles() {
        loader.reload()
    }

    func shutDown() {
        // The answer to this call must be sent first; draining allows that.
        server.withLock { $0 }?.post { [self] in stop("requested through the admin API") }
    }

    func after(nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        guard let server = server.withLock({ $0 }) else { preconditionFailure("a call before the server was made") }
        return server.after(nanoseconds: nanoseconds, work)
    }

    func openEndpoint(port: UInt16, tag: UInt64, worker: Int) throws(EndpointProblem) -> any SessionEndpoint {
        guard let server = server.withLock({ $0 }) else {
            throw EndpointProblem(isTaken: false, message: "the daemon is not running yet")
        }
        return try SessionListeners(server, addresses: options.bindAddresses, port: port, tag: tag, worker: worker)
    }

    private func after(milliseconds: Int64, _ work: @escaping @Sendable () -> Void) {
        let nanoseconds = UInt64(clamping: milliseconds).multipliedReportingOverflow(by: 1_000_000)
        server.withLock { $0 }?.after(nanoseconds: nanoseconds.overflow ? .max : nanoseconds.partialValue, work)
    }

    var uptimeSeconds: Int {
        Int(clamping: startedAt.duration(to: .now).components.seconds)
    }
}

extension Daemon: ServerLog {
    func refused(status: Int, reason: String, peer: String) {
        if options.logsRequests { log.info("refused a request from \(peer) with \(status): \(reason)") }
    }

    func trouble(_ text: String) {
        log.repeated(.warning, cause: text, text)
    }
}
