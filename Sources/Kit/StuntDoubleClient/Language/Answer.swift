package import SDStubModel

extension Stub {
    /// An answer as a test writes it: a response, and properties of its stub such as how often it is given.
    ///
    /// ```swift
    /// try await mock.stub(.get("/orders"), .status(503).times(2), .json(orders).delay(.milliseconds(80)))
    /// ```
    ///
    /// An answer starts with a static member (`.json(…)`, `.status(…)`, `.fault(…)`) and is refined by methods.
    public struct Answer: Sendable {
        /// The response. `resolved()` throws an error that was found while it was built.
        package var definition = ResponseDefinition()
        /// The number of requests to answer before the next answer takes over; nil for one, or without limit for the
        /// last.
        package var count: Int?
        /// The relative weight in a random choice; nil in a sequence.
        package var drawingWeight: Int?
        /// The behaviour after the last answer of the sequence; nil repeats that answer.
        package var end: ResponseSequence.End?
        /// The request value by which sequences are separated; nil for one sequence.
        package var key: SequenceKey?
        /// Whether the `Content-Type` was derived from the body rather than set by the test.
        var hasTypeOfBody = false
        /// The changes to make to its stub, in source order.
        var changesOfStub: [@Sendable (inout SDStubModel.StubMapping) -> Void] = []
        /// The first mistake, such as a value that cannot be encoded.
        private(set) var problem: Problem?

        /// Makes an empty answer with the status 200.
        package init() {}

        /// Wraps a response in an answer.
        package init(_ definition: ResponseDefinition) {
            self.definition = definition
        }

        /// The response.
        /// - Throws: the first problem found while it was built.
        package func resolved() throws(Problem) -> ResponseDefinition {
            if let problem { throw problem }
            if let failure = definition.jsonBody?.encodingFailure ?? definition.stream?.json.encodingFailure {
                throw failure
            }
            return try definition.checked()
        }

        /// A copy that fails to resolve.
        func failing(_ problem: Problem) -> Answer {
            var copy = self
            copy.problem = copy.problem ?? problem
            return copy
        }
    }

    /// The reason why a stub of a test cannot be sent, such as a value that JSON cannot express or an invalid path.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The message: what was expected and found, in one or more sentences.
        public let message: String
        /// The call site that would have sent it; nil for a value that was not passed to a call, such as a `Stub` of
        /// its own.
        public internal(set) var callSite: CallSite?

        /// Makes a problem with its message.
        package init(_ message: String) {
            self.message = message
        }

        /// The call site, if known, and the message.
        public var description: String { callSite.map { "\($0): \(message)" } ?? message }

        public static func == (one: Problem, other: Problem) -> Bool { one.message == other.message }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(message)
        }
    }
}

extension Stub.Problem: CallSiteError {
    package var place: CallSite? { callSite }

    package func placed(at callSite: CallSite) -> Stub.Problem {
        var problem = self
        problem.callSite = self.callSite ?? callSite
        return problem
    }
}

extension Stub.Answer {
    /// A copy with a changed response.
    package func changing(_ change: (inout ResponseDefinition) -> Void) -> Stub.Answer {
        var copy = self
        change(&copy.definition)
        return copy
    }

    /// A copy with one more change to its stub, applied when the stub is made.
    package func changingStub(
        _ change: @escaping @Sendable (inout SDStubModel.StubMapping) -> Void
    ) -> Stub.Answer {
        var copy = self
        copy.changesOfStub.append(change)
        return copy
    }
}
