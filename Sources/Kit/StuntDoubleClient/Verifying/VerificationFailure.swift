/// An expectation about requests that was not met.
public struct VerificationFailure: Error, Sendable, CustomStringConvertible {
    /// A description of what was expected and what was received, with the requests nearest to it and how they differ;
    /// several lines.
    public var message: String
    /// The place of the expectation in the test.
    public var callSite: CallSite
    /// The error of the test's own code that it tells of, if there is one.
    package var cause: (any Error)?

    /// Makes a failure.
    public init(_ message: String, at callSite: CallSite) {
        self.message = message
        self.callSite = callSite
    }

    /// The place and the message.
    public var description: String { "\(callSite): \(message)" }
}

extension VerificationFailure: PlacedError {
    package var place: CallSite? { callSite }

    package func placed(at callSite: CallSite) -> VerificationFailure { self }
}

/// Tells a test's framework about failures. A `MockServer` with a reporter reports and goes on; one without throws.
public protocol FailureReporter: Sendable {
    /// Marks the test as failed at the failure's place.
    func report(_ failure: VerificationFailure)
    /// Tells what is valid in a call and hardly meant; the test does not fail. Without a method of your own it is printed to
    /// standard error.
    /// - Parameters:
    ///   - warning: the server's own words.
    ///   - callSite: the place of the call; nil for calls that do not know it, such as those of properties.
    func warn(_ warning: String, at callSite: CallSite?)
}

extension FailureReporter {
    /// Prints the warning to standard error, once for each place.
    public func warn(_ warning: String, at callSite: CallSite?) {
        PrintedWarnings.shared.print(warning, at: callSite)
    }
}
