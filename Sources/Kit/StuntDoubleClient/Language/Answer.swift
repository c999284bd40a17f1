package import SDStubModel

extension Stub {
    /// An answer as a test writes it down: a response, and what it says about its stub, such as how often it is given.
    ///
    /// ```swift
    /// try await mock.stub(.get("/orders"), .status(503).times(2), .json(orders).delay(.milliseconds(80)))
    /// ```
    ///
    /// Each answer begins with a static member (`.json(…)`, `.status(…)`, `.fault(…)`) and is changed by the methods
    /// after it.
    public struct Answer: Sendable {
        /// The response itself. An error that was met while it was made is not in it; `resolved()` throws that.
        package var definition = ResponseDefinition()
        /// The number of requests that it answers before the next answer has its turn; nil for one, or for all that
        /// follow the last.
        package var count: Int?
        /// The relative frequency with which it is drawn in a random choice; nil in a sequence.
        package var drawingWeight: Int?
        /// The answers that follow the last one of the sequence; nil repeats that one.
        package var end: ResponseSequence.End?
        /// Where requests have the value for each of which the sequence is kept; nil for one sequence for all.
        package var key: SequenceKey?
        /// Whether the `Content-Type` is that of the body rather than one that the test has set.
        var hasTypeOfBody = false
        /// The changes that it makes to its stub, in the order in which they were written down.
        var changesOfStub: [@Sendable (inout SDStubModel.StubMapping) -> Void] = []
        /// The first mistake, such as a value that could not be encoded.
        private(set) var problem: Problem?

        /// Makes an empty answer with the status 200.
        package init() {}

        /// Makes an answer of a response.
        package init(_ definition: ResponseDefinition) {
            self.definition = definition
        }

        /// The response.
        /// - Throws: what was wrong with the values it was made of.
        package func resolved() throws(Problem) -> ResponseDefinition {
            if let problem { throw problem }
            if let failure = definition.jsonBody?.encodingFailure ?? definition.stream?.json.encodingFailure {
                throw failure
            }
            return try definition.checked()
        }

        /// A copy that cannot be sent.
        func failing(_ problem: Problem) -> Answer {
            var copy = self
            copy.problem = copy.problem ?? problem
            return copy
        }
    }

    /// The reason why a stub that a test has written down cannot be sent: a value that JSON cannot express, a path that
    /// is none.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The message, of one or several sentences, with what was expected and found.
        public let message: String
        /// The place in the test that would have sent it; nil for a value that is not sent, such as a `Stub` of its own.
        public internal(set) var callSite: CallSite?

        /// Makes a problem of its message.
        package init(_ message: String) {
            self.message = message
        }

        /// The place if there is one, and the message.
        public var description: String { callSite.map { "\($0): \(message)" } ?? message }

        public static func == (one: Problem, other: Problem) -> Bool { one.message == other.message }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(message)
        }
    }
}

extension Stub.Problem: PlacedError {
    package var place: CallSite? { callSite }

    package func placed(at callSite: CallSite) -> Stub.Problem {
        var problem = self
        problem.callSite = self.callSite ?? callSite
        return problem
    }
}

extension Stub.Answer {
    /// A copy with a change of its response.
    package func changing(_ change: (inout ResponseDefinition) -> Void) -> Stub.Answer {
        var copy = self
        change(&copy.definition)
        return copy
    }

    /// A copy with a change of its stub, made when the stub is.
    package func changingStub(
        _ change: @escaping @Sendable (inout SDStubModel.StubMapping) -> Void
    ) -> Stub.Answer {
        var copy = self
        copy.changesOfStub.append(change)
        return copy
    }
}
