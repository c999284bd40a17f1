import SDJSON
import SDMatching
import SDStubModel
import SDTestSupport
import Testing

@testable import SDIndexing

/// The index agrees with its definition: walk all stubs in order and take the first that matches.
@Suite struct StubIndexPropertyTests {
    private typealias Index = StubIndex<IndexTestStub>

    @Test(arguments: 0..<4) func findsWhatALinearScanFinds(_ round: Int) throws {
        let seed = TestGenerator.newSeed &+ UInt64(round)
        print("stub index property seed \(seed)")
        var world = World(seed: seed)
        var snapshots: [(index: Index, expected: [UInt64])] = []
        for step in 0..<400 {
            if step % 25 == 24 { try world.changeInBatch() } else { try world.change() }
            if step % 40 == 0 {
                snapshots.append((world.index, world.ranked.map(\.sequence)))
            }
            if step % 10 == 0 { world.check(requests: 20, "seed \(seed), step \(step), round \(round)") }
        }
        for snapshot in snapshots {
            #expect(snapshot.index.listed.map(\.sequence) == snapshot.expected, "seed \(seed)")
            world.check(snapshot.index, against: snapshot.index.listed, requests: 20, "snapshot, seed \(seed)")
        }
        for stub in world.ranked.shuffled(using: &world.random) { world.index.remove(stub) }
        #expect(world.index.count == 0)
        for _ in 0..<20 {
            let request = world.request()
            #expect(world.index.firstMatch(request) == nil, "seed \(seed)")
        }
    }

    /// An index that is filled at once, by summaries that were made in parts.
    @Test(arguments: [1, 40, 500], [false, true])
    func isFilledBySummaries(_ count: Int, isChangedInTheSameBatch: Bool) throws {
        let seed = TestGenerator.newSeed
        print("stub index summaries seed \(seed)")
        var world = World(seed: seed)
        let stubs = try world.newStubs(count)
        var summaries = StubSummaries()
        var rest = stubs[...]
        while !rest.isEmpty {
            var part = StubSummaries()
            for stub in rest.prefix(7) { part.append(stub) }
            rest = rest.dropFirst(7)
            summaries.append(part)
        }
        #expect(summaries.count == count)
        if isChangedInTheSameBatch { world.index.beginBatch() }
        world.index.fill(with: stubs, summaries)
        if isChangedInTheSameBatch {
            for _ in 0..<3 { try world.change() }
            world.index.endBatch()
        }
        #expect(world.index.isTableCurrent)
        world.check(requests: 300, "seed \(seed)")
        for _ in 0..<50 { try world.change() }
        world.check(requests: 100, "after changes, seed \(seed)")
    }

    @Test func snapshotsAreReadWhileTheNextOnesAreMade() async throws {
        let seed = TestGenerator.newSeed
        print("stub index snapshot seed \(seed)")
        var world = World(seed: seed)
        for _ in 0..<300 { try world.change() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                let snapshot = world.index
                let requests = (0..<200).map { _ in world.request() }
                let expected = requests.map { request in snapshot.listed.first { $0.matches(request) }?.sequence }
                group.addTask {
                    (0..<10).allSatisfy { _ in requests.map { snapshot.firstMatch($0)?.sequence } == expected }
                }
                for _ in 0..<100 { try world.change() }
            }
            for try await agreed in group { #expect(agreed, "seed \(seed)") }
        }
    }
}

extension IndexTestStub {
    fileprivate func matches(_ request: TestRequest) -> Bool {
        var views = RequestViews(request)
        return pattern.matches(request, &views)
    }
}

/// A growing and shrinking set of stubs with few path parts, so that they collide in every way.
private struct World {
    var random: TestGenerator
    var index = StubIndex<IndexTestStub>()
    var stubs: [IndexTestStub] = []
    private var sequence: UInt64 = 0

    private static let parts = ["a", "b", "ab", "abc", "a.b", "1", "12", "é", ""]
    private static let methods: [MethodPattern] = [
        .any, .any, .any, .exactly("GET"), .exactly("POST"), .exactly("PURGE"), .exactly("GET_OR_HEAD"),
        .oneOf(["GET", "PUT"]), .noneOf(["GET", "PURGE"]),
    ]

