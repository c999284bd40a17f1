import SDJSON
import SDShorthand
public import SDStubModel

/// Stubs as the text of a file.
public enum StubFileText {
    /// Stubs as YAML: as routes, and in WireMock's form what these cannot say.
    /// - Parameter stubs: in the order in which they are to be tried.
    public static func yaml(_ stubs: [StubMapping]) -> String {
        let parts = parts(of: stubs)
        switch parts.count {
        case 0: return "mappings: []\n"
        case 1: return parts[0].yamlText(isSpaced: true)
        // In a list the later one is tried first.
        default: return JSONValue.array(parts.reversed()).yamlText(isSpaced: true)
        }
    }

    /// Objects of routes, and mappings, in order.
    private static func parts(of stubs: [StubMapping]) -> [JSONValue] {
        var parts: [JSONValue] = []
        var routes = JSONObject()
        func end() {
            if !routes.isEmpty { parts.append(.object(routes)) }
            routes = JSONObject()
        }
        for stub in stubs {
            guard let route = WrittenRoute(stub) else {
                end()
                parts.append(stub.json(view: .file))
                continue
            }
            if let former = routes[route.key] {
                // Responses of one key stand together.
                if routes.keys.last == route.key {
                    routes[route.key] = .array((former.arrayValue ?? [former]) + [route.value])
                    continue
                }
                end()
            }
            routes[route.key] = route.value
        }
        end()
        return parts
    }
}
