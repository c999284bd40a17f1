public import SDPlatform

/// Detects that the parent process has ended.
///
/// A pipe, socket or terminal on standard input closes together with its other end. Other kinds of standard input say
/// nothing (it is `/dev/null` for a script's background command, and for a process that a test starts without input).
/// In that case the parent process itself is watched.
public enum ParentWatch: Sendable, Hashable, CustomStringConvertible {
    case pipe
    case socket
    case terminal
    case process(Int32)
    /// The parent has already ended.
    case ended
    /// The parent is outside this process's namespace, as for a container's first process.
    case nobody

    /// Determines what to watch.
    public init(descriptor: Int32 = 0) {
        switch SystemCalls.kindOfStream(descriptor) {
        case .pipe: self = .pipe
        case .socket: self = .socket
        case .terminal: self = .terminal
        case .other:
            let parent = SystemCalls.parentIdentifier
            self = parent <= 0 ? .nobody : SystemCalls.isOrphan(of: parent) ? .ended : .process(parent)
        }
    }

    /// Calls `onEnd` once, on a separate thread, when the parent has ended. Input from a pipe or socket is discarded.
    /// - Throws: if no thread can be started.
    public func start(
        descriptor: Int32 = 0, onEnd: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        if case .nobody = self { return }
        let thread = try SystemThread(name: "parent") {
            // The thread has its own descriptor table, because sharing it slows down the loops' system calls.
            if descriptor <= 2 { SystemCalls.leaveSharedDescriptors() }
            switch self {
            case .pipe, .socket: SystemCalls.readUntilClosed(descriptor)
            case .terminal: SystemCalls.waitUntilHungUp(descriptor)
            case .process(let identifier): SystemCalls.waitForParent(identifier)
            case .ended, .nobody: break
            }
            onEnd()
        }
        thread.detach()
    }

    /// Why the daemon ends, for the log.
    public var endDescription: String {
        self == .ended ? "the parent process has already exited" : "\(self) has ended"
    }

    /// What is watched, for the log.
    public var description: String {
        switch self {
        case .pipe: "standard input, a pipe"
        case .socket: "standard input, a socket"
        case .terminal: "standard input, a terminal"
        case .process(let identifier):
            "the parent process \(identifier)" + (SystemCalls.processName(identifier).map { " (\($0))" } ?? "")
        case .ended: "nothing: the parent process has already exited"
        case .nobody: "nothing: the parent process is outside of this container"
        }
    }
}
