/// An unmet expectation about requests.
public struct VerificationFailure: Error, Sendable, CustomStringConvertible {
    /// What was expected and what was received, with the nearest requests and how they differ; several lines.
    public var message: String
    /// The call site of the expectation in the test.
    public var callSite: CallSite
    /// The error of the test's own code behind it, if any.
    package var cause: (any Error)?

    /// Makes a failure.
    public init(_ message: String, at callSite: CallSite) {
        self.message = message
        self.callSite = callSite
    }

    /// The call site and the message.
    public var description: String { "\(callSite): \(message)" }
}

extension VerificationFailure: CallSiteError {
    package var place: CallSite? { callSite }

    package func placed(at callSite: CallSite) -> VerificationFailure { self }
}

/// Reports failures to a test framework. A `MockServer` with a reporter reports and continues; one without throws.
public protocol FailureReporter: Sendable {
    /// Marks the test as failed at the failure's call site.
    func report(_ failure: VerificationFailure)
    /// Reports a call that is valid but probably a mistake; the test does not fail. By default it is printed to
    /// standard error.
    /// - Parameters:
    ///   - warning: the server's message.
    ///   - callSite: the call site; nil if unknown, as for properties.
    func warn(_ warning: String, at callSite: CallSite?)
}

extension FailureReporter {
    /// Prints the warning to standard error, once for each call site.
    public func warn(_ warning: String, at callSite: CallSite?) {
        PrintedWarnings.shared.print(warning, at: callSite)
    }
}
