import SDBasics
import SDJSON
import SDStubModel

/// Reads version 2.0 into the model of later versions.
extension DescriptionReader {
    private static let oldParameterMembers =
        ["name", "in", "description", "required", "schema", "allowEmptyValue", "collectionFormat", "$ref", "default"]
        + schemaMembers

    /// The members of a parameter or header that form its schema.
    private static let schemaMembers = [
        "type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
        "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf", "description", "example",
        "title",
    ]

    /// Parameters, bodies and forms.
    mutating func readOldParameters(
        _ own: [Node], _ common: [Node], _ consumes: [String], into operation: inout APIOperation
    ) {
        var seen: [[String]: Int] = [:]
        var fields: [Node] = []
        for (nodes, isOwn) in [(own, true), (common, false)] {
            let before = isOwn ? 0 : seen.count
            for node in nodes {
                guard let target = followed(node), object(target) != nil,
                    let (name, location) = oldName(of: target)
                else { continue }
                // There is only one body, whatever its name.
                let key = [location, location == "body" ? "" : location == "header" ? name.lowercased() : name]
                if let index = seen[key] {
                    if index >= before {
                        report(
                            node.place, "the parameter \(quoted(name)) in \(location) stands twice",
                            expected: "each parameter once", isError: false)
                    }
                    continue
                }
                seen[key] = seen.count
                checkNames(of: target, Self.oldParameterMembers)
                switch location {
                case "body": operation.body = oldBody(target, consumes)
                case "formData": fields.append(target)
                default: operation.parameters.append(oldParameter(target, name, location))
                }
            }
        }
        if !fields.isEmpty, operation.body == nil { operation.body = form(fields, consumes) }
    }

    private mutating func oldName(of node: Node) -> (String, String)? {
        let locations = ["query", "header", "path", "formData", "body"]
        guard let name = text(node["name"], isError: true) else {
            report(node.place, "a parameter without name", expected: "a name")
            return nil
        }
        return location(of: node, named: name, among: locations).map { (name, $0) }
    }

    private mutating func oldParameter(_ node: Node, _ name: String, _ location: String) -> APIParameter {
        let location = APIParameter.Location(rawValue: location) ?? .query
        var parameter = oldValue(node, name, location)
        parameter.isRequired = isRequired(parameter, by: node)
        parameter.allowEmptyValue = flag(node["allowEmptyValue"]) ?? false
        return parameter
    }

    /// A parameter or header with an inline schema.
    private mutating func oldValue(_ node: Node, _ name: String, _ location: APIParameter.Location) -> APIParameter {
        let (style, explode) = oldStyle(of: node, isSimple: location != .query)
        return APIParameter(
            name: name, location: location, isRequired: false, style: style, explode: explode, allowReserved: false,
            allowEmptyValue: false, schema: node["schema"].flatMap { self.schema($0) } ?? made(oldSchema(node)),
            content: nil, examples: examples(of: node), place: node.place)
    }

    private mutating func oldStyle(of node: Node, isSimple: Bool) -> (APIParameter.Style, Bool) {
        let standard: (APIParameter.Style, Bool) = (isSimple ? .simple : .form, false)
        guard let format = text(node["collectionFormat"]) else { return standard }
        switch format {
        case "csv": return standard
        case "ssv": return (.spaceDelimited, false)
        case "tsv": return (.tabDelimited, false)
        case "pipes": return (.pipeDelimited, false)
        case "multi": return (isSimple ? .simple : .form, !isSimple)
        default:
            report(
                node.place.appending("collectionFormat"), "unknown format \(quoted(format))",
                expected: "one of csv, ssv, tsv, pipes, multi",
                suggestion: nearestName(to: format, among: ["csv", "ssv", "tsv", "pipes", "multi"]), isError: false)
            return standard
        }
    }

    // MARK: Bodies

