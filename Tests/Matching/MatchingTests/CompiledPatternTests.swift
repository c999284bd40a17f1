import SDJSON
import SDMatching
import SDPlatform
import SDRegularExpressions
import SDStubModel
import SDTestSupport
import Testing

/// Cases beyond the golden data: fields of a newer dialect, problems, and notes of a match.
@Suite struct CompiledPatternTests {
    static let methods: [(pattern: MethodPattern, matching: [String], other: [String])] = [
        (.any, ["GET", "PURGE", "get"], []), (.exactly("ANY"), ["GET", "PURGE"], []),
        (.exactly("GET"), ["GET"], ["HEAD", "get", "PURGE"]), (.exactly("PURGE"), ["PURGE"], ["GET", "FANCY"]),
        (.exactly("GET_OR_HEAD"), ["GET", "HEAD"], ["POST"]),
        (.oneOf(["GET", "PUT"]), ["GET", "PUT"], ["POST", "PURGE"]),
        (.oneOf(["PURGE", "ANY"]), ["PURGE", "GET"], []),
        (.noneOf(["GET", "PURGE"]), ["POST", "FANCY"], ["GET", "PURGE"]),
        (.noneOf([]), ["GET"], []), (.oneOf([]), [], ["GET", "PURGE"]),
        (.exactly("PROPPATCHING"), ["PROPPATCHING"], ["PROPPATCH"]),
        (.oneOf(["TRACE", "OPTIONS"]), ["TRACE", "OPTIONS"], ["PATCH"]),
    ]

