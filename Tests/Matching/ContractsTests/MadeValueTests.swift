import SDContracts
import SDJSON
import SDOpenAPI
import Testing

struct MadeValueTests {
    private func made(_ schema: String, components: String = "{}", version: String = "3.1.0") throws -> JSONValue {
        try TestContract.answering(
            TestContract.json(schema), components: TestContract.json(components), version: version
        ).made()
    }

    @Test func membersHaveReadableValues() throws {
        let body = try made(
            """
            {"type": "object", "required": ["id"], "properties": {
              "id": {"type": "integer", "format": "int64"}, "name": {"type": "string"}, "email": {"type": "string", "format": "email"},
              "createdAt": {"type": "string", "format": "date-time"}, "city": {"type": "string"}, "price": {"type": "number"},
              "active": {"type": "boolean"}, "tags": {"type": "array", "items": {"type": "string"}},
              "status": {"type": "string", "enum": ["available", "sold"]}}}
            """)
        #expect(body.objectValue?.count == 9)
        #expect(body["id"]?.intValue == 7)
        #expect(body["status"] == "available")
        #expect(body["tags"]?.arrayValue.map { Set($0).count } == 2)
    }

    @Test func itemsDifferThatHaveValuesOfTheRequest() throws {
        let contract = try contract(
            """
            openapi: 3.0.3
            info: {title: t, version: '1'}
            paths:
              /accounts/{name}:
                get:
                  parameters: [{name: name, in: path, required: true, schema: {type: string}}]
                  responses:
                    '200':
                      description: One.
                      content:
                        application/json:
                          schema:
                            type: object
                            properties:
                              name: {type: string}
                              secrets: {type: array, items: {type: object, properties: {name: {type: string}}}}
            """)
        let made = try contract.answer(
            to: ContractRequest(method: "GET", path: "/accounts/robot"), of: contract.description.operations[0],
            wishes: AnswerPreferences()
        ).get()
        let body = try JSONValue(parsing: made.body)
        #expect(body["name"] == "robot")
        #expect(body["secrets"]?.arrayValue.map { Set($0).count } == 2)
    }

    @Test func itemsDifferThatEndAtTheLastLevel() throws {
        let body = try made(
            """
            {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "object", "properties": {
              "c": {"type": "object", "properties": {"terms": {"type": "array", "items": {"type": "object", "properties": {
                "words": {"type": "array", "items": {"type": "string"}}}}}}}}}}}}}
            """)
        #expect(body["a"]?["b"]?["c"]?["terms"]?.arrayValue.map { Set($0).count } == 2, "\(body.compactText)")
    }

    @Test func aTextHoldsWhatItsSchemaSays() throws {
        let body = try made(
            """
            {"type": "string", "contentMediaType": "application/json",
             "contentSchema": {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "integer"}}}}
            """)
        let content = try JSONValue(parsing: body.stringValue ?? "")
        #expect(content["amount"]?.numberValue != nil)
    }

    @Test func aTreeEnds() throws {
        let body = try made(
            ##"{"$ref": "#/components/schemas/Node"}"##,
            components:
                ##"{"Node": {"type": "object", "required": ["value"], "properties": {"value": {"type": "string"}, "left": {"$ref": "#/components/schemas/Node"}, "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}}}}"##
        )
        #expect(body["left"]?["left"]?["left"]?["left"]?["value"] != nil)
    }

    @Test(arguments: [
        ##"{"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "object", "properties": {"b": {"type": "integer"}}}]}"##,
        ##"{"type": "object", "properties": {"a": {}, "b": {}}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"##,
        ##"{"type": "object", "properties": {"a": {}, "b": {}}, "not": {"required": ["a", "b"]}}"##,
        ##"{"allOf": [{"type": "number", "minimum": 3}, {"maximum": 4, "exclusiveMinimum": 3}]}"##,
        ##"{"type": "number", "multipleOf": 0.01, "minimum": 0.1, "maximum": 0.2}"##,
        ##"{"type": "integer", "minimum": 9223372036854775800}"##,
        ##"{"type": "string", "pattern": "^[A-Z]{3}-\\d{4}$"}"##,
        ##"{"type": "string", "pattern": "^(?=.*[A-Z])(?=.*\\d)(?=.*[!@#]).{12,}$"}"##,
        ##"{"type": "string", "format": "email", "minLength": 40}"##,
        ##"{"type": "array", "uniqueItems": true, "minItems": 2, "items": {"type": "boolean"}}"##,
        ##"{"type": "array", "contains": {"const": 5}, "items": {"type": "integer"}}"##,
        ##"{"type": "object", "minProperties": 3, "additionalProperties": {"type": "integer"}}"##,
        ##"{"type": "object", "minProperties": 2, "propertyNames": {"pattern": "^x-[a-z]+$"}}"##,
        ##"{"if": {"properties": {"k": {"const": 1}}, "required": ["k"]}, "then": {"required": ["z"]}, "type": "object", "properties": {"k": {"enum": [1, 2]}}}"##,
        ##"{"type": ["string", "null"], "enum": [null, "x"]}"##,
        ##"{"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}"##,
        ##"{"type": "integer", "not": {"multipleOf": 2}}"##,
        ##"{"type": "object", "required": ["a"], "properties": {"a": {"not": {"type": ["string", "number"]}}}}"##,
    ])
    func valuesAreValid(schema: String) throws {
        #expect(try made(schema) == made(schema))
    }

