import SDJSON
import SDTestSupport

/// An answer in a short form, so that the expected and the actual one can be compared and read.
enum ModelAnswer {
    static func list(_ parts: [String]) -> String {
        "[" + parts.joined(separator: ", ") + "]"
    }

    // MARK: Of the model

    static func served(_ event: ModelSession.Event) -> String {
        "\(event.body == ModelStub.ended ? 404 : 200) \(event.body)" + (event.stub.map { " of \($0.number)" } ?? "")
    }

    static func stub(_ stub: ModelStub, timesLeft: Int?) -> String {
        "\(stub.number):\(stub.label)" + (timesLeft.map { " left \($0)" } ?? "") + (stub.isEnabled ? "" : " off")
    }

    static func request(_ request: ModelRequest) -> String {
        request.method + request.path + (request.kind.map { "?" + $0 } ?? "")
    }

    static func event(_ event: ModelSession.Event) -> String {
        request(event.request) + "->" + (event.stub.map { "\($0.number):\($0.label) \(event.body)" } ?? "unmatched")
    }

    // MARK: Of the server

    /// The answer to a step that is a call, in the model's short form.
    static func of(_ step: ModelStep, _ answer: HTTPAnswer) -> String {
        let status = String(answer.status)
        let json = answer.json
        func succeeded(_ text: String?) -> String { answer.status < 300 ? "\(status) \(text ?? answer.text)" : status }
        switch step {
        case .send: return served(answer)
        case .explain: return succeeded(number(json?["stubMapping"]))
        case .get: return succeeded(json.map(stub))
        case .add, .replace: return succeeded(json.map { ModelAnswer.stub($0, isWithUse: false) })
        case .list, .findTeam, .listUnmatched:
            let total = json?["meta"]?["total"]?.intValue ?? -1
            return succeeded("\(total): " + list(elements(json, "mappings").map { stub($0) }))
        case .listScenarios: return succeeded(list(elements(json, "scenarios").map(scenario)))
        case .listRequests:
            let total = json?["meta"]?["total"]?.intValue ?? -1
            return succeeded("\(total): " + list(elements(json, "requests").map(event)))
        case .getRequest: return succeeded(json.map(event))
        case .listUnmatchedRequests, .find: return succeeded(list(elements(json, "requests").map(request)))
        case .removeRequests, .removeRequestsOfTeam: return succeeded(list(elements(json, "serveEvents").map(event)))
        case .count: return succeeded(count(answer))
        case .counters: return succeeded(json.map(counters))
        case .report: return succeeded(json.map(report))
        case .listSessions: return succeeded(list(elements(json, "sessions").map(session)))
        case .getSettings: return succeeded(json?["settings"]?["extended"]?["of"]?.stringValue ?? "none")
        default: return status
        }
    }

    private static func number(_ stub: JSONValue?) -> String {
        ModelStub.number(stub?["id"]?.stringValue).map(String.init) ?? "none"
    }

    private static func elements(_ json: JSONValue?, _ name: String) -> [JSONValue] {
        json?[name]?.arrayValue ?? ["missing"]
    }

    private static func served(_ answer: HTTPAnswer) -> String {
        guard let id = answer["Matched-Stub-Id"] else {
            let isReport = answer.text.contains("Request was not matched") || answer.text.contains("no stub mappings")
            return "\(answer.status) " + (isReport ? "unmatched" : answer.text)
        }
        return "\(answer.status) \(body(answer.text)) of \(ModelStub.number(id).map(String.init) ?? id)"
    }

    private static func body(_ text: String) -> String {
        text.hasPrefix("All responses of this stub have been sent") ? ModelStub.ended : text
    }

    private static func stub(_ json: JSONValue) -> String {
        stub(json, isWithUse: true)
    }

    /// The short form of a stub.
    /// - Parameter isWithUse: whether the answer includes the stub's use; the answer to an edit shows the stub as it
    ///   was sent.
    private static func stub(_ json: JSONValue, isWithUse: Bool) -> String {
        let first = json["responses"]?.arrayValue?.first?["body"]?.stringValue.map { String($0.dropLast(2)) }
        var text = "\(number(json)):\(first ?? json["response"]?["body"]?.stringValue ?? "nothing")"
        guard isWithUse else { return text }
        if let left = json["timesLeft"]?.intValue { text += " left \(left)" }
        if json["enabled"]?.boolValue == false { text += " off" }
        return text
    }

    private static func scenario(_ json: JSONValue) -> String {
        let name = json["name"]?.stringValue ?? "none"
        let states = elements(json, "possibleStates").map { $0.stringValue ?? "none" }
        let members = elements(json, "mappings").map { stub($0) }
        return "\(name) is \(json["state"]?.stringValue ?? "none") of \(states) in \(members)"
    }

    private static func request(_ json: JSONValue) -> String {
        let kind = json["headers"]?["X-Kind"]?.stringValue
        let url = json["url"]?.stringValue ?? "none"
        return (json["method"]?.stringValue ?? "none") + url + (kind.map { "?" + $0 } ?? "")
    }

    private static func event(_ json: JSONValue) -> String {
        let request = json["request"].map(request) ?? "none"
        guard json["wasMatched"]?.boolValue == true else { return request + "->unmatched" }
        let stub = json["stubMapping"].map { ModelAnswer.stub($0, isWithUse: false) } ?? "none"
        return request + "->\(stub) \(body(json["response"]?["body"]?.stringValue ?? "none"))"
    }

    private static func count(_ answer: HTTPAnswer) -> String {
        var text = String(answer.json?["count"]?.intValue ?? -1)
        if answer["X-StuntDouble-Evicted"] != nil { text += " evicted" }
        if let matches = answer["X-StuntDouble-Matches"] { text += ", matches \(matches)" }
        return text
    }

    private static func counters(_ json: JSONValue) -> String {
        let stubs = elements(json, "stubs").map { stub in
            "\(number(stub)) \(stub["matches"]?.intValue ?? -1)"
        }
        return "\(json["requests"]?.intValue ?? -1) \(json["unmatched"]?.intValue ?? -1): " + list(stubs)
    }

    static func session(_ number: Int, _ served: Int, _ unmatched: Int) -> String {
        "session \(number) \(served) \(unmatched)"
    }

    private static func session(_ json: JSONValue) -> String {
        "\(json["name"]?.stringValue ?? "none") \(json["served"]?.intValue ?? -1) \(json["unmatched"]?.intValue ?? -1)"
    }

    private static func report(_ json: JSONValue) -> String {
        let counts = "\(json["served"]?.intValue ?? -1) \(json["unmatchedCount"]?.intValue ?? -1)"
        // Those with a count are kinds, of which the journal has no request any more.
        let entries = elements(json, "unmatched").filter { $0["count"] == nil }
        let missed = entries.map { $0["request"].map(request) ?? "none" }
        let unused = elements(json, "unusedStubs").map(number)
        return "\(counts) \(list(missed)) unused \(list(unused)) \(json["verdict"]?.stringValue ?? "none")"
    }
}
