import SDJSON
import SDStubModel
import Testing

@Suite struct RequestConditionTests {
    /// A value of each member that restricts requests beyond method and URL.
    static let samples: [String: JSONValue] = [
        "scheme": "http", "host": ["equalTo": "a"], "port": 80, "clientIp": ["equalTo": "127.0.0.1"],
        "headers": ["A": ["absent": true]], "queryParameters": ["a": ["absent": true]],
        "formParameters": ["a": ["absent": true]], "pathParameters": ["a": ["equalTo": "b"]],
        "cookies": ["a": ["absent": true]], "basicAuth": ["username": "a", "password": "b"],
        "basicAuthCredentials": ["username": "a", "password": "b"], "bodyPatterns": [["equalTo": "a"]],
        "clientCertificate": ["subject": ["contains": "a"]], "customMatcher": ["name": "a"],
        "multipartPatterns": [["bodyPatterns": [["equalTo": "a"]]]],
    ]

    @Test func everyMemberIsACondition() throws {
        let others = ["method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate"]
        #expect(Set(Self.samples.keys) == Set(RequestPattern.names).subtracting(others))
        for (name, sample) in Self.samples {
            #expect(try RequestPattern(json: .object([name: sample])).hasConditions, "\(name)")
        }
    }

    @Test func methodAndURLAreNone() {
        for url in [URLPattern.any, .url("/"), .urlPath("/"), .urlPattern("/"), .urlPathTemplate("/")] {
            #expect(!RequestPattern(method: .exactly("GET"), url: url).hasConditions)
        }
    }
}
