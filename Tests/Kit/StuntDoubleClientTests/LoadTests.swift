import Foundation
import StuntDoubleClient
import Testing

@Suite struct LoadTests {
    /// Runs `body` with a folder of files.
    private func withFolder(
        _ files: [String: String], _ body: (String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("load-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try await body(folder.path)
    }

    @Test func allFormsOfFilesAreLoaded() async throws {
        let files = [
            "a.json": #"{"request": {"url": "/a"}, "response": {"bodyFileName": "deep/a b.txt"}}"#,
            "routes/b.yaml": "GET /b: { body: routes }\n", "package.json": #"{"name": "x", "version": "1"}"#,
            "__files/deep/a b.txt": "from a file", "__files/c.json": #"{"request": {"url": "/c"}}"#,
            "notes.txt": "no stub", ".hidden.json": "{",
        ]
        try await withFolder(files) { folder in
            try await withSession { mock in
                try await mock.load(folder: folder)
                #expect(try await get("/a", of: mock).text == "from a file")
                #expect(try await get("/b", of: mock).text == "routes")
                #expect(try await get("/c", of: mock).status == 404)
                #expect(try await mock.stubs.count == 2)
                try await mock.load(folder: folder)
                #expect(try await mock.stubs.count == 2)
            }
        }
    }

    @Test func aFolderWithMappingsHasItsStubsThere() async throws {
        let files = ["mappings/a.yaml": "GET /a: { body: a }\n", "b.yaml": "GET /b: { body: b }\n"]
        try await withFolder(files) { folder in
            try await withSession { mock in
                try await mock.load(folder: folder)
                #expect(try await get("/a", of: mock).text == "a")
                #expect(try await get("/b", of: mock).status == 404)
            }
        }
    }

    @Test(arguments: ["mappings/a.yaml", "a.yaml"])
    func messageStubsAreLoaded(beside stubFile: String) async throws {
        let stub =
            #"{"trigger": {"message": {"body": {"equalTo": "hi"}}}, "actions": [{"type": "send", "message": "hello"}]}"#
        let files = [stubFile: "GET /a: { body: a }\n", "message-mappings/deep/a.json": stub]
        try await withFolder(files) { folder in
            try await withSession { mock in
                for _ in 1...2 { try await mock.load(folder: folder) }
                #expect(try await get("/a", of: mock).text == "a")
                let listed = try await mock.callAdmin("GET", "/message-mappings")
                #expect(listed["meta"]?["total"]?.intValue == 1)
                let client = try ChatClient(mock.url.appending(path: "chat"))
                try client.say("hi")
                #expect(client.hear() == .text("hello"))
            }
        }
    }

    @Test func aMistakeInAMessageStubComesBackWithItsPlace() async throws {
        let files = ["message-mappings/a.json": "{\n  \"trigger\": {\"message\": {\"body\": {\"matches\": \"(\"}}}\n}"]
        try await withFolder(files) { folder in
            try await withSession { mock in
                let error = await #expect(throws: MockServerError.self) { try await mock.load(folder: folder) }
                #expect(error?.message.contains("message-mappings/a.json:2:") == true, "\(error?.message ?? "")")
            }
        }
    }

    @Test func whatFilesStateForTheirFolderIsTaken() async throws {
        let files = [
            "a.yaml": "GET /a: { body: a }\n", "cors.yaml": "cors: true\n", "empty.yaml": "",
            "later.yml": "# nothing yet\n",
            "faults.yaml": "chaos: { down: [{ route: GET /a, status: 503 }] }\n", "b/z.yaml": "GET /a: { body: z }\n",
        ]
        try await withFolder(files) { folder in
            try await withSession { mock in
                try await mock.load(folder: folder)
                // The last file is tried first, as where a server has the folder.
                #expect(try await get("/a", of: mock).text == "z")
                _ = try await mock.callAdmin("PUT", "/faults/sets/down")
                #expect(try await get("/a", of: mock).status == 503)
            }
        }
    }

    @Test func aResetLeavesTheFolderOfTheBeginning() async throws {
        try await withFolder(["a.yaml": "GET /a: { body: a }\n"]) { folder in
            try await withSession { mock in
                try await mock.begin(with: folder)
                try await mock.stub(.get("/a"), .text("another"))
                try await mock.stub(.get("/b"), .text("b"))
                try await mock.reset()
                #expect(try await get("/a", of: mock).text == "a")
                #expect(try await get("/b", of: mock).status == 404)
            }
        }
    }

    @Test func aMistakeComesBackWithItsPlace() async throws {
        try await withFolder(["sub/a.yaml": "GET /a:\n  boddy: a\n"]) { folder in
            try await withSession { mock in
                let error = await #expect(throws: MockServerError.self) { try await mock.load(folder: folder) }
                #expect(error?.message.contains("sub/a.yaml:2:3: error:") == true, "\(error?.message ?? "")")
                #expect(error?.message.contains("did you mean \"body\"?") == true)
            }
        }
    }
}
