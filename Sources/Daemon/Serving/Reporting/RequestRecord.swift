/// The log line of a request: `GET /path 200 123 bytes 0.4 ms stub "name"`.
public struct RequestRecord: Sendable, Hashable {
    public var method: String
    /// The target as received.
    public var target: String
    /// The status; nil if the connection ended before it was sent.
    public var status: Int?
    /// The number of response body bytes sent.
    public var bytes: Int
    /// The time from the request's last byte to the response's end.
    public var duration: Duration
    /// The matched stub's name or id; nil if there was none.
    public var stub: String?
    /// How the response ended if not normally: the fault, or a disconnect of the client.
    public var ending: String?
    /// Whether the record is about a WebSocket whose messages stubs answered.
    public var isOfChannel = false
    /// The session that answered; nil for the default one.
    public var session: String?

    public init(
        method: String, target: String, status: Int?, bytes: Int, duration: Duration, stub: String?,
        ending: String? = nil, session: String? = nil
    ) {
        self.method = method
        self.target = target
        self.status = status
        self.bytes = bytes
        self.duration = duration
        self.stub = stub
        self.ending = ending
        self.session = session
    }

    /// The text line without the time.
    public var text: String {
        var text = "\(singleLine(method)) \(singleLine(target)) \(status.map { String($0) } ?? "-") \(bytes) bytes "
        text += "\(millisecondsText(duration)) ms "
        var parts = stub.map { ["stub " + LogValue.string($0).json] } ?? (isOfChannel ? [] : ["no stub"])
        if let ending { parts.append(singleLine(ending)) }
        text += parts.joined(separator: " ")
        if let session { text += " session " + singleLine(session) }
        return text
    }

    /// The fields of the JSON line.
    var fields: [LogField] {
        [
            LogField("method", .string(method)), LogField("target", .string(target)),
            LogField("status", status.map { .integer($0) } ?? .null), LogField("bytes", .integer(bytes)),
            LogField("milliseconds", .decimal(Double(tenths(duration)) / 10)),
            LogField("stub", stub.map { .string($0) } ?? .null),
            LogField("ending", ending.map { .string($0) } ?? .null),
            LogField("session", session.map { .string($0) } ?? .null),
        ]
    }
}

/// The duration in tenths of a millisecond, rounded down.
private func tenths(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    let fromSeconds = Int(clamping: seconds).multipliedReportingOverflow(by: 10_000)
    return fromSeconds.overflow ? Int.max : fromSeconds.partialValue &+ Int(attoseconds / 100_000_000_000_000)
}

/// The duration in milliseconds with one decimal.
func millisecondsText(_ duration: Duration) -> String {
    let tenths = tenths(duration)
    return "\(tenths / 10).\(abs(tenths % 10))"
}
