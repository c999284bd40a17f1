import SDStubModel
import SDTestSupport
import Testing

@testable import SDExplaining
@testable import SDMatching

/// The search for the nearest patterns against its definition: measure every distance and sort.
@Suite struct NearestPatternsTests {
    @Test(arguments: [1, 3]) func theNearestAreThoseOfTheSmallestDistances(count: Int) throws {
        var world = World()
        for _ in 0..<60 {
            let patterns = try (0..<Int.random(in: 0...40, using: &world.random)).map { _ in
                try CompiledPattern(world.pattern())
            }
            let nearest = NearestPatterns(patterns)
            for _ in 0..<20 {
                let request = world.request()
                check(nearest, patterns, request, count, "seed \(world.seed)")
            }
        }
    }

    /// Stubs by the thousand look alike: those that differ in one character are told apart.
    @Test func ofAThousandAlikeTheNearestAreFound() throws {
        let patterns = try (0..<1_000).map { number in
            let url: URLPattern =
                switch number % 3 {
                case 0: .urlPath("/api/items/\(number)")
                case 1: .urlPathTemplate("/api/shop-\(number)/users/{id}/orders")
                default: .urlPathPattern("/api/depot-\(number)/[a-z]+/[0-9]+")
                }
            return try CompiledPattern(RequestPattern(method: .exactly("GET"), url: url))
        }
        let nearest = NearestPatterns(patterns)
        let paths = [
            "/apl/items/501", "/api/shop-502/users/7/order", "/api/depot-503/crates", "/somewhere/else", "/", "",
            "/api/items/" + String(repeating: "0", count: 80),
        ]
        for method in ["GET", "DELETE", "PURGE"] {
            for path in paths {
                let request = TestRequest(method, path)
                check(nearest, patterns, request, 3, method)
            }
        }
    }

    /// Rows that begin or end alike are compared together, those of other lengths, methods and kinds are not.
    @Test(arguments: [1, 3, 40]) func ofRunsOfAlikePatternsTheNearestAreFound(count: Int) throws {
        var world = World()
        for _ in 0..<8 {
            let first = Int.random(in: 0..<2_000, using: &world.random)
            let size = Int.random(in: 0...250, using: &world.random)
            let patterns = try (first..<first + size).map { try CompiledPattern(world.alike($0)) }
            let nearest = NearestPatterns(patterns)
            for _ in 0..<20 {
                let request = world.request(like: Int.random(in: first...first + size, using: &world.random))
                check(nearest, patterns, request, count, "seed \(world.seed)")
            }
        }
    }

    /// A template that begins with a variable may match a path that begins in any way.
    @Test func aTemplateThatBeginsWithAVariableIsNotPassedOver() throws {
        let patterns = try (0..<200).map { number -> CompiledPattern in
            let url = URLPattern.urlPathTemplate("{x}/\(number + 100)/orders/of/{y}")
            return try CompiledPattern(RequestPattern(method: .any, url: url))
        }
        let nearest = NearestPatterns(patterns)
        for number in [100, 173, 299] {
            let request = TestRequest("GET", "somewhere-else/\(number)/orders/of/nobody")
            var views = RequestViews(request)
            let found = nearest.nearest(to: request, &views, count: 3)
            #expect(isSame(found, measured(patterns, request, 3)) && found.first?.index == number - 100)
        }
    }

    @Test func anUnknownURLRulesNothingOut() throws {
        let patterns = try [URLPattern.urlPath("/a"), .any, .urlPathPattern("/.*"), .urlPathTemplate("/{x}")].map {
            try CompiledPattern(RequestPattern(method: .any, url: $0))
        }
        var request = TestRequest("GET", "/a")
        request.omissions = .url
        var views = RequestViews(request)
        let found = NearestPatterns(patterns).nearest(to: request, &views, count: 4)
        let farthest = 10.0 / 39
        let expected: [NearestPatterns.Near] = [(1, 0), (0, farthest), (2, farthest), (3, farthest)]
        #expect(isSame(found, expected))
    }

    /// Checks that the search finds what measuring all patterns finds.
    private func check(
        _ nearest: NearestPatterns, _ patterns: [CompiledPattern], _ request: TestRequest, _ count: Int,
        _ what: String, _ location: SourceLocation = #_sourceLocation
    ) {
        let expected = measured(patterns, request, count)
        var views = RequestViews(request)
        let found = nearest.nearest(to: request, &views, count: count)
        let url = String(decoding: request.url, as: UTF8.self)
        #expect(isSame(found, expected), "\(what), \(url)", sourceLocation: location)
    }

    private func isSame(_ found: [NearestPatterns.Near], _ expected: [NearestPatterns.Near]) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { $0.0 == $1.0 && $0.1 == $1.1 }
    }

    private func measured(
        _ patterns: [CompiledPattern], _ request: TestRequest, _ count: Int
    ) -> [NearestPatterns.Near] {
        let all = patterns.enumerated().map { index, pattern -> NearestPatterns.Near in
            var views = RequestViews(request)
            return (index, pattern.evaluate(request, &views).distance)
        }
        return Array(all.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }.prefix(count))
    }
}

