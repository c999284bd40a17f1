import SDPlatform
import SDStubModel
import Testing

@testable import SDChannels
@testable import SDJournal

/// The message stubs that a session has of another one.
@Suite struct InheritedMessageStubTests {
    private func channels(inheriting parent: Channels? = nil) -> Channels {
        Channels(
            ChannelOptions(), Channels.Limits(events: 10, bytes: 1_000, isKept: true), inheriting: parent,
            SessionActivity(log: nil, label: nil), MemoryLedger())
    }

    private func add(_ name: String, priority: Int, to channels: Channels) throws {
        var stub = MessageStub()
        stub.id = StubMapping.randomID()
        stub.name = name
        stub.priority = priority
        channels.put(try CompiledMessageStub(stub), keepsAge: false)
    }

    @Test func theyAreTriedByPriorityAmongItsOwn() throws {
        let parent = channels()
        let child = channels(inheriting: parent)
        try add("b", priority: 2, to: parent)
        try add("a", priority: 1, to: child)
        #expect(child.stubs.map(\.stub.name) == ["a", "b"])
        try add("first", priority: 0, to: parent)
        #expect(child.stubs.map(\.stub.name) == ["first", "a", "b"])
        #expect(parent.stubs.map(\.stub.name) == ["first", "b"])
    }

    @Test func oneThatIsRemovedIsGoneForItAloneUntilAReset() throws {
        let parent = channels()
        let child = channels(inheriting: parent)
        try add("a", priority: 1, to: parent)
        child.removeStubs { $0.stub.name == "a" }
        #expect(child.stubs.isEmpty)
        #expect(parent.stubs.count == 1)
        child.resetStubs()
        #expect(child.stubs.count == 1)
    }
}
