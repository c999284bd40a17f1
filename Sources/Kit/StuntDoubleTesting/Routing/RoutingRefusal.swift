public import Foundation

extension MockRouting {
    /// A request that a routing cannot carry: the error of its task, and a failure of the test.
    public struct Refusal: Error, Sendable, CustomStringConvertible, LocalizedError {
        /// The request: `GET https://api.example.com/me`.
        public let request: String
        /// The reason, and what to do instead.
        public let reason: String

        public var description: String { "MockRouting cannot carry \(request): \(reason)" }
        public var errorDescription: String? { description }

        static let download = """
            Foundation on this system ends the process when a download comes through a URLProtocol. Use a data task, or give \
            the code under test the base URL `mock.url`
            """
        static let upload = """
            Foundation on this system does not show a URLProtocol the body of an upload task. Use a data task with \
            `httpBody`, or give the code under test the base URL `mock.url`
            """
        static let redirect = """
            Foundation on this system ends the process when a URLProtocol redirects. Answer with the final response, or give \
            the code under test the base URL `mock.url`
            """
        static let basicChallenge = """
            on this system a task never ends after a 401 with `WWW-Authenticate: Basic`. Leave that header away, or \
            challenge with another scheme
            """
        static let coding = """
            the answer has a `Content-Encoding`, and nothing decodes it on this way. Leave it away in the stub
            """
        static let otherHost = "the host is not one of those that are routed, and all others are refused"
        static let ended = "the test of this routing has ended"
        static let stream = "the stream of its body cannot be read"
    }
}
