import SDJSON

/// The session report at the end of a test.
struct EndReport: Sendable {
    let served: Int
    /// The number of unmatched requests.
    let unmatchedCount: Int
    private let failed: [JSONValue]
    private let failedCount: Int
    private let unused: [JSONValue]
    private let strays: [JSONValue]
    private let refusals: [JSONValue]

    init(of mock: MockServer) async throws {
        guard let id = mock.sessionID else { throw MockServerError("the server has no session for this test") }
        let json = try await mock.admin("GET", "/sessions/\(id)/report")
        served = json["served"]?.intValue ?? 0
        unmatchedCount = json["unmatchedCount"]?.intValue ?? 0
        failed = json["failed"]?.arrayValue ?? []
        failedCount = json["failedCount"]?.intValue ?? 0
        unused = json["unusedStubs"]?.arrayValue ?? []
        strays = json["withoutIdentity"]?.arrayValue ?? []
        refusals = json["refusals"]?.arrayValue ?? []
    }

    /// A note about requests without a session's identity, and about refused connections, during the test; nil if there
    /// were none.
    var around: String? {
        var lines: [String] = []
        if !strays.isEmpty { lines.append("came while this test ran, without the identity of a test:") }
        for stray in strays.prefix(Self.most) {
            let method = stray["method"]?.stringValue ?? ""
            let url = stray["url"]?.stringValue ?? ""
            var answer = "nothing answered"
            if stray["matched"] == true {
                answer = stray["stub"].map { "answered by \(Self.stubText($0))" } ?? "answered"
            }
            lines.append("    \(method) \(url): \(answer)\(Self.times(stray))")
        }
        if !refusals.isEmpty { lines.append("refused:") }
        for refusal in refusals.prefix(Self.most) {
            lines.append("    \(refusal["text"]?.stringValue ?? "")\(Self.times(refusal))")
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private static func times(_ entry: JSONValue) -> String {
        let count = entry["count"]?.intValue ?? 1
        return count > 1 ? " (\(count) times)" : ""
    }

    /// The failures other than unmatched requests, a text for each kind; empty if there are none.
    /// - Parameter loaded: stubs that may be unused.
    func failureTexts(_ settings: ScopeSettings, without loaded: Set<Stub.ID>) -> [String] {
        var failureTexts: [String] = []
        if failedCount > 0 {
            let shown = Self.oldestFirst(failed).map(Self.failedText)
            failureTexts.append(Self.text("a stub could not answer", failedCount, "request", shown))
        }
        let idle = unused.filter { stub in
            stub["id"]?.stringValue.flatMap(Stub.id(text:)).map { !loaded.contains($0) } ?? true
        }
        if settings.forbidsUnused, !idle.isEmpty {
            let shown = idle.prefix(Self.most).map { "✗ \(Self.stubText($0))" }
            failureTexts.append(Self.text("no request was answered by", idle.count, "stub", shown))
        }
        return failureTexts
    }

    private static func oldestFirst(_ events: [JSONValue]) -> some Collection<JSONValue> {
        events.sorted { ($0["sequence"]?.intValue ?? 0) < ($1["sequence"]?.intValue ?? 0) }.prefix(most)
    }

    private static let most = 10

    private static func text(_ verdict: String, _ count: Int, _ noun: String, _ shown: [String]) -> String {
        let rest = count - shown.count
        let lines = shown + (rest > 0 ? ["… and \(rest) more"] : [])
        return "\(verdict) \(count) \(noun)\(count == 1 ? "" : "s"):\n" + lines.joined(separator: "\n")
    }

    private static func failedText(_ event: JSONValue) -> String {
        let stub = event["stub"].map { " (\(stubText($0)))" } ?? ""
        return "✗ \(requestText(event))\(stub): \(event["reason"]?.stringValue ?? "no reason is known")"
    }

    private static func requestText(_ event: JSONValue) -> String {
        let request = event["request"]
        return "\(request?["method"]?.stringValue ?? "") \(request?["url"]?.stringValue ?? "")"
    }

    /// The name or key of a stub, and its source location.
    private static func stubText(_ stub: JSONValue) -> String {
        let key = stub["key"]?.stringValue ?? ""
        let name = stub["name"]?.stringValue ?? stub["stubMapping"]?["name"]?.stringValue
        let place = stub["file"]?.stringValue.map { file in
            " at \(file)" + (stub["line"]?.intValue.map { ":\($0)" } ?? "")
        }
        return (name.map { $0 == key || key.isEmpty ? $0 : "\($0) (\(key))" } ?? key) + (place ?? "")
    }
}
