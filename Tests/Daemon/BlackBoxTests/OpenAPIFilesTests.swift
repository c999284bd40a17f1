import Foundation
import SDJSON
import SDTestSupport
import Testing

/// OpenAPI documents that refer to files beside them.
@Suite struct OpenAPIFilesTests {
    private static let files = [
        "api.yaml": """
        openapi: 3.0.3
        info: {title: T, version: "1"}
        paths:
          /a: {$ref: "parts/a.yaml"}
        """,
        "parts/a.yaml": """
        get:
          responses:
            "200": {description: x, content: {application/json: {schema: {$ref: status.json}}}}
        """,
        "parts/status.json": #"{"const": "one"}"#,
        "routes.yaml": "GET /r: {body: hi}",
    ]

    private func expect(_ daemon: Daemon, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let answers = eventually(within: 30_000) { (try? daemon.get("/a").text) == text ? true : nil }
        #expect(answers == true, sourceLocation: sourceLocation)
    }

    @Test func partsOfADocumentAreNoStubFiles() throws {
        let daemon = try Daemon(files: Self.files)
        #expect(try daemon.get("/a").text == #""one""#)
        #expect(try daemon.get("/r").text == "hi")
        #expect(!daemon.process.errors.contains("parts"), "\(daemon.process.errors)")
    }

    @Test func aPartThatIsBrokenOrGoneComesBack() throws {
        let daemon = try Daemon(files: Self.files)
        let part = "parts/status.json"
        try daemon.folder.write(part, #"{"const":"#)
        let told = eventually(within: 30_000) { daemon.process.errors.contains("before is kept") ? true : nil }
        #expect(told == true)
        #expect(try daemon.get("/a").text == #""one""#)
        try daemon.folder.write(part, #"{"const": "two"}"#)
        expect(daemon, #""two""#)
        try FileManager.default.removeItem(at: URL(fileURLWithPath: daemon.folder.path + "/parts"))
        let isGone = eventually(within: 30_000) { (try? daemon.get("/a").status) == 500 ? true : nil }
        #expect(isGone == true)
        try daemon.folder.write("parts/a.yaml", Self.files["parts/a.yaml"] ?? "")
        try daemon.folder.write(part, #"{"const": "three"}"#)
        expect(daemon, #""three""#)
    }

    @Test func changesOfPartsAreSeenWhereOneFileIsServed() throws {
        let folder = try TemporaryFolder()
        for (name, text) in Self.files { try folder.write(name, text) }
        let daemon = try Daemon(serving: folder.path + "/api.yaml")
        #expect(try daemon.get("/a").text == #""one""#)
        try folder.write("parts/status.json", #"{"const": "two"}"#)
        expect(daemon, #""two""#)
    }
}
