import SDMatching
import SDStubModel
import SDTestSupport
import Testing

@testable import SDIndexing

@Suite struct StubIndexTests {
    private func stub(_ url: URLPattern, _ method: MethodPattern = .any, priority: Int = 5, at sequence: UInt64) throws
        -> IndexTestStub
    {
        try IndexTestStub(RequestPattern(method: method, url: url), priority: priority, sequence: sequence)
    }

    private func index(_ stubs: [IndexTestStub]) -> StubIndex<IndexTestStub> {
        var index = StubIndex<IndexTestStub>()
        for stub in stubs { index.insert(stub) }
        return index
    }

    @Test func theNewestOfEqualPriorityAnswers() throws {
        let index = index([try stub(.url("/a"), at: 1), try stub(.url("/a"), at: 2)])
        #expect(index.firstMatch(TestRequest("GET", "/a"))?.sequence == 2)
    }

    @Test func aLowerPriorityNumberAnswersBeforeANewerStub() throws {
        let index = index([try stub(.url("/a"), priority: 1, at: 1), try stub(.url("/a"), priority: 2, at: 2)])
        #expect(index.firstMatch(TestRequest("GET", "/a"))?.sequence == 1)
    }

    @Test func rankDecidesAcrossKindsOfURLs() throws {
        let kinds: [URLPattern] = [
            .any, .url("/a/b"), .urlPath("/a/b"), .urlPattern("/a/.*"), .urlPathPattern(".*b"),
            .urlPathTemplate("/a/{x}"),
        ]
        let request = TestRequest("GET", "/a/b")
        for (place, kind) in kinds.enumerated() {
            var stubs: [IndexTestStub] = []
            for (other, url) in kinds.enumerated() where other != place {
                stubs.append(try stub(url, at: UInt64(other)))
            }
            #expect(index(stubs + [try stub(kind, at: 100)]).firstMatch(request)?.sequence == 100, "newest: \(kind)")
            let urgent = try stub(kind, priority: 1, at: 0)
            let shifted = try stubs.map { try IndexTestStub(RequestPattern(), sequence: $0.sequence + 1) }
            #expect(index(shifted + [urgent]).firstMatch(request)?.sequence == 0, "urgent: \(kind)")
        }
    }

    @Test func queriesReachOnlyStubsThatAllowThem() throws {
        let index = index([
            try stub(.url("/a"), at: 1), try stub(.url("/a?x=1"), at: 2), try stub(.urlPath("/b"), at: 3),
        ])
        #expect(index.firstMatch(TestRequest("GET", "/a"))?.sequence == 1)
        #expect(index.firstMatch(TestRequest("GET", "/a?x=1"))?.sequence == 2)
        #expect(index.firstMatch(TestRequest("GET", "/a?x=2")) == nil)
        #expect(index.firstMatch(TestRequest("GET", "/b?x=2"))?.sequence == 3)
        #expect(index.firstMatch(TestRequest("GET", "/b"))?.sequence == 3)
    }

    @Test func ineligibleStubsAreSkipped() throws {
        let index = index([try stub(.url("/a"), at: 1), try stub(.url("/a"), at: 2), try stub(.any, at: 3)])
        let request = TestRequest("GET", "/a")
        var views = RequestViews(request)
        #expect(index.finder.firstMatch(request, &views, where: { $0.sequence < 3 })?.sequence == 2)
        #expect(index.finder.firstMatch(request, &views, where: { $0.sequence == 1 })?.sequence == 1)
        #expect(index.finder.firstMatch(request, &views, where: { _ in false }) == nil)
    }

    @Test func aReplacedStubKeepsItsPlace() throws {
        let first = try stub(.url("/a"), at: 1)
        var index = index([first, try stub(.urlPath("/a"), .exactly("POST"), at: 2)])
        let edited = try stub(.urlPathTemplate("/{x}"), at: 1)
        index.replace(first, with: edited)
        #expect(index.firstMatch(TestRequest("GET", "/a")) === edited)
        #expect(index.firstMatch(TestRequest("POST", "/a"))?.sequence == 2)
        #expect(index.count == 2)
    }

    @Test func tenThousandStubsOnOnePathKeepTheirOrder() throws {
        var index = StubIndex<IndexTestStub>()
        let stubs = try (0..<10_000).map { try stub(.urlPath("/a"), .exactly("M\($0 % 100)"), at: UInt64($0)) }
        for stub in stubs { index.insert(stub) }
        #expect(index.listed.map(\.sequence) == (0..<10_000).reversed().map(UInt64.init))
        #expect(index.firstMatch(TestRequest("M42", "/a"))?.sequence == 9_942)
        for stub in stubs where stub.sequence % 2 == 0 { index.remove(stub) }
        #expect(index.count == 5_000)
        #expect(index.firstMatch(TestRequest("M42", "/a")) == nil)
        #expect(index.firstMatch(TestRequest("M43", "/a"))?.sequence == 9_943)
    }

    /// Enough stubs that most are in the table, where the shape alone decides.
    @Test(arguments: [
        ("/shop-7/users/{id}/orders", "/shop-7/users/x/orders", true),
        ("/shop-7/users/{id}/orders", "/shop-7/users//orders", false),
        ("/shop-7/users/{id}/orders", "/shop-7/users/x/y/orders", false),
        ("/shop-7/users/{id}/orders", "/shop-7/users/x/orders/", false),
        ("/shop-7/users/{id}", "/shop-7/users/", false),
        ("/shop-7/users/{id}", "/shop-7/users/x", true),
        ("/shop-7/users/v{id}", "/shop-7/users/w1", false),
        ("/shop-7/users/{id}.json", "/shop-7/users/1.xml", false),
        ("/shop-7/users/{a}{b}", "/shop-7/users/1", false),
        ("/shop-7/**/orders", "/shop-7/users/1/orders", true),
        ("/shop-7/{}", "/shop-7/{}", true),
        ("/shop-7/{}", "/shop-7/x", false),
    ])
    func templatesInATableMatchAsTemplatesDo(template: String, path: String, matches: Bool) throws {
        let others = try (0..<100).map { try stub(.urlPathTemplate("/other-\($0)/{x}"), at: UInt64($0)) }
        let index = index(try [stub(.urlPathTemplate(template), at: 1_000)] + others)
        #expect((index.firstMatch(TestRequest("GET", path))?.sequence == 1_000) == matches)
    }

    @Test func aDeepChainOfPathsIsFiledAndFound() throws {
        let text = String(repeating: "a", count: 3_000)
        var index = StubIndex<IndexTestStub>()
        for length in stride(from: 1, through: 3_000, by: 1) {
            index.insert(try stub(.urlPathPattern("/\(text.prefix(length))[0-9]"), at: UInt64(length)))
        }
        #expect(index.firstMatch(TestRequest("GET", "/\(text.prefix(700))7"))?.sequence == 700)
        #expect(index.firstMatch(TestRequest("GET", "/\(text)7"))?.sequence == 3_000)
        #expect(index.firstMatch(TestRequest("GET", "/\(text)a7")) == nil)
    }
}
