public import SDJSON

/// Rows from the admin API's events.
extension TrafficRow {
    /// Parses the data of a `request` event, or a row of `requests?view=row`; nil if it is invalid.
    public init?(request data: JSONValue) {
        guard let id = data["id"]?.stringValue, let method = data["method"]?.stringValue,
            let url = data["url"]?.stringValue
        else { return nil }
        self.id = id
        self.method = method
        self.url = Self.short(url)
        sequence = data["sequence"]?.intValue ?? 0
        let whole = data["request"]
        let when = data["at"] ?? whole?["loggedDate"]
        at = when?.intValue ?? when?.doubleValue.flatMap { Int(exactly: $0.rounded()) } ?? 0
        wasMatched = data["wasMatched"]?.boolValue ?? true
        stub = data["stub"].flatMap { Stub($0) }
        status = data["status"]?.intValue
        protocolName = (data["protocol"] ?? whole?["protocol"])?.stringValue
        host = (data["host"] ?? whole?["host"])?.stringValue
        type = data["type"]?.stringValue
        isProxied = data["proxied"]?.boolValue ?? false
        gate = data["gate"]?.stringValue
        session = data["session"].flatMap { Session($0) }
        if data["end"] != nil { end(with: data) }
    }

    /// Applies the data of a `response` event.
    public mutating func end(with data: JSONValue) {
        var ending = Ending()
        ending.end = data["end"]?.stringValue ?? "sent"
        ending.failure = data["failure"]?.stringValue
        ending.bytesSent = data["bytesSent"]?.intValue ?? 0
        ending.bodyBytesSent = data["bodyBytesSent"]?.intValue
        ending.microseconds = data["durationUs"]?.intValue ?? (data["durationMs"]?.intValue ?? 0) &* 1_000
        self.ending = ending
        status = data["status"]?.intValue ?? status
        type = data["type"]?.stringValue ?? type
        if let fault = data["fault"]?.stringValue { faults = [fault] }
        for fault in data["faults"]?.arrayValue ?? [] {
            if let name = fault["fault"]?.stringValue ?? fault.stringValue, !faults.contains(name) {
                faults.append(name)
            }
        }
        gate = nil
    }

    /// A URL, cut to the length for a row.
    private static func short(_ url: String) -> String {
        url.utf8.count <= 2_000 ? url : String(decoding: url.utf8.prefix(2_000), as: UTF8.self) + "…"
    }
}

extension TrafficRow.Stub {
    public init?(_ data: JSONValue) {
        guard data.objectValue != nil else { return nil }
        id = data["id"]?.stringValue ?? ""
        name = data["name"]?.stringValue
        key = data["key"]?.stringValue
        file = data["file"]?.stringValue
        line = data["line"]?.intValue
    }
}

extension TrafficRow.Session {
    public init?(_ data: JSONValue) {
        guard let id = data["id"]?.stringValue else { return nil }
        self.id = id
        name = data["name"]?.stringValue
    }
}
