import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDReportForms
import SDReports
import SDServing

/// Why a run failed.
struct RunProblem: Error {
    /// The exit status for a failure of the mock server.
    static let ofServer: Int32 = 125

    let message: String
    /// The next step.
    let fix: String
    var status = ofServer
    /// The problems in the stub files of a daemon that could not be started.
    var files: [Report.FileProblem] = []
    /// Whether there is a verdict and at least some of the requested reports.
    var hasReports = false
}

/// The daemon of a run, started by this or another run. It lives as long as any run holds it.
struct RunDaemon: ~Copyable {
    /// The connection that keeps the daemon running.
    private let hold: FileDescriptor
    /// The daemon's process id, if it is a child of this process.
    private let child: Int32?
    /// The content of its ready line.
    let ready: JSONValue
    /// The lines logged at its start, if this run started it.
    let startLog: [String]

    /// How many times a daemon that is just ending is replaced.
    private static let attempts = 5
    /// The maximum wait for its end, in milliseconds.
    private static let patience: Int32 = 10_000

    private init(hold: consuming FileDescriptor, child: Int32?, ready: JSONValue, startLog: [String]) {
        self.hold = hold
        self.child = child
        self.ready = ready
        self.startLog = startLog
    }

    /// Connects to the daemon for these options, or starts one.
    /// - Parameters:
    ///   - options: the daemon's options.
    ///   - isShared: whether other runs may use it.
    ///   - logFile: its log file; nil for none.
    /// - Throws: the reason why there is none.
    static func get(
        _ options: ServeOptions, isShared: Bool, logFile: String?, startedAt: MonotonicInstant
    ) throws(RunProblem) -> RunDaemon {
        guard isShared, let place = RunFiles(options) else {
            return try start(options, RunLog(options, file: logFile), startedAt: startedAt)
        }
        for _ in 0..<attempts {
            let lock: Int32
            do throws(SystemError) {
                lock = try SystemCalls.lock(place.lockPath).release()
            } catch {
                throw RunProblem(message: "cannot find a daemon to share: \(error)", fix: "add --no-share")
            }
            guard let connection = try? SystemCalls.connectLocally(to: place.socketPath) else {
                let sharing = try listen(at: place)
                return try start(options, RunLog(at: place), sharing: sharing, lock: lock, startedAt: startedAt)
            }
            SystemCalls.unlock(lock)
            if let ready = ready(connection.number), ready["problems"] == nil {
                return RunDaemon(hold: connection, child: nil, ready: ready, startLog: [])
            }
            // The daemon is just ending, or it could not start.
            let errors = RunLog.errors(try? SystemCalls.open(place.logPath, .read))
            if !errors.isEmpty { throw RunProblem(notStarted: errors, nil, options) }
        }
        throw RunProblem(message: "the mock server ends before it can be used", fix: "add --no-share")
    }

    private static func listen(at place: RunFiles) throws(RunProblem) -> RunHolders.Sharing {
        do throws(SystemError) {
            try SystemCalls.removeFile(place.socketPath)
            return RunHolders.Sharing(
                place: place, listener: try SystemCalls.listenLocally(at: place.socketPath))
        } catch {
            throw RunProblem(message: "cannot make a daemon to share: \(error)", fix: "add --no-share")
        }
    }

    /// Forks a daemon, which continues in this program with the parsed options.
    /// - Parameters:
    ///   - sharing: the socket for other runs; nil if the daemon is not shared.
    ///   - lock: released once other runs can connect.
    private static func start(
        _ options: ServeOptions, _ log: RunLog, sharing: RunHolders.Sharing? = nil, lock: Int32? = nil,
        startedAt: MonotonicInstant
    ) throws(RunProblem) -> RunDaemon {
        let near: Int32
        let child: Int32
        do throws(SystemError) {
            let ends = try SystemCalls.connectPair().release()
            near = ends.first
            let listener = sharing?.listener.number
            let kept = [ends.second] + (listener.map { [$0] } ?? [])
            guard let process = try SystemCalls.forkDetached(errors: log.descriptor, keeping: kept) else {
                // The parent's descriptors are closed here and must not be closed again: this branch never returns.
                let holders = RunHolders(first: FileDescriptor(owning: ends.second), sharing: sharing)
                SystemCalls.exit(Daemon.serve(options, startedAt: startedAt, holders: holders))
            }
            SystemCalls.unlock(ends.second)
            child = process
        } catch {
            throw RunProblem(message: "cannot start the mock server: \(error)", fix: "stuntdouble doctor")
        }
        if let lock { SystemCalls.unlock(lock) }
        let hold = FileDescriptor(owning: near)
        let ready = ready(near)
        // The log is complete once the daemon has ended.
        if ready?["problems"] != nil { _ = SystemCalls.readLine(near) }
        let lines = log.take()
        guard let ready, ready["problems"] == nil else {
            throw RunProblem(notStarted: RunLog.errors(in: lines), ready, options)
        }
        return RunDaemon(hold: hold, child: child, ready: ready, startLog: lines)
    }

