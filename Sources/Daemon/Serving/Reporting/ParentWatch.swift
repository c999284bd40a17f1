public import SDPlatform

/// Notices that the process which started this one has ended.
///
/// A pipe, a socket or a terminal on standard input is closed when its other end is gone. Any other standard input
/// means nothing: it is `/dev/null` for a background command of a script, and for a process that a test starts without
/// input. In that case the parent process itself is watched.
public enum ParentWatch: Sendable, Hashable, CustomStringConvertible {
    case pipe
    case socket
    case terminal
    case process(Int32)
    /// The process that started this one has already ended.
    case ended
    /// The parent is outside of this process's namespace, as for the first process of a container.
    case nobody

    /// Determines what can be watched.
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

    /// Calls `onEnd` once, on a separate thread, when the parent has ended. Data on standard input from a pipe or a
    /// socket are read and discarded.
    /// - Throws: if no thread can be started.
    public func start(
        descriptor: Int32 = 0, onEnd: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        if case .nobody = self { return }
        let thread = try SystemThread(name: "parent") {
            // The thread has its own copies of the standard streams, because sharing them slows down the loops' system
            // calls.
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

    /// The reason why the daemon ends when what is watched has ended, for people.
    public var endDescription: String {
        self == .ended ? "the parent process has already exited" : "\(self) has ended"
    }

    /// The watched thing, for the log.
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
