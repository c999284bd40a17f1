import SDBasics
import SDHTTPMessages
import SDMockEngine
import SDStubModel

/// A call without a route: WireMock's 404, with the call that was probably meant.
struct UnknownCall {
    let method: String
    let path: String
    /// The path's segments after `__admin`.
    let segments: [String]

    var response: PlainResponse {
        let methods = methods
        guard methods.isEmpty else {
            var response = PlainResponse.json(
                ErrorDocument(
                    code: 404, title: "\(path) has no \(method)", detail: "It has \(Self.list(methods))."
                ).json,
                status: 404)
            response.headers.append(("Allow", methods.joined(separator: ", ")))
            return response
        }
        var detail = "GET /__admin/docs lists all calls."
        if let nearest { detail = "Did you mean \(nearest)? " + detail }
        return .json(
            ErrorDocument(code: 404, title: "The admin API has no \(path)", detail: detail).json, status: 404)
    }

    /// The methods for the path, in alphabetical order.
    private var methods: [String] {
        Set(AdminAPI.routes.filter { $0.match(segments) != nil && !takesAWordForAnID($0) }.map(\.method)).sorted()
    }

    /// Whether the path matches this route only by taking a word such as `reset` for an id.
    private func takesAWordForAnID(_ route: AdminRoute) -> Bool {
        zip(route.pattern, segments).contains { expected, actual in
            expected == "{id}"
                && actual.utf8.allSatisfy {
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "-")
                }
        }
    }

    /// The call that was probably meant: a route's path with the given values of its variables.
    private var nearest: String? { change ?? nearestPath.map { "/__admin/" + $0 } }

    /// The route that empties or extends the named resource, for paths of older WireMock versions such as
    /// `requests/reset` and `mappings/new`.
    private var change: String? {
        let meant =
            switch segments.last {
            case "reset", "clear", "delete", "remove": "DELETE"
            case "new", "add", "create": "POST"
            default: ""
            }
        return Self.path(for: Array(segments.dropLast()), among: AdminAPI.routes.filter { $0.method == meant })
            .map { "\(meant) /__admin/" + $0 }
    }

    private var nearestPath: String? {
        let routes = AdminAPI.routes.filter { !takesAWordForAnID($0) }
        if let path = Self.path(for: segments, among: routes) { return path }
        // Segments that are joined or split by mistake.
        let word = segments.joined(separator: "-")
        return routes.lazy.filter { !$0.pattern.isEmpty }.first { route in
            meantName(by: word, among: [route.pattern.joined(separator: "_")]) != nil
        }.map { $0.pattern.joined(separator: "/") }
    }

    /// The path of the route with the fewest differing segments, each of which is similar to the route's.
    private static func path(for segments: [String], among routes: [AdminRoute]) -> String? {
        var best: (path: String, differing: Int)?
        for route in routes where route.pattern.count == segments.count {
            var differing = 0
            let names = zip(route.pattern, segments).map { expected, actual in
                if expected == actual || expected.hasPrefix("{") || expected == "**" { return actual }
                differing += meantName(by: actual, among: [expected]) == nil ? segments.count + 1 : 1
                return expected
            }
            guard differing <= segments.count, differing < best?.differing ?? .max else { continue }
            best = (names.joined(separator: "/"), differing)
        }
        return best?.path
    }

    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
