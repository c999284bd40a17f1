import SDHTTPMessages
import SDJSON
import SDPlatform
import SDRecords
import SDStubModel
import Synchronization
import Testing

/// Collections of records without a session around them.
@Suite struct CollectionOwnerTests {
    private final class Owner: CollectionOwner {
        let resources: ResourceTable
        let files: any BodyFileSource = NoBodyFiles()
        let bodies: any BodyFileStore = NoBodyFiles()
        let memory = MemoryLedger()
        let keepsChangedData = false
        let writesData = false
        private let data: Mutex<(data: SessionData, generator: SeededGenerator)>

        init(_ definitions: [ResourceDefinition]) throws {
            resources = ResourceTable(try definitions.map { try Resource($0) })
            data = Mutex((SessionData(memory), SeededGenerator(seed: 1)))
        }

        func withData<Result: Sendable>(_ body: (inout SessionData, inout SeededGenerator) -> Result) -> Result {
            data.withLock { body(&$0.data, &$0.generator) }
        }

        func writeFiles(_ work: @Sendable () -> Void) { work() }
        func writeFilesLater(_ work: @escaping @Sendable () -> Void) { work() }
        func warned(_ message: String) { Issue.record("\(message)") }
    }

    private static func owner() throws -> Owner {
        let mapping = try StubMapping(
            json: JSONValue(
                parsing: #"""
                    {"request": {"urlPath": "/pets"}, "resource": {"path": "/pets", "name": "pets",
                     "data": [{"id": 1, "name": "Rex"}]}}
                    """#))
        return try Owner([try #require(mapping.resource)])
    }

    @Test func recordsAreAddedReplacedAndRemoved() throws {
        let owner = try Self.owner()
        #expect(String(decoding: try owner.collection("pets"), as: UTF8.self) == #"[{"id":1,"name":"Rex"}]"#)
        #expect(
            String(decoding: try owner.addRecord(["name": "Tom"], to: "pets"), as: UTF8.self)
                == #"{"name":"Tom","id":2}"#)
        #expect(try owner.setRecord("1", of: "pets", to: ["name": "Max"]).isNew == false)
        try owner.removeRecord("2", of: "pets")
        #expect(try owner.records(of: "pets").count == 1)
        #expect(owner.collections.map(\.isChanged) == [true])
        try owner.resetCollection("pets")
        #expect(String(decoding: try owner.record("1", of: "pets"), as: UTF8.self) == #"{"id":1,"name":"Rex"}"#)
    }

    @Test func aCollectionThatNobodyServesIsUnknown() throws {
        let owner = try Self.owner()
        #expect(throws: CollectionRefusal.self) { try owner.records(of: "pet") }
    }
}
