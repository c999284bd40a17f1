public import SDPlatform
internal import Synchronization

/// Watches the stub files of a folder on its own thread.
///
/// A change is reported when its file has been written completely: on Linux when the writer closes it or moves it into
/// place, elsewhere when two scans found it unchanged. Changes close together are reported together, within about 0.1 s
/// of the first. A missing or recreated folder is watched as soon as it exists.
public final class FolderWatch: Sendable {
    /// How changes are detected.
    public enum Method: Sendable {
        /// Linux's inotify; polling on other systems, and if the system has no watches left.
        case system
        case polling
    }

    private let core: WatchCore
    private let thread: SystemThread

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - contents: the result of the last reading; differences from it are reported, so that no change between
    ///     reading and watching is lost.
    ///   - leavesDescriptors: whether the watch's thread unshares the process's descriptor table. Must be false if
    ///     other threads open descriptors while it starts: its copies would keep pipes open, and hide the closing of
    ///     files from watches.
    ///   - onProblem: called if the system cannot watch the folder and polling is used instead.
    ///   - onLook: called on the watch's thread once a second and after events, to check for other changes.
    ///   - onBodyFiles: called on the watch's thread if body files may have changed.
    ///   - onChange: called on the watch's thread with changes in the order of their paths.
    /// - Throws: the failure of `pipe`, `fcntl` or `pthread_create`.
    public init(
        _ folder: StubFolder, known contents: StubFolderContents, method: Method = .system,
        leavesDescriptors: Bool = false, onProblem: @escaping @Sendable (SystemError) -> Void = { _ in },
        onBodyFiles: @escaping @Sendable () -> Void = {}, onLook: @escaping @Sendable () -> Void = {},
        onChange: @escaping @Sendable ([FileChange]) -> Void
    ) throws(SystemError) {
        let core = WatchCore(
            folder: folder, known: KnownFiles(contents), wakeUp: try SystemCalls.makePipe(),
            leavesDescriptors: leavesDescriptors, onProblem: onProblem, onBodyFiles: onBodyFiles,
            onLook: onLook, onChange: onChange)
        self.core = core
        thread = try SystemThread(name: "watch") { core.run(method) }
    }

    /// Ends the watch. After it returns, no callback is running or will run. Must not be called from `onChange`.
    public func stop() {
        let isFirst = core.state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return }
        core.wakeUp.wake()
        thread.join()
    }

    /// Starts a full scan now, for example after a signal.
    public func rescan() {
        core.state.withLock { $0.wantsRescan = true }
        core.wakeUp.wake()
    }

    /// Records a file that the daemon itself has just written, so that it is not reported as a change.
    public func accept(_ file: FolderFile) {
        core.state.withLock { $0.known.record(file) }
    }

    /// Records that the daemon itself has just removed a file.
    public func acceptRemoval(of relativePath: String) {
        core.state.withLock { $0.known.noteRemoval(relativePath) }
    }

    /// Records that all files were read again. What has changed since is reported, even if it was before.
    public func accept(_ contents: StubFolderContents) {
        core.state.withLock { $0.known.replace(with: contents) }
        rescan()
    }

    /// Whether a file exists, as last reported or recorded.
    public func knows(_ relativePath: String) -> Bool {
        core.state.withLock { $0.known.identities[relativePath] != nil }
    }

    deinit {
        stop()
    }
}

/// The state shared by the handle and the thread of a watch.
final class WatchCore: Sendable {
    struct State {
        var known: KnownFiles
        var isStopped = false
        var wantsRescan = false
    }

    let folder: StubFolder
    let state: Mutex<State>
    let wakeUp: SystemCalls.Pipe
    let leavesDescriptors: Bool
    let onProblem: @Sendable (SystemError) -> Void
    let onBodyFiles: @Sendable () -> Void
    let onLook: @Sendable () -> Void
    private let onChange: @Sendable ([FileChange]) -> Void

    init(
        folder: StubFolder, known: KnownFiles, wakeUp: consuming SystemCalls.Pipe, leavesDescriptors: Bool,
        onProblem: @escaping @Sendable (SystemError) -> Void, onBodyFiles: @escaping @Sendable () -> Void,
        onLook: @escaping @Sendable () -> Void,
        onChange: @escaping @Sendable ([FileChange]) -> Void
    ) {
        self.folder = folder
        state = Mutex(State(known: known))
        self.wakeUp = wakeUp
        self.leavesDescriptors = leavesDescriptors
        self.onProblem = onProblem
        self.onBodyFiles = onBodyFiles
        self.onLook = onLook
        self.onChange = onChange
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Whether the last scan could not read something. No event reports that it has become readable.
    var hasUnreadable: Bool { state.withLock { !$0.known.unreadable.isEmpty } }

    /// Whether a full scan was requested; true once per request.
    func takeRescan() -> Bool {
        state.withLock { state in
            defer { state.wantsRescan = false }
            return state.wantsRescan
        }
    }

    /// Reports the changes at and below `paths`.
    func report(_ paths: Set<String>, isSettled: (String, FileStamp) -> Bool = { _, _ in true }) {
        let changes = state.withLock { $0.known.changes(of: folder, at: paths, isSettled: isSettled) }
        if !changes.isEmpty { onChange(changes) }
    }

    /// Reports that the folder and all its files are gone.
    func reportMissing() {
        let changes = state.withLock { $0.known.removeAll(of: folder) }
        if !changes.isEmpty { onChange(changes) }
    }

    func run(_ method: FolderWatch.Method) {
        #if os(Linux)
            if method == .system {
                do throws(SystemError) {
                    var watch = try InotifyWatch(core: self)
                    try watch.run()
                    return
                } catch {
                    onProblem(error)
                }
            }
        #endif
        runPolling()
    }

    /// Polls the folder. A file counts as completely written when two scans found it unchanged.
    private func runPolling() {
        let interval: Int32 = 60
        let bodiesInterval: Int64 = 1_000
        var lastSeen: [String: FileStamp] = [:]
        var bodiesSeen: Int64 = 0
        while !isStopped {
            if SystemCalls.monotonicMilliseconds() - bodiesSeen >= bodiesInterval {
                onBodyFiles()
                onLook()
                bodiesSeen = SystemCalls.monotonicMilliseconds()
            }
            var seen: [String: FileStamp] = [:]
            report([""]) { path, identity in
                seen[path] = identity
                return lastSeen[path] == identity
            }
            lastSeen = seen
            _ = try? SystemCalls.waitReadable(wakeUp.output.number, -1, milliseconds: interval)
            wakeUp.drain()
            _ = takeRescan()
        }
    }
}