/// Patterns and requests of few parts, so that they are near to each other in every way.
private struct World {
    let seed: UInt64
    var random: TestGenerator

    private static let parts = ["a", "b", "ab", "abc", "a.b", "1", "12", "é", "", "*", "orders", "order", "\u{FFFD}"]
    private static let methods: [MethodPattern] = [
        .any, .any, .exactly("GET"), .exactly("GET"), .exactly("POST"), .exactly("PURGE"), .oneOf(["GET", "PUT"]),
        .noneOf(["GET", "PURGE"]),
    ]

    init() {
        random = TestGenerator()
        seed = random.seed
    }

    mutating func request() -> TestRequest {
        let method = ["GET", "GET", "HEAD", "POST", "PURGE", "BREW"].randomElement(using: &random) ?? "GET"
        let headers = Bool.random(using: &random) ? [("X-Kind", part())] : []
        return TestRequest(method, path() + query(), headers: headers + [("Host", "a:8080")])
    }

    mutating func pattern() -> RequestPattern {
        var pattern = RequestPattern(method: Self.methods.randomElement(using: &random) ?? .any, url: url())
        if chance(4) { pattern.headers = [NamedMatcher("x-kind", ValueMatcher(.equalTo, "ab"))] }
        if chance(5) { pattern.queryParameters = [NamedMatcher("x", ValueMatcher(.equalTo, "1"))] }
        if chance(8) { pattern.host = ValueMatcher(.equalTo, "a") }
        if chance(8) { pattern.port = [8080, 9090].randomElement(using: &random) }
        return pattern
    }

    /// Patterns with successive numbers are in runs that begin and end alike.
    mutating func alike(_ number: Int) -> RequestPattern {
        let url: URLPattern
        if chance(30) {
            url = self.url()
        } else {
            let text = Self.alike(number)
            url =
                switch number / 40 % 4 {
                case 0: .urlPath(text)
                case 1: .url(text + (number % 3 == 0 ? "?x=1" : ""))
                case 2: .urlPathTemplate(text + "/{x}/orders")
                default: .urlPathPattern(text + "/[a-z]+")
                }
        }
        var pattern = RequestPattern(method: number % 11 == 0 ? .any : .exactly("GET"), url: url)
        if chance(30) { pattern.headers = [NamedMatcher("x-kind", ValueMatcher(.equalTo, "ab"))] }
        if chance(30) { pattern.host = ValueMatcher(.equalTo, "a") }
        return pattern
    }

    private static func alike(_ number: Int) -> String {
        let begin = ["/api/items/", "/v1/a/", "/api/shop-", "/"][number / 97 % 4]
        let end = ["", "/users/x/orders", "/abcdefghij", "/a/b", "/é", "/orders/of/users"][number / 61 % 6]
        return begin + String(number % 7 == 0 ? number : number + 10_000) + end
    }

    /// A request for an alike pattern with up to three mistakes in its URL.
    mutating func request(like number: Int) -> TestRequest {
        var url = Array(Self.alike(number) + ["", "/7/orders", "/abc", "?x=1"][Int.random(in: 0..<4, using: &random)])
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<url.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: url.remove(at: place)
            case 1: url.insert("x", at: place)
            case 2: url[place] = chance(4) ? "é" : "0"
            default: url.insert(contentsOf: Array(path()), at: place)
            }
        }
        let method = ["GET", "GET", "HEAD", "POST", "PURGE"].randomElement(using: &random) ?? "GET"
        return TestRequest(method, String(url), headers: [("Host", "a:8080")])
    }

    private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

    private mutating func part() -> String { Self.parts.randomElement(using: &random) ?? "a" }

    private mutating func path() -> String {
        // Some are longer than a word of a processor has bits.
        let most = chance(8) ? 24 : 4
        return (0..<Int.random(in: 1...most, using: &random)).map { _ in "/" + part() }.joined()
    }

    private mutating func query() -> String {
        ["", "", "?x=1", "?x=2", "?y"].randomElement(using: &random) ?? ""
    }

    private mutating func url() -> URLPattern {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .any
        case 1, 2: .url(path() + query())
        case 3, 4: .urlPath(path())
        case 5: .urlPattern(expression() + (["", "(\\?.*)?", ".*"].randomElement(using: &random) ?? ""))
        case 6: .urlPathPattern(expression())
        default: .urlPathTemplate(template())
        }
    }

    private mutating func template() -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            "/" + (["{x}", "{x}", "**", "{x}.b", "a{x}", part(), part()].randomElement(using: &random) ?? "")
        }.joined()
    }

    private mutating func expression() -> String {
        let tails = ["", ".*", "/.*", "b?", "/?", "[ab]*", "|/b", "(?i)B", "(/[^/]+)*"]
        return path().replacing("*", with: "\\*") + (tails.randomElement(using: &random) ?? "")
    }
}
