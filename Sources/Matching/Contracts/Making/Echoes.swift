import SDJSON
import SDOpenAPI
import SDPlatform

/// Values of a request that are echoed in members with the name of their parameter.
struct Echoes {
    private var values: [String: String] = [:]
    /// The value of the path's last variable, for a member `id` of the resource.
    private var identity: String?

    init() {}

    init(_ request: ContractRequest, _ operation: APIOperation) {
        let names = Set(operation.parameters.lazy.filter { $0.location == .path }.map(\.name))
        let path = Self.pathValues(request.path, operation.path)
        for (name, value) in path where names.contains(name) { values[Self.key(name)] = value }
        if let last = path.last, operation.path.hasSuffix("{\(last.name)}"), Self.isIdentity(last.name) {
            identity = last.value
        }
        let query = Dictionary(Self.queryValues(request.query ?? "").map { ($0.name, $0.value) }) { first, _ in first }
        for parameter in operation.parameters where parameter.location == .query {
            guard let value = query[parameter.name] else { continue }
            if values[Self.key(parameter.name)] == nil { values[Self.key(parameter.name)] = value }
        }
    }

    private static func isIdentity(_ name: String) -> Bool { NameWords(name).words.last == "id" }

    private static func key(_ name: String) -> String { NameWords(name).joined }

    /// The value for a member, if its type is allowed.
    func value(for spot: ValueLocation, _ types: ValueTypes) -> JSONValue? {
        guard spot.mayEcho, spot.depth > 0, !values.isEmpty || identity != nil else { return nil }
        let key = Self.key(spot.name)
        let text: String?
        if key == "id" {
            // Every object has an id; only that of the resource in the path is meant.
            guard spot.depth == 1, !spot.isInList else { return nil }
            text = values[key] ?? identity
        } else {
            text = values[key]
        }
        guard let text else { return nil }
        if types.contains(.string) { return .string(text) }
        if !types.isDisjoint(with: .number), let number = JSONNumber(text: text) { return .number(number) }
        if types.contains(.bool), text == "true" || text == "false" { return .bool(text == "true") }
        return nil
    }

    // MARK: - Reading requests

    /// The values of the path parameters; a base path before them is ignored.
    static func pathValues(_ path: String, _ template: String) -> [(name: String, value: String)] {
        let wanted = template.split(separator: "/")
        let found = path.split(separator: "/").suffix(wanted.count)
        guard found.count == wanted.count else { return [] }
        return zip(wanted, found).flatMap { values(of: $0, in: decoded($1)) }
    }

    /// The values in a path segment such as `{name}.{format}`.
    private static func values(of template: Substring, in text: String) -> [(name: String, value: String)] {
        var values: [(String, String)] = []
        var rest = text[...]
        var pattern = template[...]
        while let start = pattern.firstIndex(of: "{"), let end = pattern[start...].firstIndex(of: "}") {
            guard rest.hasPrefix(pattern[..<start]) else { return [] }
            rest = rest.dropFirst(pattern[..<start].count)
            let name = String(pattern[pattern.index(after: start)..<end])
            pattern = pattern[pattern.index(after: end)...]
            let literal = pattern.prefix { $0 != "{" }
            var stop = rest.endIndex
            if !literal.isEmpty {
                guard let found = rest.indices.last(where: { rest[$0...].hasPrefix(literal) }) else { return [] }
                stop = found
            }
            values.append((name, String(rest[..<stop])))
            rest = rest[stop...]
        }
        return values
    }

    static func queryValues(_ query: String) -> [(name: String, value: String)] {
        query.split(separator: "&").prefix(200).map { part in
            let mark = part.firstIndex(of: "=") ?? part.endIndex
            return (decoded(part[..<mark], plusIsBlank: true), decoded(part[mark...].dropFirst(), plusIsBlank: true))
        }
    }

    private static func decoded(_ text: Substring, plusIsBlank: Bool = false) -> String {
        let bytes = PercentEncoding.decode(Array(text.utf8)[...], plusIsBlank: plusIsBlank)
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? String(text)
    }
}
