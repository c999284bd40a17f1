import SDJSON
import SDMockEngine
import Testing

/// `find-by-metadata`, `unmatched` and saved stubs, as far as a recording cannot show them.
@Suite struct StubChoiceTests {
    private func ids(_ answer: Exchange) -> [String] {
        answer.json?["mappings"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    }

    @Test func countersOutliveTheJournalButNotAReset() throws {
        var options = SessionOptions()
        options.keepsJournal = false
        let mock = try TestMock(session: options)
        try mock.add(#"{"name": "a", "request": {"url": "/a"}}"#)
        try mock.add(#"{"name": "b", "request": {"url": "/b"}}"#)
        _ = try Exchange(mock.port, "GET", "/a")
        #expect(ids(try Exchange(mock.port, "GET", "/__admin/mappings/unmatched")) == ["b"])
    }

    @Test func aResetOfFilesResetsTheCounters() throws {
        let daemon = try RunningDaemon(files: ["mappings/a.json": #"{"name": "a", "request": {"url": "/a"}}"#])
        _ = try Exchange(daemon.port, "GET", "/a")
        #expect(ids(try Exchange(daemon.port, "GET", "/__admin/mappings/unmatched")) == [])
        _ = try Exchange(daemon.port, "POST", "/__admin/reset")
        #expect(ids(try Exchange(daemon.port, "GET", "/__admin/mappings/unmatched")) == ["a"])
    }

    @Test(arguments: [
        (#"{"matches": "("}"#, "matches: "), (#"{"not": {"matches": "("}}"#, "not.matches: "),
        (#"{"glob": "["}"#, "glob: "),
    ])
    func aMatcherThatCannotBeCompiledIsNamed(body: String, place: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin/mappings/find-by-metadata", body: body)
        #expect(answer.status == 422)
        let error = answer.json?["errors"]?[0]
        #expect(error?["source"]?["pointer"] == "/")
        let lines = error?["detail"]?.stringValue?.split(separator: "\n") ?? []
        #expect(lines.contains { $0.hasPrefix(place) }, "\(answer)")
    }

    @Test func removalByMetadataRemovesOnlyTheFilesOfPersistentStubs() throws {
        let daemon = try RunningDaemon(files: [
            "mappings/hand.json": #"{"name": "hand", "metadata": {"team": "web"}, "request": {"url": "/hand"}}"#
        ])
        let saved = #"{"name": "saved", "metadata": {"team": "web"}, "persistent": true, "request": {"url": "/s"}}"#
        #expect(try Exchange(daemon.port, "POST", "/__admin/mappings", body: saved).status == 201)
        #expect(try daemon.stubFiles().count == 2)
        let matcher = #"{"matchesJsonPath": {"expression": "$.team", "equalTo": "web"}}"#
        #expect(try Exchange(daemon.port, "POST", "/__admin/mappings/remove-by-metadata", body: matcher).text == "{}")
        #expect(ids(try Exchange(daemon.port, "GET", "/__admin/mappings")) == [])
        #expect(Array(try daemon.stubFiles().keys) == ["hand.json"])
    }

    /// If a template without the id would overwrite a file, the name gets the id.
    @Test func savedStubsAreNamedByTheTemplateAndNeverTakeEachOthersFile() throws {
        let daemon = try RunningDaemon(arguments: ["--no-watch", "--filename-template", "Stub {{{name}}}.json"])
        let ids = (1...3).map { "\($0)1111111-1111-4111-8111-111111111111" }
        for (id, name) in zip(ids, ["My One!", "my one", ""]) {
            let stub = #"{"id": "\#(id)", "name": "\#(name)", "persistent": true, "request": {"url": "/\#(id)"}}"#
            #expect(try Exchange(daemon.port, "POST", "/__admin/mappings", body: stub).status == 201)
        }
        let names = try daemon.stubFiles().keys.sorted()
        #expect(names == ["stub-.json", "stub-my-one-\(ids[1]).json", "stub-my-one.json"])
        #expect(try Exchange(daemon.port, "DELETE", "/__admin/mappings/\(ids[0])").status == 200)
        #expect(try daemon.stubFiles().keys.sorted() == ["stub-.json", "stub-my-one-\(ids[1]).json"])
        _ = try Exchange(daemon.port, "POST", "/__admin/reset")
        #expect(try Exchange(daemon.port, "GET", "/\(ids[1])").status == 200)
    }
}
