private import Dispatch
private import Foundation

/// Runs `work` on another thread while `body` runs on this one, and waits for both.
public func withBackgroundWork(_ work: @Sendable () throws -> Void, during body: () throws -> Void) throws {
    let thread = DispatchQueue(label: "background work of a test")
    let done = DispatchGroup()
    let outcome = Locked<Result<Void, any Error>>(.success(()))
    try withoutActuallyEscaping(work) { work in
        thread.async(group: done) {
            let result = Result(catching: work)
            outcome.withLock { $0 = result }
        }
        defer { done.wait() }
        try body()
    }
    try outcome.withLock { $0 }.get()
}

/// Runs blocking work on another thread.
public func runOnThread(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "blocking work of a test").async(execute: work)
}

/// Runs `body` on a thread with little stack, and waits for it: whatever recurses over what a client or a file gives has
/// a limit, and fits. The daemon's own threads have 8 MiB at the least.
/// - Parameter size: the size of the stack, in bytes. In a build without optimization, whose frames are larger, it is four
///   times as large.
public func onSmallStack(of size: Int = 512 << 10, _ body: @escaping @Sendable () throws -> Void) throws {
    #if DEBUG
        let size = 4 * size
    #endif
    let outcome = Locked<Result<Void, any Error>>(.success(()))
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let result = Result(catching: body)
        outcome.withLock { $0 = result }
        done.signal()
    }
    thread.stackSize = size
    thread.start()
    done.wait()
    try outcome.withLock { $0 }.get()
}
