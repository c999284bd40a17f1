import Foundation
import StuntDoubleServer
import Testing

/// Code under test that waits with semaphores takes all of Swift's threads, and is answered all the same.
@Suite(.timeLimit(.minutes(30))) struct BlockedThreadsTests {
    @Test(arguments: ServerOrigin.allCases) func handlersAnswerWhereAllThreadsAreBlocked(_ origin: ServerOrigin)
        async throws
    {
        try await origin.open { mock in
            let counter = Counter()
            try await mock.handle(.post("/echo")) { request in
                await Task.yield()
                return .text("\(await counter.next() > 0) \(request.body.count)", status: 201)
            }
            // The body of the last is too large for the event that tells of it.
            let sizes = Array(repeating: 5, count: 2 * ProcessInfo.processInfo.activeProcessorCount + 2) + [400_000]
            let answers = await withTaskGroup(of: String.self) { group in
                for size in sizes { group.addTask { BlockingClient.post(size, to: mock.url.appending(path: "echo")) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.sorted() == sizes.map { "201 true \($0)" }.sorted())
        }
    }

    /// What a handler says to the server itself needs none of Swift's threads, either.
    @Test func aHandlerThatCallsTheServerAnswersWhereAllThreadsAreBlocked() async throws {
        try await ServerOrigin.launched.open { mock in
            try await mock.handle(.post("/echo")) { _ in
                try await mock.verify(.post("/echo"), .atLeast(1))
                return .text("seen")
            }
            let count = 2 * ProcessInfo.processInfo.activeProcessorCount
            await withTaskGroup(of: String.self) { group in
                // Their answers come while no thread is left that could take them.
                for _ in 0..<100 { group.addTask { (try? await mock.scenarios).map { _ in "200 seen" } ?? "failed" } }
                for _ in 0..<count { group.addTask { BlockingClient.post(1, to: mock.url.appending(path: "echo")) } }
                for await answer in group { #expect(answer == "200 seen") }
            }
        }
    }
}

private actor Counter {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
