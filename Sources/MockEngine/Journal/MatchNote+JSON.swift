import JSON
import Matching

extension MatchNote {
    /// WireMock's sub-event of a serve event, and of the result of a match that near misses tell.
    var json: JSONValue {
        ["type": .string(kind.rawValue), "data": data]
    }

    private var data: JSONValue {
        guard kind == .jsonError else { return ["message": .string(message)] }
        let error: JSONValue = [
            "code": 10, "source": .object(JSONObject()), "title": "Error parsing JSON", "detail": .string(message),
        ]
        return ["errors": [error]]
    }
}
