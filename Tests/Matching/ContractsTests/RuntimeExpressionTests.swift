import SDContracts
import Testing

struct RuntimeExpressionTests {
    private let exchange = RuntimeExpression.Exchange(
        url: "http://localhost:8080/subscribe/5?tag=a%20b",
        request: ContractRequest(
            method: "POST", path: "/subscribe/5", query: "tag=a%20b", headers: [("X-Callback", "http://h/1")],
            body: Array(#"{"url": "http://c/2", "list": [{"n": 3}]}"#.utf8)),
        pathValues: ["id": "5"],
        answer: ContractAnswer(status: 201, headers: [("Location", "/l")], body: Array(#"{"id": 9}"#.utf8)))

    @Test(
        arguments: [
            ("{$request.body#/url}", "http://c/2"), ("$request.body#/url", "http://c/2"),
            ("{$request.body#/url}/x?n={$request.body#/list/0/n}", "http://c/2/x?n=3"),
            ("{$request.header.x-callback}", "http://h/1"), ("{$request.query.tag}", "a b"),
            ("{$request.path.id}", "5"),
            ("{$method} {$statusCode}", "POST 201"), ("{$url}", "http://localhost:8080/subscribe/5?tag=a%20b"),
            ("http://h{$response.header.Location}/{$response.body#/id}", "http://h/l/9"),
            ("http://plain/{id}", "http://plain/{id}"),
            ("{$request.body#/nothing}", nil), ("{$request.body#/url", "{$request.body#/url"), ("{$what}", nil),
        ] as [(String, String?)])
    func expressionsHaveValues(template: String, value: String?) {
        #expect(RuntimeExpression.text(of: template, in: exchange) == value)
    }
}
