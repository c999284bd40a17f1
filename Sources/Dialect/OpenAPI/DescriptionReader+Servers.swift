import SDBasics
import SDJSON
import SDStubModel

extension DescriptionReader {
    /// The maximum number of paths from the variables of one server.
    private static let maxPaths = 20

    /// The distinct paths of servers; "" if there are none.
    mutating func basePaths(_ servers: Node?) -> [String] {
        var paths: [String] = []
        for server in elements(servers, of: "servers") where object(server) != nil {
            checkNames(of: server, ["url", "name", "description", "variables"])
            guard let url = text(server["url"]) else {
                report(
                    server.place, "a server without url", expected: "such as https://api.example.com/v1", isError: false
                )
                continue
            }
            for path in self.paths(ofServer: url, server) where !paths.contains(path) { paths.append(path) }
        }
        return paths.isEmpty ? [""] : paths
    }

    /// The path of `basePath`.
    mutating func oldBasePaths(_ root: Node) -> [String] {
        guard let path = text(root["basePath"]) else { return [""] }
        if !path.hasPrefix("/") {
            report(
                root.place.appending("basePath"), "a path begins with /", expected: "a path such as /v1",
                found: quoted(path), isError: false)
        }
        return [Self.path(ofURL: path)]
    }

    private mutating func paths(ofServer url: String, _ server: Node) -> [String] {
        // A variable of the host has no effect here; others may hold a scheme or a path.
        var texts = [url]
        for name in Self.names(inPath: url) {
            let place = server.place.appending("variables").appending(name)
            let variable = server["variables"]?[name]
            guard let variable, object(variable) != nil else {
                report(
                    variable == nil ? server.place.appending("url") : place,
                    "the variable {\(name)} of the server is not described",
                    expected: "a member of variables with a default",
                    suggestion: nearestName(to: name, among: server["variables"]?.value.objectValue?.keys ?? []),
                    isError: false)
                continue
            }
            checkNames(of: variable, ["enum", "default", "description"])
            var values = [text(variable["default"])].compactMap(\.self)
            if values.isEmpty {
                report(place, "a variable without default", expected: "a default", isError: false)
            }
            for value in variable["enum"].map({ self.texts($0) }) ?? [] where !values.contains(value) {
                values.append(value)
            }
            guard !values.isEmpty else { continue }
            var spelt: [String] = []
            for value in values {
                for text in texts where spelt.count < Self.maxPaths {
                    spelt.append(text.replacing(text: "{\(name)}", with: value))
                }
            }
            texts = spelt
        }
        var paths: [String] = []
        for text in texts {
            let path = Self.path(ofURL: text)
            if !paths.contains(path) { paths.append(path) }
        }
        return paths
    }

    /// The path of a possibly relative URL, without a trailing slash: `/v1`, or "" for the root.
    static func path(ofURL url: String) -> String {
        var rest = url.prefix { $0 != "?" && $0 != "#" }
        if let scheme = rest.firstRange(ofText: "://") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" }
        } else if rest.hasPrefix("//") {
            rest = rest.dropFirst(2).drop { $0 != "/" }
        }
        let segments = rest.split(separator: "/").filter { $0 != "." && $0 != ".." }
        return segments.map { "/" + $0 }.joined()
    }
}
