import SDHTTPTransport
import SDJSON
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine

/// What replicas hand to each other of their journals.
@Suite struct SharedJournalTests {
    private static let stub = """
        {"id": "aaaaaaaa-0000-4000-8000-000000000001", "name": "a", "request": {"method": "POST", "urlPath": "/a"},
         "response": {"status": 201, "body": "made", "headers": {"X-A": ["1", "2"]}}}
        """

    private func pair() throws -> (ReplicaFixture, ReplicaFixture) {
        let (one, two) = (try ReplicaFixture(1), try ReplicaFixture(2))
        for replica in [one, two] { try replica.add(Self.stub) }
        return (one, two)
    }

    @Test func plainRequestsAreTheSameInAnother() throws {
        let (one, two) = try pair()
        try one.ask("POST", "/a?x=1", headers: ["X-Note: ü", "Cookie: a=b"], body: "hello")
        try one.ask("POST", "/a", body: #"{"a": 1}"#)
        try one.handIn(to: two)
        #expect(one.requests == two.requests)
        #expect(two.session.counts == (2, 0, 0))
        #expect(two.session.stubHits.map(\.hits.matches) == [2])
        #expect(two.session.inFlightCount == 0)
        #expect(one.shared.takeBatch(all: true, mostBytes: 1 << 20) == nil)
        #expect(one.shared.pendingBytes == 0)
    }

    @Test func withoutReplicasThereIsNothingToHandIn() throws {
        let session = Session()
        #expect(SessionRegistry(base: session).sharedJournal == nil)
        #expect(session.withJournal { $0.outbox == nil })
    }

    @Test func requestsOfThreeReplicasStandInTheOrderOfTheirReceipt() throws {
        let replicas = try (0..<3).map { try ReplicaFixture(UInt64($0)) }
        for number in 0..<30 { try replicas[number * 7 % 3].ask("GET", "/\(number)") }
        for one in replicas {
            while let batch = one.shared.takeBatch(all: true, mostBytes: 2_000) {
                for other in replicas where other !== one { try other.registry.ingest(batch) }
            }
        }
        for replica in replicas {
            let events = replica.session.events.reversed()
            #expect(events.map { String(decoding: $0.request.path, as: UTF8.self) } == (0..<30).map { "/\($0)" })
            #expect(Set(events.map(\.sequence)).count == 30)
            #expect(events.allSatisfy { $0.sequence < 1 << 53 })
            #expect(replica.session.counts == (30, 30, 0))
            #expect(replica.requests == replicas[0].requests)
        }
    }
}
