import SDJSON

/// An action of a client. Steps do not depend on earlier ones, so that any of them can be left out.
enum ModelStep: Equatable {
    case send(ModelRequest)
    case explain(ModelRequest)

    case add(ModelStub)
    case replace(ModelStub)
    /// `POST /mappings/edit`.
    case edit(ModelStub)
    case remove(Int)
    case removeLike(ModelStub, withID: Bool)
    case removeTeam(String)
    case removeUnmatched
    case removeAll
    case importAll([ModelStub], overwrites: Bool, removesOthers: Bool)
    /// An import whose last mapping is refused, so that nothing may change.
    case importBroken([ModelStub])
    /// A reset by one of two addresses with the same meaning.
    case reset(String)

    case list(limit: Int?, offset: Int?)
    case get(Int)
    case findTeam(String)
    case listUnmatched

    case listScenarios
    case setScenario(String, state: String?)
    case resetScenarios

    case listRequests(limit: Int?, isUnmatched: Bool, stub: Int?)
    /// The event at this index, counted from the newest.
    case getRequest(Int)
    case removeRequest(Int)
    case listUnmatchedRequests
    case count(ModelPattern)
    case find(ModelPattern)
    case removeRequests(ModelPattern)
    case removeRequestsOfTeam(String)
    case clearRequests
    case counters

    case setSettings(String)
    case getSettings

    /// The report on a session.
    case report

    // Calls to the daemon, through whichever session.
    /// Begins a session with this number unless there is one.
    case begin(Int, inherits: Bool, hasPort: Bool, timeToLive: Int?)
    case end(Int)
    case endAll
    case listSessions
    /// Not a call: advances the clock by this number of milliseconds.
    case wait(Int)
}

/// A call as it is sent.
struct ModelCall {
    var method: String
    var path: String
    var headers: [String] = []
    var body: String?

    init(_ method: String, _ path: String, headers: [String] = [], _ body: JSONValue? = nil) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body?.compactText
    }

    static func admin(_ method: String, _ path: String, _ body: JSONValue? = nil) -> ModelCall {
        ModelCall(method, "/__admin" + path, body)
    }
}

extension ModelStep {
    /// The call; nil if the step is not a single call.
    var call: ModelCall? {
        switch self {
        case .send(let request):
            ModelCall(request.method, request.path, headers: request.kind.map { ["X-Kind: " + $0] } ?? [])
        case .explain(let request): .admin("POST", "/explain", Self.described(request))
        case .add(let stub): .admin("POST", "/mappings", stub.json)
        case .replace(let stub): .admin("PUT", "/mappings/" + ModelStub.id(stub.number), stub.json)
        case .edit(let stub): .admin("POST", "/mappings/edit", stub.json)
        case .remove(let number): .admin("DELETE", "/mappings/" + ModelStub.id(number))
        case .removeLike(let stub, let withID): .admin("POST", "/mappings/remove", Self.likeness(stub, withID))
        case .removeTeam(let team): .admin("POST", "/mappings/remove-by-metadata", Self.matcher(team))
        case .removeUnmatched: .admin("DELETE", "/mappings/unmatched")
        case .removeAll: .admin("DELETE", "/mappings")
        case .importAll(let stubs, let overwrites, let removesOthers):
            .admin("POST", "/mappings/import", Self.document(stubs.map(\.json), overwrites, removesOthers))
        case .importBroken(let stubs):
            .admin("POST", "/mappings/import", Self.document([Self.refused] + stubs.map(\.json), true, true))
        case .reset(let path): .admin("POST", path)
        case .list(let limit, let offset):
            .admin("GET", "/mappings" + Self.query([("limit", limit), ("offset", offset)]))
        case .get(let number): .admin("GET", "/mappings/" + ModelStub.id(number))
        case .findTeam(let team): .admin("POST", "/mappings/find-by-metadata", Self.matcher(team))
        case .listUnmatched: .admin("GET", "/mappings/unmatched")
        case .listScenarios: .admin("GET", "/scenarios")
        case .setScenario(let name, let state):
            .admin("PUT", "/scenarios/\(name)/state", state.map { ["state": .string($0)] })
        case .resetScenarios: .admin("POST", "/scenarios/reset")
        case .listRequests(let limit, let isUnmatched, let stub):
            .admin("GET", "/requests" + Self.requestQuery(limit, isUnmatched, stub))
        case .getRequest, .removeRequest, .wait, .report, .begin, .end: nil
        case .endAll: .admin("DELETE", "/sessions")
        case .listSessions: .admin("GET", "/sessions")
        case .listUnmatchedRequests: .admin("GET", "/requests/unmatched")
        case .count(let pattern): .admin("POST", "/requests/count", pattern.json)
        case .find(let pattern): .admin("POST", "/requests/find", pattern.json)
        case .removeRequests(let pattern): .admin("POST", "/requests/remove", pattern.json)
        case .removeRequestsOfTeam(let team): .admin("POST", "/requests/remove-by-metadata", Self.matcher(team))
        case .clearRequests: .admin("DELETE", "/requests")
        case .counters: .admin("GET", "/requests/counters")
        case .setSettings(let text): .admin("PUT", "/settings", ["extended": ["of": .string(text)]])
        case .getSettings: .admin("GET", "/settings")
        }
    }

    private static func described(_ request: ModelRequest) -> JSONValue {
        var json: JSONObject = ["method": .string(request.method), "url": .string(request.path)]
        json["headers"] = request.kind.map { ["X-Kind": .string($0)] }
        return .object(json)
    }

    private static func likeness(_ stub: ModelStub, _ withID: Bool) -> JSONValue {
        var json: JSONObject = ["request": stub.pattern.json]
        if withID { json["id"] = .string(ModelStub.id(stub.number)) }
        return .object(json)
    }

    private static func matcher(_ team: String) -> JSONValue {
        ["matchesJsonPath": ["expression": "$.team", "equalTo": .string(team)]]
    }

    private static func document(_ mappings: [JSONValue], _ overwrites: Bool, _ removesOthers: Bool) -> JSONValue {
        let policy: JSONValue = overwrites ? "OVERWRITE" : "IGNORE"
        return [
            "mappings": .array(mappings),
            "importOptions": ["duplicatePolicy": policy, "deleteAllNotInImport": .bool(removesOthers)],
        ]
    }

    /// An import adds the first mapping last, when all others are in place.
    private static let refused: JSONValue = ["request": ["urlPathPattern": "("]]

    private static func requestQuery(_ limit: Int?, _ isUnmatched: Bool, _ stub: Int?) -> String {
        var text = query([("limit", limit)])
        if isUnmatched { text += (text.isEmpty ? "?" : "&") + "unmatched=true" }
        if let stub { text += (text.isEmpty ? "?" : "&") + "matchingStub=" + ModelStub.id(stub) }
        return text
    }

    private static func query(_ parts: [(name: String, value: Int?)]) -> String {
        let given = parts.compactMap { part in part.value.map { "\(part.name)=\($0)" } }
        return given.isEmpty ? "" : "?" + given.joined(separator: "&")
    }
}