    init(seed: UInt64) {
        random = TestGenerator(seed: seed)
    }

    var ranked: [IndexTestStub] {
        stubs.sorted { ($0.priority, $1.sequence) < ($1.priority, $0.sequence) }
    }

    /// Adds, replaces or removes a stub.
    mutating func change() throws {
        let chance = Int.random(in: 0..<10, using: &random)
        if chance < 6 || stubs.isEmpty {
            sequence += 1
            let stub = try newStub(sequence)
            stubs.append(stub)
            index.insert(stub)
        } else {
            let place = Int.random(in: 0..<stubs.count, using: &random)
            let old = stubs[place]
            if chance < 8 {
                stubs.remove(at: place)
                index.remove(old)
                index.remove(old)
            } else {
                stubs[place] = try newStub(old.sequence)
                index.replace(old, with: stubs[place])
            }
        }
    }

    /// Makes stubs that the caller adds to the index.
    mutating func newStubs(_ count: Int) throws -> [IndexTestStub] {
        for _ in 0..<count {
            sequence += 1
            stubs.append(try newStub(sequence))
        }
        return stubs
    }

    mutating func changeInBatch() throws {
        index.beginBatch()
        for _ in 0..<Int.random(in: 0...60, using: &random) { try change() }
        index.endBatch()
    }

    mutating func check(requests: Int, _ comment: String) {
        #expect(index.count == stubs.count, "\(comment)")
        #expect(index.listed.map(\.sequence) == ranked.map(\.sequence), "\(comment)")
        check(index, against: ranked, requests: requests, comment)
    }

    mutating func check(
        _ index: StubIndex<IndexTestStub>, against ranked: [IndexTestStub], requests: Int, _ comment: String
    ) {
        for _ in 0..<requests {
            let request = request()
            let expected = ranked.first { $0.matches(request) }
            let found = index.firstMatch(request)
            let url = String(decoding: request.url, as: UTF8.self)
            #expect(found === expected, "\(comment), \(url)")
        }
    }

    mutating func request() -> TestRequest {
        let method = ["GET", "GET", "HEAD", "POST", "PUT", "PURGE", "get"].randomElement(using: &random) ?? "GET"
        let headers = Bool.random(using: &random) ? [("X-Kind", "b")] : []
        return TestRequest(method, path() + query(), headers: headers)
    }

    private mutating func part() -> String {
        Self.parts.randomElement(using: &random) ?? "a"
    }

    private mutating func path() -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in "/" + part() }.joined()
    }

    private mutating func query() -> String {
        ["", "", "?x=1", "?x=2", "?y"].randomElement(using: &random) ?? ""
    }

    private mutating func newStub(_ sequence: UInt64) throws -> IndexTestStub {
        let method = Self.methods.randomElement(using: &random) ?? .any
        var pattern = RequestPattern(method: method, url: url())
        if Int.random(in: 0..<4, using: &random) == 0 {
            pattern.headers = [NamedMatcher("x-kind", ValueMatcher(.equalTo, "b"))]
        }
        if Int.random(in: 0..<5, using: &random) == 0 {
            pattern.queryParameters = [NamedMatcher("x", ValueMatcher(.equalTo, "1"))]
        }
        return try IndexTestStub(pattern, priority: Int.random(in: 1...4, using: &random), sequence: sequence)
    }

    private mutating func url() -> URLPattern {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .any
        case 1, 2: return .url(path() + query())
        case 3, 4: return .urlPath(path())
        case 5: return .urlPattern(expression() + (["", "(\\?.*)?", ".*"].randomElement(using: &random) ?? ""))
        case 6, 7: return .urlPathPattern(expression())
        default: return .urlPathTemplate(template())
        }
    }

    private mutating func template() -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            "/"
                + (["{x}", "{x}", "**", "{x}.b", "a{x}", "{x}{y}", part(), part(), part()].randomElement(using: &random)
                    ?? "")
        }.joined()
    }

    private mutating func expression() -> String {
        let tails = ["", ".*", "/.*", "b?", "/?", "[ab]*", "|/b", "(?i)B", "(/[^/]+)*", "+", "{0,2}"]
        return path() + (tails.randomElement(using: &random) ?? "")
    }
}