    private mutating func oldBody(_ node: Node, _ consumes: [String]) -> APIBody {
        let schema = node["schema"].flatMap { self.schema($0) }
        if node["schema"] == nil { report(node.place, "a body without schema", expected: "a schema", isError: false) }
        let types = consumes.isEmpty ? ["application/json"] : consumes
        return APIBody(
            isRequired: flag(node["required"]) ?? false,
            contents: types.map {
                APIContent(
                    type: $0, schema: schema, itemSchema: nil, examples: [], encoding: nil, place: node.place)
            }, place: node.place)
    }

    private mutating func form(_ fields: [Node], _ consumes: [String]) -> APIBody {
        var properties = JSONObject()
        var required: [JSONValue] = []
        var encoding = JSONObject()
        var hasFile = false
        for field in fields {
            guard let name = field["name"]?.value.stringValue else { continue }
            properties[name] = oldSchema(field)
            if field["type"]?.value.stringValue == "file" { hasFile = true }
            if flag(field["required"]) == true { required.append(.string(name)) }
            guard field["type"]?.value.stringValue == "array" else { continue }
            let (style, explode) = oldStyle(of: field, isSimple: false)
            encoding[name] = ["style": .string(style.rawValue), "explode": .bool(explode)]
        }
        var schema: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { schema["required"] = .array(required) }
        let forms = ["multipart/form-data", "application/x-www-form-urlencoded"]
        var types = consumes.filter { type in forms.contains { type.lowercased().hasPrefix($0) } }
        if types.isEmpty { types = [forms[hasFile ? 0 : 1]] }
        let place = fields[0].place
        let whole = made(.object(schema))
        return APIBody(
            isRequired: !required.isEmpty,
            contents: types.map {
                APIContent(
                    type: $0, schema: whole, itemSchema: nil, examples: [],
                    encoding: encoding.isEmpty ? nil : encoding, place: place)
            }, place: place)
    }

    // MARK: Responses

    mutating func readOldResponse(_ code: APIResponse.Code, _ node: Node, _ produces: [String]) -> APIResponse {
        checkNames(of: node, ["description", "schema", "headers", "examples", "$ref"])
        var headers: [APIParameter] = []
        for (name, node) in members(node["headers"], of: "headers") where name.lowercased() != "content-type" {
            guard object(node) != nil else { continue }
            checkNames(of: node, Self.schemaMembers + ["collectionFormat"])
            headers.append(oldValue(node, name, .header))
        }
        let isFile = node["schema"]?["type"]?.value.stringValue == "file"
        let schema = isFile ? made(["type": "string", "format": "binary"]) : node["schema"].flatMap { self.schema($0) }
        let examples = members(node["examples"], of: "examples by content type")
        var types: [String] = []
        if schema != nil {
            types = produces.isEmpty ? [isFile ? "application/octet-stream" : "application/json"] : produces
        }
        if types.isEmpty { types = examples.map(\.name).filter { $0.contains("/") } }
        let contents = types.map { type in
            let values = examples.filter { $0.name == type }
                .map { APIExample(name: "", value: $0.node.value, serialized: nil) }
            return APIContent(
                type: type, schema: schema, itemSchema: nil, examples: values, encoding: nil,
                place: node["schema"]?.place ?? node.place)
        }
        return APIResponse(
            code: code, description: text(node["description"]), headers: headers, contents: contents,
            place: node.place, problem: nil)
    }

    // MARK: Schemas

    /// The inline schema of a parameter.
    private func oldSchema(_ node: Node) -> JSONValue {
        var schema = JSONObject()
        for member in node.value.objectValue?.members ?? [] where Self.schemaMembers.contains(member.key) {
            schema[member.key] = member.value
        }
        if schema["type"]?.stringValue == "file" {
            schema["type"] = "string"
            schema["format"] = "binary"
        }
        return .object(schema)
    }

    /// A synthetic schema that is not in the document; equal ones are shared.
    private mutating func made(_ json: JSONValue) -> APISchema {
        if let known = shared.schemas[json] { return known }
        synthetic.append(json)
        let schema = APISchema(
            place: .init(document: 1, pointer: JSONPointer([String(synthetic.count - 1)])), json: json)
        shared.schemas[json] = schema
        return schema
    }
}
