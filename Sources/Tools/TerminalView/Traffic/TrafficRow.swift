/// An exchange as a row of a list: the request, the stub that answered, the end.
public struct TrafficRow: Sendable, Hashable {
    public struct Stub: Sendable, Hashable {
        public var id = ""
        public var name: String?
        public var key: String?
        public var file: String?
        public var line: Int?

        /// `dogs.yaml:17`; nil for a stub without a file.
        public var place: String? { file.map { file in line.map { "\(file):\($0)" } ?? file } }
        /// The shortest text that identifies the stub.
        public var label: String { place ?? name ?? key ?? id }
    }

    public struct Session: Sendable, Hashable {
        public var id = ""
        public var name: String?
        public var label: String { name ?? id }
    }

    /// How the exchange ended.
    public struct Ending: Sendable, Hashable {
        /// The journal's word: `sent`, `faultApplied`, `clientDisconnected`.
        public var end = "sent"
        /// Why the answer is a 500 that no stub defines.
        public var failure: String?
        public var bytesSent = 0
        public var bodyBytesSent: Int?
        public var microseconds = 0
    }

    public var id = ""
    public var sequence = 0
    /// When it was received, in milliseconds since 1970.
    public var at = 0
    public var method = ""
    public var url = ""
    public var wasMatched = true
    public var stub: Stub?
    public var status: Int?
    public var protocolName: String?
    public var host: String?
    public var type: String?
    public var isProxied = false
    /// The gate at which it waits.
    public var gate: String?
    public var session: Session?
    /// The faults that were applied.
    public var faults: [String] = []
    /// Nil while it is running.
    public var ending: Ending?

    public init() {}

    public var isOpen: Bool { ending == nil }
    public var isHeld: Bool { isOpen && gate != nil }
    public var isUnmatched: Bool { !wasMatched }
    public var isFault: Bool { !faults.isEmpty || ending?.end == "faultApplied" }
    /// Whether its stub could not be served.
    public var isFailed: Bool { ending?.failure != nil }
    /// Whether it ended with a server error, even if the stub defines it.
    var isError: Bool { isFailed || (status ?? 0) >= 500 }
    /// Whether it is worth keeping for troubleshooting.
    public var isNotable: Bool { isUnmatched || isError || isFault }

    /// One letter for a notable row: `X` unmatched, `F` fault, `H` held, `!` failed.
    public var mark: Character {
        if isHeld { return "H" }
        if isUnmatched { return "X" }
        if isFault { return "F" }
        return isError ? "!" : " "
    }

    /// What the client received; differs from the status if a fault or the client cut the answer.
    public var outcome: String {
        guard let ending else { return gate.map { "held \($0)" } ?? "open" }
        switch ending.end {
        case "sent": return status.map(String.init) ?? "-"
        case "faultApplied":
            if faults.contains("CONNECTION_RESET_BY_PEER") { return "reset" }
            if faults.contains("EMPTY_RESPONSE") { return "none" }
            if faults.contains("RANDOM_DATA_THEN_CLOSE") { return "garbage" }
            if faults.contains("MALFORMED_RESPONSE_CHUNK") { return "bad chunk" }
            if let sent = ending.bodyBytesSent, ending.bytesSent > 0 { return "cut at \(sent) B" }
            return ending.bytesSent == 0 ? "none" : faults.last ?? "fault"
        case "clientGone": return "client gone"
        case "clientStalled": return "client stalled"
        case "targetGone": return "target gone"
        default: return ending.end
        }
    }

    /// The URL without its query.
    var path: Substring { url.prefix { $0 != "?" } }
}