    /// The daemon's ready document; nil if it ends before.
    private static func ready(_ connection: Int32) -> JSONValue? {
        SystemCalls.readLine(connection).flatMap { try? JSONValue(parsing: $0) }
    }

    /// Releases the daemon, and waits for its end if no other run holds it.
    consuming func leave() {
        SystemCalls.endSending(hold.number)
        let deadline = SystemCalls.monotonicMilliseconds() + Int64(Self.patience)
        while !SystemCalls.isClosed(hold.number) {
            let left = deadline - SystemCalls.monotonicMilliseconds()
            guard left > 0 else { return }
            _ = SystemCalls.waitReadable(anyOf: [hold.number], milliseconds: Int32(left))
        }
        if let child { _ = SystemCalls.ending(of: child) }
    }
}

extension RunProblem {
    /// - Parameters:
    ///   - errors: the daemon's log lines.
    ///   - told: its message instead of the ready line; nil for none.
    fileprivate init(notStarted errors: [String], _ told: JSONValue?, _ options: ServeOptions) {
        let reason = errors.isEmpty ? "it ended without a word" : errors.joined(separator: "\n  ")
        self.init(
            message: "the mock server could not be started: \(reason)",
            fix: "stuntdouble validate \(shellWord(options.root.name)), and stuntdouble doctor")
        files = told?["problems"]?.arrayValue?.compactMap(Report.FileProblem.init(json:)) ?? []
    }
}

/// The log of a run's daemon: a file, kept only if it was asked for; or standard error.
struct RunLog {
    /// The descriptor that the daemon logs to; nil if nothing is writable.
    let descriptor: Int32?
    private let reader: Int32?

    /// The log of an unshared daemon.
    init(_ options: ServeOptions, file: String?) throws(RunProblem) {
        if let file {
            self = try Self(path: file)
        } else if options.verbose || options.printsTraffic {
            self = Self(descriptor: 2, reader: nil)
        } else if let folder = RunFiles.folder() {
            let path = "\(folder)/run-\(SystemCalls.processIdentifier).log"
            self = try Self(path: path)
            try? SystemCalls.removeFile(path)
        } else {
            self = Self(descriptor: nil, reader: nil)
        }
    }

    /// The log of a shared daemon.
    init(at place: RunFiles) throws(RunProblem) {
        self = try Self(path: place.logPath)
    }

    private init(descriptor: Int32?, reader: Int32?) {
        self.descriptor = descriptor
        self.reader = reader
    }

    private init(path: String) throws(RunProblem) {
        do throws(SystemError) {
            try SystemCalls.removeFile(path)
            let writer = try SystemCalls.open(path, .createPrivate)
            reader = try SystemCalls.open(path, .read).release()
            descriptor = writer.release()
        } catch {
            throw RunProblem(message: "cannot write the log: \(error)", fix: "give --log-file another file")
        }
    }

    /// Returns the lines so far and closes the log: this value must not be used afterwards.
    func take() -> [String] {
        if let descriptor, descriptor > 2 { SystemCalls.unlock(descriptor) }
        return reader.map { Self.lines(FileDescriptor(owning: $0)) } ?? []
    }

    private static func lines(_ file: borrowing FileDescriptor) -> [String] {
        let bytes = (try? SystemCalls.readAll(file, limit: 1 << 24)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// A log's errors, without times.
    static func errors(_ file: consuming FileDescriptor?) -> [String] {
        guard let file else { return [] }
        return errors(in: lines(file))
    }

    static func errors(in lines: [String]) -> [String] { messages(in: lines, of: ["error"]) }

    /// A log's messages of some levels, without times.
    static func messages(in lines: [String], of levels: [String]) -> [String] {
        lines.compactMap { line in
            if line.hasPrefix("{") {
                guard let json = try? JSONValue(parsing: line), let level = json["level"]?.stringValue,
                    levels.contains(level)
                else { return nil }
                return json["message"]?.stringValue
            }
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, words[1].hasSuffix(":"), levels.contains(String(words[1].dropLast())) else {
                return nil
            }
            return String(words[2])
        }
    }
}