    @Test(arguments: methods)
    func methodsMatch(_ method: MethodPattern, _ matching: [String], _ other: [String]) throws {
        let pattern = try CompiledPattern(RequestPattern(method: method))
        for name in matching { #expect(pattern.matches(TestRequest(name, "/")), "\(name)") }
        for name in other { #expect(!pattern.matches(TestRequest(name, "/")), "\(name)") }
        for name in matching { #expect(pattern.methods.contains(MethodSet(of: name.bytes)), "\(name)") }
    }

    static let brokenQueries = ["k=%zz", "k=%", "k=%a", "%=v", "k=v&j=%g0"]

    @Test(arguments: brokenQueries)
    func aBrokenEscapeInTheQueryIsAnOrdinaryMismatch(_ query: String) throws {
        for matcher in [ValueMatcher(.equalTo, "v"), ValueMatcher(.absent, "true"), ValueMatcher(.anything, "x")] {
            var pattern = RequestPattern()
            pattern.queryParameters = [NamedMatcher("k", matcher)]
            #expect(try !CompiledPattern(pattern).matches(TestRequest("GET", "/a?" + query)))
        }
        #expect(try CompiledPattern(RequestPattern(url: .urlPath("/a"))).matches(TestRequest("GET", "/a?" + query)))
    }

    @Test func invalidUTF8InAQueryReadsAsReplacementCharacters() throws {
        var pattern = RequestPattern()
        pattern.queryParameters = [NamedMatcher("k", ValueMatcher(.equalTo, "a\u{FFFD}b"))]
        #expect(try CompiledPattern(pattern).matches(TestRequest("GET", "/?k=a%FFb")))
    }

    @Test func headersAreFoundInAnyCaseOfTheirName() throws {
        var pattern = RequestPattern()
        pattern.headers = [NamedMatcher("X-Request-ID", ValueMatcher(.equalTo, "1"))]
        #expect(try CompiledPattern(pattern).matches(TestRequest(headers: [("x-request-id", "1")])))
    }

    @Test func everyProblemIsNamedWithItsPlace() throws {
        var pattern = RequestPattern()
        pattern.host = ValueMatcher(.matches, "[")
        pattern.headers = [
            NamedMatcher("A/b~c", ValueMatcher(.equalToJson, "{")),
            NamedMatcher("D", ValueMatcher(.matchesJsonPath, "$[")),
        ]
        pattern.bodyPatterns = [ValueMatcher(.equalTo, "x"), ValueMatcher(.glob, "[")]
        pattern.multipartPatterns = [MultipartPattern()]
        pattern.multipartPatterns[0].bodyPatterns = [ValueMatcher(.binaryEqualTo, "%")]
        let problems = try #require(throws: PatternProblems.self) { try CompiledPattern(pattern) }.problems
        #expect(
            problems.map(\.pointer) == [
                "/request/host/matches", "/request/headers/A~1b~0c/equalToJson", "/request/headers/D/matchesJsonPath",
                "/request/bodyPatterns/1/glob", "/request/multipartPatterns/0/bodyPatterns/0/binaryEqualTo",
            ])
        #expect(problems.allSatisfy { !$0.message.isEmpty })
    }

    @Test func aBadExpressionNamesItsPlaceAndReason() throws {
        var pattern = RequestPattern(url: .urlPathPattern("/a/{id}"))
        pattern.headers = [NamedMatcher("X", ValueMatcher(.matches, "(a"))]
        let problems = try #require(throws: PatternProblems.self) { try CompiledPattern(pattern, at: "") }.problems
        #expect(problems.map(\.pointer) == ["/urlPathPattern", "/headers/X/matches"])
        guard case .badRegex(let problem) = problems.first?.code else { throw Missing() }
        #expect(problem.offset == 3)
        #expect(problems.first?.message.contains("urlPathTemplate") == true)
    }

    static let badOperands: [(ValueMatcher.Operator, JSONValue, pointer: String)] = [
        (.equalTo, .null, "equalTo"), (.contains, .number(JSONNumber(validText: "5")), "contains"),
        (.matches, .bool(true), "matches"), (.and, .string("x"), "and"), (.and, .array([]), "and"),
        (.or, .array([.object(JSONObject())]), "or"), (.not, .string("x"), "not"),
        (.hasExactly, .string("x"), "hasExactly"),
        (.includes, .array([.string("x")]), "includes/0"),
    ]

    @Test(arguments: badOperands)
    func operandsOfTheWrongKindAreRefused(_ name: ValueMatcher.Operator, _ operand: JSONValue, _ pointer: String) throws
    {
        var json = JSONObject()
        json[name.rawValue] = operand
        var pattern = RequestPattern()
        pattern.headers = [NamedMatcher("X", ValueMatcher(name, json: json))]
        let problems = try #require(throws: PatternProblems.self) { try CompiledPattern(pattern) }.problems
        #expect(problems.map(\.pointer) == ["/request/headers/X/" + pointer])
        #expect(problems.map(\.code) == [.badOperand])
    }

    @Test func unboundedNestingIsRefused() throws {
        var json = JSONObject()
        json["absent"] = .bool(true)
        for _ in 0..<1_000 {
            var outer = JSONObject()
            outer["not"] = .object(json)
            json = outer
        }
        var pattern = RequestPattern()
        pattern.headers = [NamedMatcher("X", ValueMatcher(.not, json: json))]
        #expect(throws: PatternProblems.self) { try CompiledPattern(pattern) }
    }

    @Test func anAbandonedExpressionIsReported() throws {
        let pattern = try CompiledPattern(RequestPattern(url: .urlPathPattern("/(a+)+$")))
        let request = TestRequest("GET", "/" + String(repeating: "a", count: 10_000) + "b")
        var views = RequestViews(request, budgetLimit: 5_000_000)
        #expect(!pattern.matches(request, &views))
        let exhaustion = try #require(views.exhaustion)
        #expect(exhaustion.work == WorkBudget.Work("regular expression", "/(a+)+$"))
        #expect(exhaustion.subject === pattern)
    }

    @Test func capturesComeWithTheirNames() throws {
        let pattern = try CompiledPattern(RequestPattern(url: .urlPathTemplate("/users/{;id*}/**")))
        let captures = pattern.pathCaptures("/users/a%20b/x/y".bytes)
        #expect(captures.map(\.name) == ["id", "0"])
        #expect(captures.map { String(decoding: $0.value, as: UTF8.self) } == ["a%20b", "x/y"])
        #expect(pattern.pathCaptures("/x".bytes).isEmpty)
    }

    private struct Missing: Error {}
}
