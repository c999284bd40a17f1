import SDJSON
import SDStubModel

/// `cors` in the route shorthand: the CORS policy of a route; beside routes, that of all routes of a file; alone in a
/// file, that of the folder.
enum RouteCORS {
    static let key = RouteKey.corsKey

    /// Whether an object has a policy and no routes, so that the policy is the folder's.
    static func isAlone(_ object: JSONObject) -> Bool {
        object[key] != nil
            && object.keys.allSatisfy {
                $0 == key || $0 == RouteFaults.key || $0 == RouteContracts.key || $0 == "$schema"
                    || RouteShorthand.isSharedValue($0)
            }
    }

    /// The policy of the folder; nil if the document has none.
    static func ofFolder(_ json: JSONValue, _ reader: inout ModelReader) -> CORSPolicy? {
        guard let object = json.objectValue, isAlone(object), let value = object[key] else { return nil }
        return reader.within(key) { CORSPolicy.read(value, &$0) }
    }

    /// Applies the policy of an object to its stubs without their own.
    static func complete(_ stubs: inout [LocatedStub], of object: JSONObject, _ reader: inout ModelReader) {
        guard let value = object[key], let policy = reader.within(key, { CORSPolicy.read(value, &$0) }) else { return }
        for index in stubs.indices where stubs[index].stub.cors == nil { stubs[index].stub.cors = policy }
    }
}
