import SDJSON
import SDOpenAPI
import SDStubFiles
import SDStubModel
import Testing

struct ReferenceTests {
    private static func document(refering reference: String) -> String {
        """
        openapi: 3.1.0
        info: {title: T, version: '1'}
        paths: {/a: {get: {responses: {200: {content: {application/json: {schema: {$ref: '\(reference)'}}}}}}}}
        """
    }

    private static let files = [
        "pet.yaml": "type: object",
        "schemas/all.yaml": "Pet: {type: object, properties: {owner: {$ref: '../people/owner.yaml#/Owner'}}}",
        "people/owner.yaml": "Owner: {type: object, properties: {pet: {$ref: ../schemas/all.yaml#/Pet}}}",
        "my file.yaml": "type: string", "broken.yaml": "a: [",
    ]

    @Test(arguments: [
        ("pet.yaml", "pet.yaml", ""), ("./pet.yaml", "pet.yaml", ""), ("schemas/../pet.yaml#", "pet.yaml", ""),
        ("schemas/all.yaml#/Pet", "schemas/all.yaml", "/Pet"), ("my%20file.yaml", "my file.yaml", ""),
        (
            "schemas/all.yaml#/Pet/properties/owner/properties/pet", "people/owner.yaml", "/Owner/properties/pet"
        ),
        ("api.yaml#/info", "mocks/api.yaml", "/info"), ("#/info", "mocks/api.yaml", "/info"),
    ])
    func aReferenceLeadsToItsPlace(reference: String, document: String, pointer: String) throws {
        let read = try description(Self.document(refering: reference), beside: Self.files)
        #expect(read.findings.filter(\.isError).isEmpty, "\(read.findings)")
        let schema = try #require(read.operations[0].responses[0].contents[0].schema)
        let place = try #require(read.documents.resolve(reference, from: schema.place))
        #expect(read.documents.documents[place.document].name == document)
        #expect(place.pointer.text == pointer)
    }

    @Test(arguments: [
        ("../secret.yaml", "not in the folder"), ("schemas/../../secret.yaml", "not in the folder"),
        ("/etc/passwd", "not in the folder"), ("%2e%2e/secret.yaml", "not in the folder"),
        ("..%2fsecret.yaml", "not in the folder"), ("schemas%2f..%2fpet.yaml", "not in the folder"),
        ("..\\\\secret.yaml", "not in the folder"), ("%2Fetc/passwd", "not in the folder"),
        ("file:///etc/passwd", "only files beside"), ("file:pet.yaml", "only files beside"),
        ("C:/secret.yaml", "only files beside"), ("//host/pet.yaml", "only files beside"),
        ("pet.yaml?x", "not in the folder"), ("http://example.com/pet.yaml", "URLs are off"),
        ("HTTPS://example.com/pet.yaml", "URLs are off"), ("none.yaml", "there is no such document"),
        ("broken.yaml", "not valid YAML"), ("pet.yaml#/x", "there is nothing at"), ("#pet", "there is nothing at"),
        ("%zz.yaml", "not in the folder"), ("#/a~2", "is no place"), (".", "not in the folder"),
    ])
    func whereNothingMayBeReadNothingIsAskedFor(reference: String, message: String) throws {
        var asked: [String] = []
        let json = try JSONValue(
            parsing:
                "{\"openapi\":\"3.1.0\",\"paths\":{},\"components\":{\"schemas\":{\"A\":{\"$ref\":\"\(reference)\"}}}}")
        let read = APIDescription(reading: json, named: "api.yaml") { path in
            asked.append(path)
            return path == "pet.yaml"
                ? .success(true)
                : path == "broken.yaml"
                    ? .failure(ModelProblem(pointer: .root, message: "not valid YAML")) : nil
        }
        let errors = read.findings.filter(\.isError).map(\.problem)
        #expect(errors.count == 1)
        #expect(errors.first?.message.contains(message) == true, "\(errors)")
        #expect(errors.first?.place.text == "/components/schemas/A/$ref")
        #expect(asked.allSatisfy { ["pet.yaml", "broken.yaml", "none.yaml"].contains($0) })
    }

    @Test func filesReferToEachOther() throws {
        let read = try description(Self.document(refering: "schemas/all.yaml#/Pet"), beside: Self.files)
        #expect(read.documents.documents.map(\.name) == ["mocks/api.yaml", "schemas/all.yaml", "people/owner.yaml"])
        #expect(read.findings.isEmpty)
    }

