import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDReportForms
import SDReports
import SDServing

/// Why a run could not do its work.
struct RunProblem: Error {
    /// The exit status where the mock server is the reason.
    static let ofServer: Int32 = 125

    let message: String
    /// The step to take.
    let fix: String
    var status = ofServer
    /// What could not be loaded of the stub files of a daemon that could not be started.
    var files: [Report.FileProblem] = []
    /// Whether there is a verdict, and reports of it, though not all that were asked for.
    var hasReports = false
}

/// The daemon that a run uses: one that another run has started, or that it starts itself. It lives as long as a run
/// holds it.
struct RunDaemon: ~Copyable {
    /// The connection by which it is held.
    private let hold: FileDescriptor
    /// The daemon's process, if it is a child of this one.
    private let child: Int32?
    /// What its ready line would say.
    let ready: JSONValue
    /// What it logged at its start, line by line, where this run has started it.
    let startLog: [String]

    /// How often a daemon that ends just then is replaced.
    private static let attempts = 5
    /// How long its end is waited for.
    private static let patience: Int32 = 10_000

    private init(hold: consuming FileDescriptor, child: Int32?, ready: JSONValue, startLog: [String]) {
        self.hold = hold
        self.child = child
        self.ready = ready
        self.startLog = startLog
    }

    /// Connects to the daemon for these options, or starts it.
    /// - Parameters:
    ///   - options: those of the daemon.
    ///   - isShared: whether other runs may use it.
    ///   - logFile: the file for its log; nil for none.
    /// - Throws: why there is none.
    static func get(
        _ options: ServeOptions, isShared: Bool, logFile: String?, startedAt: MonotonicInstant
    ) throws(RunProblem) -> RunDaemon {
        guard isShared, let place = RunPlace(options) else {
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
            // It has ended just now, or it cannot start.
            let errors = RunLog.errors(try? SystemCalls.open(place.logPath, .read))
            if !errors.isEmpty { throw RunProblem(notStarted: errors, nil, options) }
        }
        throw RunProblem(message: "the mock server ends before it can be used", fix: "add --no-share")
    }

    private static func listen(at place: RunPlace) throws(RunProblem) -> RunHolders.Sharing {
        do throws(SystemError) {
            try SystemCalls.removeFile(place.socketPath)
            return RunHolders.Sharing(
                place: place, listener: try SystemCalls.listenLocally(at: place.socketPath))
        } catch {
            throw RunProblem(message: "cannot make a daemon to share: \(error)", fix: "add --no-share")
        }
    }

    /// Starts a daemon, as a process that goes on in this program with the options as they are.
    /// - Parameters:
    ///   - sharing: where other runs connect to; nil if none may.
    ///   - lock: is given up as soon as they can.
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
                // What the first process has open is closed here, and must not be closed once more: nothing returns.
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
        // What it has logged is whole once it has ended.
        if ready?["problems"] != nil { _ = SystemCalls.readLine(near) }
        let lines = log.take()
        guard let ready, ready["problems"] == nil else {
            throw RunProblem(notStarted: RunLog.errors(in: lines), ready, options)
        }
        return RunDaemon(hold: hold, child: child, ready: ready, startLog: lines)
    }

    /// What the daemon says once it answers; nil if it ends before.
    private static func ready(_ connection: Int32) -> JSONValue? {
        SystemCalls.readLine(connection).flatMap { try? JSONValue(parsing: $0) }
    }

    /// Lets the daemon go, and waits for its end if no other run holds it.
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
    ///   - errors: what the daemon has logged.
    ///   - told: what it said in place of its ready line; nil for nothing.
    fileprivate init(notStarted errors: [String], _ told: JSONValue?, _ options: ServeOptions) {
        let reason = errors.isEmpty ? "it ended without a word" : errors.joined(separator: "\n  ")
        self.init(
            message: "the mock server could not be started: \(reason)",
            fix: "stuntdouble validate \(shellWord(options.root.name)), and stuntdouble doctor")
        files = told?["problems"]?.arrayValue?.compactMap(Report.FileProblem.init(json:)) ?? []
    }
}

/// The log of a run's daemon: a file that is kept only if it was asked for, or standard error.
struct RunLog {
    /// What the daemon writes to; nil if nothing can be.
    let descriptor: Int32?
    private let reader: Int32?

    /// The log of a daemon of its own.
    init(_ options: ServeOptions, file: String?) throws(RunProblem) {
        if let file {
            self = try Self(path: file)
        } else if options.verbose || options.printsTraffic {
            self = Self(descriptor: 2, reader: nil)
        } else if let folder = RunPlace.folder() {
            let path = "\(folder)/run-\(SystemCalls.processIdentifier).log"
            self = try Self(path: path)
            try? SystemCalls.removeFile(path)
        } else {
            self = Self(descriptor: nil, reader: nil)
        }
    }

    /// The log of a daemon that is shared.
    init(at place: RunPlace) throws(RunProblem) {
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

    /// The lines so far; nothing can be written or read through this value then.
    func take() -> [String] {
        if let descriptor, descriptor > 2 { SystemCalls.unlock(descriptor) }
        return reader.map { Self.lines(FileDescriptor(owning: $0)) } ?? []
    }

    private static func lines(_ file: borrowing FileDescriptor) -> [String] {
        let bytes = (try? SystemCalls.readAll(file, limit: 1 << 24)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The errors in a log, without their times.
    static func errors(_ file: consuming FileDescriptor?) -> [String] {
        guard let file else { return [] }
        return errors(in: lines(file))
    }

    static func errors(in lines: [String]) -> [String] { messages(in: lines, of: ["error"]) }

    /// The messages of some levels, without their times.
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
