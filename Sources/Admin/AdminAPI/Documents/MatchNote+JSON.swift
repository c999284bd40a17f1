import SDJSON
import SDMatching

extension MatchNote {
    /// The note as WireMock's sub-event, in serve events and in near misses.
    var json: JSONValue {
        ["type": .string(kind.rawValue), "data": data]
    }

    private var data: JSONValue {
        switch kind {
        case .warning: return ["message": .string(message)]
        case .invalidSchema:
            return ["errors": [["code": 10, "title": "Invalid JSON Schema", "detail": .string(message)]]]
        case .jsonError:
            let error: JSONValue = [
                "code": 10, "source": .object(JSONObject()), "title": "Error parsing JSON", "detail": .string(message),
            ]
            return ["errors": [error]]
        }
    }
}
