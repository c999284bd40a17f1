import SDBasics

/// The failures of handlers, which no caller could catch.
final class HandlerFailures: Sendable {
    private let list = Lock<[VerificationFailure]>([])

    /// Notes a failure, and tells the reporter if there is one.
    func add(_ failure: VerificationFailure, _ reporter: (any FailureReporter)?) {
        list.withLock { $0.append(failure) }
        reporter?.report(failure)
    }

    var all: [VerificationFailure] { list.withLock { $0 } }
}
