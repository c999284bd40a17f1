import SDJSON
import SDTestSupport
import Testing

/// The real daemon reads the files of collections, and reads them again when they change.
@Suite struct DataFileTests {
    private static let routes = "CRUD /users: { data: users.json, schema: user.schema.json }"

    private func daemon(_ data: String = #"[{"id": 1, "name": "Ada"}]"#) throws -> Daemon {
        try Daemon(files: [
            "a.yaml": Self.routes, "__files/users.json": data, "__files/user.schema.json": #"{"required": ["name"]}"#,
        ])
    }

    private func post(_ daemon: Daemon, _ body: String) throws -> HTTPAnswer {
        try PersistentConnection(port: daemon.port).request(
            "POST", "/users", headers: ["Content-Type: application/json"], body: body)
    }

    @Test func aChangedFileBeginsAnew() throws {
        let daemon = try daemon()
        #expect(try post(daemon, #"{"name": "Bob"}"#).status == 201)
        #expect(try daemon.get("/users").json?.arrayValue?.count == 2)
        try daemon.folder.write("__files/users.json", #"[{"id": 7, "name": "Cem"}]"#)
        #expect(try eventually { try daemon.get("/users").text == #"[{"id":7,"name":"Cem"}]"# ? true : nil } == true)
        // A schema that changes leaves the records alone.
        #expect(try post(daemon, #"{"name": "Dee"}"#).status == 201)
        try daemon.folder.write("__files/user.schema.json", #"{"required": ["hat"]}"#)
        #expect(try eventually { try post(daemon, #"{"name": "x"}"#).status == 422 ? true : nil } == true)
        #expect(try daemon.get("/users/8").status == 200)
    }

    @Test func aBadFileNeverReplacesGoodData() throws {
        let daemon = try daemon()
        try daemon.folder.write("__files/users.json", "[\n  {\"id\": 1},\n  {\"id\": 1}\n]")
        let isTold = eventually {
            daemon.process.errors.contains("__files/users.json:3:10: error: the key 1 is taken") ? true : nil
        }
        #expect(isTold == true, "\(daemon.process.errors)")
        #expect(daemon.process.errors.contains("the last good data are kept"))
        #expect(try daemon.get("/users").text == #"[{"id":1,"name":"Ada"}]"#)
        #expect(try daemon.admin("POST", "/reset").status == 200)
        #expect(try daemon.get("/users").text == #"[{"id":1,"name":"Ada"}]"#)
        try daemon.folder.write("__files/users.json", "[]")
        #expect(try eventually { try daemon.get("/users").text == "[]" ? true : nil } == true)
    }

    @Test func aBadFileStopsTheStart() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/a.yaml", Self.routes)
        try folder.write("mocks/__files/users.json", "[\n  {\"id\" 1}\n]")
        try folder.write("mocks/__files/user.schema.json", "{\n  \"pattern\": \"(\"\n}")
        for command in [["serve", "mocks", "--port", "0"], ["validate", "mocks"]] {
            let process = try ChildProcess(Daemon.binary, command, folder: folder.path, outputsIn: folder)
            #expect(process.wait() == .exited(1))
            let said = process.errors + process.output
            #expect(said.contains("mocks/__files/users.json:2:9: error: not valid JSON"), "\(said)")
            #expect(said.contains("mocks/__files/user.schema.json:2:"), "\(said)")
        }
    }

    @Test func aMissingFileIsTold() throws {
        let daemon = try Daemon(files: ["a.yaml": "CRUD /users: none.json"])
        let isTold = eventually {
            daemon.process.errors.contains("the data file cannot be served: no file none.json in __files") ? true : nil
        }
        #expect(isTold == true && daemon.process.errors.contains("a.yaml:1:"), "\(daemon.process.errors)")
        #expect(try daemon.get("/users").status == 500)
        try daemon.folder.write("__files/none.json", "[]")
        #expect(try eventually { try daemon.get("/users").status == 200 ? true : nil } == true)
    }

    @Test func commaSeparatedValuesAreData() throws {
        let daemon = try Daemon(files: [
            "a.yaml": "CRUD /users: users.csv", "__files/users.csv": "id,name,zip\n1,Ada,007\n",
        ])
        #expect(try daemon.get("/users").text == #"[{"id":1,"name":"Ada","zip":"007"}]"#)
        try daemon.folder.write("__files/users.csv", "id,name\n1,Ada\n2\n")
        let isTold = eventually {
            daemon.process.errors.contains("__files/users.csv:3:1: error: not valid CSV") ? true : nil
        }
        #expect(isTold == true, "\(daemon.process.errors)")
        #expect(try daemon.get("/users/1").status == 200)
    }

    /// What requests change is in the file, also when the daemon ends, and the watch does not take it for an edit.
    @Test func changesAreWritten() throws {
        let daemon = try Daemon(files: [
            "a.yaml": "CRUD /users: { data: users.csv, write: true }", "__files/users.csv": "id,name\n1,Ada\n",
        ])
        func file() throws -> String { try daemon.folder.read("__files/users.csv") }
        for name in ["b", "c", "d"] { #expect(try post(daemon, #"{"name": "\#(name)"}"#).status == 201) }
        #expect(try eventually { try file() == "id,name\n1,Ada\n2,b\n3,c\n4,d\n" ? true : nil } == true)
        try daemon.folder.write("__files/users.csv", "id,name\n9,Eve\n")
        #expect(try eventually { try daemon.get("/users").text == #"[{"id":9,"name":"Eve"}]"# ? true : nil } == true)
        #expect(try post(daemon, #"{"name": "f"}"#).status == 201)
        daemon.process.signal(15)
        #expect(daemon.process.wait() == .exited(0))
        #expect(try file() == "id,name\n9,Eve\n10,f\n")
    }
}
