import SDHTTPMessages
import SDMockEngine
import SDStubModel
import SDText

/// A call without a route: WireMock's 404, with the call that was probably meant.
struct UnknownCall {
    let method: String
    let path: String
    /// The path's segments without `__admin`.
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

    /// Whether the path fits this route only by taking a word such as `reset` for an id.
    private func takesAWordForAnID(_ route: AdminRoute) -> Bool {
        zip(route.pattern, segments).contains { expected, actual in
            expected == "{id}"
                && actual.utf8.allSatisfy {
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "-")
                }
        }
    }

    /// The most similar path in the table, with the given values of its variables.
    private var nearest: String? {
        var candidates: [String] = []
        for route in AdminAPI.routes
        where route.pattern.count == segments.count && !takesAWordForAnID(route) {
            let names = zip(route.pattern, segments).map { expected, actual in
                expected.hasPrefix("{") || expected == "**" ? actual : expected
            }
            candidates.append(names.joined(separator: "/"))
        }
        candidates += AdminAPI.routes.map { $0.pattern.joined(separator: "/") }
        return nearestName(to: segments.joined(separator: "/"), among: candidates).map { "/__admin/" + $0 }
    }

    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
