import SDContracts
import SDJSON
import SDOpenAPI
import SDStubModel
import Testing

struct ResponseChoiceTests {
    private func answered(
        _ responses: JSONValue, status: Int? = nil, example: String? = nil, source: AnswerPreferences.Source = .examples
    )
        throws -> MadeAnswer
    {
        let contract = TestContract.reading([
            "openapi": "3.1.0", "info": ["title": "t", "version": "1"],
            "paths": ["/a": ["get": ["responses": responses]]],
        ])
        var wishes = AnswerPreferences()
        wishes.status = status
        wishes.example = example
        wishes.source = source
        return try contract.answered(wishes, path: "/a")
    }

    @Test func theLowestSuccessIsGiven() throws {
        #expect(
            try answered(["404": ["description": "a"], "201": ["description": "b"], "202": ["description": "c"]]).status
                == 201)
        #expect(try answered(["404": ["description": "a"], "2XX": ["description": "b"]]).status == 200)
        #expect(try answered(["404": ["description": "a"], "default": ["description": "b"]]).status == 200)
        #expect(try answered(["302": ["description": "a"], "404": ["description": "b"]]).status == 302)
        #expect(try answered([:]).status == 200)
    }

    @Test func aStatusThatIsWishedForIsGivenIfItIsDeclared() throws {
        let responses: JSONValue = ["200": ["description": "a"], "4XX": ["description": "b"]]
        #expect(try answered(responses, status: 422).status == 422)
        let error = #expect(throws: ContractRefusal.self) { try answered(responses, status: 500) }
        #expect(error?.status == 404)
        #expect(error?.expected == "one of 200, 4XX")
        #expect(throws: ContractRefusal.self) { try answered(["101": ["description": "a"]], status: 101) }
        let others: JSONValue = [
            "200": ["description": "a"], "999": ["description": "b"], "default": ["description": "c"],
        ]
        #expect(try answered(others, status: 599).status == 599)
        #expect(try answered(others, status: 999).status == 999)
        for status in [600, 998, 1_000, 99_999] {
            #expect(throws: ContractRefusal.self) { try answered(others, status: status) }
        }
    }

    @Test func examplesAreGivenByNameAndIfTheyAreValid() throws {
        let responses: JSONValue = [
            "200": [
                "description": "a",
                "content": [
                    "application/json": [
                        "schema": ["type": "object", "required": ["n"], "properties": ["n": ["type": "integer"]]],
                        "examples": [
                            "broken": ["value": ["n": "x"]], "good": ["value": ["n": 3]], "other": ["value": ["n": 4]],
                        ],
                    ]
                ],
            ]
        ]
        #expect(String(decoding: try answered(responses).body, as: UTF8.self) == #"{"n":3}"#)
        #expect(try answered(responses).example == "good")
        #expect(String(decoding: try answered(responses, example: "other").body, as: UTF8.self) == #"{"n":4}"#)
        #expect(String(decoding: try answered(responses, example: "broken").body, as: UTF8.self) == #"{"n":"x"}"#)
        let error = #expect(throws: ContractRefusal.self) { try answered(responses, example: "none") }
        #expect(error?.expected == "one of broken, good, other")
        #expect(try answered(responses, source: .made).example == nil)
    }

    @Test func headersAreMade() throws {
        let answer = try answered([
            "200": [
                "description": "a",
                "headers": [
                    "X-Rate-Limit": ["schema": ["type": "integer"]], "ETag": ["schema": ["type": "string"]],
                    "X-List": ["schema": ["type": "array", "items": ["type": "integer"]]],
                    "Content-Length": ["schema": ["type": "integer"]],
                ],
            ]
        ])
        let names = answer.headers.map(\.name)
        #expect(names == ["X-Rate-Limit", "ETag", "X-List"])
        #expect(answer.headers.allSatisfy { !$0.value.isEmpty })
    }
}
