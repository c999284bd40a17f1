import SDStubModel
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// Stubs of a file that were compiled in parts, and become the first of a session.
@Suite struct PreparedStubsTests {
    private func stub(_ number: Int) -> StubMapping {
        var mapping = StubMapping(name: "stub \(number)", priority: number % 10 == 3 ? 1 : nil)
        mapping.response.body = mapping.name
        mapping.request.url =
            number % 3 == 0 ? .urlPathTemplate("/t/\(number % 50)/{id}") : .urlPath("/p/\(number % 70)")
        switch number % 20 {
        case 5:
            mapping.scenarioName = "s"
            mapping.requiredScenarioState = number < 100 ? "Started" : "later"
        case 6: mapping.times = 2
        case 7: mapping.enabled = false
        default: break
        }
        return mapping
    }

    /// The stubs as parts of some, or at once.
    private func prepared(_ mappings: [StubMapping], inParts: Bool, in session: Session) -> PreparedStubs? {
        guard inParts else { return session.prepare(mappings) }
        var all = PreparedStubs(summarizing: true)
        for start in stride(from: 0, to: mappings.count, by: 16) {
            var part = PreparedStubs(summarizing: true)
            for mapping in mappings[start..<min(start + 16, mappings.count)] {
                session.prepare(mapping, line: nil, into: &part)
            }
            guard all.append(part) else { return nil }
        }
        return all
    }

    private func answers(_ served: ServedSession) throws -> [String?] {
        try (0..<20).flatMap { number in
            try ["/t/\(number * 3)/7", "/p/\(number * 4)", "/p/\(number * 4)"].map { url in
                let answer = try served.ask("GET", url)
                return answer.status == 200 ? String(decoding: answer.body, as: UTF8.self) : nil
            }
        }
    }

    @Test(arguments: [2, 15, 16, 17, 400]) func areServedLikeThoseCompiledAtOnce(count: Int) throws {
        let mappings = (0..<count).map(stub)
        var results: [[String?]] = []
        for inParts in [false, true] {
            let served = try ServedSession()
            let session = served.session
            let stubs = try #require(prepared(mappings, inParts: inParts, in: session))
            #expect((stubs.summaries != nil) == inParts)
            #expect(session.update([("a.json", stubs)]).isEmpty)
            var found = try session.stubs.map(\.name) + answers(served)
            _ = try session.remove(mappings[count / 2].id)
            var edit = mappings[0]
            edit.name = "edited"
            #expect(try session.replace(edit))
            #expect(session.update([("b.json", [self.stub(count)])]).isEmpty)
            found += try session.stubs.map(\.name) + answers(served)
            session.dropAllButFiles()
            found += try session.stubs.map(\.name) + answers(served)
            #expect(mappings.allSatisfy { session.stub($0.id)?.name == $0.name })
            // The file is read again: its stubs keep their places.
            #expect(session.update([("a.json", prepared(mappings, inParts: inParts, in: session))]).isEmpty)
            found += session.stubs.map(\.name)
            results.append(found)
        }
        #expect(results[0] == results[1])
        #expect(results[0].contains("edited"))
    }

    /// A set that is changed again from the start, as another change came in between, places its own objects.
    @Test func areTakenTwice() throws {
        let mappings = (0..<40).map(stub)
        let session = Session()
        let stubs = try #require(prepared(mappings, inParts: true, in: session))
        var sets = [StubSet(), StubSet()]
        for index in sets.indices {
            sets[index].beginBatch()
            if index == 1 {
                try sets[index].setFile("a.json", session.prepare([self.stub(100)]))
                sets[index].removeFile("a.json")
            }
            try sets[index].setFile("b.json", stubs)
            sets[index].endBatch()
            #expect(sets[index].all.count == 40)
            for stub in sets[index].all { #expect(sets[index].stub(stub.id) === stub) }
        }
    }

    @Test func twoStubsOfAnIDAreFoundInAnyParts() {
        let session = Session()
        var mappings = (0..<40).map(stub)
        #expect(prepared(mappings, inParts: true, in: session)?.hasDistinctIDs == true)
        mappings[38] = mappings[3]
        #expect(prepared(mappings, inParts: true, in: session) == nil)
    }

    @Test(arguments: [(3, 38), (38, 3)]) func anIDOfAGoodStubAndARefusedOneStandsTwice(good: Int, refused: Int) {
        let session = Session()
        var mappings = (0..<40).map(stub)
        mappings[refused].request.url = .urlPattern("[a-")
        let others = prepared(mappings, inParts: true, in: session)
        #expect(others?.refusals.count == 1)
        #expect(others?.summaries == nil)
        mappings[refused].id = mappings[good].id
        #expect(prepared(mappings, inParts: true, in: session) == nil)
    }

    @Test func theGoodStubsOfPartsAreServed() throws {
        let session = Session()
        var mappings = (0..<40).map(stub)
        mappings[20].request.url = .urlPattern("[a-")
        let stubs = try #require(prepared(mappings, inParts: true, in: session))
        #expect(session.update([("a.json", stubs)]).map(\.name) == ["a.json"])
        #expect(session.update([("a.json", stubs.withoutRefused)]).isEmpty)
        #expect(session.stubCount == 39)
    }
}
