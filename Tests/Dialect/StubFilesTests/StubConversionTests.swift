import Foundation
import SDJSON
import SDShorthand
import SDStubFiles
import SDStubModel
import SDTestSupport
import Testing

/// Converted there and back, a file has the same stubs and the same comments.
@Suite struct StubConversionTests {
    private func read(_ text: String, _ format: StubFile.Format) -> ParsedStubFile {
        StubFile.read(text.utf8, format: format, path: "a")
    }

    /// Converts a text, and reads the result.
    private func convert(
        _ text: String, _ format: StubFile.Format, to form: StubConversion.Form? = nil
    ) throws -> (text: String, file: ParsedStubFile) {
        let file = read(text, format)
        try #require(file.diagnostics.filter { $0.severity == .error }.isEmpty, "\(file.diagnostics)\n\(text)")
        let conversion = StubConversion(of: file, to: form)
        let converted = try #require(conversion.text)
        let back = read(converted, conversion.form == .yaml ? .yaml : .json)
        #expect(back.diagnostics.filter { $0.severity == .error }.isEmpty, "\(back.diagnostics)\n\(converted)")
        return (converted, back)
    }

    /// The stubs without what a conversion leaves out: how they were saved, and comments.
    private func essences(_ file: ParsedStubFile) -> [StubMapping] {
        file.stubs.map { stub in
            var essence = stub.essence
            if case .object(var ours) = essence.metadata?["stuntdouble"] {
                ours["comment"] = nil
                essence.metadata?["stuntdouble"] = ours.isEmpty ? nil : .object(ours)
                if essence.metadata?.isEmpty == true { essence.metadata = nil }
            }
            return essence
        }
    }

    /// More cases: `STUNTDOUBLE_CONVERT_CASES=20000 swift test --filter StubConversionTests`.
    @Test func generatedStubsComeBack() throws {
        let cases =
            ProcessInfo.processInfo.environment["STUNTDOUBLE_CONVERT_CASES"].flatMap { Int($0) } ?? 300
        var generator = TestGenerator()
        var (stubs, routes) = (0, 0)
        for _ in 0..<cases {
            let mappings = (0..<Int.random(in: 1..<5, using: &generator)).compactMap { _ -> JSONValue? in
                let mapping = RandomMapping.json(using: &generator)
                return (try? StubMapping(json: mapping)) == nil ? nil : mapping
            }
            guard !mappings.isEmpty else { continue }
            let text = JSONValue.object(["mappings": .array(mappings)]).compactText
            let file = read(text, .json)
            guard file.diagnostics.allSatisfy({ $0.severity != .error }) else { continue }
            let yaml = try convert(text, .json, to: .yaml)
            let back = try convert(yaml.text, .yaml, to: .wiremock)
            let again = try convert(back.text, .json, to: .yaml)
            #expect(essences(yaml.file) == essences(file), "\(generator): \(text)\n\(yaml.text)")
            #expect(essences(back.file) == essences(file), "\(generator): \(text)\n\(back.text)")
            #expect(essences(again.file) == essences(file), "\(generator): \(text)\n\(again.text)")
            stubs += file.stubs.count
            routes += yaml.file.origins.filter { $0.routeKey != nil }.count
        }
        #expect(routes * 5 > stubs, "\(routes) of \(stubs) stubs were written as routes: \(generator)")
        print("converted there and back: \(stubs) stubs, \(routes) of them as routes")
    }

    @Test(arguments: ResponseSamples.byField.sorted { $0.key < $1.key }.map(\.key))
    func everyFieldOfAResponseComesBack(_ field: String) throws {
        var response: JSONObject = [:]
        response[field] = ResponseSamples.byField[field]
        if field == "fallThrough" { response["bodyFileName"] = "a.txt" }
        let text = JSONValue.object(["request": ["method": "GET", "urlPath": "/a"], "response": .object(response)])
            .compactText
        let file = read(text, .json)
        let yaml = try convert(text, .json)
        #expect(essences(yaml.file) == essences(file), "\(yaml.text)")
        let back = try convert(yaml.text, .yaml, to: .wiremock)
        #expect(essences(back.file) == essences(file), "\(back.text)")
    }

    static let mocks = [
        "articles.json", "books.yaml", "dogs.yaml", "login.yaml", "trouble.yaml", "users.yaml", "wiremock/hello.json",
        "wiremock/orders.yaml",
    ]

    @Test(arguments: mocks) func theMocksComeBack(_ name: String) throws {
        let text = try String(contentsOf: PackageFiles.url("mocks/\(name)"), encoding: .utf8)
        let format = try #require(StubFile.Format(path: name))
        let file = read(text, format)
        let wiremock = try convert(text, format, to: .wiremock)
        #expect(essences(wiremock.file) == essences(file), "\(wiremock.text)")
        let yaml = try convert(wiremock.text, .json, to: .yaml)
        #expect(essences(yaml.file) == essences(file), "\(yaml.text)")
        #expect(!yaml.text.contains("request:"), "\(yaml.text)")
        let comments = text.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.contains("yaml-language") }
        for comment in comments { #expect(yaml.text.contains(comment), "\(yaml.text)") }
    }

