import SDJSON
import SDOpenAPI
import Testing

/// What versions 3.1 and 3.2 added, callbacks, and servers.
struct NewDescriptionTests {
    static let events = """
        openapi: 3.2.0
        info: {title: Events, version: '1'}
        servers: [{url: /v1}]
        webhooks: {newEvent: {post: {requestBody: {content: {application/json: {schema: true}}}}}}
        paths:
          /events:
            servers: [{url: 'https://events.example.com/stream/'}]
            query:
              parameters: [{name: filter, in: querystring, content: {application/json: {schema: {type: object}}}}]
              responses:
                200:
                  content:
                    text/event-stream: {itemSchema: {type: object}, examples: {a: {dataValue: {n: 1}, serializedValue: 'data: 1'}}}
                    application/jsonl: {$ref: '#/components/mediaTypes/Lines'}
            additionalOperations: {COPY: {responses: {200: {description: Copied}}}}
          /listeners:
            post:
              servers: [{url: .}]
              callbacks:
                onEvent: {'{$request.body#/url}': {post: {responses: {200: {description: Done}}}}}
                again: {$ref: '#/components/callbacks/Again'}
              responses: {201: {description: Done}}
        components:
          callbacks: {Again: {'{$request.query.url}': {put: {responses: {200: {description: Done}}}}}}
          mediaTypes: {Lines: {itemSchema: {type: integer}}}
        """

    @Test func theNewestVersionIsRead() throws {
        let events = try description(Self.events)
        #expect(events.findings.isEmpty, "\(events.findings)")
        #expect(events.basePaths == ["/v1"])
        #expect(events.operations.map(\.key) == ["QUERY /events", "COPY /events", "POST /listeners"])
        #expect(events.operations.map(\.basePaths) == [["/stream"], ["/stream"], [""]])
        #expect(events.webhooks.map(\.path) == ["newEvent"])
    }

    @Test func aSequenceHasASchemaOfItsItems() throws {
        let query = try description(Self.events).operations[0]
        #expect(query.parameters.map(\.location) == [.querystring])
        #expect(query.parameters[0].content?.type == "application/json")
        let contents = query.responses[0].contents
        #expect(contents.map(\.type) == ["text/event-stream", "application/jsonl"])
        #expect(contents.map { $0.itemSchema?.json["type"] } == ["object", "integer"])
        #expect(contents[0].examples[0].value == ["n": 1])
        #expect(contents[0].examples[0].serialized == "data: 1")
    }

    @Test func anOperationHasItsCallbacks() throws {
        let post = try description(Self.events).operations[2]
        #expect(post.calls.map(\.name) == ["onEvent", "again"])
        #expect(post.calls.map(\.expression) == ["{$request.body#/url}", "{$request.query.url}"])
        #expect(post.calls.map { $0.operations.map(\.method) } == [["POST"], ["PUT"]])
    }

    @Test(arguments: [
        ("url: /", [""]), ("url: 'https://example.com'", [""]), ("url: 'https://example.com/a/b/?x#y'", ["/a/b"]),
        ("url: v2", ["/v2"]), ("url: '//example.com/v2'", ["/v2"]),
        ("url: '{scheme}://x/{v}', variables: {scheme: {default: http}, v: {default: a, enum: [a, b]}}", ["/a", "/b"]),
        ("url: '{base}', variables: {base: {default: 'https://example.com/v3'}}", ["/v3"]),
    ])
    func theBasePathIsThatOfTheServer(server: String, expected: [String]) throws {
        let read = try description(
            "openapi: 3.0.0\ninfo: {title: T, version: '1'}\npaths: {}\nservers: [{\(server)}]")
        #expect(read.basePaths == expected)
        #expect(read.findings.isEmpty, "\(read.findings)")
    }
}
