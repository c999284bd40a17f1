/// The options of `stuntdouble explain` and `stuntdouble routes`, and the daemon that `report` and `top` ask.
public struct QueryOptions: Sendable, Equatable {
    public var root = StubRoot.fallback
    /// The options of the server that the stubs are for.
    public var serve = ServeOptions()
    /// A running daemon to ask instead of reading `root`.
    public var server: ServerURL?
    /// The file with the daemon's port, in place of its address; of `report` and `top`.
    public var portFile: String?
    public var adminBasicAuth: BasicCredentials?
    public var adminToken: String?
    public var format = LogFormat.text

    /// The method of the request to explain.
    public var method = ""
    /// Whether to explain a WebSocket message instead of a request.
    public var isMessage: Bool { method == "WS" }
    /// A path with a query, or a URL.
    public var target = ""
    public var headers: [RequestHeader] = []
    /// The body, or `@` and the path of a file that contains it.
    public var data: String?

    public init() {}
}

/// A header line of a request.
public struct RequestHeader: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Parses a header; nil unless it is `Name: value`.
    init?(_ line: String) {
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
        name = String(line[..<colon])
        value = String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
        guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
    }
}
