import SDBasics
import SDJSON
import SDStubModel

extension DescriptionReader {
    /// The parameters of an operation; they override those of its path by name and location.
    mutating func parameters(_ own: [Node], _ common: [Node]) -> [APIParameter] {
        var found: [APIParameter] = []
        var indices: [APIParameter.Key: Int] = [:]
        for (nodes, isOwn) in [(own, true), (common, false)] {
            let limit = isOwn ? 0 : found.count
            for node in nodes {
                guard let parameter = parameter(node), !Self.isIgnored(parameter) else { continue }
                if let index = indices[parameter.identity] {
                    if index >= limit { reportRepeated(parameter, node) }
                    continue
                }
                indices[parameter.identity] = found.count
                found.append(parameter)
            }
        }
        return found
    }

    mutating func reportRepeated(_ parameter: APIParameter, _ node: Node) {
        report(
            node.place, "the parameter \(quoted(parameter.name)) in \(parameter.location.rawValue) stands twice",
            expected: "each parameter once", isError: false)
    }

    /// Whether the header is described elsewhere (OpenAPI 3.0.4, section 4.7.12).
    private static func isIgnored(_ parameter: APIParameter) -> Bool {
        parameter.location == .header
            && ["accept", "content-type", "authorization"].contains(parameter.name.lowercased())
    }

    /// A parameter, with references resolved; nil if it is invalid.
    mutating func parameter(_ node: Node) -> APIParameter? {
        guard let target = followed(node), object(target) != nil else { return nil }
        guard target.place != node.place else { return readParameter(node) }
        let part = share(parameter: target)
        trouble = trouble ?? part.trouble
        return part.value
    }

    /// A parameter that is referred to; read once.
    @discardableResult
    mutating func share(parameter node: Node) -> SharedParts.Part<APIParameter> {
        if let part = shared.parameters[node.place] { return part }
        let part = collectingFirstError { reader in reader.followed(node).flatMap { reader.readParameter($0) } }
        shared.parameters[node.place] = part
        return part
    }

    private static let parameterMembers = [
        "name", "in", "description", "required", "deprecated", "allowEmptyValue", "style", "explode", "allowReserved",
        "schema", "content", "example", "examples", "$ref", "summary",
    ]

    private mutating func readParameter(_ node: Node) -> APIParameter? {
        checkNames(of: node, Self.parameterMembers)
        // A parameter for the whole query needs no name.
        let isWhole = node["in"]?.value.stringValue == APIParameter.Location.querystring.rawValue
        guard let name = text(node["name"], isError: true) ?? (isWhole ? "" : nil) else {
            if node["name"] == nil { report(node.place, "a parameter without name", expected: "a name") }
            return nil
        }
        let locations = APIParameter.Location.allCases.map(\.rawValue)
        guard let location = location(of: node, named: name, among: locations).flatMap(APIParameter.Location.init)
        else { return nil }
        var parameter = valueDescription(node, named: name, location)
        parameter.isRequired = isRequired(parameter, by: node)
        return parameter
    }

    /// Whether a parameter is required; path parameters always are.
    mutating func isRequired(_ parameter: APIParameter, by node: Node) -> Bool {
        if flag(node["required"]) == true { return true }
        guard parameter.location == .path else { return false }
        report(
            node["required"]?.place ?? node.place, "the parameter {\(parameter.name)} of a path is always required",
            expected: "required: true", isError: false)
        return true
    }

    /// The value of a parameter's `in`; nil if it is not one of `names`.
    mutating func location(of node: Node, named name: String, among names: [String]) -> String? {
        guard let text = text(node["in"], isError: true) else {
            if node["in"] == nil {
                report(node.place, "the parameter \(quoted(name)) without in", expected: oneOf(names))
            }
            return nil
        }
        if names.contains(text) { return text }
        report(
            node.place.appending("in"), "unknown location \(quoted(text))", expected: oneOf(names),
            suggestion: nearestName(to: text, among: names))
        return nil
    }

    /// The common members of parameters and headers.
    mutating func valueDescription(
        _ node: Node, named name: String, _ location: APIParameter.Location
    ) -> APIParameter {
        let style = style(of: node, location)
        var parameter = APIParameter(
            name: name, location: location, isRequired: false, style: style,
            explode: flag(node["explode"]) ?? (style == .form || style == .cookie),
            allowReserved: flag(node["allowReserved"]) ?? false,
            allowEmptyValue: flag(node["allowEmptyValue"]) ?? false, schema: node["schema"].flatMap { self.schema($0) },
            content: contents(node["content"]).first, examples: examples(of: node), place: node.place)
        if parameter.schema == nil, parameter.content == nil, node["schema"] == nil, node["content"] == nil {
            report(
                node.place, "\(quoted(name)) has neither a schema nor a content", expected: "a schema", isError: false)
        }
        if parameter.schema != nil { parameter.content = nil }
        return parameter
    }

    private mutating func style(of node: Node, _ location: APIParameter.Location) -> APIParameter.Style {
        let standard: APIParameter.Style
        let allowed: [APIParameter.Style]
        switch location {
        case .path: (standard, allowed) = (.simple, [.simple, .label, .matrix])
        case .header: (standard, allowed) = (.simple, [.simple])
        case .query: (standard, allowed) = (.form, [.form, .spaceDelimited, .pipeDelimited, .deepObject])
        case .cookie: (standard, allowed) = (.form, [.form, .cookie])
        case .querystring: (standard, allowed) = (.form, [.form])
        }
        guard let text = text(node["style"]) else { return standard }
        let names = allowed.map(\.rawValue)
        if let style = allowed.first(where: { $0.rawValue == text }) { return style }
        report(
            node.place.appending("style"), "unknown style \(quoted(text)) in \(location.rawValue)",
            expected: oneOf(names), suggestion: nearestName(to: text, among: names), isError: false)
        return standard
    }
}

extension APIParameter {
    struct Key: Hashable {
        let location: Location
        let name: String
    }

    /// The identity of a parameter; header names compare case-insensitively.
    var identity: Key { Key(location: location, name: location == .header ? name.lowercased() : name) }
}
