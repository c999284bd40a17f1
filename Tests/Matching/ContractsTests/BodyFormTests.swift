import SDContracts
import SDJSON
import Testing

struct BodyFormTests {
    private func text(_ schema: JSONValue, _ type: String, components: JSONValue = [:]) throws -> String {
        let contract = TestContract.answering(schema, components: components, version: "3.0.3", type: type)
        return String(decoding: try contract.answered().body, as: UTF8.self)
    }

    private let pet: JSONValue = [
        "type": "object", "xml": ["name": "pet"],
        "properties": [
            "id": ["type": "integer", "xml": ["attribute": true]], "name": ["type": "string", "enum": ["A & B"]],
            "tags": [
                "type": "array", "xml": ["wrapped": true],
                "items": ["type": "string", "enum": ["x", "y"], "xml": ["name": "tag"]],
            ],
        ],
    ]

    @Test func xmlIsWrittenBySchemas() throws {
        #expect(
            try text(pet, "application/xml")
                == """
                <?xml version="1.0" encoding="UTF-8"?>
                <pet id="7"><name>A &amp; B</name><tags><tag>x</tag><tag>y</tag></tags></pet>

                """)
    }

    @Test func formsAndTexts() throws {
        #expect(try text(pet, "application/x-www-form-urlencoded") == "id=7&name=A+%26+B&tags=x&tags=y")
        #expect(try text(["type": "string", "enum": ["plain"]], "text/plain") == "plain")
        #expect(try text(["type": "string", "enum": ["plain"]], "application/json") == "\"plain\"")
    }

    @Test func sequencesAreWrittenItemByItem() throws {
        func body(_ type: String, _ properties: JSONValue = ["data": ["enum": ["a", "b", "c"]]]) throws -> String {
            let contract = TestContract.reading([
                "openapi": "3.2.0", "info": ["title": "t", "version": "1"],
                "paths": [
                    "/a": [
                        "get": [
                            "responses": [
                                "200": [
                                    "description": "a",
                                    "content": .object(
                                        JSONObject([
                                            (
                                                type,
                                                [
                                                    "itemSchema": [
                                                        "type": "object", "required": ["data"],
                                                        "properties": properties,
                                                    ]
                                                ] as JSONValue
                                            )
                                        ])),
                                ]
                            ]
                        ]
                    ]
                ],
            ])
            return String(decoding: try contract.answered(path: "/a").body, as: UTF8.self)
        }
        #expect(try body("text/event-stream") == "data: a\n\ndata: b\n\ndata: c\n\n")
        let lines = try body(
            "text/event-stream", ["event": ["const": "x\ny"], "data": ["const": "1\n2\r\nevent: 3\r4"]])
        #expect(lines.hasPrefix("event: x y\ndata: 1\ndata: 2\ndata: event: 3\ndata: 4\n\n"))
        #expect(try body("application/jsonl") == "{\"data\":\"a\"}\n{\"data\":\"b\"}\n{\"data\":\"c\"}\n")
        #expect(try body("application/json-seq").hasPrefix("\u{1E}{\"data\":\"a\"}\n\u{1E}"))
    }
}
