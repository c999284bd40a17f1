import SDJSON
import SDShorthand
import SDStubFiles
import SDStubModel
import Testing

/// The schema knows the names that the reader knows: each object of a stub file is read with an unknown name, and what the
/// reader says is valid there is compared with the schema.
@Suite struct StubSchemaTests {
    /// A place in a stub file: the object of the schema that stands where the text has `?`.
    struct Place: Sendable, CustomTestStringConvertible {
        let definition: String
        let text: String
        /// Names that the reader has besides, such as one that a line above takes away.
        var others: Set<String> = []

        var testDescription: String { "\(definition): \(text)" }
    }

    static let places: [Place] = [
        Place(definition: "collection", text: "{mappings: [], ?}", others: ["uuid", "cors"]),
        Place(definition: "mapping", text: "{request: {}, ?}", others: ["$schema"]),
        Place(definition: "request", text: "request: ?"),
        Place(definition: "response", text: "response: ?"),
        Place(definition: "weighedResponse", text: "{request: {}, responses: [?]}", others: ["weight"]),
        Place(definition: "action", text: "{request: {}, postServeActions: [?]}"),
        Place(definition: "listener", text: "{request: {}, serveEventListeners: [?]}"),
        Place(definition: "basicAuth", text: "request: {basicAuth: ?}"),
        Place(definition: "customMatcher", text: "request: {customMatcher: ?}"),
        Place(definition: "clientCertificate", text: "request: {clientCertificate: ?}"),
        Place(definition: "multipartPattern", text: "request: {multipartPatterns: [?]}"),
        Place(definition: "chunkedDribbleDelay", text: "response: {chunkedDribbleDelay: ?}"),
        Place(definition: "delays", text: "response: {delays: ?}"),
        Place(definition: "fixed", text: "response: {delayDistribution: {type: fixed, ?}}"),
        Place(definition: "typedUniform", text: "response: {delayDistribution: {type: uniform, ?}}"),
        Place(definition: "typedLognormal", text: "response: {delayDistribution: {type: lognormal, ?}}"),
        Place(definition: "typedGaussian", text: "response: {delayDistribution: {type: gaussian, ?}}"),
        Place(definition: "typedExponential", text: "response: {delayDistribution: {type: exponential, ?}}"),
        Place(definition: "uniform", text: "GET /a: {delay: {uniform: [1ms, 2ms], ?}}"),
        Place(definition: "lognormal", text: "GET /a: {delay: {median: 1s, sigma: 1, ?}}"),
        Place(definition: "gaussian", text: "GET /a: {delay: {gaussian: [1ms, 2ms], ?}}"),
        Place(definition: "exponential", text: "GET /a: {delay: {exponential: 1ms, ?}}"),
        Place(definition: "holdOptions", text: "GET /a: {hold: ?}"),
        Place(definition: "streamOptions", text: "GET /a: {stream: ?}"),
        Place(definition: "event", text: "GET /a: {stream: [?]}"),
        Place(definition: "earlyResponse", text: "GET /a: {early: [?]}"),
        Place(definition: "corsPolicy", text: "GET /a: {cors: ?}"),
        Place(definition: "resource", text: "{request: {}, resource: ?}"),
        Place(definition: "count", text: "request: {headers: {a: {count: ?}}}"),
        Place(definition: "jwt", text: "GET /a: {when: {jwt: ?}}"),
        Place(definition: "graphql", text: "GET /a: {when: {graphql: ?}}"),
        Place(definition: "fault", text: "GET /a: {fault: ?}"),
        Place(definition: "chunkOfCut", text: "GET /a: {fault: {cutAfter: ?}}"),
        Place(definition: "corruption", text: "GET /a: {fault: {corrupt: ?}}"),
        Place(definition: "duplicatedHeader", text: "GET /a: {fault: {duplicateHeader: ?}}"),
        Place(definition: "slice", text: "GET /a: {fault: {slice: ?}}"),
        Place(definition: "stall", text: "GET /a: {fault: {stall: ?}}"),
        Place(definition: "streamEnd", text: "GET /a: {fault: {cutAfter: 1, then: ?}}"),
        Place(definition: "firstRequests", text: "GET /a: {fault: {first: ?}}"),
        Place(definition: "quota", text: "GET /a: {fault: {quota: ?}}"),
        Place(definition: "sessionFault", text: "chaos: {a: ?}", others: ["route"]),
        Place(definition: "routeResponse", text: "GET /a: ?"),
        Place(definition: "routeEntry", text: "GET /a: {sequence: [?]}", others: ["weight"]),
        Place(definition: "routeSequence", text: "GET /a: {sequence: {responses: [{}], ?}}", others: ["responses"]),
        Place(definition: "routeResource", text: "CRUD /a: ?"),
        Place(definition: "defaults", text: "{GET /a: {}, defaults: ?}"),
        Place(definition: "dribble", text: "GET /a: {dribble: ?}"),
        Place(definition: "scenario", text: "GET /a: {scenario: ?}"),
        Place(definition: "proxy", text: "GET /a: {proxy: ?}"),
        Place(definition: "webhookPart", text: "GET /a: {webhook: {url: /, multipart: [{name: a, ?}]}}"),
        Place(definition: "retry", text: "GET /a: {webhook: {url: /, retry: ?}}"),
        Place(definition: "hmac", text: "GET /a: {webhook: {url: /, hmac: {secret: a, ?}}}"),
        Place(definition: "when", text: "GET /a: {when: ?}"),
        Place(definition: "routeBasicAuth", text: "GET /a: {when: {basicAuth: ?}}"),
        Place(definition: "routeCertificate", text: "GET /a: {when: {clientCertificate: ?}}"),
        Place(definition: "part", text: "GET /a: {when: {multipart: ?}}"),
        Place(definition: "webSocket", text: "WS /a: ?"),
        Place(definition: "whenOpened", text: "WS /a: {when: ?}"),
        Place(definition: "messageStep", text: "WS /a: {onOpen: ?}"),
        Place(definition: "messageAnswer", text: "WS /a: {on: ?}"),
        Place(definition: "whenSaid", text: "WS /a: {on: {when: ?}}"),
        Place(definition: "routeContent", text: "WS /a: {onOpen: {send: ?}}"),
        Place(definition: "closing", text: "WS /a: {onOpen: {close: ?}}"),
        Place(definition: "closeAfter", text: "WS /a: {close: ?}"),
        Place(definition: "routeRoom", text: "WS /a: {onOpen: {to: ?}}"),
    ]

