import SDJSON
import SDStubModel

extension MockServer {
    /// The unmatched requests, oldest first.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public var unmatchedRequests: [MockServer.ReceivedRequest] {
        get async throws { try await unmatchedEvents().map(\.request) }
    }

    /// The failure that lists all unmatched requests; nil if there are none.
    /// - Throws: `MockServerError` if the server cannot be reached.
    package func unmatchedFailure(at callSite: CallSite) async throws -> VerificationFailure? {
        try await KitThreads.run { try await findUnmatchedFailure(at: callSite) }
    }

    private func findUnmatchedFailure(at callSite: CallSite) async throws -> VerificationFailure? {
        let events = try await unmatchedEvents()
        guard !events.isEmpty else { return nil }
        var lines = [
            "\(events.count == 1 ? "a request was" : "\(events.count) requests were") not matched by any stub:"
        ]
        for event in events.prefix(Self.maxExplained) {
            lines.append("    #\(event.request.sequence) \(event.request.method) \(event.request.target)")
            lines += try await explanation(of: event.json).map { "        " + $0 }
        }
        for event in events.dropFirst(Self.maxExplained).prefix(20) {
            lines.append("    #\(event.request.sequence) \(event.request.method) \(event.request.target)")
        }
        if events.count > Self.maxExplained + 20 { lines.append("    …") }
        return VerificationFailure(lines.joined(separator: "\n"), at: callSite)
    }

    /// The maximum number of requests that are listed with their nearest stubs.
    private static var maxExplained: Int { 5 }

    private func unmatchedEvents() async throws -> [(request: MockServer.ReceivedRequest, json: JSONValue)] {
        let result = try await call("GET", "/requests?after=0&details=true&unmatched=true")
        return try (result.json["requests"]?.arrayValue ?? []).map { (try result.request($0), $0) }
    }

    /// The nearest stub of a request and its differences, or why a matching stub did not answer.
    /// - Throws: `MockServerError` if the server cannot be reached.
    private func explanation(of event: JSONValue) async throws -> [String] {
        let explanation = try await admin("POST", "/explain", event["request"] ?? .object(JSONObject()))
        var lines: [String] = []
        for stub in (explanation["ineligible"]?.arrayValue ?? []).prefix(2) {
            lines.append("\(Self.name(of: stub)) matches, but: \(stub["reason"]?.stringValue ?? "it may not answer")")
        }
        if let nearest = explanation["nearMisses"]?[0] {
            lines.append("nearest stub: \(Self.name(of: nearest))")
            lines += FailureText.differences(nearest).map { "    " + $0 }
        } else if explanation["stubMapping"]?.isNull == false {
            lines.append("a stub that has been added since would answer: \(Self.name(of: explanation))")
        } else if lines.isEmpty {
            lines.append("there are no stubs")
        }
        if let broken = explanation["brokenFiles"]?.arrayValue?.compactMap(\.stringValue), !broken.isEmpty {
            lines.append("it may be meant for a stub file that has errors:")
            lines += broken.prefix(3).map { "    " + $0 }
        }
        return lines
    }

    private static func name(of stub: JSONValue) -> String {
        var name = stub["key"]?.stringValue ?? stub["stub"]?["key"]?.stringValue
        if name == nil, let request = stub["stubMapping"]?["request"] {
            name = (try? SDStubModel.RequestPattern(json: request)).map { Stub.Request($0).summary }
        }
        let given = stub["name"]?.stringValue ?? stub["stubMapping"]?["name"]?.stringValue
        var text = [given.map { "\"\($0)\"" }, name].compactMap(\.self).joined(separator: ", ")
        if let file = stub["file"]?.stringValue {
            text += " (\(file)\(stub["line"]?.intValue.map { ":\($0)" } ?? ""))"
        }
        return text
    }
}
