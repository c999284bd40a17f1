import SDLinting
import SDMockEngine
import SDStubModel
import Testing

/// Stubs that are never reached. In each case the second request pattern is that of the stub tried first.
@Suite struct ShadowSearchTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let later: String
        let first: String
        var testDescription: String { "\(later) behind \(first)" }

        init(_ later: String, behind first: String) {
            self.later = later
            self.first = first
        }
    }

    private static let hidden: [Case] = [
        Case(#"{"method": "GET", "url": "/a"}"#, behind: "{}"),
        Case(#"{"method": "GET", "url": "/a"}"#, behind: #"{"method": "ANY", "url": "/a"}"#),
        Case(#"{"method": "GET", "url": "/a"}"#, behind: #"{"method": "GET_OR_HEAD", "urlPath": "/a"}"#),
        Case(#"{"method": "GET", "url": "/a?x=1"}"#, behind: #"{"urlPath": "/a"}"#),
        Case(#"{"method": {"oneOf": ["GET", "PUT"]}, "url": "/a"}"#, behind: #"{"method": {"noneOf": ["POST"]}}"#),
        Case(#"{"method": {"noneOf": ["GET", "PUT"]}}"#, behind: #"{"method": {"noneOf": ["GET"]}}"#),
        Case(#"{"urlPath": "/a/b"}"#, behind: #"{"urlPathTemplate": "/a/{x}"}"#),
        Case(#"{"url": "/a/b?x"}"#, behind: #"{"urlPathTemplate": "/a/{x}"}"#),
        Case(#"{"urlPathTemplate": "/a/{y}"}"#, behind: #"{"urlPathTemplate": "/a/{x}"}"#),
        Case(#"{"urlPathTemplate": "/a/b{y}"}"#, behind: #"{"urlPathTemplate": "/a/{x}"}"#),
        Case(#"{"urlPathTemplate": "/a/{y}/c"}"#, behind: #"{"urlPathTemplate": "/a/**"}"#),
        Case(#"{"urlPath": "/a/b"}"#, behind: #"{"urlPathPattern": ".*"}"#),
        Case(#"{"url": "/a/b"}"#, behind: #"{"urlPattern": "/a/[a-z]"}"#),
        Case(#"{"urlPath": "/a/b"}"#, behind: #"{"urlPathPattern": "/a/[a-z]"}"#),
        Case(#"{"urlPath": "/a/b"}"#, behind: #"{"urlPattern": "/a/.*"}"#),
        Case(#"{"urlPathPattern": "/a/\\d+"}"#, behind: #"{"urlPattern": "/a/.*"}"#),
        Case(#"{"urlPathPattern": "/a/\\d+"}"#, behind: #"{"urlPathPattern": "/a/\\d+"}"#),
        Case(#"{"urlPath": "/a.json"}"#, behind: #"{"urlPattern": "/a\\.json(\\?.*)?"}"#),
        Case(
            #"{"url": "/a", "headers": {"Accept": {"equalTo": "x"}, "B": {"absent": true}}}"#,
            behind: #"{"url": "/a", "headers": {"accept": {"equalTo": "x"}}}"#),
        Case(#"{"url": "/a"}"#, behind: #"{"url": "/a", "headers": {"X": {"anything": "anything"}}}"#),
        Case(
            #"{"url": "/a", "queryParameters": {"x": {"equalTo": "1"}}}"#,
            behind: #"{"urlPath": "/a", "queryParameters": {"x": {"equalTo": "1"}}}"#),
        Case(
            #"{"url": "/a", "queryParameters": {"x": {"equalTo": "1"}}}"#,
            behind: #"{"urlPath": "/a", "queryParameters": {"y": {"anything": "anything"}}}"#),
        Case(
            #"{"url": "/a", "cookies": {"c": {"contains": "1"}}, "basicAuth": {"username": "a", "password": "b"}}"#,
            behind: #"{"cookies": {"c": {"contains": "1"}}}"#),
        Case(
            #"{"url": "/a", "bodyPatterns": [{"contains": "1"}, {"equalToJson": {"a": 1}}]}"#,
            behind: #"{"url": "/a", "bodyPatterns": [{"equalToJson": {"a": 1}}]}"#),
        Case(
            #"{"urlPathTemplate": "/{a}", "pathParameters": {"a": {"equalTo": "1"}}, "port": 80}"#,
            behind: #"{"urlPathTemplate": "/{a}", "pathParameters": {"a": {"equalTo": "1"}}}"#),
    ]

    private static let reachable: [Case] = [
        Case("{}", behind: #"{"method": "GET"}"#),
        Case(#"{"method": "GET", "url": "/a"}"#, behind: #"{"method": "POST", "url": "/a"}"#),
        Case(#"{"method": "get", "url": "/a"}"#, behind: #"{"method": "GET", "url": "/a"}"#),
        Case(#"{"method": {"noneOf": ["GET"]}}"#, behind: #"{"method": {"noneOf": ["GET", "PUT"]}}"#),
        Case(#"{"method": {"noneOf": ["GET"]}}"#, behind: #"{"method": {"oneOf": ["PUT", "POST", "DELETE"]}}"#),
        Case(#"{"urlPath": "/a"}"#, behind: #"{"url": "/a"}"#),
        Case(#"{"urlPath": "/a"}"#, behind: #"{"urlPattern": "/a"}"#),
        Case(#"{"urlPath": "/a/b"}"#, behind: #"{"urlPattern": "/a/[a-z]"}"#),
        Case(#"{"urlPath": "/a/b/c"}"#, behind: #"{"urlPathTemplate": "/a/{x}"}"#),
        Case(#"{"urlPath": "/a/"}"#, behind: #"{"urlPathTemplate": "/a/{x}"}"#),
        Case(#"{"urlPathTemplate": "/a/{x}"}"#, behind: #"{"urlPathTemplate": "/a/b{x}"}"#),
        Case(#"{"urlPathTemplate": "/a/{x}{y}"}"#, behind: #"{"urlPathTemplate": "/a/{x}-{y}"}"#),
        Case(#"{"urlPathTemplate": "/a/**"}"#, behind: #"{"urlPathTemplate": "/a/{x}"}"#),
        Case(#"{"urlPath": "/ab"}"#, behind: #"{"urlPathPattern": "/a$.*"}"#),
        Case(#"{"urlPath": "/b"}"#, behind: #"{"urlPattern": "/a|/c.*"}"#),
        Case(#"{"urlPath": "/a\u0301"}"#, behind: #"{"urlPath": "/\u00e1"}"#),
        Case(
            #"{"url": "/a", "headers": {"A": {"equalTo": "x"}}}"#,
            behind: #"{"url": "/a", "headers": {"A": {"equalTo": "y"}}}"#),
        Case(
            #"{"url": "/a", "headers": {"A": {"equalTo": "x"}}}"#,
            behind:
                #"{"url": "/a", "headers": {"A": {"equalTo": "x", "caseInsensitive": true}, "B": {"absent": true}}}"#),
        Case(#"{"url": "/a"}"#, behind: #"{"url": "/a", "headers": {"X": {"matches": ".*"}}}"#),
        // A missing cookie is not any cookie, and a query that cannot be decoded has no parameters.
        Case(#"{"url": "/a"}"#, behind: #"{"url": "/a", "cookies": {"c": {"anything": "anything"}}}"#),
        Case(#"{"urlPath": "/a"}"#, behind: #"{"urlPath": "/a", "queryParameters": {"y": {"anything": "anything"}}}"#),
        // Path parameters do not restrict without a template.
        Case(
            #"{"urlPath": "/2", "pathParameters": {"a": {"equalTo": "1"}}}"#,
            behind: #"{"urlPathTemplate": "/{a}", "pathParameters": {"a": {"equalTo": "1"}}}"#),
        Case(
            #"{"urlPathTemplate": "/{b}/{a}", "pathParameters": {"a": {"equalTo": "1"}}}"#,
            behind: #"{"urlPathTemplate": "/{a}/{b}", "pathParameters": {"a": {"equalTo": "1"}}}"#),
        Case(
            #"{"url": "/a", "bodyPatterns": [{"and": [{"equalTo": "1", "contains": "2"}, {"contains": "1"}]}]}"#,
            behind: #"{"url": "/a", "bodyPatterns": [{"and": [{"contains": "2", "equalTo": "1"}, {"contains": "1"}]}]}"#
        ),
        Case(#"{"url": "/a"}"#, behind: #"{"url": "/a", "customMatcher": {"name": "x"}}"#),
    ]

    private func findings(_ stubs: String) throws -> [StubFinding] {
        try LintedFile(stubs).session.findings().filter { [.shadowed, .samePattern].contains($0.code) }
    }

    @Test(arguments: hidden) func aStubShadowedByAnEarlierOneIsReported(_ testCase: Case) throws {
        let findings = try findings(
            #"[{"name": "later", "request": \#(testCase.later)}, {"name": "first", "request": \#(testCase.first)}]"#)
        #expect(findings.map(\.stub.name) == ["later"])
        #expect(findings.first?.other?.stub.name == "first")
        #expect(findings.first?.other?.precedence == .newer)
    }

    @Test(arguments: reachable) func aReachableStubIsNotReported(_ testCase: Case) throws {
        let findings = try findings(#"[{"request": \#(testCase.later)}, {"request": \#(testCase.first)}]"#)
        #expect(findings.isEmpty)
    }

    @Test func theOrderOfTheStubsDecidesWhichIsShadowed() throws {
        #expect(try findings(#"[{"request": {"urlPathPattern": ".*"}}, {"request": {"url": "/a"}}]"#).isEmpty)
        let general = #"{"name": "general", "priority": 10, "request": {"urlPathPattern": ".*"}}"#
        #expect(try findings(#"[{"request": {"url": "/a"}}, \#(general)]"#).isEmpty)
        let found = try findings(#"[{"priority": 10, "request": {"url": "/a"}}, {"request": {"urlPath": "/a"}}]"#)
        #expect(found.map(\.code) == [.shadowed])
        #expect(found.first?.other?.precedence == .priority(5))
    }

    /// Members of the later and the earlier stub beside their patterns, and whether the later one is hidden.
    @Test(arguments: [
        (
            #""scenarioName": "s", "requiredScenarioState": "a""#,
            #""scenarioName": "s", "requiredScenarioState": "b""#, false
        ),
        (
            #""scenarioName": "s", "requiredScenarioState": "a""#,
            #""scenarioName": "t", "requiredScenarioState": "a""#, false
        ),
        (#""scenarioName": "s""#, #""scenarioName": "s", "requiredScenarioState": "a""#, false),
        (#""name": "later""#, #""scenarioName": "s", "requiredScenarioState": "a""#, false),
        (
            #""scenarioName": "s", "requiredScenarioState": "a""#,
            #""scenarioName": "s", "requiredScenarioState": "a""#, true
        ),
        (#""scenarioName": "s", "requiredScenarioState": "a""#, #""scenarioName": "s", "newScenarioState": "b""#, true),
        (#""scenarioName": "s", "requiredScenarioState": "a""#, #""name": "first""#, true),
        (#""requiredScenarioState": "a""#, #""requiredScenarioState": "b""#, true),
        (#""name": "later""#, #""times": 2"#, false), (#""name": "later""#, #""ttl": "5s""#, false),
        (#""name": "later""#, #""enabled": false"#, false), (#""enabled": false"#, #""name": "first""#, false),
        (#""times": 2"#, #""name": "first""#, true), (#""ttl": "5s""#, #""enabled": true"#, true),
        (#""name": "later""#, #""responses": [{"status": 201}, {"status": 202}]"#, true),
    ]) func conditionsBesideThePatternCount(_ later: String, _ first: String, _ isHidden: Bool) throws {
        let request = #""request": {"url": "/a"}"#
        let found = try findings("[{\(later), \(request)}, {\(first), \(request)}]")
        #expect(found.isEmpty != isHidden, "\(found)")
    }

    @Test func ofTwoStubsWithOnePatternTheWinnerIsNamed() throws {
        let pattern = #"{"method": "GET", "url": "/a", "headers": {"A": {"equalTo": "1"}, "B": {"absent": true}}}"#
        let turned = #"{"headers": {"b": {"absent": true}, "A": {"equalTo": "1"}}, "url": "/a", "method": "GET"}"#
        let found = try findings(
            #"[{"name": "one", "request": \#(pattern)}, {"name": "two", "request": \#(turned)}]"#)
        #expect(found.map(\.code) == [.samePattern])
        #expect(found.first?.stub.name == "one")
        #expect(found.first?.other?.stub.name == "two")
    }

    @Test func eachOfManyThatOneStubHidesIsReportedOnce() throws {
        let stubs = (0..<50).map { #"{"request": {"url": "/a/\#($0)"}}"# }.joined(separator: ",")
        let found = try findings(#"[\#(stubs), {"name": "all", "request": {"urlPathPattern": "/a/.*"}}]"#)
        #expect(found.count == 50)
        #expect(found.allSatisfy { $0.other?.stub.name == "all" })
    }
}
