import SDContracts
import SDOpenAPI
import Testing

struct AnswerViolationTests {
    private static let text = """
        openapi: 3.0.3
        info: {title: t, version: '1'}
        paths:
          /a:
            get:
              responses:
                '200':
                  description: ok
                  headers: {X-Rate: {required: true, schema: {type: integer}}}
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [id, pin]
                        properties: {id: {type: integer}, pin: {type: string, writeOnly: true}}
                4XX:
                  description: bad
                  content: {application/problem+json: {schema: {type: object, required: [title]}}}
                '204': {description: nothing}
          /b: {get: {responses: {default: {description: all, content: {text/plain: {schema: {type: integer}}}}}}}
        """

    @Test(
        arguments: [
            (200, "application/json", #"{"id": 1}"#, []), (200, "application/json", #"{"id": "1"}"#, ["body /id type"]),
            (200, "application/json", #"{"id": 1, "pin": "1"}"#, ["body /pin writeOnly"]),
            (200, "text/html", "<p>", ["content type Content-Type"]), (200, "application/json", "", ["body required"]),
            (404, "application/problem+json", #"{"title": "x"}"#, []),
            (404, "application/problem+json", "{}", ["body required"]),
            (500, "application/json", "{}", ["status"]), (204, "application/json", "", []),
        ] as [(Int, String, String, [String])])
    func answers(status: Int, type: String, body: String, expected: [String]) throws {
        let contract = try contract(Self.text)
        let answer = ContractAnswer(
            status: status, headers: [("Content-Type", type), ("x-rate", "5")], body: Array(body.utf8))
        let violations = contract.violations(in: answer, to: contract.description.operations[0])
        #expect(violations.map(\.short) == expected, "\(violations.map(\.message))")
    }

    @Test func headersAreChecked() throws {
        let contract = try contract(Self.text)
        func violations(_ headers: [(name: String, value: String)]) -> [Violation] {
            contract.violations(
                in: ContractAnswer(
                    status: 200, headers: headers + [("Content-Type", "application/json")],
                    body: Array(#"{"id":1}"#.utf8)),
                to: contract.description.operations[0])
        }
        #expect(violations([]).map(\.short) == ["header X-Rate required"])
        #expect(violations([("X-Rate", "a")]).map(\.short) == ["header X-Rate type"])
    }

    @Test func theDefaultCoversEveryStatus() throws {
        let contract = try contract(Self.text)
        let answer = ContractAnswer(status: 503, headers: [("Content-Type", "text/plain")], body: Array("x".utf8))
        #expect(
            contract.violations(in: answer, to: contract.description.operations[1]).map(\.short) == ["body type"])
    }

    @Test func aStatusThatIsNotDeclaredIsNamed() throws {
        let contract = try contract(Self.text)
        let violations = contract.violations(in: ContractAnswer(status: 302), to: contract.description.operations[0])
        #expect(
            violations.map(\.message) == ["the status 302 is not declared: expected 200, 4XX, 204"])
    }
}
