import Dispatch
import Foundation
import SDHTTPTransport
import SDJournal
import SDMockEngine
import SDStubModel
import Synchronization
import Testing

/// The journal, and serving while stubs change.
@Suite struct SessionServeTests {
    @Test func theJournalKeepsTheNewestEvents() throws {
        var options = SessionOptions()
        options.journalEvents = 3
        let mock = try TestMock(session: options)
        for number in 1...10 {
            _ = try Exchange(mock.port, "GET", "/\(number)")
            let newest = (max(1, number - 2)...number).reversed().map(UInt64.init)
            #expect(mock.session.events.map(\.sequence) == newest)
        }
        mock.session.clearJournal()
        #expect(mock.session.events.isEmpty)
        _ = try Exchange(mock.port, "GET", "/x")
        #expect(mock.session.events.map(\.sequence) == [11])
    }

    @Test func theJournalIsBoundedInBytes() throws {
        var options = SessionOptions()
        options.journalBytes = 50_000
        let mock = try TestMock(session: options)
        for _ in 1...20 {
            _ = try Exchange(mock.port, "POST", "/x", body: String(repeating: "a", count: 10_000))
            let held = mock.session.events.map(\.request.byteCount).reduce(0, +)
            #expect(held <= 50_000)
        }
        #expect(mock.session.events.count == 4)
        // The newest event is kept however large it is.
        _ = try Exchange(mock.port, "POST", "/x", body: String(repeating: "a", count: 60_000))
        #expect(mock.session.events.map(\.sequence) == [21])
    }

    @Test func withoutAJournalNothingIsKept() throws {
        var options = SessionOptions()
        options.keepsJournal = false
        let mock = try TestMock(session: options)
        _ = try Exchange(mock.port, "GET", "/x")
        #expect(mock.session.events.isEmpty)
    }

    /// Several loops serve requests while stubs are added, changed and removed. Each answer is that of one complete
    /// state.
    @Test func requestsAndChangesRunTogether() throws {
        var options = SessionOptions()
        options.workers = 3
        let mock = try TestMock(session: options)
        let id = try #require(StubMapping.id(text: "11111111-1111-4111-8111-111111111111"))
        func stub(_ number: Int) -> StubMapping {
            var mapping = StubMapping(id: id)
            mapping.request.url = .url("/x")
            mapping.response.body = String(repeating: "\(number % 10)", count: 100)
            return mapping
        }
        try mock.session.add(stub(0))
        var other = StubMapping()
        other.request.url = .url("/other")
        let done = Flag()
        let clients = DispatchGroup()
        for _ in 0..<3 {
            // Blocking clients need threads of their own: they would occupy all threads of the tasks.
            clients.enter()
            Thread.detachNewThread {
                defer { clients.leave() }
                while !done.isSet.load(ordering: .relaxed) {
                    guard let answer = try? Exchange(mock.port, "GET", "/x") else {
                        Issue.record("no answer")
                        return
                    }
                    let isWhole = answer.status == 404 || (answer.body.count == 100 && Set(answer.body).count == 1)
                    #expect(isWhole, "\(answer)")
                }
            }
        }
        for number in 1...200 {
            _ = try mock.session.replace(stub(number))
            _ = mock.session.update([("file", number % 2 == 0 ? nil : [other])])
            if number % 20 == 0 {
                _ = try mock.session.remove(id)
                try mock.session.add(stub(number))
            }
        }
        done.isSet.store(true, ordering: .relaxed)
        #expect(clients.wait(timeout: .now() + 60) == .success)
        let events = mock.session.events
        #expect(events.map(\.sequence) == (1...UInt64(max(events.count, 1))).reversed().map { $0 })
    }
}

private final class Flag: Sendable {
    let isSet = Atomic(false)
}
