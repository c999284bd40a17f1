import SDExplaining
import SDJSON
import SDMatching
import SDStubModel
import SDTestData
import Testing

/// Whoever prints why a stub does not answer looks nothing up in its pattern: each condition says what it expects.
@Suite struct EvaluationTests {
    private static let document = #"""
        {"method": "POST", "urlPathTemplate": "/users/{id}", "scheme": "https", "host": {"equalTo": "a.example"},
         "port": 8443, "clientIp": {"equalTo": "10.0.0.1"},
         "headers": {"X-Long-Test": {"matches": "a.*"}, "Accept": {"equalTo": "b"}},
         "basicAuthCredentials": {"username": "ann", "password": "secret"},
         "queryParameters": {"q": {"contains": "c"}}, "formParameters": {"f": {"absent": true}},
         "cookies": {"session": {"equalTo": "d"}}, "pathParameters": {"id": {"equalTo": "7"}},
         "clientCertificate": {"subject": {"contains": "e"}},
         "bodyPatterns": [{"equalToJson": {"x": 1}}, {"contains": "g"}],
         "multipartPatterns": [{"name": "h", "headers": {"X-Part": {"equalTo": "i"}}, "bodyPatterns": [{"equalTo": "j"}]}]}
        """#

    @Test func eachConditionSaysWhatItsPatternExpects() throws {
        let json = try JSONValue(parsing: Self.document)
        let pattern = try RequestPattern(json: json)
        let request = TestRequest("GET", "/users/8?q=c")
        var views = RequestViews(request)
        let evaluation = try CompiledPattern(pattern).evaluate(request, &views, of: pattern)

        var seen: Set<String> = []
        for condition in evaluation.conditions {
            let expected: JSONValue?
            switch condition.member {
            case "basicAuth": expected = "ann"
            case "urlPathTemplate": expected = json["urlPathTemplate"]
            case "bodyPatterns", "multipartPatterns":
                expected = json[condition.member]?.arrayValue?[condition.index]
            default: expected = condition.key.map { json[condition.member]?[$0] } ?? json[condition.member]
            }
            #expect(condition.expected.json == expected, "\(condition.member) \(condition.key ?? "")")
            seen.insert("\(condition.member) \(condition.key ?? "")")
        }
        #expect(seen.count == evaluation.conditions.count)
        #expect(seen.count == 17)
    }

    @Test func thePartsOfABodySayWhatTheirPatternExpects() throws {
        let pattern = try RequestPattern(json: try JSONValue(parsing: Self.document))
        let body = "--x\r\nContent-Disposition: form-data; name=\"k\"\r\nX-Part: l\r\n\r\nm\r\n--x--\r\n"
        let request = TestRequest(
            "POST", "/users/7", headers: [("Content-Type", "multipart/form-data; boundary=x")], body: Array(body.utf8))
        var views = RequestViews(request)
        let part = try #require(try CompiledPattern(pattern).evaluate(request, &views, of: pattern).parts.first)
        #expect(part.headers.map(\.key) == ["X-Part"] && part.headers.map(\.expected.json) == [["equalTo": "i"]])
        #expect(part.headers.first?.actual == ["l"] && part.headers.first?.passes == false)
        #expect(part.bodies.map(\.expected.json) == [["equalTo": "j"]] && part.bodies.first?.actual == ["m"])
    }
}
