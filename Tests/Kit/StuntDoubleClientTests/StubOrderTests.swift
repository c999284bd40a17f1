import StuntDoubleClient
import Testing

/// Which stub answers where several match.
@Suite struct StubOrderTests {
    private let path = Stub.Request.get("/who")

    @Test func theStubThatWasAddedLastAnswers() async throws {
        try await withSession { mock in
            try await mock.stub(path, .text("first"))
            try await mock.stub(path, .text("last"))
            #expect(try await get("/who", of: mock).text == "last")
        }
    }

    @Test func ofStubsThatAreAddedTogetherTheLastAnswers() async throws {
        try await withSession { mock in
            let ids = try await mock.stub([
                Stub(path, .text("first")), Stub(path, .text("second")), Stub(path, .text("last")),
            ])
            #expect(try await get("/who", of: mock).text == "last")
            #expect(try await mock.stubs.map(\.id) == ids.reversed())
            try await mock.removeStub(ids[2])
            #expect(try await get("/who", of: mock).text == "second")
        }
    }

    @Test func aPriorityPrecedesTheOrder() async throws {
        try await withSession { mock in
            try await mock.stub(path, .text("first").priority(1))
            try await mock.stub(path, .text("last"))
            #expect(try await get("/who", of: mock).text == "first")
        }
    }

    @Test func aReplacedStubKeepsItsPlace() async throws {
        try await withSession { mock in
            let first = try await mock.stub(path, .text("first"))
            try await mock.stub(path, .text("last"))
            try await mock.replaceStub(first, with: Stub(path, .text("replaced")))
            #expect(try await get("/who", of: mock).text == "last")
        }
    }
}
