import SDJSON
import SDTestSupport
import Testing

/// The text that `mappings/validate` offers for a stub which stands in a file of routes takes the place of its lines.
@Suite struct PasteTests {
    private static let routes = """
        GET /list:
          - json: 1
          - status: 500

        GET /flow: [{ json: 1 }, { status: 500 }]

        CRUD /users: { data: [{ id: 1, name: Ann }] }

        GET /plain: { body: x }
        GET /narrow:
        - body: y
          when: { query: { a: b } }
        -   status: 404
            body: gone
        """

    private static let list = """
        - GET /first: { body: x }
          GET /second: { body: x }
        - request: { urlPath: /mapping }
          response: { body: w }
        """

    private static let mappings = """
        mappings:
          - request:
              urlPath: /inner
            response: { body: m }
        """

    /// The key of a stub, which of those with the key it is in their order, and the lines for its place.
    private static let cases: [(file: String, key: String, index: Int, lines: ClosedRange<Int>, text: String)] = [
        ("routes.yaml", "GET /list", 0, 2...2, "  - status: 201\n    json: 1\n"),
        ("routes.yaml", "GET /list", 1, 3...3, "  - status: 201\n"),
        ("routes.yaml", "GET /flow", 1, 5...5, "GET /flow:\n  - json: 1\n  - status: 201\n"),
        ("routes.yaml", "GET /plain", 0, 9...9, "GET /plain:\n  status: 201\n  body: x\n"),
        ("routes.yaml", "GET /narrow", 0, 13...14, "-   status: 201\n    body: gone\n"),
        ("list.yaml", "GET /first", 0, 1...1, "- GET /first:\n    status: 201\n    body: x\n"),
        ("list.yaml", "GET /second", 0, 2...2, "  GET /second:\n    status: 201\n    body: x\n"),
        ("list.yaml", "ANY /mapping", 0, 3...4, ""), ("mappings.yaml", "ANY /inner", 0, 2...4, ""),
    ]

    private static func text(of file: String) -> String {
        switch file {
        case "routes.yaml": routes
        case "list.yaml": list
        default: mappings
        }
    }

    private func stub(_ daemon: Daemon, _ file: String, _ key: String, _ index: Int) throws -> JSONObject {
        let stubs = try daemon.get("/__admin/requests/counters").json?["stubs"]?.arrayValue ?? []
        let found = stubs.filter { $0["file"]?.stringValue == file && $0["key"]?.stringValue == key }
        let id = try #require(found.count > index ? found[index]["id"]?.stringValue : nil, "\(stubs)")
        return try #require(daemon.get("/__admin/mappings/\(id)").json?.objectValue)
    }

    private func check(_ daemon: Daemon, _ mapping: JSONObject) throws -> JSONValue {
        let id = mapping["id"]?.stringValue ?? ""
        let answer = try daemon.request(
            "POST", "/__admin/mappings/validate?id=\(id)", body: JSONValue.object(mapping).compactText)
        return try #require(answer.json)
    }

    @Test(arguments: cases.indices) func itTakesThePlaceOfTheLines(index: Int) throws {
        let (file, key, place, lines, expected) = Self.cases[index]
        let daemon = try Daemon(files: [file: Self.text(of: file)])
        var mapping = try stub(daemon, file, key, place)
        var response = mapping["response"]?.objectValue ?? [:]
        response["status"] = 201
        mapping["response"] = .object(response)
        let paste = try #require(try check(daemon, mapping)["paste"]?.stringValue)
        if !expected.isEmpty { #expect(paste == expected) }
        var text = Self.text(of: file).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        text.replaceSubrange((lines.lowerBound - 1)...(lines.upperBound - 1), with: [String(paste.dropLast())])
        let changed = try Daemon(files: [file: text.joined(separator: "\n") + "\n"])
        let answer = try stub(changed, file, key, place)["response"]
        #expect(answer?["status"] == 201, "\(paste)\n\(text.joined(separator: "\n"))")
        let counts = try [daemon, changed].map {
            try $0.get("/__admin/mappings").json?["meta"]?["total"]?.intValue ?? 0
        }
        #expect(counts[0] == counts[1])
    }

    @Test func aCollectionKeepsItsLine() throws {
        let daemon = try Daemon(files: ["routes.yaml": Self.routes])
        for key in ["ANY /users", "ANY /users/{id}"] {
            var mapping = try stub(daemon, "routes.yaml", key, 0)
            let paste = try check(daemon, mapping)["paste"]?.stringValue
            #expect(paste?.hasPrefix("CRUD /users:") == true, "\(paste ?? "none")")
            // One of its stubs that is no longer like the others is in no such line.
            mapping["priority"] = 3
            #expect(try check(daemon, mapping)["paste"] == nil)
        }
    }

    @Test func anItemWithAnotherKeyStandsInNoList() throws {
        let daemon = try Daemon(files: ["routes.yaml": Self.routes])
        var mapping = try stub(daemon, "routes.yaml", "GET /list", 1)
        mapping["request"] = ["method": "GET", "urlPath": "/elsewhere"]
        #expect(try check(daemon, mapping)["paste"] == nil)
    }

    /// Of several routes a save writes a file each, of the names that it has told, when they are imported.
    @Test func severalAreSavedAsTheyWereShown() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"])
        let answer = try daemon.request(
            "POST", "/__admin/mappings/validate", headers: ["Content-Type: application/yaml"],
            body: "GET /b: { body: b }\nGET /c: { body: c }\n")
        let files = try #require(answer.json?["files"]?.arrayValue)
        #expect(files.count == 2)
        let stubs = (answer.json?["stubs"]?.arrayValue ?? []).map { stub -> JSONValue in
            guard case .object(var object) = stub else { return stub }
            object["persistent"] = true
            return .object(object)
        }
        let saved = try daemon.request(
            "POST", "/__admin/mappings/import",
            body: JSONValue.object(["mappings": .array(stubs)]).compactText)
        #expect(saved.status == 200)
        for file in files {
            let path = try #require(file["path"]?.stringValue)
            #expect(try daemon.folder.read(path) == file["after"]?.stringValue)
        }
    }
}