    @Test func partsOfOperationsMayStandInFiles() throws {
        let read = try description(
            """
            openapi: 3.0.0
            info: {title: T, version: '1'}
            paths: {/a: {$ref: 'paths/a.yaml'}}
            """,
            beside: [
                "paths/a.yaml": """
                get:
                  parameters: [{$ref: 'parts.yaml#/limit'}]
                  responses: {200: {$ref: 'parts.yaml#/ok'}}
                """,
                "paths/parts.yaml": """
                limit: {name: limit, in: query, schema: {type: integer}}
                ok: {content: {application/json: {schema: {$ref: '#/Pet'}, examples: {a: {externalValue: a.json}}}}}
                Pet: {type: object}
                """,
                "paths/a.json": "{\"name\": \"Tom\"}",
            ])
        #expect(read.findings.isEmpty, "\(read.findings)")
        let operation = try #require(read.operations.first)
        #expect(operation.parameters.map(\.name) == ["limit"])
        let content = try #require(operation.responses.first?.contents.first)
        #expect(content.examples.first?.value == ["name": "Tom"])
        let schema = try #require(content.schema)
        #expect(read.documents.target(of: schema.place)?.value == ["type": "object"])
    }

    @Test func aSchemaIsFoundByItsNames() throws {
        let read = try description(
            """
            openapi: 3.2.0
            $self: https://example.com/api/openapi.yaml
            info: {title: T, version: '1'}
            paths: {}
            components:
              schemas:
                A: {$ref: '#pet'}
                B: {$ref: 'https://example.com/schemas/owner'}
                C: {$ref: 'https://example.com/api/pet.yaml'}
                D: {$ref: 'https://example.com/api/openapi.yaml#/components/schemas/Pet'}
                Pet: {$anchor: pet, type: object}
                Owner: {$id: 'https://example.com/schemas/owner', type: string}
            """, beside: Self.files)
        #expect(read.findings.isEmpty, "\(read.findings)")
        let places = ["A", "B", "C", "D"].map { name in
            read.documents.target(of: .init(pointer: JSONPointer(["components", "schemas", name])))?.place
        }
        #expect(
            places.map { $0?.pointer.text } == [
                "/components/schemas/Pet", "/components/schemas/Owner", "", "/components/schemas/Pet",
            ])
        #expect(places[2].map { read.documents.documents[$0.document].name } == "pet.yaml")
    }

    @Test func aSchemaWithAnIDIsTheBaseOfItsReferences() throws {
        let read = try description(
            """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            paths: {}
            components:
              schemas:
                Pets:
                  $id: https://h/schemas/pets
                  properties: {a: {$ref: page}, b: {$ref: '#/$defs/one'}, c: {$ref: '#/components/schemas/Pets'}}
                  $defs: {one: {type: integer}}
                Page: {$id: https://h/schemas/page, type: object, $defs: {inner: {$id: part/x, not: {$ref: ../pets}}}}
            """)
        #expect(read.findings.isEmpty, "\(read.findings)")
        let root = JSONPointer(["components", "schemas"])
        func target(_ path: String...) -> String? {
            read.documents.target(of: .init(pointer: root.appending(JSONPointer(path))))?.place.pointer.text
        }
        #expect(target("Pets", "properties", "a") == "/components/schemas/Page")
        #expect(target("Pets", "properties", "b") == "/components/schemas/Pets/$defs/one")
        #expect(target("Pets", "properties", "c") == "/components/schemas/Pets")
        #expect(target("Page", "$defs", "inner", "not") == "/components/schemas/Pets")
    }

    @Test func urlsAreReadWhereTheyMayBe() throws {
        let json = try JSONValue(parsingYAML: Self.document(refering: "https://example.com/a/b.yaml#/Pet"))
        var asked: [String] = []
        let remote = { (url: String) -> RemoteDocument in
            asked.append(url)
            return .read(["Pet": ["$ref": "../c.yaml"]])
        }
        let read = APIDescription(reading: json, named: "api.yaml", other: { _ in nil }, remote: remote)
        #expect(asked == ["https://example.com/a/b.yaml", "https://example.com/c.yaml"])
        #expect(read.findings.filter(\.isError).isEmpty)
    }

    @Test(arguments: [
        "a: {$ref: '#/a'}", "{a: {$ref: '#/b'}, b: {$ref: '#/a'}}", "a: {$ref: '#/a/x'}",
        "{a: {$ref: '#/b/x/y'}, b: {$ref: '#/a/y/x'}}",
    ])
    func referencesInACircleLeadNowhere(text: String) throws {
        let set = DocumentSet(.init(name: "a.json", json: try JSONValue(parsingYAML: text)))
        #expect(set.target(of: .init(pointer: JSONPointer(["a"]))) == nil)
    }
}
