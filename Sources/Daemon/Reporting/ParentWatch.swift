public import Platform

/// Notices that the process which began this one has ended.
///
/// A pipe, a socket or a terminal on standard input is closed when whoever holds its other end is gone. Any other standard
/// input says nothing: it is `/dev/null` for what a script begins in the background, and for what a test begins without an
/// input. Then the parent process itself is watched.
public enum ParentWatch: Sendable, Hashable, CustomStringConvertible {
    case pipe
    case socket
    case terminal
    case process(Int32)
    /// The process that began this one has ended already.
    case ended
    /// The parent stands outside of what this process can see, as it does for the first process of a container.
    case nobody

    /// What there is to be watched.
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

    /// Calls `onEnd` once, on a thread of its own, when the parent has ended. What comes on standard input by a pipe or a
    /// socket is read and thrown away.
    public func start(
        descriptor: Int32 = 0, onEnd: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        if case .nobody = self { return }
        let thread = try SystemThread(name: "parent") {
            // Of the standard streams the thread has its own copies; the loops' system calls are dearer while others share.
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

    /// What is watched, for people.
    public var description: String {
        switch self {
        case .pipe: "standard input, a pipe"
        case .socket: "standard input, a socket"
        case .terminal: "standard input, a terminal"
        case .process(let identifier):
            "the parent process \(identifier)" + (SystemCalls.processName(identifier).map { " (\($0))" } ?? "")
        case .ended: "nothing: the process that began this one has ended already"
        case .nobody: "nothing: the parent process stands outside of this container"
        }
    }
}
