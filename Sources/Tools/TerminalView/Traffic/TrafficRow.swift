/// An exchange as a row of a list: what was asked, which stub answered, how it ended.
public struct TrafficRow: Sendable, Hashable {
    public struct Stub: Sendable, Hashable {
        public var id = ""
        public var name: String?
        public var key: String?
        public var file: String?
        public var line: Int?

        /// `dogs.yaml:17`; nil for a stub of no file.
        public var place: String? { file.map { file in line.map { "\(file):\($0)" } ?? file } }
        /// The shortest text that tells which one it is.
        public var label: String { place ?? name ?? key ?? id }
    }

    public struct Session: Sendable, Hashable {
        public var id = ""
        public var name: String?
        public var label: String { name ?? id }
    }

    /// How the exchange ended.
    public struct Ending: Sendable, Hashable {
        /// The word of the journal: `sent`, `faultApplied`, `clientGone`.
        public var end = "sent"
        /// Why it is a 500 that no stub asked for.
        public var failure: String?
        public var bytesSent = 0
        public var bodyBytesSent: Int?
        public var microseconds = 0
    }

    public var id = ""
    public var sequence = 0
    /// When it came, in milliseconds since 1970.
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
    /// The faults that acted.
    public var faults: [String] = []
    /// Nil as long as it continues.
    public var ending: Ending?

    public init() {}

    public var isOpen: Bool { ending == nil }
    public var isHeld: Bool { isOpen && gate != nil }
    public var isUnmatched: Bool { !wasMatched }
    public var isFault: Bool { !faults.isEmpty || ending?.end == "faultApplied" }
    /// Whether its stub could not be served.
    public var isFailed: Bool { ending?.failure != nil }
    /// Whether it ended with an error of a server, be it that the stub wants one.
    var isError: Bool { isFailed || (status ?? 0) >= 500 }
    /// Whether somebody who looks for trouble wants it kept.
    public var isNotable: Bool { isUnmatched || isError || isFault }

    /// One letter for what is out of the ordinary: `X` nothing answered, `F` a fault acted, `H` held, `!` failed.
    public var mark: Character {
        if isHeld { return "H" }
        if isUnmatched { return "X" }
        if isFault { return "F" }
        return isError ? "!" : " "
    }

    /// What the client got, which is not the status where a fault or the client cut it.
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

    /// The method and what was asked for, without what came before it.
    var path: Substring { url.prefix { $0 != "?" } }
}
