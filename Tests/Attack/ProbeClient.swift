import Foundation
import SDTestSupport
import Testing

/// A client that asks every few milliseconds while somebody else attacks the daemon. Each of its answers must be right.
///
/// A test allows for a build without optimization, and tests beside it. `STUNTDOUBLE_LONGEST_WAIT_MS` says what a
/// release build that is alone is held to: `make attack`.
enum ProbeClient {
    /// Runs an attack, and prints how long the other client waited for an answer.
    /// - Returns: the longest of its waits.
    static func longestWait(at port: UInt16, _ name: String, during attack: () throws -> Void) throws -> Duration {
        let isOver = Locked(false)
        let longest = Locked(Duration.zero)
        try withBackgroundWork {
            let wait = try ask(port, until: isOver)
            longest.withLock { $0 = wait }
        } during: {
            defer { isOver.withLock { $0 = true } }
            try attack()
        }
        let wait = longest.withLock { $0 }
        print("\(name): a second client waited for \(wait) at the most")
        return wait
    }

    static func expectShort(
        _ wait: Duration, below limit: Duration = .seconds(5), sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let strict = ProcessInfo.processInfo.environment["STUNTDOUBLE_LONGEST_WAIT_MS"].flatMap { Int($0) }
        let limit = strict.map { .milliseconds($0) } ?? limit
        #expect(wait < limit, "a second client waited for \(wait)", sourceLocation: sourceLocation)
    }

    private static func ask(_ port: UInt16, until isOver: Locked<Bool>) throws -> Duration {
        let client = try PersistentConnection(port: port)
        let clock = ContinuousClock()
        var longest = Duration.zero
        while !isOver.withLock({ $0 }) {
            let begin = clock.now
            let answer = try client.request("GET", "/__admin/health")
            longest = max(longest, clock.now - begin)
            #expect(
                answer.status == 200 && answer.text.contains(#""status" : "healthy""#), "\(answer.text.prefix(500))")
            usleep(5_000)
        }
        return longest
    }
}
