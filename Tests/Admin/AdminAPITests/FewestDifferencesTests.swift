import SDJSON
import SDTestSupport
import Testing

/// What people read names the stub of which the fewest conditions differ; WireMock's calls have WireMock's order.
@Suite struct FewestDifferencesTests {
    private struct Case: CustomTestStringConvertible {
        let what: String
        /// The mappings' requests: which is nearest for people, for WireMock, and others.
        let people: String
        let wireMock: String
        var others: [String] = []
        var method = "POST"
        var path = "/orders"
        var headers: [(String, String)] = []
        var body = ""

        var testDescription: String { what }
    }

    private static let cases = [
        Case(
            what: "a letter too many counts once, three headers count three times",
            people: #"{"method": "POST", "url": "/order"}"#,
            wireMock:
                #"{"method": "POST", "url": "/orders", "headers": {"A": {"equalTo": "1"}, "B": {"equalTo": "1"}, "C": {"equalTo": "1"}}}"#
        ),
        Case(
            what: "another method is one difference, a header and a query are two",
            people: #"{"method": "PUT", "url": "/orders"}"#,
            wireMock:
                #"{"method": "POST", "urlPath": "/orders", "headers": {"A": {"equalTo": "1"}}, "queryParameters": {"q": {"equalTo": "1"}}}"#
        ),
        Case(
            what: "bodies count each condition",
            people: #"{"method": "POST", "urlPath": "/orders", "headers": {"A": {"equalTo": "1"}}}"#,
            wireMock:
                #"{"method": "POST", "urlPath": "/orders", "bodyPatterns": [{"equalTo": "hellp"}, {"equalTo": "helli"}]}"#,
            body: "hello"),
        Case(
            what: "conditions on the origin count",
            people: #"{"method": "PUT", "url": "/order"}"#,
            wireMock: #"{"method": "PUT", "url": "/order"}"#,
            others: [#"{"method": "PUT", "url": "/order", "scheme": "https"}"#]),
        Case(
            what: "another URL altogether is not near, however little else it asks for",
            people:
                #"{"method": "POST", "urlPath": "/orders", "headers": {"A": {"equalTo": "1"}, "B": {"equalTo": "1"}}}"#,
            wireMock:
                #"{"method": "POST", "urlPath": "/orders", "headers": {"A": {"equalTo": "1"}, "B": {"equalTo": "1"}}}"#,
            others: [#"{"method": "POST", "url": "/completely/different"}"#, #"{"urlPathPattern": "/users/[0-9]+"}"#]),
        Case(
            what: "a URL with more than a slip in it is another one",
            people: #"{"method": "POST", "url": "/orders", "headers": {"X-A": {"equalTo": "1"}}}"#,
            wireMock: #"{"method": "POST", "url": "/orders", "headers": {"X-A": {"equalTo": "1"}}}"#,
            others: [#"{"method": "POST", "urlPath": "/shop/orders"}"#], path: "/order"),
        Case(
            what: "another method and another URL are another route, however many conditions differ",
            people:
                #"{"method": "POST", "url": "/orders", "headers": {"A": {"equalTo": "1"}, "B": {"equalTo": "1"}, "C": {"equalTo": "1"}}}"#,
            wireMock:
                #"{"method": "POST", "url": "/orders", "headers": {"A": {"equalTo": "1"}, "B": {"equalTo": "1"}, "C": {"equalTo": "1"}}}"#,
            others: [#"{"method": "PUT", "url": "/order"}"#]),
        Case(
            what: "of as many differences WireMock's distance decides",
            people: #"{"method": "POST", "url": "/orders2"}"#, wireMock: #"{"method": "POST", "url": "/orders2"}"#,
            others: [#"{"method": "POST", "url": "/orders234"}"#, #"{"method": "PUT", "url": "/orders"}"#]),
    ]

    @Test(arguments: cases) private func nearest(_ one: Case) throws {
        let mock = try TestMock()
        // Of stubs as near as each other the one added last is tried first.
        for request in one.others + [one.wireMock] + (one.people == one.wireMock ? [] : [one.people]) {
            let name = request == one.people ? "people" : request == one.wireMock ? "wiremock" : "other"
            try mock.add(#"{"name": "\#(name)", "request": \#(request)}"#)
        }
        let wireMock = one.people == one.wireMock ? "people" : "wiremock"
        let answer = try Exchange(mock.port, one.method, one.path, headers: one.headers, body: one.body)
        #expect(answer.status == 404)
        #expect(answer.text.contains("\npeople "), "\(answer.text)")
        let json = try Exchange(
            mock.port, one.method, one.path, headers: one.headers + [("Accept", "application/json")], body: one.body)
        #expect(json.json?["nearMisses"]?[0]?["stubMapping"]?["name"] == "people", "\(json.text)")

        let described = JSONValue.object([
            "method": .string(one.method), "url": .string(one.path), "body": .string(one.body),
        ]).compactText
        let explained = try Exchange(mock.port, "POST", "/__admin/explain", body: described).json
        #expect(explained?["nearMisses"]?[0]?["stubMapping"]?["name"] == "people")
        let report = try Exchange(mock.port, "GET", "/__admin/report").json
        #expect(report?["unmatchedRequests"]?[0]?["nearestStub"]?["name"] == "people")

        let near = try Exchange(mock.port, "POST", "/__admin/near-misses/request", body: described).json
        #expect(near?["nearMisses"]?[0]?["stubMapping"]?["name"]?.stringValue == wireMock)
        let distances =
            near?["nearMisses"]?.arrayValue?.compactMap { $0["matchResult"]?["distance"]?.doubleValue } ?? []
        #expect(distances == distances.sorted() && !distances.isEmpty)
        let all = try Exchange(mock.port, "GET", "/__admin/requests/unmatched/near-misses").json
        #expect(all?["nearMisses"]?[0]?["stubMapping"]?["name"]?.stringValue == wireMock)
    }
}