    @Test func whatCannotBeIsRefused() throws {
        let contract = TestContract.answering(TestContract.json(#"{"type": "array", "minItems": 1e9, "items": {}}"#))
        let error = #expect(throws: ContractRefusal.self) { try contract.made() }
        #expect(error?.reason == .cannotBeMade)
        #expect(error?.message == "The schema asks for 1000000000 items; the most that are made are 10000")
    }
}

extension MadeValueTests {
    private static let animals = ##"""
        {"Pet": {"type": "object", "required": ["petType"], "discriminator": {"propertyName": "petType", "mapping": {"cat": "#/components/schemas/Cat"}},
           "properties": {"petType": {"type": "string"}, "name": {"type": "string"}}},
         "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "object", "required": ["lives"], "properties": {"lives": {"type": "integer"}}}]},
         "Dog": {"type": "object", "required": ["petType"], "properties": {"petType": {"type": "string"}}}}
        """##

    @Test(arguments: [
        (##"{"$ref": "#/components/schemas/Pet"}"##, "cat"), (##"{"$ref": "#/components/schemas/Cat"}"##, "cat"),
        (
            ##"{"oneOf": [{"$ref": "#/components/schemas/Dog"}, {"$ref": "#/components/schemas/Cat"}], "discriminator": {"propertyName": "petType"}}"##,
            "Dog"
        ),
        (
            ##"{"anyOf": [{"$ref": "#/components/schemas/Dog"}], "discriminator": {"propertyName": "petType", "mapping": {"d": "Dog"}}}"##,
            "d"
        ),
    ])
    func discriminatorsNameTheirSchemas(schema: String, mark: String) throws {
        let body = try made(schema, components: Self.animals, version: "3.0.3")
        #expect(body["petType"]?.stringValue == mark)
        #expect((body["lives"] != nil) == (mark == "cat"))
    }

    @Test func whatIsOnlyForRequestsIsLeftOut() throws {
        let schema =
            #"{"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {"type": "string", "writeOnly": true}, "c": {"type": "string", "writeOnly": true}}}"#
        #expect(try made(schema, version: "3.0.3").objectValue?.keys == ["a"])
        #expect(try made(schema).objectValue?.keys == ["a", "b"])
    }

    @Test func itemsThatNoSchemaSpeaksOfAreNotMade() throws {
        #expect(
            try made(#"{"type": "array", "prefixItems": [{"type": "string"}], "unevaluatedItems": false}"#).arrayValue?
                .count == 1)
    }

    @Test func valuesOfTheRequestComeBackWhereTheyAreValid() throws {
        let contract = TestContract.answering(
            TestContract.json(
                #"{"type": "object", "properties": {"thingId": {"type": "integer"}, "kind": {"enum": ["a", "b"]}, "id": {"type": "string"}}}"#
            ))
        let body = try contract.made(path: "/thing/41", query: "kind=b")
        #expect(body == ["thingId": 41, "kind": "b", "id": "41"])
        #expect(try contract.made(path: "/thing/x", query: "kind=c")["kind"] == "a")
    }

    @Test func aGenericListHasItsOwnItems() throws {
        let components = ##"""
            {"Page": {"$id": "https://h/page", "$defs": {"item": {"$dynamicAnchor": "item", "not": {}}}, "type": "object", "required": ["data"],
               "properties": {"data": {"type": "array", "minItems": 1, "items": {"$dynamicRef": "#item"}}}},
             "Pets": {"$id": "https://h/pets", "$defs": {"item": {"$dynamicAnchor": "item", "type": "object", "required": ["bark"], "properties": {"bark": {"type": "boolean"}}}}, "$ref": "https://h/page"}}
            """##
        let body = try made(##"{"$ref": "#/components/schemas/Pets"}"##, components: components)
        #expect(body["data"]?[0]?["bark"]?.boolValue != nil)
    }

    @Test func listsHaveTheLengthThatIsWishedFor() throws {
        let contract = TestContract.answering(
            TestContract.json(
                #"{"type": "array", "maxItems": 400, "items": {"type": "object", "properties": {"id": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}}}}"#
            ))
        for (length, count) in [(0, 0), (1, 1), (5, 5), (300, 300), (1_000, 400)] {
            var wishes = AnswerPreferences()
            wishes.listLength = length...length
            let items = try contract.made(wishes).arrayValue ?? []
            #expect(items.count == count)
            #expect(Set(items).count == count)
            #expect(items.allSatisfy { $0["tags"] != nil })
        }
    }

    @Test func optionalMembersEndWhereTheyAreToEnd() throws {
        let contract = TestContract.answering(
            TestContract.json(
                #"{"type": "object", "required": ["a"], "properties": {"a": {"type": "object", "properties": {"b": {"type": "string"}}}, "c": {"type": "string"}}}"#
            ))
        var wishes = AnswerPreferences()
        wishes.optionalLevels = 0
        #expect(try contract.made(wishes) == ["a": [:]])
        wishes.optionalLevels = 1
        #expect(try contract.made(wishes).objectValue?.keys == ["a", "c"])
        #expect(try contract.made()["a"]?["b"] != nil)
    }
}

extension MadeValueTests {
    @Test func manyMembersTakeTimeForEachOnly() throws {
        var properties = JSONObject()
        for index in 0..<5_000 { properties["member\(index)"] = ["type": "boolean"] }
        let schema: JSONValue = [
            "type": "object", "required": .array(properties.keys.map(JSONValue.string)),
            "properties": .object(properties),
        ]
        #expect(try TestContract.answering(schema).made().objectValue?.count == 5_000)
    }
}
