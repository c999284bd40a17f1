/// A request as a contract sees it.
public struct ContractRequest: Sendable {
    /// The method as sent.
    public var method: String
    /// The path without the prefix under which the contract is served, as sent: percent-encoded, without a query.
    public var path: String
    /// The query as sent, without `?`; nil without one.
    public var query: String?
    /// The header fields as sent, in their order.
    public var headers: [(name: String, value: String)]
    /// The body, its content encoding undone.
    public var body: [UInt8]

    /// Makes a request.
    public init(
        method: String, path: String, query: String? = nil, headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }
}

/// An answer as a contract sees it.
public struct ContractAnswer: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
