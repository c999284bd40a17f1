import SDJSON

/// The admin API as an OpenAPI 3.0 document, assembled on demand.
///
/// Each group of endpoints is an `OpenAPIPart` in its own file: a new group is a new part, and one more name in
/// `parts`.
enum OpenAPIDocument {
    /// The parts in the order of the page.
    private static let parts: [OpenAPIPart] = [
        .mappings, .files, .requests, .waiting, .gates, .nearMisses, .scenarios, .state, .data, .faults, .sessions,
        .settings, .system, .stubs, .matchers, .shared,
    ]

    static func json(version: String) -> JSONValue {
        var paths = JSONObject()
        var components: [String: JSONObject] = [:]
        var tags: [JSONValue] = []
        for part in parts {
            let content = part.content
            for member in content["paths"]?.objectValue?.members ?? [] {
                paths["/__admin" + member.key] = complete(member.value, part.tag)
            }
            for kind in ["schemas", "parameters", "securitySchemes"] {
                for member in content[kind]?.objectValue?.members ?? [] {
                    components[kind, default: JSONObject()][member.key] = member.value
                }
            }
            guard let tag = part.tag else { continue }
            tags.append(["name": .string(tag.name), "description": .string(tag.description)])
        }
        let kinds = components.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.object($0.value)) }
        return [
            "openapi": "3.0.0",
            "info": [
                "title": "Stunt Double admin API",
                "description": "Controls a running mock server. Paths, bodies and status codes are WireMock's.",
                "version": .string(version),
            ],
            "servers": [["url": "/"]],
            "tags": .array(tags),
            "security": [[:], ["basic": []], ["token": []]],
            "paths": .object(paths),
            "components": .object(JSONObject(kinds)),
        ]
    }

    // MARK: Short forms

    /// A path's operations with their short forms expanded.
    private static func complete(_ operations: JSONValue, _ tag: OpenAPIPart.Tag?) -> JSONValue {
        var completed = JSONObject()
        for member in operations.objectValue?.members ?? [] {
            if member.key == "parameters" {
                completed["parameters"] = parameters(member.value)
            } else {
                completed[member.key] = operation(member.value, tag)
            }
        }
        return .object(completed)
    }

    /// An operation completed by what all operations share: the tag, and the answers of the guard.
    private static func operation(_ short: JSONValue, _ tag: OpenAPIPart.Tag?) -> JSONValue {
        var operation = JSONObject()
        operation["tags"] = tag.map { [.string($0.name)] }
        var responses = JSONObject()
        for member in short.objectValue?.members ?? [] {
            switch member.key {
            case "parameters": operation["parameters"] = parameters(member.value)
            case "body": operation["requestBody"] = body(member.value)
            case _ where Int(member.key) != nil: responses[member.key] = response(member.value)
            default: operation[member.key] = member.value
            }
        }
        responses["401"] = ["description": "Credentials are required, and were missing or wrong."]
        if responses["403"] == nil {
            responses["403"] = [
                "description": "The call comes from a page of another origin, or names an unknown host.",
                "content": ["text/plain": ["schema": ["type": "string"]]],
            ]
        }
        operation["responses"] = .object(responses)
        return .object(operation)
    }

    private static func parameters(_ list: JSONValue) -> JSONValue {
        let elements = list.arrayValue ?? []
        return .array(elements.map { $0.stringValue.map { reference("parameters", $0) } ?? $0 })
    }

    private static func body(_ short: JSONValue) -> JSONValue {
        guard let schema = short.stringValue else { return short }
        return ["required": true, "content": ["application/json": ["schema": reference("schemas", schema)]]]
    }

    private static func response(_ short: JSONValue) -> JSONValue {
        if let description = short.stringValue { return ["description": .string(description)] }
        guard let pair = short.arrayValue, pair.count == 2, let schema = pair[1].stringValue else { return short }
        return ["description": pair[0], "content": ["application/json": ["schema": reference("schemas", schema)]]]
    }

    private static func reference(_ kind: String, _ name: String) -> JSONValue {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }
}

/// A part of the document as JSON text with the optional members `paths`, `schemas` and `parameters`.
///
/// Paths are without `/__admin`. In an operation, `"body": "Name"` is a JSON body with that schema, `"200": "text"` a
/// response without a body, `"200": ["text", "Name"]` one with a JSON body, and a text among the parameters is the name
/// of one. Everything else is OpenAPI.
struct OpenAPIPart: Sendable {
    struct Tag: Sendable {
        let name: String
        let description: String
    }

    /// The tag under which its operations are listed.
    let tag: Tag?
    private let text: String

    init(_ tag: Tag?, _ text: String) {
        self.tag = tag
        self.text = text
    }

    /// The parsed text, which is the project's own and read completely by the tests.
    var content: JSONValue {
        (try? JSONValue(parsing: text)) ?? [:]
    }
}
