import SDJSON
import SDStubModel

/// Properties of the stub that are written on an answer. In a sequence, any of the answers may set them.
extension Stub.Answer {
    /// Answers that many requests before the next answer takes over. After the last one, other stubs answer.
    public func times(_ count: Int) -> Stub.Answer {
        guard (1...Int(Int32.max)).contains(count) else {
            return failing(Stub.Problem("times(\(count)): an answer is given once or more often, up to \(Int32.max)"))
        }
        var copy = self
        copy.count = count
        return copy
    }

    /// Picks the answer at random, with this weight relative to the others.
    public func weight(_ weight: Int) -> Stub.Answer {
        var copy = self
        copy.drawingWeight = weight
        return copy
    }

    /// Sets what follows the last answer of a sequence; by default the last one repeats, or other stubs answer.
    public func onEnd(_ end: Stub.End) -> Stub.Answer {
        var copy = self
        copy.end = end.model
        return copy
    }

    /// Keeps a separate sequence for each value of a request, such as `.path("id")`.
    public func per(_ value: Stub.RequestValue) -> Stub.Answer {
        var copy = self
        copy.key = value.key
        return copy
    }

    /// Sets the stub's id. Adding a stub with the same id replaces the earlier one.
    public func id(_ id: Stub.ID) -> Stub.Answer {
        changingStub { $0.id = id }
    }

    /// Answers only in one state of a scenario, and moves it to another.
    /// - Parameters:
    ///   - name: the scenario's name, shared by its stubs.
    ///   - from: the required state, initially `Started`; nil for any.
    ///   - to: the next state; nil for no change.
    public func inScenario(_ name: String, from: String? = nil, to: String? = nil) -> Stub.Answer {
        changingStub {
            $0.scenarioName = name
            $0.requiredScenarioState = from
            $0.newScenarioState = to
        }
    }

    /// Lets pages of other origins read the answer: adds CORS headers and answers preflight requests.
    /// - Parameters:
    ///   - origins: such as `https://app.example`; none means any origin.
    ///   - credentials: whether pages may send cookies and credentials.
    public func cors(_ origins: String..., credentials: Bool = false) -> Stub.Answer {
        var policy = CORSPolicy()
        policy.origins = origins.isEmpty ? nil : origins
        policy.credentials = credentials
        return changingStub { [policy] in $0.cors = policy }
    }

    /// Stores values in the session's state after the answer is made. The values are templates, such as
    /// `{{jsonPath request.body '$.name'}}`.
    /// - Parameters:
    ///   - values: the names and their templates.
    ///   - context: the name of the context, itself a template.
    public func capture(_ values: [String: String], in context: String = "session") -> Stub.Answer {
        let state = JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) })
        return listening("recordState", ["context": .string(context), "state": .object(state)])
    }

    /// Removes a context from the session's state after the answer is made.
    public func deleteState(_ context: String) -> Stub.Answer {
        listening("deleteState", ["context": .string(context)])
    }

    /// Adds a listener to the stub, such as `recordState` with a `list`.
    public func listener(_ name: String, _ parameters: [String: Stub.JSON]) -> Stub.Answer {
        listening(name, JSONObject(parameters))
    }

    func listening(_ name: String, _ parameters: JSONObject) -> Stub.Answer {
        changingStub {
            let listener: JSONValue = ["name": .string(name), "parameters": .object(parameters)]
            $0.serveEventListeners = .array(($0.serveEventListeners?.arrayValue ?? []) + [listener])
        }
    }
}

extension Stub {
    /// A value in a request.
    public struct RequestValue: Sendable, Hashable {
        let key: SequenceKey

        /// The value of a path variable, `{name}`.
        public static func path(_ name: String) -> RequestValue { RequestValue(key: SequenceKey(.path, name)) }

        /// The value of a query parameter.
        public static func query(_ name: String) -> RequestValue { RequestValue(key: SequenceKey(.query, name)) }

        /// The value of a header.
        public static func header(_ name: String) -> RequestValue { RequestValue(key: SequenceKey(.header, name)) }

        /// The value of a cookie.
        public static func cookie(_ name: String) -> RequestValue { RequestValue(key: SequenceKey(.cookie, name)) }

        /// The result of a JSONPath such as `$.user.id` in the body.
        public static func body(_ jsonPath: String) -> RequestValue { RequestValue(key: SequenceKey(.body, jsonPath)) }
    }
}
