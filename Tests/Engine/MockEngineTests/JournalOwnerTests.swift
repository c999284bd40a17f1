import SDExplanations
import SDHTTPTransport
import SDMatching
import SDMockEngine
import SDPlatform
import SDStubModel
import SDTestSupport
import Synchronization
import Testing

@testable import SDJournal

/// The journal as it is read, verified and followed, without a session around it.
@Suite struct JournalOwnerTests {
    private final class Owner: JournalOwner {
        let journaling = JournalOptions(
            isKept: true, bodyLimit: 1 << 20, responseBodyLimit: 1 << 20, redactions: RedactionSetting(),
            matchBudget: 1_000_000_000)
        let eventIDs = EventIDs()
        let activity = SessionActivity(log: nil, label: nil)
        let memory = MemoryLedger()
        let waiting = WaitingWork()
        private let journal = Mutex(Journal(limits: Journal.Limits(events: 3)))

        func withJournal<Result: Sendable>(_ body: (inout Journal) -> Result) -> Result {
            journal.withLock { body(&$0) }
        }

        func matches(of pattern: RequestPattern, _ compiled: CompiledPattern) -> Int? { nil }

        func record(_ request: Request) {
            let event = withJournal { journal in
                let event = ServeEvent(
                    sequence: journal.takeSequence(at: request.wallTime), request: request, matched: nil, addedDelay: 0,
                    isUnmatched: true,
                    activity: activity)
                journal.append(event)
                return event
            }
            activity.recorded(event)
        }
    }

    private func requests(_ paths: [String]) throws -> [Request] {
        let seen = Locked<[Request]>([])
        let server = try TestServer(limits: ServerLimits()) { request, reply in
            seen.withLock { $0.append(request) }
            answerWithEcho(request, reply)
        }
        for path in paths {
            let client = try server.client()
            try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(!client.receiveAll(within: 30_000).bytes.isEmpty)
        }
        return seen.withLock { $0 }
    }

    private static let pattern = RequestPattern(method: .any, url: .urlPath("/a"))

    @Test func isListedCountedAndRemoved() throws {
        let owner = Owner()
        for request in try requests(["/a", "/b", "/a", "/a"]) { owner.record(request) }
        #expect(owner.page(JournalQuery()).events.map(\.sequence) == [4, 3, 2])
        #expect(owner.evictedCount == 1)
        #expect(try owner.count(Self.pattern) == RequestCount(count: 2, evicted: 1, matches: nil))
        #expect(try owner.removeRequests(Self.pattern).map(\.sequence) == [4, 3])
        #expect(owner.events.map(\.sequence) == [2])
        #expect(owner.inFlightCount == 4)
    }

    @Test func aWaitingCallIsDecidedByWhatComes() throws {
        let owner = Owner()
        let requests = try requests(["/a", "/a"])
        let expected = ExpectedRequests([Expectation(pattern: Self.pattern, count: CountRange(least: 2))])
        let verification = try owner.verification(expected, isWait: true, isWaiting: true)
        #expect(!verification.isDecided)
        owner.record(requests[0])
        #expect(!verification.isDecided)
        owner.record(requests[1])
        let isDecided = Monitor(false)
        verification.whenDecided { isDecided.change { $0 = true } }
        isDecided.wait { $0 }
        verification.cancel()
        #expect(try verification.result().holds)
        #expect(owner.listenerCount == 0)
    }
}