    @Test(arguments: places) func theReaderAndTheSchemaKnowTheSameNames(_ place: Place) throws {
        let unknown = "qqqqqqqq"
        let isInObject = place.text.contains(", ?}")
        let text = place.text.replacing("?", with: isInObject ? "\(unknown): 1" : "{\(unknown): 1}")
        let document = StubDocument(json: try JSONValue(parsingYAML: text.utf8))
        let problem = try #require(document.problems.first { $0.message.contains(unknown) }, "\(document.problems)")
        let expected = try #require(problem.expected)
        try #require(expected.hasPrefix("one of "))
        let valid = Set(expected.dropFirst("one of ".count).split(separator: ", ").map(String.init))
        #expect(valid.union(place.others) == Set(try names(of: place.definition)).union(place.others))
    }

    /// The objects of message stubs, which stand in files of their own.
    private let ofMessageStubs: Set = [
        "channelClose", "fixedChannelPattern", "fixedTarget", "initiatedTarget", "messageAction", "messageCollection",
        "messageContent", "messageDefinition", "messageFault", "fragmentOfCut", "messagePattern", "messageStub",
        "onInterval", "onMessage", "onOpen",
        "onRequest", "onStub", "originatingTarget", "roomTarget", "webSocketPattern",
    ]

    /// Each object of the schema that knows its names is one of `places`, but for those that the reader takes with any.
    @Test func everyObjectIsCompared() throws {
        let definitions = try #require(StubSchema.json["$defs"]?.objectValue)
        let closed = definitions.members.filter { $0.value["properties"] != nil }.map(\.key)
        // Two of the methods' objects and an operand have a message of Jackson's; an object of routes has any route; what
        // names an OpenAPI document may have any name that it does not know.
        let others = Set([
            "methodSet", "matcher", "pathOperand", "fileOperand", "webhook", "routes", "contractDocument",
            "contractAnswer",
        ]).union(ofMessageStubs)
        #expect(Set(closed).subtracting(Self.places.map(\.definition)) == others)
    }

    /// A name without a type would be one that the notation does not describe.
    @Test func everyNameHasAType() throws {
        let definitions = try #require(StubSchema.json["$defs"]?.objectValue)
        for definition in definitions.members where definition.key != "routes" {
            for property in definition.value["properties"]?.objectValue?.members ?? [] {
                #expect(property.value.objectValue != nil, "\(definition.key).\(property.key)")
            }
        }
    }

