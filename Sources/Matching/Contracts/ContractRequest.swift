/// A request as a contract sees it.
public struct ContractRequest: Sendable {
    /// The method as sent.
    public var method: String
    /// The path as sent, percent-encoded, without the query and without the prefix under which the contract is served.
    public var path: String
    /// The query as sent, without `?`; nil without one.
    public var query: String?
    /// The header fields as sent, in order.
    public var headers: [(name: String, value: String)]
    /// The body without content coding.
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

    /// A number that is equal for equal requests: FNV-1a of method, URL and body. Seeds generated values.
    public var seed: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        }
        add(method.utf8)
        add(path.utf8)
        add((query ?? "").utf8)
        add(body.prefix(64 << 10))
        return hash
    }
}

/// An answer to check.
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
