import SDIndexing
import SDJSON
import SDMatching
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDLinting
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// A stub that is reported as never reached answers no request.
@Suite struct ShadowPropertyTests {
    @Test(arguments: 0..<4) func reportedStubsAreNeverChosen(_ round: Int) throws {
        let seed = TestGenerator.newSeed &+ UInt64(round)
        print("shadow property seed \(seed)")
        var random = RandomStubs(seed: seed)
        var hiddenButFitting = 0
        for _ in 0..<40 {
            let stubs = try (0..<30).map { try random.stub(UInt64($0)) }
                .sorted { ($0.priority, $1.sequence) < ($1.priority, $0.sequence) }
            let hidden = Set(ShadowSearch.findings(in: stubs).map(\.stub.id))
            var index = StubIndex<CompiledStub>()
            for stub in stubs { index.insert(stub) }
            for _ in 0..<200 {
                let request = random.request()
                var views = RequestViews(request)
                let chosen = index.finder.firstMatch(request, &views)
                #expect(chosen.map { !hidden.contains($0.mapping.id) } ?? true, "seed \(seed)")
                for stub in stubs where hidden.contains(stub.mapping.id) && stub.pattern.matches(request, &views) {
                    hiddenButFitting += 1
                }
            }
        }
        // Otherwise the requests would not have reached the cases in question.
        #expect(hiddenButFitting > 200, "seed \(seed)")
    }

    @Test func aThousandStubsOnOnePathAreCheckedQuickly() throws {
        let stubs = try (0..<2_000).map { number in
            var mapping = StubMapping()
            mapping.request.url = .url("/soap")
            mapping.request.bodyPatterns = [ValueMatcher(.contains, "\(number)")]
            return try CompiledStub(mapping, sequence: UInt64(2_000 - number), file: nil, options: ResponseOptions())
        }
        #expect(ShadowSearch.findings(in: stubs).isEmpty)
        let again = try stubs.map {
            try CompiledStub($0.mapping, sequence: $0.sequence, file: nil, options: ResponseOptions())
        }
        #expect(ShadowSearch.findings(in: stubs + again).count == 2_000)
    }
}

/// Stubs and requests made of few words, so that they collide in every way.
private struct RandomStubs {
    var random: TestGenerator

    init(seed: UInt64) {
        random = TestGenerator(seed: seed)
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func path() -> String {
        (0..<pick([1, 2, 2, 3])).map { _ in "/" + pick(["a", "b", "ab", "a.b", ""]) }.joined()
    }

    private mutating func query() -> String { pick(["", "", "?x=1", "?x=2", "?y", "?%zz"]) }

    private mutating func url() -> URLPattern {
        switch pick(Array(0..<10)) {
        case 0: return .any
        case 1, 2: return .url(path() + query())
        case 3, 4: return .urlPath(path())
        case 5:
            return .urlPattern(
                path() + pick(["", ".*", "(\\?.*)?", "\\?x=1", "b?", "$.*", "|/b.*", "[^?]*", "\\.b", "(?i)B.*"]))
        case 6: return .urlPathPattern(path() + pick(["", ".*", "/.*", "\\.b", "[ab]*", "+", "|/.*"]))
        default:
            let parts = (0..<pick([1, 2, 3])).map { _ in
                "/" + pick(["{x}", "{y}", "{x}", "**", "a{x}", "{x}.b", "{x}{y}", "a", "b"])
            }
            return .urlPathTemplate(parts.joined())
        }
    }

    private mutating func matcher() -> ValueMatcher {
        pick([
            ValueMatcher(.equalTo, "1"), ValueMatcher(.equalTo, "2"), ValueMatcher(.contains, "1"),
            ValueMatcher(.anything, operand: "anything"), ValueMatcher(.absent, operand: true),
            ValueMatcher(.not, operand: ["equalTo": "1"]),
        ])
    }

    mutating func stub(_ sequence: UInt64) throws -> CompiledStub {
        var mapping = StubMapping(priority: pick([nil, nil, 1, 9]))
        mapping.request.method = pick([
            .any, .any, .exactly("GET"), .exactly("POST"), .exactly("GET_OR_HEAD"), .oneOf(["GET", "PUT"]),
            .noneOf(["PUT"]), .noneOf(["GET", "PURGE"]), .oneOf(["ANY"]), .exactly("get"),
        ])
        mapping.request.url = url()
        if pick([true, false, false]) {
            mapping.request.headers = [NamedMatcher(pick(["X-A", "x-a", "x-b"]), matcher())]
        }
        if pick([true, false, false]) {
            mapping.request.queryParameters = [NamedMatcher(pick(["x", "y"]), matcher())]
        }
        if pick([true, false, false, false]) { mapping.request.cookies = [NamedMatcher("c", matcher())] }
        if pick([true, false, false]) { mapping.request.pathParameters = [NamedMatcher(pick(["x", "y"]), matcher())] }
        if pick([true, false, false, false]) { mapping.request.bodyPatterns = [matcher()] }
        return try CompiledStub(mapping, sequence: sequence, file: nil, options: ResponseOptions())
    }

    mutating func request() -> TestRequest {
        var headers: [(String, String)] = []
        for name in ["x-a", "x-b"] where pick([true, false]) { headers.append((name, pick(["1", "2", "12"]))) }
        if pick([true, false]) { headers.append(("cookie", "c=\(pick(["1", "2"]))")) }
        return TestRequest(
            pick(["GET", "POST", "PUT", "HEAD", "PURGE", "get"]), path() + query(), headers: headers)
    }
}
