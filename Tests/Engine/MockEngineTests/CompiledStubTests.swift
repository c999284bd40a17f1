import SDStubModel
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

@Suite struct CompiledStubTests {
    /// What is prefetched for a request ends where the fields begin that few requests need.
    @Test func theFieldsOfEveryRequestComeFirst() throws {
        let mark = 0x5EED_F00D
        var mapping = StubMapping()
        mapping.priority = mark
        let stub = try CompiledStub(mapping, sequence: 1, file: nil, options: ResponseOptions())
        let object = UnsafeRawPointer(Unmanaged.passUnretained(stub).toOpaque())
        let word = MemoryLayout<Int>.size
        // The search ends within the object, where the mark is.
        let place = try #require((2..<32).first { object.load(fromByteOffset: $0 * word, as: Int.self) == mark })
        withExtendedLifetime(stub) {}
        // The status stands before the priority.
        #expect(place * word - word == CompiledStub.hotBytes)
    }
}
