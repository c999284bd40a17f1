public import Platform
internal import Synchronization

/// Tells what changes among the stub files of a folder, from a thread of its own.
///
/// A change is told when its file is written to the end: on Linux when the writer closes it or moves it into place, elsewhere
/// when two looks found the same. Changes that come together are told together, within about a tenth of a second of the
/// first. A folder that is missing, or is removed and made again, is watched as soon as it is there.
public final class FolderWatch: Sendable {
    /// How changes are noticed.
    public enum Method: Sendable {
        /// Linux's inotify; elsewhere, and where the system has no watches left, looking again and again.
        case system
        case polling
    }

    private let core: WatchCore
    private let thread: SystemThread

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - contents: what the folder was read as; whatever differs from it is told, so that nothing is lost between the
    ///     reading and the watching.
    ///   - onProblem: called when the system cannot watch the folder and looking again and again takes its place.
    ///   - onChange: called on the thread of the watch, never twice at a time, with changes in the order of their paths.
    public init(
        _ folder: StubFolder, known contents: StubFolderContents, method: Method = .system,
        onProblem: @escaping @Sendable (SystemError) -> Void = { _ in },
        onChange: @escaping @Sendable ([FileChange]) -> Void
    ) throws(SystemError) {
        let core = WatchCore(
            folder: folder, known: KnownFiles(contents), wakeUp: try SystemCalls.makePipe(), onProblem: onProblem,
            onChange: onChange)
        self.core = core
        thread = try SystemThread(name: "watch") { core.run(method) }
    }

    /// Ends the watch; when this returns, no call is under way and none will come. Not to be called from `onChange`.
    public func stop() {
        let isFirst = core.state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return }
        core.wakeUp.wake()
        thread.join()
    }

    /// Looks at all files now, as when a signal asks for it.
    public func rescan() {
        core.state.withLock { $0.wantsRescan = true }
        core.wakeUp.wake()
    }

    /// Takes note of a file that the daemon itself has just written, so that it is not told as a change.
    public func accept(_ file: StubFile) {
        core.state.withLock { $0.known.note(file) }
    }

    /// Takes note of a file that the daemon itself has just removed.
    public func acceptRemoval(of relativePath: String) {
        core.state.withLock { $0.known.noteRemoval(relativePath) }
    }

    /// Takes note of files that were read anew.
    public func accept(_ contents: StubFolderContents) {
        core.state.withLock { $0.known.replace(with: contents) }
    }

    deinit {
        stop()
    }
}

/// What the handle and the thread of a watch share.
final class WatchCore: Sendable {
    struct State {
        var known: KnownFiles
        var isStopped = false
        var wantsRescan = false
    }

    let folder: StubFolder
    let state: Mutex<State>
    let wakeUp: SystemCalls.Pipe
    let onProblem: @Sendable (SystemError) -> Void
    private let onChange: @Sendable ([FileChange]) -> Void

    init(
        folder: StubFolder, known: KnownFiles, wakeUp: consuming SystemCalls.Pipe,
        onProblem: @escaping @Sendable (SystemError) -> Void, onChange: @escaping @Sendable ([FileChange]) -> Void
    ) {
        self.folder = folder
        state = Mutex(State(known: known))
        self.wakeUp = wakeUp
        self.onProblem = onProblem
        self.onChange = onChange
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Something could not be read when it was last looked at. No event tells when it can be.
    var hasUnreadable: Bool { state.withLock { !$0.known.unreadable.isEmpty } }

    /// True once for each request to look at everything.
    func takeRescan() -> Bool {
        state.withLock { state in
            defer { state.wantsRescan = false }
            return state.wantsRescan
        }
    }

    /// Tells what changed at and below `paths`.
    func report(_ paths: Set<String>, isSettled: (String, FileIdentity) -> Bool = { _, _ in true }) {
        let changes = state.withLock { $0.known.changes(of: folder, at: paths, isSettled: isSettled) }
        if !changes.isEmpty { onChange(changes) }
    }

    /// Tells that the folder is gone, and all files with it.
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

    /// Looks at the folder again and again. A file counts as written when two looks found it the same.
    private func runPolling() {
        let interval: Int32 = 60
        var lastSeen: [String: FileIdentity] = [:]
        while !isStopped {
            var seen: [String: FileIdentity] = [:]
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
