private import Dispatch

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
