import Foundation
import SDStubModel
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// The ids of serve events.
@Suite struct EventIDTests {
    @Test(arguments: [0, 1, 2, 255, 1 << 32, (1 << 62) - 1] as [UInt64])
    func anIDYieldsItsSequence(sequence: UInt64) throws {
        let ids = EventIDs()
        let text = ids.text(sequence)
        #expect(text.utf8.count == 36)
        let id = try #require(StubMapping.ID(uuidString: text))
        #expect(id.lowercasedString == text)
        #expect(ids.sequence(id) == sequence)
    }

    @Test func anIDOfAnotherSessionYieldsNothing() throws {
        let id = try #require(StubMapping.ID(uuidString: EventIDs().text(1)))
        #expect(EventIDs().sequence(id) == nil)
        #expect(EventIDs().sequence(StubMapping.ID()) == nil)
    }
}