    @Test func anIdThatIsGivenStays() throws {
        let id = "11111111-1111-4111-8111-111111111111"
        let text = #"{"id": "\#(id)", "request": {"method": "GET", "url": "/a?b=c"}, "response": {"body": "x"}}"#
        let yaml = try convert(text, .json)
        #expect(
            yaml.text.hasSuffix(
                "\nGET =/a?b=c:\n  id: \(id)\n  headers:\n    Content-Type: []\n  body: x\n"), "\(yaml.text)")
        #expect(yaml.file.stubs[0].idText == id)
        #expect(try convert(yaml.text, .yaml).file.stubs[0].idText == id)
        let without = StubConversion(of: read(text, .json), keepsIDs: false)
        #expect(without.text?.contains(id) == false)
    }

    // MARK: Comments

    private let commented = """
        # About the file.
        # Two lines.

        # About the first.
        GET /a: { status: 204 }   # beside it

        # An old one:
        # GET /old: {}

        # About the list.
        GET /b:
          # when asked nicely
          - when: { headers: { A: "#1" } }
            json: { a: "# none" }  # in it
          # otherwise
          - status: 404
            body: |
              # text
              more
        # The end.

        """

    @Test func commentsComeBack() throws {
        let mappings = try convert(commented, .yaml)
        let document = try JSONValue(parsing: mappings.text.utf8)
        #expect(document["meta"]?["comment"] == "About the file.\nTwo lines.")
        #expect(document["meta"]?["commentAtEnd"] == "The end.")
        let comments = (document["mappings"]?.arrayValue ?? []).map { $0["metadata"]?["stuntdouble"]?["comment"] }
        #expect(
            comments == [
                "otherwise", "An old one:\nGET /old: {}\n\nAbout the list.\nwhen asked nicely\nin it",
                "About the first.\nbeside it",
            ])
        let back = try convert(mappings.text, .json)
        let lines = back.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(
            separator: "\n")
        #expect(
            lines == """
                # About the file.
                # Two lines.

                # About the first.
                # beside it
                GET /a:
                  status: 204

                GET /b:
                  # An old one:
                  # GET /old: {}

                  # About the list.
                  # when asked nicely
                  # in it
                  - when:
                      headers:
                        A: "#1"
                    json:
                      a: "# none"
                  # otherwise
                  - status: 404
                    body: |
                      # text
                      more

                # The end.

                """)
        #expect(essences(back.file) == essences(read(commented, .yaml)))
        #expect(back.file.stubs.allSatisfy { $0.metadata == nil })
    }

    @Test func commentsOfJSONBecomeThoseOfYAML() throws {
        let text = """
            // The file.

            { "mappings": [
              // About the stub.
              { "request": { "url": "/a" }, /* in
                 * it */ "response": { "body": "// none" } },
              { "request": { "urlPath": "/b", "method": "GET" } } // beside
            ] }
            """
        let yaml = try convert(text, .json)
        #expect(
            yaml.text.hasSuffix(
                """
                # The file.

                # beside
                GET /b: null

                # About the stub.
                # in
                # it
                ANY =/a:
                  headers:
                    Content-Type: []
                  body: // none

                """), "\(yaml.text)")
    }

    @Test func yamlOfMappingsKeepsItsComments() throws {
        let text = """
            # Head.

            mappings:
              # one
              - request: { method: GET, urlPath: /a }
                # inner
                response: { status: 204 }
              # two
              - request: { method: GET, urlPath: /b }
            """
        let yaml = try convert(text, .yaml, to: .yaml)
        #expect(
            yaml.text.hasSuffix("# Head.\n\n# two\nGET /b: null\n\n# one\n# inner\nGET /a:\n  status: 204\n"),
            "\(yaml.text)")
    }

    @Test func routesInYAMLStayAsTheyAre() throws {
        #expect(StubConversion(of: read(commented, .yaml), to: .yaml).text == commented)
    }

    @Test func routesInJSONKeepWhatStubsDoNotSay() throws {
        let text = """
            { "defaults": { "delay": "5ms" },
              /* one */
              "GET /a": {}, "chaos": { "x": { "status": 500 } } }
            """
        let yaml = try convert(text, .json, to: .yaml)
        #expect(yaml.text.contains("defaults:\n  delay: 5ms\n") && yaml.text.contains("# one\nGET /a:"))
        #expect(yaml.file.faultSets.map(\.name) == ["x"])
        let mappings = StubConversion(of: read(text, .json))
        #expect(mappings.rest?.hasSuffix("chaos:\n  x:\n    status: 500\n") == true)
    }

    @Test func additionsAreNamed() {
        let text = "GET /a: { when: { headers: { A: { startsWith: x } } }, times: 2, stream: [{ data: x }] }"
        let conversion = StubConversion(of: read(text, .yaml))
        #expect(conversion.additions == ["startsWith", "stream", "times"])
        let proxied = StubConversion(of: read("GET /a: { proxy: { to: 'http://b', http2: true } }", .yaml))
        #expect(proxied.additions == ["proxyHttp2"])
    }
}
