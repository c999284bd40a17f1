import Foundation
import StuntDoubleServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures the Swift kit, and prints the times as JSON: of starts and of a test's own overhead the median in
/// milliseconds, of many tests the wall time in seconds.
@main struct KitTiming {
    static let starts = 31
    static let overheads = 301
    static let tests = 500

    static func main() async throws {
        var figures: [(String, Double)] = []
        figures.append(("launched", try await start { try await MockServer.launch() }))
        figures.append(("embedded", try await start { try await MockServer.embedded() }))

        let launched = try await MockServer.launch()
        let embedded = try await MockServer.embedded()
        for (name, server) in [("launched", launched), ("embedded", embedded)] {
            figures.append(("overhead \(name)", try await overhead(server)))
        }
        for (name, server) in [("launched", launched), ("embedded", embedded)] {
            figures.append(("parallel \(name)", try await seconds { try await parallelTests(server) }))
        }
        figures.append(("URLProtocol", try await seconds { try await StaticProtocol.run(tests) }))
        try await launched.end()
        try await embedded.end()
        let members = figures.map { "\"\($0.0)\": \($0.1)" }
        print("{" + members.joined(separator: ", ") + "}")
    }

    /// The time from nothing to the first stub answered.
    private static func start(_ make: @Sendable () async throws -> MockServer) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<starts {
            let began = ContinuousClock.now
            let server = try await make()
            try await server.stub(.get("/ready"), .text("ready"))
            guard try PlainClient.status(server.url, "/ready") == 200 else { throw ShopTest.Failure(found: "no stub") }
            times.append(milliseconds(since: began))
            try await server.end()
        }
        return median(times)
    }

    /// The cost of a test beside its own work: a session begun and ended, a stub, a request and a verification.
    private static func overhead(_ server: MockServer) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<overheads {
            let began = ContinuousClock.now
            let mock = try await server.makeSession()
            try await mock.stub(.get("/ready"), .text("ready"))
            guard try PlainClient.status(mock.url, "/ready") == 200 else { throw ShopTest.Failure(found: "no stub") }
            try await mock.verify(.get("/ready"), .exactly(1))
            try await mock.end()
            times.append(milliseconds(since: began))
        }
        return median(times)
    }

    /// Many tests at once on one server, each with its own answers to the same requests.
    private static func parallelTests(_ server: MockServer) async throws {
        let session = URLSession(configuration: .ephemeral)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<tests {
                // As many at a time as a test runner lets run.
                if number >= 16 { try await group.next() }
                group.addTask {
                    let mock = try await server.makeSession()
                    try await mock.stub(.get("/user"), .json(["name": "user \(number)"]))
                    try await mock.stub(.get("/order"), .status(503).times(1), .json(["order": number], status: 201))
                    try await ShopTest(session: session, base: mock.url, number: number).run()
                    try await mock.verify(.get("/order"), .exactly(2))
                    try await mock.end()
                }
            }
            try await group.waitForAll()
        }
    }

    private static func seconds(_ work: @Sendable () async throws -> Void) async throws -> Double {
        let began = ContinuousClock.now
        try await work()
        return milliseconds(since: began) / 1_000
    }

    private static func milliseconds(since began: ContinuousClock.Instant) -> Double {
        let (seconds, attoseconds) = began.duration(to: .now).components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }

    private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
}
