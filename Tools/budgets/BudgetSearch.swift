import SDExplaining
import SDJSON
import SDMatching
import SDPlatform
import SDStubModel
import SDTestData

/// A search for requests that take more than twice their budget: for their match, and the search for what came nearest.
struct BudgetSearch {
    /// The budget of each request, in nanoseconds of processor time.
    private static let limit: UInt64 = 10_000_000
    private static let most = 2 * limit * WorkBudget.slowness

    let first: UInt64
    let count: UInt64

    /// - Returns: whether every request kept to its budget, and some were costly enough to spend it.
    func run() -> Bool {
        var spentCount = 0
        var foundCount = 0
        var longest: (time: UInt64, seed: UInt64) = (0, first)
        for seed in first..<first + count {
            var (time, isSpent) = Self.serve(seed)
            // What a virtual machine does not get counts as its time: only what repeats is the request's own.
            for _ in 0..<3 where time >= Self.most { time = min(time, Self.serve(seed).time) }
            if isSpent { spentCount += 1 }
            if time > longest.time { longest = (time, seed) }
            if time >= Self.most {
                foundCount += 1
                say("seed \(seed): \(time / 1_000) µs; \(Self.costliest(seed))")
            }
        }
        say(
            "\(count) requests from seed \(first): \(spentCount) spent their budget, \(foundCount) took twice of it, "
                + "the longest \(longest.time / 1_000) µs (seed \(longest.seed))")
        return foundCount == 0 && (count < 40 || spentCount > 0)
    }

    /// Writes a line at once, because the search takes minutes.
    private func say(_ line: String) {
        try? SystemCalls.writeAll((line + "\n").utf8, to: 1)
    }

    private static func serve(_ seed: UInt64) -> (time: UInt64, isSpent: Bool) {
        var generator = CostlyCase(seed: seed)
        let patterns = generator.patterns().map(\.compiled)
        let request = generator.request()
        // Machine code, and libraries that are loaded when they are needed, are made once a process.
        let small = TestRequest("POST", "/", body: Array("<a/>".utf8))
        for pattern in patterns {
            var views = RequestViews(small)
            _ = pattern.matches(small, &views)
        }
        let start = SystemCalls.threadProcessorNanoseconds()
        let isSpent = serve(request, patterns)
        let time = SystemCalls.threadProcessorNanoseconds() - start
        // What it takes to free the stubs is no part of a request.
        return withExtendedLifetime((patterns, request)) { (time, isSpent) }
    }

    /// The pattern that took the longest, and what the request is.
    private static func costliest(_ seed: UInt64) -> String {
        var generator = CostlyCase(seed: seed)
        let patterns = generator.patterns()
        let request = generator.request()
        let budget = WorkBudget(limit: limit)
        var views = RequestViews(request, budget: budget)
        var longest: (time: UInt64, json: JSONValue) = (0, .null)
        for pattern in patterns where !views.isSpent {
            let start = SystemCalls.threadProcessorNanoseconds()
            _ = pattern.compiled.matches(request, &views)
            let time = SystemCalls.threadProcessorNanoseconds() - start
            if time > longest.time { longest = (time, pattern.json) }
        }
        let headers = request.headers.map { String(decoding: $0.value, as: UTF8.self) }
        let body = String(decoding: request.body.prefix(60), as: UTF8.self)
        return """
            \(longest.time / 1_000) µs of it for \(longest.json.compactText.prefix(400)), in all \(patterns.count) patterns; \
            \(headers), \(request.body.count) bytes: \(body)
            """
    }

    /// Matches all patterns, then looks for the nearest ones, as for a request that no stub matches.
    /// - Returns: whether the budget was spent.
    private static func serve(_ request: TestRequest, _ patterns: [CompiledPattern]) -> Bool {
        let budget = WorkBudget(limit: limit)
        var views = RequestViews(request, budget: budget)
        for pattern in patterns where !views.isSpent { _ = pattern.matches(request, &views) }
        if views.isSpent { return true }
        var fresh = RequestViews(request, budget: budget)
        for near in NearestPatterns(patterns).nearest(to: request, &fresh, count: 3) where !fresh.isSpent {
            _ = patterns[near.index].evaluate(request, &fresh, of: RequestPattern(), [.differences, .notes])
        }
        return fresh.isSpent
    }
}
