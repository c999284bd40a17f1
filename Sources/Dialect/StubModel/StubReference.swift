import SDJSON

/// A reference that helps a stub's author to find it: its name or key, and its source location.
public struct StubReference: Sendable, Hashable {
    /// The stub's id.
    public let id: StubMapping.ID
    /// The stub's name.
    public let name: String?
    /// The file, relative to the mocks folder; nil for a stub of the admin API.
    public let file: String?
    /// The line, from 1; nil if unknown, for example for a saved stub.
    public let line: Int?
    /// The request of the stub, in route notation: `GET /users/{id}`.
    public let key: String

    /// Makes a reference.
    public init(id: StubMapping.ID, name: String?, file: String?, line: Int?, key: String) {
        self.id = id
        self.name = name
        self.file = file
        self.line = line
        self.key = key
    }

    /// The location, `shop.yaml:12`; nil for a stub of the admin API.
    /// - Parameter folder: a prefix for the file's path.
    public func place(in folder: String? = nil) -> String? {
        file.map { FileLocation(file: $0, line: line).text(in: folder) }
    }

    /// The reference as text, `"two dogs" (dogs.json:3)`; without a name, `shop.yaml:12 GET /users/{id}`.
    /// - Parameter folder: a prefix for the file's path.
    public func text(in folder: String? = nil) -> String {
        let place = place(in: folder)
        if let name, !name.isEmpty {
            let quoted = JSONValue.string(name).compactText
            return place.map { "\(quoted) (\($0))" } ?? quoted
        }
        return place.map { "\($0) \(key)" } ?? key
    }
}

extension RequestPattern {
    /// The method and URL in route notation; query conditions that it cannot express are left out.
    public var routeKey: String {
        let (path, isExpression) = url.keyText
        let query = queryParameters.flatMap { parameter in
            parameter.matcher.keyTexts.map { "\(parameter.name)=\($0)" }
        }
        let suffix = query.isEmpty || isExpression ? "" : "?" + query.joined(separator: "&")
        return "\(method.keyText) \(path)\(suffix)"
    }
}

extension ValueMatcher {
    /// The values of a query parameter in route notation; a condition other than equality is `{any}`. Empty if the
    /// parameter is optional.
    fileprivate var keyTexts: [String] {
        switch self.operator {
        case .equalTo: operand.stringValue.map { [$0] } ?? []
        case .includes, .hasExactly: (operand.arrayValue ?? []).map(Self.keyText)
        // The condition from the key comes first, those from `when` follow.
        case .and: [Self.keyText(operand[0] ?? .null)]
        default: needsValue ? ["{any}"] : []
        }
    }

    private static func keyText(_ matcher: JSONValue) -> String { matcher["equalTo"]?.stringValue ?? "{any}" }
}

extension MethodPattern {
    fileprivate var keyText: String {
        switch self {
        case .any: "ANY"
        case .exactly(let name): name
        case .oneOf(let names): names.joined(separator: "|")
        case .noneOf(let names): "ANY but " + names.joined(separator: "|")
        }
    }
}

extension URLPattern {
    fileprivate var keyText: (text: String, isExpression: Bool) {
        switch self {
        case .any: ("/**", false)
        case .url(let text), .urlPath(let text), .urlPathTemplate(let text): (text, false)
        case .urlPattern(let text), .urlPathPattern(let text): ("~" + text, true)
        }
    }
}