    /// An object that has all members of another one has its rules about them, too.
    @Test func aFaultOfASetIsRefusedWhereOneOfAStubIs() throws {
        let definitions = try #require(StubSchema.json["$defs"])
        for rule in ["dependentRequired", "dependentSchemas"] {
            let ofStubs = try #require(definitions["fault"]?[rule]?.objectValue)
            let ofSets = try #require(definitions["sessionFault"]?[rule]?.objectValue)
            for member in ofStubs.members { #expect(ofSets[member.key] == member.value, "\(rule): \(member.key)") }
        }
    }

    @Test func everyReferenceLeadsToADefinition() throws {
        let schema = StubSchema.json
        let definitions = try #require(schema["$defs"]?.objectValue)
        func check(_ value: JSONValue) {
            for member in value.objectValue?.members ?? [] {
                if member.key == "$ref", let target = member.value.stringValue {
                    #expect(definitions[String(target.dropFirst("#/$defs/".count))] != nil, "\(target)")
                }
                #expect(member.value.objectValue.map { $0["enum"]?.arrayValue?.isEmpty != true } ?? true)
                check(member.value)
            }
            for element in value.arrayValue ?? [] { check(element) }
        }
        check(schema)
    }

    /// What the reader says is valid in place of an unknown value is what the schema lists.
    @Test(arguments: [
        ("response", "fault", "response: {fault: QQQQ}"), ("mapping", "onEnd", "{responses: [{}], onEnd: qqqq}"),
        ("mapping", "select", "{responses: [{}], select: qqqq}"),
        ("multipartPattern", "matchingType", "request: {multipartPatterns: [{matchingType: QQQQ}]}"),
        ("matcher", "schemaVersion", "request: {headers: {a: {matchesJsonSchema: {}, schemaVersion: QQQQ}}}"),
        ("matcher", "namespaceAwareness", "request: {headers: {a: {equalToXml: <a/>, namespaceAwareness: QQQQ}}}"),
        ("matcher", "truncateActual", "request: {headers: {a: {before: now, truncateActual: QQQQ}}}"),
        (
            "matcher", "expectedOffsetUnit",
            "request: {headers: {a: {before: now, expectedOffset: 1, expectedOffsetUnit: QQQQ}}}"
        ),
        ("sessionFault", "tls", "chaos: {a: {tls: qqqq}}"), ("sessionFault", "http2", "chaos: {a: {http2: qqqq}}"),
        ("sessionFault", "listener", "chaos: {a: {listener: qqqq}}"),
        ("hmac", "algorithm", "GET /a: {webhook: {url: /, hmac: {secret: a, algorithm: qqqq}}}"),
        ("holdOptions", "onTimeout", "GET /a: {hold: {gate: a, timeout: 1s, onTimeout: qqqq}}"),
        ("fault", "then", "GET /a: {fault: {cutAfter: 1, then: qqqq}}"),
        ("streamEnd", "goAway", "GET /a: {fault: {cutAfter: 1, then: {goAway: QQQQ}}}"),
        ("listener", "requestPhases", "{serveEventListeners: [{name: a, requestPhases: [QQQQ]}]}"),
    ])
    func theReaderAndTheSchemaKnowTheSameValues(_ definition: String, _ name: String, _ text: String) throws {
        let document = StubDocument(json: try JSONValue(parsingYAML: text.utf8))
        let problem = try #require(document.problems.first, "\(text)")
        let expected = try #require(problem.expected)
        try #require(expected.hasPrefix("one of "))
        let words = expected.dropFirst("one of ".count).split(separator: ", ").map(String.init)
        // What is no word stands behind them: `, or a status from 200 to 999`.
        let valid = words.filter { !$0.contains("{") && !$0.contains("}") && !$0.hasPrefix("or a") }
        let property = try #require(StubSchema.json["$defs"]?[definition]?["properties"]?[name])
        #expect(Set(valid) == Set(values(of: property)))
    }

    private func values(of schema: JSONValue) -> [String] {
        if let values = schema["enum"]?.arrayValue { return values.compactMap(\.stringValue) }
        if let items = schema["items"] { return values(of: items) }
        return (schema["anyOf"]?.arrayValue ?? []).flatMap(values)
    }

    private func names(of definition: String) throws -> [String] {
        try #require(StubSchema.json["$defs"]?[definition]?["properties"]?.objectValue).keys
    }
}
