public import SDJSON
import SDShorthand
import SDStubModel

/// The JSON Schema (2020-12) of stub files in all their forms, by which editors complete, explain and check them.
///
/// Names and enumerations are those of the tables by which files are read; types and descriptions stand beside them in
/// the notation of `SchemaNotation`. What one value says of another, such as a variable of a key, is beyond a schema.
public enum StubSchema {
    /// Where editors load the schema from: to be filled in with the address of the published `docs/schema`.
    public static let location = "https://example.com/stuntdouble/schema/stubs.schema.json"

    /// The first line of a YAML file of stubs, which names the schema to editors.
    public static let modeline = modeline(at: location)

    /// The first line of a YAML file of stubs whose schema is at an address, or a path from the file on.
    public static func modeline(at location: String) -> String { "# yaml-language-server: $schema=\(location)\n" }

    /// The schema.
    public static var json: JSONValue {
        var notation = SchemaNotation(tables: tables, enumerations: enumerations)
        for text in [mappings, matchers, faults, routes] { notation.add(text) }
        var definitions = notation.definitions
        for (name, position) in positions { definitions[name] = matcher(at: position) }
        definitions["routes"] = routesOfFile
        definitions["element"] = eitherForm
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Stunt Double: a file of stubs",
            "if": ["type": "array"],
            "then": ["items": ["$ref": "#/$defs/element"]],
            "else": [
                "type": "object", "if": ["required": ["mappings"]], "then": ["$ref": "#/$defs/collection"],
                "else": ["$ref": "#/$defs/element"],
            ],
            "$defs": .object(definitions),
        ]
    }

    /// The schema as the text of a file.
    public static var text: String { json.prettyText + "\n" }

    /// The names of the members of objects, by definition.
    private static var tables: [String: [String]] {
        let response = ResponseField.all.map(\.name)
        let routes = ShorthandNames.tables
        let faults = FaultRule.stubNames
        return routes.merging([
            "mapping": StubMapping.fieldNames + ["$schema"], "request": RequestPattern.fieldNames, "response": response,
            "weighedResponse": response + ["weight"], "multipartPattern": MultipartPattern.fieldNames,
            "clientCertificate": CertificateField.names, "routeCertificate": CertificateField.names,
            "delays": ResponseDelays.names, "holdOptions": GateHold.keys, "streamOptions": StreamDefinition.keys,
            "event": StreamDefinition.Item.keys, "earlyResponse": EarlyResponse.keys, "corsPolicy": CORSPolicy.keys,
            "resource": ResourceDefinition.fieldNames, "count": ValueCount.names, "graphql": GraphQLOperand.keys,
            "matcher": matcherNames, "fault": faults, "proxy": ProxyDefinition.keys,
            "sessionFault": faults + FaultRule.uploadNames + SessionFault.ownNames + ["route"],
            "webhook": WebhookParameters.names + ["json", "base64", "file"],
            "webhookPart": WebhookParameters.partNames, "retry": WebhookParameters.retryNames,
            "hmac": WebhookParameters.signatureNames,
        ]) { first, _ in first }
    }

    private static var matcherNames: [String] {
        let operators = ValueMatcher.Operator.allCases
        var names = operators.map(\.rawValue)
        for option in operators.flatMap(\.options) where !names.contains(option) { names.append(option) }
        return names
    }

    private static var enumerations: [String: [String]] {
        [
            "faults": names(Fault.self), "methods": ShorthandNames.methods,
            "phases": names(StubMapping.RequestPhase.self), "ends": names(ResponseSequence.End.self),
            "selections": names(ResponseSequence.Selection.self),
            "matchingTypes": names(MultipartPattern.MatchingType.self),
            "schemaVersions": names(ValueMatcher.SchemaDraft.self),
            "awarenesses": names(ValueMatcher.XMLNamespaces.self),
            "truncations": names(ValueMatcher.DateBoundary.self), "units": names(ValueMatcher.DateDistanceUnit.self),
            "cutEnds": FaultRule.End.names, "http2Errors": HTTP2ErrorCode.names, "tlsFaults": names(TLSFault.self),
            "http2Faults": names(HTTP2Fault.self), "algorithms": WebhookParameters.algorithms,
        ]
    }

    private static func names<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> [String]
    where Value.RawValue == String {
        type.allCases.map(\.rawValue)
    }

    // MARK: Matchers

    private static let positions: [(String, ValueMatcher.Position)] = [
        ("valueMatcher", .single), ("multiValueMatcher", .multiValue), ("bodyMatcher", .body),
        ("innerBodyMatcher", .withinBody),
    ]

    /// A matcher with one of the operators that a position allows.
    private static func matcher(at position: ValueMatcher.Position) -> JSONValue {
        let operators = ValueMatcher.Operator.allCases.filter(position.allows)
        return [
            "$ref": "#/$defs/matcher", "anyOf": .array(operators.map { ["required": [.string($0.rawValue)]] }),
        ]
    }

    // MARK: Files

    /// Keys that only hold values for aliases, or disable a route.
    private static let sharedKey = #"^(x-|\.)"#
    private static let path = #"/([^{}?#]|\{[^{}/?":(\[<\\|=+]+\})*"#

    /// An object whose keys are routes.
    private static var routesOfFile: JSONValue {
        let method = #"[!$%&'*+^_`~0-9A-Z-]"#
        let word = ShorthandNames.resourceWord
        let query = #"(\?([^{}#&]+(=\{[^{}]*\})?(&|$))*)?"#
        let properties: JSONValue = [
            "$schema": true, "defaults": ["$ref": "#/$defs/defaults"], "cors": ["$ref": "#/$defs/cors"],
            "chaos": [
                "description": "Sets of faults by their names, which a session switches on and off.",
                "type": "object", "minProperties": 1,
                "additionalProperties": [
                    "anyOf": [
                        ["$ref": "#/$defs/sessionFault"],
                        ["type": "array", "items": ["$ref": "#/$defs/sessionFault"], "minItems": 1],
                    ]
                ],
            ],
        ]
        return [
            "description":
                "Routes: METHOD /path, with {variables} and **, and what is answered. The first that matches answers.",
            "properties": properties,
            "patternProperties": [
                sharedKey: true,
                "^(?!\(word)[ \\t])\(method)+(\\|\(method)+)*[ \\t]+(\(path)\(query)|=?~.+|=/[^#]*)$": [
                    "$ref": "#/$defs/route"
                ],
                "^\(word)[ \\t]+\(path)$": ["$ref": "#/$defs/crud"],
            ],
            "additionalProperties": false,
        ]
    }

    /// A mapping if there is a field of one, and routes otherwise. Both have `cors`.
    private static var eitherForm: JSONValue {
        let fields = StubMapping.fieldNames.filter { $0 != "cors" }
        return [
            "type": "object",
            "if": ["anyOf": .array(fields.map { ["required": [.string($0)]] })],
            "then": ["$ref": "#/$defs/mapping"],
            "else": ["$ref": "#/$defs/routes"],
        ]
    }
}
