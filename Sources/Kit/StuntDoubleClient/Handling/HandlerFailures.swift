import SDBasics

/// The failures of handlers: they run on tasks of their own, so no caller can catch them.
final class HandlerFailures: Sendable {
    private let list = Lock<[VerificationFailure]>([])

    /// Records a failure, and passes it to the reporter if there is one.
    func add(_ failure: VerificationFailure, _ reporter: (any FailureReporter)?) {
        list.withLock { $0.append(failure) }
        reporter?.report(failure)
    }

    var all: [VerificationFailure] { list.withLock { $0 } }
}
