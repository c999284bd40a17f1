import SDBasics
import SDJSON
import SDLinting
import SDMockEngine
import SDStubFiles
import SDTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `stuntdouble validate` for folders whose stubs are valid but hardly intended.
@Suite struct ValidateTests {
    private let folder: TemporaryFolder
    private let scratch: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        scratch = try TemporaryFolder()
    }

    private func validate(_ options: String...) throws -> EndedCommand {
        try EndedCommand(["validate", folder.path] + options, outputsIn: scratch)
    }

    @Test func theStubThatHidesAnotherIsNamedWithItsPlace() throws {
        try folder.write("a.json", "{\n  \"request\": {\"method\": \"GET\", \"url\": \"/dogs/1\"}\n}\n")
        try folder.write("b.json", "[\n{\"name\": \"any dog\", \"request\": {\"urlPathTemplate\": \"/dogs/{id}\"}}]\n")
        let ended = try validate()
        #expect(ended.status == 0)
        #expect(
            ended.output.contains(
                "a.json:2:3: warning: request: never reached: all of its requests are matched first by "
                    + "stub \"any dog\" (\(folder.path)/b.json:2), whose file name sorts later"))
        #expect(ended.output.hasSuffix("2 files, 2 stubs, 0 errors, 1 warning\n"))
    }

    /// What a file has is text to whoever reads the log of a job.
    @Test(arguments: [
        "##[error]x", "##vso[task.x]", "##teamcity[x]", "a\u{202e}b", "a\u{61c}b", "a\u{feff}b", "a\u{e0041}b",
        "\u{3000}::error::x",
    ])
    func nothingInAFileIsACommand(key: String) throws {
        try folder.write("a.yaml", "GET /a: { json: 1, \"\(key)\": 2 }\n")
        for options in [[], ["--format", "json"], ["--json"]] {
            let ended = try EndedCommand(["validate", folder.path] + options, outputsIn: scratch)
            #expect(ended.status == 1)
            let printed = ended.output + ended.errors
            #expect(!printed.contains("##"), "\(printed)")
            #expect(!printed.unicodeScalars.contains { $0 != "\n" && Printable.isHidden($0) }, "\(printed)")
            for line in printed.split(separator: "\n") {
                #expect(!line.drop { $0.isWhitespace }.hasPrefix("::"), "\(line)")
            }
        }
    }

    @Test func strictMakesWarningsErrors() throws {
        try folder.write("a.yaml", "GET /dogs: {}\n")
        try folder.write("b.json", "{\"request\": {\"urlPattern\": \"/cats?age=3\"}}")
        #expect(try validate().status == 0)
        let ended = try validate("--strict", "--format", "json")
        #expect(ended.status == 1)
        let document = try JSONValue(parsing: ended.output)
        #expect(document["valid"] == false)
        let last = document["diagnostics"]?.arrayValue?.last
        #expect(last?["severity"] == "error")
        #expect(last?["code"] == "unescaped-question-mark")
        #expect(last?["pointer"] == "/request/urlPattern")
        #expect(last?["line"] == 1)
        #expect(last?["column"] == 28)
        #expect(last?["suggestion"] == "/cats\\?age=3")
    }

    @Test func aTemplateThatCannotBeReadIsAnErrorWithItsPlace() throws {
        try folder.write(
            "a.yaml",
            """
            GET /a: { body: "{{#if}" }
            GET /b:
              json: { id: "{{#if x}}" }
            GET /c:
              sequence:
                - body: fine
                - headers: { X-A: "{{upper 'x}}" }
            GET /d: { capture: { b: "{{/c}}" } }
            GET /e: { body: "{{#if}}", template: false }
            GET /f: { delay: "{{#each}}" }
            GET /g: { body: "{{#if path.id}}{{uper 'x'}}{{/if}}" }

            """)
        let ended = try validate()
        #expect(ended.status == 1)
        for (place, words) in [
            ("3:11", "line 1, column 1: the block does not end"), ("7:18", "the tag does not end"),
            ("8:22", "`{{/c}}` closes no block"), ("10:11", "expected `{{/each}}`"),
            ("11:11", "there is no helper `uper`; did you mean `upper`?"),
        ] {
            #expect(ended.output.contains("a.yaml:\(place): error: "), "\(place) in \(ended.output)")
            #expect(ended.output.contains(words), "\(words) in \(ended.output)")
        }
        // Without an end, the first is no expression, and hardly meant.
        #expect(!ended.output.contains("GET /e") && ended.output.contains("a.yaml:1:11: warning: "))
    }

    /// Mistakes of the form, of expressions and of templates of one mapping are told in one go, each once.
    @Test(arguments: [
        (
            "a.json",
            #"{"request": {"urll": "/a", "urlPattern": "[a-", "bodyPatterns": [{"matchesJsonPath": "$["}, {"matches": "("}]}, "#
                + #""response": {"stauts": 200, "body": "{{uper x}}", "headers": {"X": "{{lowr 'x'}}"}, "#
                + #""transformers": ["response-template"]}, "prority": 1}"#,
            [
                "request.urll: ", "request.urlPattern: ", "request.bodyPatterns[0].matchesJsonPath: ",
                "request.bodyPatterns[1].matches: ", "response.stauts: ", "response.body: ", "response.headers.X: ",
                "prority: ",
            ]
        ),
        (
            "b.json",
            #"{"request": {"urlPattern": "[a-"}, "responses": [{"body": "{{uper x}}", "transformers": ["response-template"]}, "#
                + #"{"body": "x"}]}"#,
            ["request.urlPattern: ", "responses[0].body: "]
        ),
        (
            "c.yaml",
            "GET /a:\n  stauts: 200\n  when: { query: { q: { matches: '(' } } }\n  body: \"{{uper x}}\"\n  "
                + "headers: { X: \"{{lowr 'x'}}\" }\n",
            [
                #"["GET /a"].stauts: "#, #"["GET /a"].when.query.q.matches: "#, #"["GET /a"].body: "#,
                #"["GET /a"].headers.X: "#,
            ]
        ),
    ])
    func allMistakesOfAMappingAreTold(name: String, text: String, places: [String]) throws {
        try folder.write(name, text)
        let ended = try validate()
        #expect(ended.status == 1)
        for place in places { #expect(ended.output.contains(": error: \(place)"), "\(place) in \(ended.output)") }
        #expect(ended.output.hasSuffix("\n1 file, 0 stubs, \(places.count) errors\n"), "\(ended.output)")
    }

    /// What is doubtful in a route is told beside a template that cannot be read.
    @Test func anErrorInATemplateHidesNoWarning() throws {
        let route = """
            GET /a/{id}:
              headers: { X-A: "{{path.idd}}", X-B: "{{uper x}}" }
              json: { at: "{{now offset='1 dy'}}", name: "{{params.id}}" }
            GET /b: { body: "{{params.id}}" }

            """
        try folder.write("a.yaml", route)
        let ended = try validate("--format", "json")
        #expect(ended.status == 1)
        let found = try JSONValue(parsing: ended.output)["diagnostics"]?.arrayValue ?? []
        let told = found.map { finding in
            ["severity", "line", "code"].map { finding[$0]?.compactText ?? "" }.joined(separator: " ")
        }
        #expect(
            told == [
                #""warning" 2 "unknown-template-name""#, #""error" 2 "format""#, #""warning" 3 "failing-helper""#,
                #""warning" 3 "unknown-template-name""#, #""warning" 4 "unknown-template-name""#,
            ], "\(ended.output)")
        let daemon = try Daemon(serving: folder.path, ["--keep-going"])
        let errors = eventually { daemon.process.errors.contains("params.id") ? daemon.process.errors : nil } ?? ""
        for name in ["path.idd", "uper", "1 dy"] { #expect(errors.contains(name), "\(name) in \(errors)") }
    }

    @Test(arguments: [("respnse-template", true), ("other", false)])
    func anUnknownTransformerIsAWarning(name: String, isNear: Bool) throws {
        try folder.write("a.json", #"{"request": {"url": "/a"}, "response": {"transformers": ["\#(name)"]}}"#)
        let ended = try validate("--format", "json")
        #expect(ended.status == 0)
        let found = try JSONValue(parsing: ended.output)["diagnostics"]?[0]
        #expect(found?["code"] == "unknown-transformer")
        #expect(found?["pointer"] == "/response/transformers/0")
        #expect(found?["suggestion"]?.stringValue == (isNear ? "response-template" : nil))
    }

    @Test func ofTwoRoutesWithOnePatternTheFirstWins() throws {
        try folder.write("a.yaml", "GET /dogs/{id}: {}\nPOST /dogs: {}\nGET /dogs/{dog}: {}\n")
        let document = try JSONValue(parsing: try validate("--format", "json").output)
        let finding = document["diagnostics"]?[0]
        #expect(document["diagnostics"]?.arrayValue?.count == 1)
        #expect(finding?["code"] == "same-pattern")
        #expect(finding?["line"] == 3)
        #expect(finding?["otherStub"]?["line"] == 1)
        #expect(finding?["message"]?.stringValue?.hasSuffix("which is above it in the file") == true)
    }

    @Test func aMissingBodyFileIsNamedWithASuggestion() throws {
        try folder.write("__files/dogs/all.json", "[]")
        try folder.write("mappings/a.yaml", "GET /a: { file: dogs/al.json }\nGET /b: { file: dogs/all.json }\n")
        let document = try JSONValue(parsing: try validate("--format", "json").output)
        #expect(document["diagnostics"]?.arrayValue?.count == 1)
        let finding = document["diagnostics"]?[0]
        #expect(finding?["code"] == "missing-body-file")
        #expect(finding?["suggestion"] == "dogs/all.json")
        #expect(finding?["line"] == 1)
    }

    @Test func aMisspeltMatcherIsReportedOnce() throws {
        try folder.write(
            "a.json",
            #"{"request": {"headers": {"A": {"equalTo": "x", "caseInsensitve": true}, "B": {"before": "soon"}}}}"#)
        let document = try JSONValue(parsing: try validate("--format", "json").output)
        let diagnostics = document["diagnostics"]?.arrayValue ?? []
        #expect(
            diagnostics.map { $0["pointer"]?.stringValue } == [
                "/request/headers/A/caseInsensitve", "/request/headers/B/before",
            ])
        #expect(diagnostics.first?["suggestion"] == "caseInsensitive")
        #expect(diagnostics.first?["code"] == "format")
    }

    @Test func aMissingBodyFileIsAnErrorOfAStrictCheck() throws {
        try folder.write("mappings/a.yaml", "GET /a:\n  sequence:\n    - {}\n    - { file: none.json }\n")
        #expect(try validate().status == 0)
        let ended = try validate("--strict")
        #expect(ended.status == 1)
        #expect(ended.output.contains("a.yaml:4:15: error:"))
    }

    /// Stubs are checked as a server with the same option would take them.
    @Test func templatesAreThoseOfTheServer() throws {
        try folder.write(
            "a.json", #"{ "request": { "url": "/a" }, "response": { "body": "{{request.path}}" } }"#)
        #expect(try validate().output.contains("{{request.path}} is sent literally"))
        let all = try validate("--global-response-templating", "--strict")
        #expect(all.status == 0 && !all.output.contains("literally"), "\(all)")
        try folder.write("b.json", #"{ "request": { "url": "/b" }, "response": { "body": "{{bogus 1}}" } }"#)
        #expect(try validate().status == 0)
        let bad = try validate("--global-response-templating")
        #expect(bad.status == 1 && bad.output.contains("there is no helper `bogus`"), "\(bad)")
        let off = try validate("--global-response-templating", "--disable-response-templating")
        #expect(off.status == 0, "\(off)")
    }

    // MARK: Nothing to check

    @Test func aFolderWithoutStubsFails() throws {
        let first = try validate("--strict")
        #expect(first.status == 1)
        #expect(
            first.output.contains(
                "\(folder.path): error: nothing to check: searched \(folder.path) (no stub files) for "))
        #expect(
            first.output.contains(
                #"a first file could be \#(folder.path)/hello.yaml with the line "GET /hello: {body: Hello}""#))
        try folder.write("mappings/notes.yaml", "# GET /a: {}\n")
        let ended = try validate()
        #expect(ended.status == 1)
        #expect(
            ended.output.contains(
                "searched \(folder.path)/mappings (no stubs in 1 file)\n0 files, 0 stubs, 1 error, 1 skipped\n"))
    }

    @Test func withoutAFolderEverySearchedFolderIsNamed() throws {
        let ended = try EndedCommand(["validate"], in: folder.path, outputsIn: scratch)
        #expect(ended.status == 1)
        #expect(ended.output.contains("searched mocks (no such folder) and ./mappings (no such folder)"))
    }

    // MARK: Files

    @Test func filesAreCheckedByThemselves() throws {
        try folder.write("mappings/a.yaml", "GET /a: { file: a.txt }\n")
        try folder.write("mappings/sub/b.json", #"{"request": {"urll": "/b"}}"#)
        try folder.write("mappings/c.json", #"{"request": {"urll": "/c"}}"#)
        try folder.write("__files/a.txt", "a")
        let good = try run("mappings/a.yaml", "__files/a.txt")
        #expect(good.status == 0)
        #expect(
            good.output.hasSuffix("__files/a.txt: skipped: it is a body file\n1 file, 1 stub, 0 errors, 1 skipped\n"))
        let bad = try run("mappings/a.yaml", "mappings/sub/b.json")
        #expect(bad.status == 1)
        #expect(bad.output.contains("\(folder.path)/mappings/sub/b.json:1:14: error: request.urll: unknown field"))
        #expect(!bad.output.contains("c.json"))
    }

    @Test func aFolderBesideAFileIsCheckedToo() throws {
        try folder.write("one/a.yaml", "GET /a: {}\n")
        try folder.write("two/b.yaml", "GET /b: {}\n")
        let both = try run("one", "two/b.yaml")
        #expect(both.status == 0)
        #expect(both.output == "2 files, 2 stubs, 0 errors\n")
    }

    @Test(arguments: [
        ("none.yaml", 1, "none.yaml: error: no such file or folder"),
        ("notes.txt", 1, "notes.txt: error: not the name of a stub file"),
        ("package.json", 1, "no stubs in the named files"),
    ])
    func aFileWithoutStubsIsNotReportedAsValid(name: String, status: Int, text: String) throws {
        try folder.write("notes.txt", "GET /a: {}")
        try folder.write("package.json", #"{"name": "shop", "version": "1.0.0"}"#)
        let result = try run(name)
        #expect(result.status == Int32(status))
        #expect(result.output.contains(text))
    }

    @Test func aFileNamedTwiceCountsOnce() throws {
        try folder.write("a.yaml", "GET /a: {}\n")
        try folder.write("sub/b.yaml", "GET /b: {}\n")
        #expect(try run("a.yaml", "a.yaml", "./a.yaml", "sub/../a.yaml").output == "1 file, 1 stub, 0 errors\n")
        #expect(try run("", "a.yaml", "sub/b.yaml", ".").output == "2 files, 2 stubs, 0 errors\n")
    }

    @Test func aMissingFileDoesNotPreventCheckingTheOthers() throws {
        try folder.write("bad.yaml", "GET /a: { staus: 1 }\n")
        let result = try run("none.yaml", "bad.yaml", "gone")
        #expect(result.status == 1)
        for text in [
            "none.yaml: error: no such file", "gone: error: no such file", "bad.yaml:1:11: error:", "3 errors",
        ] {
            #expect(result.output.contains(text), "\(text)")
        }
    }

    /// Beside a good one, so that it is not the whole that holds nothing.
    @Test(arguments: [("package.json", true), ("__files/a.yaml", false), ("node_modules/a.yaml", false)])
    func aSkippedFileIsAnErrorOfAStrictCheckIfItWasNamed(name: String, isError: Bool) throws {
        try folder.write("a.yaml", "GET /a: {}\n")
        try folder.write(name, #"{"name": "shop", "version": "1.0.0"}"#)
        #expect(try run(name, "a.yaml").status == 0)
        let strict = try run("a.yaml", name, options: ["--strict"])
        #expect(strict.status == (isError ? 1 : 0))
        #expect(strict.output.contains("\(name): error: not a stub file: it has no route") == isError)
    }

    /// The first half stands in the pipe when the reader comes to it; the rest follows when it has gone to sleep.
    @Test(arguments: [
        ("GET /a: { status: 200 }\\n", "GET /b: { staus: 201 }\\n", "3:11"),
        ("{\"GET /a\": {},\\n", "\"GET /b\": 1}\\n", "3:11"),
    ])
    func aPipeIsReadToItsEnd(first: String, second: String, place: String) throws {
        let pipe = scratch.path + "/pipe"
        let command =
            #"mkfifo "$1"; (printf '\#(first)'; sleep 0.3; printf '\n\#(second)') > "$1" & "$0" validate "$1""#
        let process = try ChildProcess("/bin/sh", ["-c", command, Daemon.binary, pipe], outputsIn: scratch)
        #expect(process.wait() == .exited(1))
        #expect(process.output.hasPrefix("\(pipe):\(place): error:"), "\(process.output)")
    }

    @Test func anErrorHidesNoWarnings() throws {
        try folder.write(
            "mappings/a.yaml",
            """
            GET /users/:id: {}
            GET /a: { staus: 1 }
            GET /b: { file: none.txt }
            GET /c: { when: { headers: { A: { matches: '(' } } } }
            GET /d: { scenario: { name: s, from: open } }
            """)
        try folder.write("mappings/b.yaml", "GET /b: {}\nGET /e: [\n")
        let ended = try validate()
        #expect(ended.status == 1)
        let places = ended.output.split(separator: "\n").dropLast().map { line in
            line.dropFirst(folder.path.count + 10).prefix { $0 != " " }
        }
        // What leads to the state of the last may be what was left out.
        #expect(
            places == ["a.yaml:1:1:", "a.yaml:2:11:", "a.yaml:3:17:", "a.yaml:4:35:", "b.yaml:3:1:"], "\(ended.output)")
        #expect(ended.output.hasSuffix("2 files, 3 stubs, 3 errors, 2 warnings\n"))
    }

    @Test func filesBesideAMappingsFolderGetAWarning() throws {
        try folder.write("mappings/a.yaml", "GET /a: {}\n")
        try folder.write("b.yaml", "GET /b: {}\n")
        let document = try JSONValue(parsing: try validate("--format", "json").output)
        #expect(document["diagnostics"]?.arrayValue?.count == 1)
        #expect(document["diagnostics"]?[0]?["code"] == "beside-mappings")
        #expect(try validate("--strict").status == 1)
    }

    /// Validates files, named relative to the folder.
    private func run(_ names: String..., options: [String] = []) throws -> EndedCommand {
        try EndedCommand(["validate"] + names.map { folder.path + "/" + $0 } + options, outputsIn: scratch)
    }

    @Test func theExamplesHaveNoFindings() throws {
        let ended = try EndedCommand(["validate", PackageFiles.root + "/mocks", "--strict"], outputsIn: scratch)
        #expect(ended.status == 0)
        #expect(!ended.output.contains("warning"))
    }

    /// A file and the findings of `--strict`: code, line, column, and suggested name.
    @Test(
        arguments: [
            ("a.yaml", "GET /users/:id: {}\n", "colon-in-path 1:1 /users/{id}"),
            ("a.yaml", "GET /a: {}\nGET /files/*: {}\n", "star-in-path 2:1 /files/**"),
            ("a.yaml", "GTE /a: {}\n", "unknown-method 1:1 GET"),
            ("a.json", "{\"request\": {\n \"method\": \"get\", \"url\": \"/a\"}}", "method-case 2:12 GET"),
            ("a.yaml", "GET /__admin/x: {}\n", "reserved-path 1:1 -"),
            (
                "a.json",
                "{\"request\": {\"urlPathTemplate\": \"/{id}\",\n\"pathParameters\": {\"idd\": {\"equalTo\": \"1\"}}}}",
                "unknown-path-parameter 2:20 id"
            ),
            ("a.yaml", "GET /a:\n  headers: { \"Content-Type:\": text/csv }\n", "header-name 2:14 Content-Type"),
            ("a.yaml", "GET /a:\n  - when: { headers: { \"X Y\": \"1\" } }\n", "header-name 2:24 X-Y"),
            (
                "a.json",
                "{\"request\": {\"url\": \"/a\"},\n \"response\": {\"jsonBody\": {\"path\": \"{{request.path}}\"}}}\n",
                "untemplated-expression 2:36 -"
            ),
            ("a.yaml", "GET /a:\n  json: '{\"a\": 1}'\n", "json-in-text 2:9 -"),
            ("a.yaml", "GET /a: { when: { json: '[1]' } }\n", "json-in-text 1:25 -"),
            ("a.yaml", "GET /a: { status: 204, json: {} }\n", "body-without-content 1:30 -"),
            (
                "a.yaml", "GET /a:\n  sequence:\n    - { status: 304, body: x }\n", "body-without-content 3:28 -"
            ),
            (
                "a.yaml", "GET /a: { stream: { name: s }, fault: { cutAfter: 50% } }\n", "fault-without-effect 1:51 -"
            ),
            (
                "a.yaml", "GET /a: { scenario: { name: s, from: opn } }\nGET /b: { scenario: { name: s, to: open } }\n",
                "unreachable-state 1:38 open"
            ),
            ("b.yaml", "GET /x: {}\nANY /**: {}\n", "fallback-hides-files 2:1 -"),
        ])
    func strictNamesHabitsWithTheirPlaces(name: String, text: String, expected: String) throws {
        try folder.write(name, text)
        if name == "b.yaml" { try folder.write("a.yaml", "GET /y: {}\n") }
        let ended = try validate("--strict", "--format", "json")
        #expect(ended.status == 1)
        let found = try JSONValue(parsing: ended.output)["diagnostics"]?.arrayValue ?? []
        let words = found.map { finding in
            let place = "\(finding["line"]?.intValue ?? 0):\(finding["column"]?.intValue ?? 0)"
            return "\(finding["code"]?.stringValue ?? "") \(place) \(finding["suggestion"]?.stringValue ?? "-")"
        }
        #expect(words == [expected])
        #expect(found.allSatisfy { $0["severity"] == "error" && $0["file"]?.stringValue?.hasSuffix(name) == true })
        #expect(found.allSatisfy { $0["expected"] != nil })
    }

    /// Which of two stubs of a file wins, and its position.
    @Test(arguments: [
        ("a.yaml", "GET /a: {}\nGET /a?x=1: {}\n", 2, 1, "above"),
        (
            "a.yaml", "GET /a:\n  - when: { query: { x: 1 } }\n  - when: { query: { x: 1, y: 2 } }\n    status: 201\n",
            3, 2,
            "above"
        ),
        (
            "a.yaml", "GET /a:\n  - when: { query: { x: 1 } }\n  - when: { query: { x: 1 } }\n    status: 201\n", 3, 2,
            "above"
        ),
        ("a.json", "{\"GET /a\": [{\"when\": {\"port\": 1}},\n{\"when\": {\"port\": 1}}]}", 2, 1, "above"),
        ("a.json", "[{\"request\": {\"url\": \"/a\"}},\n{\"request\": {\"url\": \"/a\"}}]", 1, 2, "below"),
        ("a.yaml", "- GET /a: {}\n- GET /a: {}\n", 1, 2, "below"),
        ("a.yaml", "- request: { url: /a }\n- request: { url: /a }\n", 1, 2, "below"),
        ("a.json", "[{\"request\": {\"url\": \"/a\"}}, {\"request\": {\"url\": \"/a\"}}]", 1, 1, "below"),
    ])
    func aShadowNamesTheSideOfTheOther(
        name: String, text: String, line: Int, other: Int, side: String
    ) throws {
        try folder.write(name, text)
        let document = try JSONValue(parsing: try validate("--format", "json").output)
        #expect(document["diagnostics"]?.arrayValue?.count == 1)
        let finding = try #require(document["diagnostics"]?[0])
        #expect(finding["line"]?.intValue == line)
        #expect(finding["otherStub"]?["line"]?.intValue == other)
        #expect(finding["message"]?.stringValue?.hasSuffix("which is \(side) it in the file") == true)
    }

    @Test(arguments: StubFinding.Code.allCases) func eachCodeIsDocumented(_ code: StubFinding.Code) throws {
        let page = try String(contentsOfFile: PackageFiles.root + "/docs/validate.md", encoding: .utf8)
        #expect(page.contains("| `\(code.rawValue)` |"))
    }

    @Test func theContentOfATemplatesBodyFileIsLookedAt() throws {
        try folder.write(
            "mappings/a.json",
            #"{"request": {"url": "/a"}, "response": {"bodyFileName": "a.txt", "template": true}}"#)
        try folder.write("mappings/b.json", #"{"request": {"url": "/b"}, "response": {"bodyFileName": "a.txt"}}"#)
        try folder.write("__files/a.txt", "one\n{{request.url}} {{query.page}}\n")
        let ended = try validate()
        #expect(
            ended.output.contains(
                "warning: response.bodyFileName: in a.txt: at line 2, column 19: there is no `query`, so "
                    + "`query.page` is nothing"), "\(ended.output)")
        #expect(ended.output.hasSuffix("2 files, 2 stubs, 0 errors, 1 warning\n"))
    }

    /// The examples of the pages have no findings, except that their body files are missing.
    @Test(arguments: Fence.of("yaml routes", "json routes", "yaml stubs", "json stubs"))
    func theExamplesOfThePagesHaveNoFindings(_ fence: Fence) throws {
        let format: StubFile.Format = fence.info.hasPrefix("json") ? .json : .yaml
        let session = Session()
        let stubs = StubFile.parse(fence.text.utf8, format: format, path: fence.page).stubs
        try #require(session.update([(name: fence.page, stubs: stubs)]).isEmpty)
        let found = session.findings().filter { $0.code != .missingBodyFile }
        #expect(found.map { "\($0.code.rawValue) \($0.pointer.text)" } == [])
    }
}
