import SDAdminAPI
import SDCertificates
package import SDCommand
package import SDFolders
package import SDHTTPTransport
import SDJournal
package import SDMockEngine
package import SDPlatform
import SDRecords
import SDRedis
import SDReplicas
import SDRouting
import SDStubFiles
import SDStubModel
import Synchronization

/// The mock server of a process: the stubs of a folder, the sessions over them, and the loops that answer. It does not
/// touch the process: signals, standard streams, limits and the heap belong to its owner. Several can run in one
/// process.
package final class MockService: Sendable {
    /// The reasons why nothing is served; already logged.
    package struct StartFailure: Error, CustomStringConvertible {
        /// The problems, one text each.
        package let findings: [String]

        package var description: String { findings.joined(separator: "\n") }
    }

    package let options: ServeOptions
    package let log: Log
    package let session: Session
    package let loader: StubLoader
    let startedAt: MonotonicInstant
    private let store: StubFileWriter
    let selfWrites = SelfWrites()
    private let ending: @Sendable (_ drain: Duration) -> Void
    private let running = Mutex<Running?>(nil)
    private let isStopping = Atomic(false)
    /// The number of exchanges that `--record-mappings` still has to write.
    let unwritten = Monitor(0)
    let portCooldown = PortCooldown()
    let identities: ServerCertificates
    /// The base URLs of its listeners.
    let addresses = Mutex<[String]>([])
    /// The listeners of the admin API's own port; empty without one.
    let adminListeners = Mutex<[ReadyReport.Listener]>([])

    /// The server and its dispatcher, once created.
    struct Running {
        let server: Server
        let sessions: SessionRegistry
        let dispatcher: RequestDispatcher
    }

    /// Decisions that sessions make together with other replicas; used with `--shared` only.
    let replication = Replication()
    /// The replication; nil without `--shared`, and until the server is created.
    let together = Mutex<Replicas?>(nil)

    /// - Parameters:
    ///   - template: the template for names of saved stubs; nil for WireMock's default.
    ///   - startedAt: the start of the uptime.
    ///   - ending: called once, before the server drains, with the drain's time limit.
    package init(
        _ options: ServeOptions, template: StubFileTemplate?, log: Log, startedAt: MonotonicInstant,
        ending: @escaping @Sendable (_ drain: Duration) -> Void = { _ in }
    ) {
        self.options = options
        self.log = log
        self.startedAt = startedAt
        self.ending = ending
        let folder = StubFolder(options.root)
        store = StubFileWriter(folder: folder)
        let memory = MemoryLedger(limit: options.maxMemory ?? MemoryLedger.usualLimit())
        memory.whenShort { [log] text in log.repeated(.warning, cause: "memory", text) }
        let bodies = FolderBodies(files: BodyFiles(path: folder.bodyFilesPath, memory: memory), memory: memory)
        var sessionOptions = SessionOptions(options)
        if options.shared != nil {
            // The first heartbeat assigns the number.
            sessionOptions.replica = Replica(name: options.sharedName, number: 0)
            sessionOptions.replication = replication
            // Random values differ between replicas.
            let place = "\(options.sharedName) \(SystemCalls.hostName()) \(options.port)"
            sessionOptions.seed = place.utf8.reduce(sessionOptions.seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        let requests = RequestLogger(
            log, sessionOptions.redactions, folder: folder.path, options: options)
        session = Session(
            options: sessionOptions,
            files: bodies,
            store: FolderStubs(store: store, selfWrites: selfWrites, template: template ?? .usual),
            log: options.logsRequests || options.printsTraffic ? requests : nil, trouble: requests, memory: memory)
        identities = ServerCertificates(options, log)
        if !options.proxyPassThrough { session.settings.proxyPassThrough = false }
        if let base = options.proxyAll { session.sendOnAll(to: base) }
        loader = StubLoader(
            folder: folder, session: session, selfWrites: selfWrites, log: log, keepsGoing: options.keepsGoing,
            remote: RemoteDocuments(options))
        if options.recordsMappings { recordMappings() }
    }

    var server: Server? { running.withLock { $0?.server } }
    var sessions: SessionRegistry? { running.withLock { $0?.sessions } }

    // MARK: Starting

    /// Creates missing folders, and loads the stubs, while certificates are issued.
    /// - Returns: the folder as it was read, for `watch`.
    /// - Throws: if the folder is missing or a file is invalid, because a server whose stubs differ from its files
    ///   would be worse than none; if HTTPS cannot be served; if a client certificate is unusable.
    package func load() throws(StartFailure) -> StubFolderContents {
        let needsIdentities = options.servesHTTPS || options.isForwardProxy
        if needsIdentities { identities.begin() }
        let contents = try loadStubs()
        if needsIdentities {
            do throws(CertificateProblems) {
                try identities.ready()
            } catch {
                throw failure(
                    error.all.map { "cannot \(options.servesHTTPS ? "serve HTTPS" : "be a proxy for HTTPS"): \($0)" },
                    fix: "stuntdouble doctor --require https")
            }
        }
        try showCertificate()
        return contents
    }

    private func loadStubs() throws(StartFailure) -> StubFolderContents {
        try makeFolders()
        if !SystemCalls.isFolder(options.root.path) {
            throw failure(["no such folder: \(options.root.path)"], fix: "stuntdouble init \(options.root.path)")
        }
        let (diagnostics, contents) = loader.loadAll(atOnce: false)
        store.removeLeftovers(contents)
        var errors: [String] = []
        for diagnostic in diagnostics {
            switch diagnostic.severity {
            case .error:
                errors.append(options.keepsGoing ? loader.text(of: diagnostic) : diagnostic.description)
                log.error(errors[errors.count - 1], parts: diagnostic.logParts)
            case .warning where options.isStrict:
                errors.append(diagnostic.description)
                log.error(diagnostic.description, parts: diagnostic.logParts)
            case .warning: log.warning(diagnostic.description)
            }
        }
        if !errors.isEmpty, options.isStrict {
            let count = errors.count == 1 ? "1 error or warning" : "\(errors.count) errors and warnings"
            log.error(
                "\(count) in the stub files, and --strict allows none", parts: [LogField("fix", "leave out --strict")])
            throw StartFailure(findings: errors)
        }
        if !errors.isEmpty, !options.keepsGoing {
            let count = errors.count == 1 ? "1 error" : "\(errors.count) errors"
            log.error(
                "\(count) in the stub files; --keep-going serves the rest", parts: [LogField("fix", "add --keep-going")]
            )
            throw StartFailure(findings: errors)
        }
        if let passedOver = options.root.passedOver { log.warning(passedOver) }
        if let passedOver = loader.folder.filesBesideMappings.passedOver(in: loader.folder) { log.warning(passedOver) }
        if !options.verbose, let skipped = loader.skippedText(besides: diagnostics) { log.info(skipped) }
        if options.followsPrism, session.contractFiles.isEmpty {
            throw failure(
                [
                    "\(options.root.name) is no OpenAPI document: expected `openapi` or `swagger` with a version, beside `paths`"
                ],
                fix: "name an OpenAPI document, or serve the file by stuntdouble \(options.root.name)")
        }
        if session.stubCount == 0, session.messageStubCount == 0, !options.checksContractsOnly {
            log.warning("no stubs: " + options.root.emptiness(files: contents.files.count))
        }
        return contents
    }

    /// Creates missing folders, like WireMock. A read-only folder is served; a failed save is reported when it happens.
    /// - Throws: `StartFailure` if a folder cannot be created.
    private func makeFolders() throws(StartFailure) {
        guard options.root.layout == .wireMock else { return }
        do throws(SystemError) {
            try loader.folder.make()
        } catch {
            throw failure(
                ["cannot create the folder \(options.root.path): \(error.reason)"],
                fix: "name a folder that can be written to")
        }
    }

    func failure(_ findings: [String], fix: String) -> StartFailure {
        for finding in findings { log.error(finding, parts: [LogField("fix", .string(fix))]) }
        return StartFailure(findings: findings)
    }

    /// Creates the server, which answers once it runs.
    /// - Throws: the system's error if a loop cannot be created.
    package func makeServer() throws(TransportError) -> Server {
        let sessions = SessionRegistry(base: session) { [weak self] milliseconds, work in
            self?.after(milliseconds: milliseconds, work)
        }
        joinReplicas(sessions)
        let tunnels = options.isForwardProxy ? try ForwardProxy(self) : nil
        let refusal = together.withLock { $0 }.map { replicas in { @Sendable in replicas.refusal } }
        let dispatcher = RequestDispatcher(
            sessions: sessions, admin: AdminOptions(options), daemon: self, log: self, tunnels: tunnels,
            refusal: refusal)
        let server = try Server(
            limits: ServerLimits(options, memory: session.memory.limit), workers: options.workers,
            memory: session.memory, handler: dispatcher)
        running.withLock { $0 = Running(server: server, sessions: sessions, dispatcher: dispatcher) }
        return server
    }

    /// Listens at all addresses of the options, for HTTP first. With port 0, all use the port of the first one.
    /// - Returns: the addresses with their ports.
    /// - Throws: the system's error, with the address.
    package func listen(_ server: Server) throws(TransportError) -> [ReadyReport.Listener] {
        for notice in options.gateNotices { log.warning(notice) }
        var listeners: [ReadyReport.Listener] = []
        if options.http {
            let isBoth = options.portSecurity == .auto
            listeners += try listen(
                server, port: options.port, isBoth ? .both : .http, isBoth ? security(acceptsPlain: true) : nil)
        }
        if let port = options.httpsPort {
            listeners += try listen(server, port: port, .https, security(acceptsPlain: false))
        }
        addresses.withLock { $0 = listeners.flatMap(\.urls) }
        if let path = options.unixSocket { try server.listen(unixSocket: path) }
        if let port = options.adminPort { try listen(server, adminPort: port) }
        return listeners
    }

    /// Opens the admin API's own port; it also accepts HTTPS if the service does.
    private func listen(_ server: Server, adminPort: Int) throws(TransportError) {
        let isBoth = options.servesHTTPS
        var port = UInt16(clamping: adminPort)
        for address in options.bindAddresses {
            port =
                try server.open(
                    address: address, port: port, tag: Request.Origin.adminTag, worker: 0,
                    tls: isBoth ? security(acceptsPlain: true) : nil
                ).port
            let listener = ReadyReport.Listener(address: address, port: Int(port), kind: isBoth ? .both : .http)
            adminListeners.withLock { $0.append(listener) }
        }
    }

    private func listen(
        _ server: Server, port: Int, _ kind: ReadyReport.Listener.Kind, _ tls: TLSSettings?
    ) throws(TransportError) -> [ReadyReport.Listener] {
        var port = UInt16(clamping: port)
        var listeners: [ReadyReport.Listener] = []
        for address in options.bindAddresses {
            port = try server.listen(address: address, port: port, tls: tls)
            listeners.append(ReadyReport.Listener(address: address, port: Int(port), kind: kind))
        }
        return listeners
    }

    /// Starts to apply changes of the folder, if the options say so.
    /// - Parameters:
    ///   - contents: what `load` returned.
    ///   - isAlone: whether all of the process's descriptors are the server's.
    package func watch(_ contents: StubFolderContents, isAlone: Bool) {
        guard options.watch else { return session.bodyWork.add { [loader] in loader.nameForeignBodies() } }
        do throws(SystemError) {
            let watch = try FolderWatch(
                loader.folder, known: contents, leavesDescriptors: isAlone,
                onProblem: { [log] in log.warning("polling the folder for changes: \($0)") },
                onBodyFiles: { [session, loader] in
                    session.checkBodyFiles()
                    loader.takeDataFiles()
                    loader.nameForeignBodies()
                },
                onLook: { [loader] in loader.lookAtNeighbours() },
                onChange: { [weak self, loader] changes in
                    self?.together.withLock { $0 }?.makeKnownChanges()
                    loader.applyWatched(changes)
                })
            selfWrites.attach(watch)
        } catch {
            log.warning("cannot watch the folder: \(error)")
        }
    }

    /// Reloads the folder, now or after the changes in progress.
    /// - Parameter began: called right before it is read.
    package func reload(_ began: @escaping @Sendable () -> Void) {
        let read: @Sendable () -> Void = { [session, loader, log] in
            session.runAfterPendingChanges {
                began()
                log.info("reading the stub files again")
                loader.reload()
            }
        }
        guard options.readsRemoteDocuments else { return read() }
        // On its own thread, before changes have to wait for it.
        let renewed: Void? = try? SystemThread(name: "documents") { [loader] in
            loader.renewRemoteDocuments()
            read()
        }.detach()
        if renewed == nil { read() }
    }

    /// Writes a stub file that is read at the next start only.
    func saveUnserved(_ name: String, _ bytes: [UInt8]) throws(SystemError) {
        selfWrites.accept(try store.write(name, bytes))
    }

    // MARK: Ending

    /// Stops the server. The first call drains it: new connections are refused, and requests in flight may finish. The
    /// second call ends it at once.
    /// - Parameter isAwaited: whether any client is still interested in requests in flight; if not, they are cut off.
    package func stop(_ reason: String, isAwaited: Bool = true) {
        guard let running = running.withLock({ $0 }) else { return }
        if isStopping.exchange(true, ordering: .relaxed) {
            running.server.stop()
            return
        }
        log.debug("ending: \(reason)")
        ending(isAwaited ? options.drainTimeout : .zero)
        if isAwaited { logPendingWork(running.sessions) }
        // Otherwise waiting calls and event streams would last until the drain's limit.
        let patience = isAwaited ? options.drainTimeout.milliseconds : 0
        let drain: @Sendable () -> Void = {
            running.dispatcher.endWaiting()
            running.server.drain(milliseconds: patience)
        }
        if let replicas = together.withLock({ $0 }) { replicas.leave(then: drain) } else { drain() }
    }

    /// Logs what the drain waits for, so that the daemon does not seem to hang.
    private func logPendingWork(_ sessions: SessionRegistry) {
        let inFlight = sessions.inFlight()
        guard inFlight.total > 0 || inFlight.webhooks > 0, options.drainTimeout > .zero else { return }
        let redaction = session.redaction
        var named = inFlight.slow.prefix(3).map { one in
            let method = String(decoding: one.event.request.method, as: UTF8.self)
            let gate = one.gate.map { " at the gate \"\($0)\"" } ?? ""
            return "\(method) \(redaction.target(of: one.event.request)) (\(one.state.rawValue)\(gate))"
        }
        if named.count < inFlight.total, !named.isEmpty { named.append("\(inFlight.total - named.count) more") }
        let milliseconds = options.drainTimeout.milliseconds
        let time = milliseconds.isMultiple(of: 1_000) ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
        log.info(
            "ending: waiting up to \(time) for \(Self.awaited(inFlight)) in flight"
                + (named.isEmpty ? "" : ", " + named.joined(separator: ", ")) + "; a second signal ends at once")
    }

    private static func awaited(_ inFlight: InFlightRequests) -> String {
        let responses = inFlight.total == 1 ? "a response" : "\(inFlight.total) responses"
        let webhooks = inFlight.webhooks == 1 ? "a webhook" : "\(inFlight.webhooks) webhooks"
        if inFlight.webhooks == 0 { return responses }
        return inFlight.total == 0 ? webhooks : "\(responses) and \(webhooks)"
    }

    /// Stops everything outside the server's loops, after pending changes are written. The loops must have ended.
    package func stopWatching() {
        let lost = running.withLock { $0?.sessions.webhooksInFlight } ?? 0
        if lost > 0 {
            log.warning("\(lost == 1 ? "a webhook was" : "\(lost) webhooks were") not delivered before the end")
        }
        finishRecording()
        session.finishWriting()
        selfWrites.stopWatching()
    }

    /// Stops a started server and everything that belongs to it; returns when its threads have ended. Must not be
    /// called on one of them.
    package func end() {
        guard let running = running.withLock({ $0.take() }) else { return }
        running.dispatcher.endWaiting()
        running.server.stopAndWait()
        stopWatching()
    }

    /// Calls `work` on the first loop's thread, `milliseconds` from now.
    package func after(milliseconds: Int64, _ work: @escaping @Sendable () -> Void) {
        let nanoseconds = UInt64(clamping: milliseconds).multipliedReportingOverflow(by: 1_000_000)
        server?.loop().after(nanoseconds: nanoseconds.overflow ? .max : nanoseconds.partialValue, work)
    }
}
