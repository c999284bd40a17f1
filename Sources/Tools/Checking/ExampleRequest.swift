import SDBasics
public import SDStubModel

/// A request that a stub answers, derived from its conditions.
public struct ExampleRequest: Sendable, Equatable {
    public struct Field: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public var method: String
    /// The path and query, as sent.
    public var target: String
    public var headers: [Field] = []
    public var body: [UInt8] = []

    /// Whether it is a GraphQL query, whatever its method.
    var isQuery = false

    /// Whether it changes nothing on the server, by its method (RFC 9110, section 9.2.1) or as a GraphQL query.
    public var isSafe: Bool { isQuery || ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

    /// Makes the request.
    /// - Parameters:
    ///   - values: the values of parts without an example (path variables, parameters, headers, cookies and fields), by
    ///     name.
    /// - Throws: the reason why there is none.
    public init(of stub: StubMapping, values: [String: String] = [:]) throws(NoExample) {
        if let reason = Self.reasonToSkip(stub) { throw NoExample(reason, isOfNoService: true) }
        let maker = ExampleMaker(stub.request, values: values)
        if let resource = stub.resource {
            self = try maker.list(of: resource)
        } else {
            self = try maker.request()
        }
    }

    /// Why a stub's answer cannot be compared with the real service's.
    private static func reasonToSkip(_ stub: StubMapping) -> String? {
        if stub.enabled == false { return "it is not enabled" }
        let response = stub.responses?.entries.first?.response ?? stub.response
        if response.proxyBaseUrl != nil { return "it sends requests on to a real server" }
        if response.fault != nil || response.faults != nil { return "it answers with a fault" }
        if response.stream != nil { return "it answers with a stream" }
        if response.hold != nil { return "it waits at a gate" }
        if let state = stub.requiredScenarioState, stub.scenarioName != nil, state != "Started" {
            return "it answers in the state \(quoted(state)) of a scenario only"
        }
        return nil
    }
}

/// Why a stub has no example, as a clause.
public struct NoExample: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String
    /// Whether the stub's answer is not one that a service gives, so that there is nothing to compare.
    public let isOfNoService: Bool

    init(_ description: String, isOfNoService: Bool = false) {
        self.description = description
        self.isOfNoService = isOfNoService
    }
}
