import SDJSON

/// A stub of the plain model. It has few places, methods and fields, so that stubs collide in every way.
struct ModelStub: Equatable {
    /// The number that stands for its id.
    var number: Int
    /// The text of its response; no two writes of a run have the same.
    var label: String
    var pattern = ModelPattern()
    var priority: Int?
    var team: String?
    var scenario: String?
    var required: String?
    var next: String?
    var times: Int?
    var isEnabled = true
    /// The time to live in milliseconds.
    var timeToLive: Int?
    /// The number of its responses; 0 if they are not a list.
    var responseCount = 0
    var end: String?

    static func id(_ number: Int) -> String {
        "00000000-0000-4000-8000-0000000000" + (number < 10 ? "0" : "") + String(number)
    }

    /// The number that an id stands for; nil if the model has no such stub.
    static func number(_ id: String?) -> Int? {
        id.flatMap { Int($0.suffix(2)) }.flatMap { Self.id($0) == id ? $0 : nil }
    }

    /// The bodies of its responses in turn; the last may be the one that follows all others.
    var bodies: [String] {
        if responseCount == 0 { return [label] }
        return (0..<responseCount).map { "\(label).\($0)" } + (end == "notFound" ? [Self.ended] : [])
    }

    static let ended = "ended"

    /// The rank by priority; among stubs of the same age, lower ranks are tried first.
    var rank: Int { priority ?? 5 }

    var json: JSONValue {
        var json: JSONObject = ["id": .string(Self.id(number)), "request": pattern.json]
        func response(_ body: String) -> JSONValue { ["status": 200, "body": .string(body)] }
        if responseCount == 0 {
            json["response"] = response(label)
        } else {
            json["responses"] = .array((0..<responseCount).map { response("\(label).\($0)") })
        }
        json["onEnd"] = end.map { .string($0) }
        json["priority"] = priority.map { .number(JSONNumber($0)) }
        json["metadata"] = team.map { ["team": .string($0)] }
        json["scenarioName"] = scenario.map { .string($0) }
        json["requiredScenarioState"] = required.map { .string($0) }
        json["newScenarioState"] = next.map { .string($0) }
        json["times"] = times.map { .number(JSONNumber($0)) }
        if !isEnabled { json["enabled"] = false }
        json["ttl"] = timeToLive.map { .string("\($0)ms") }
        return .object(json)
    }
}

struct ModelRequest: Equatable {
    var method = "GET"
    var path = "/a"
    /// The value of the header `X-Kind`.
    var kind: String?
}

struct ModelPattern: Equatable {
    /// The place of the URL, by the field that names it and its text; nil for any place.
    enum Place: CaseIterable {
        case anywhere, a, b, ab, segment, belowA, aOrB

        var field: (name: String, text: String)? {
            switch self {
            case .anywhere: nil
            case .a: ("url", "/a")
            case .b: ("urlPath", "/b")
            case .ab: ("url", "/a/b")
            case .segment: ("urlPathTemplate", "/{x}")
            case .belowA: ("urlPathTemplate", "/a/{x}")
            case .aOrB: ("urlPathPattern", "/[ab]")
            }
        }

        func holds(_ path: String) -> Bool {
            switch self {
            case .anywhere: true
            case .a: path == "/a"
            case .b: path == "/b"
            case .ab: path == "/a/b"
            case .segment: path.split(separator: "/").count == 1
            case .belowA: path.hasPrefix("/a/") && path.split(separator: "/").count == 2
            case .aOrB: path == "/a" || path == "/b"
            }
        }
    }

    /// The method; nil for any.
    var method: String?
    var place = Place.anywhere
    /// The required value of the header `X-Kind`.
    var kind: String?

    static let paths = ["/a", "/b", "/c", "/a/b", "/a/c"]

    func matches(_ request: ModelRequest) -> Bool {
        (method == nil || method == request.method) && place.holds(request.path)
            && (kind == nil || kind == request.kind)
    }

    var json: JSONValue {
        var json: JSONObject = [:]
        json["method"] = method.map { .string($0) }
        if let field = place.field { json[field.name] = .string(field.text) }
        json["headers"] = kind.map { ["X-Kind": ["equalTo": .string($0)]] }
        return .object(json)
    }
}
