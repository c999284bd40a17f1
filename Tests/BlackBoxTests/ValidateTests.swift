import JSON
import TestSupport
import Testing

/// `stuntdouble validate` on folders whose stubs are valid and hardly meant.
@Suite struct ValidateTests {
    private let folder: TemporaryFolder
    private let scratch: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        scratch = try TemporaryFolder()
    }

    private func validate(_ options: String...) throws -> (output: String, status: ChildProcess.Ending?) {
        let process = try ChildProcess(Daemon.binary, ["validate", folder.path] + options, outputsIn: scratch)
        let status = process.wait()
        return (process.output, status)
    }

    @Test func theStubThatHidesAnotherIsNamedWithItsPlace() throws {
        try folder.write("a.json", "{\n  \"request\": {\"method\": \"GET\", \"url\": \"/dogs/1\"}\n}\n")
        try folder.write("b.json", "[\n{\"name\": \"any dog\", \"request\": {\"urlPathTemplate\": \"/dogs/{id}\"}}]\n")
        let (text, status) = try validate()
        #expect(status == .exited(0))
        #expect(
            text.contains(
                "a.json:2:3: warning: request: never reached: every request that it takes is taken before by "
                    + "stub \"any dog\" (\(folder.path)/b.json:2), whose file comes later by its name"))
        #expect(text.hasSuffix("2 files, 2 stubs, 0 errors, 1 warning\n"))
    }

    @Test func strictMakesWarningsErrors() throws {
        try folder.write("a.yaml", "GET /dogs: {}\n")
        try folder.write("b.json", "{\"request\": {\"urlPattern\": \"/cats?age=3\"}}")
        #expect(try validate().status == .exited(0))
        let (text, status) = try validate("--strict", "--format", "json")
        #expect(status == .exited(1))
        let document = try JSONValue(parsing: text)
        #expect(document["valid"] == false)
        let last = document["diagnostics"]?.arrayValue?.last
        #expect(last?["severity"] == "error")
        #expect(last?["code"] == "unescaped-question-mark")
        #expect(last?["pointer"] == "/request/urlPattern")
        #expect(last?["line"] == 1)
        #expect(last?["column"] == 28)
        #expect(last?["suggestion"] == "/cats\\?age=3")
    }

    @Test func ofTwoRoutesWithOnePatternTheFirstWins() throws {
        try folder.write("a.yaml", "GET /dogs/{id}: {}\nPOST /dogs: {}\nGET /dogs/{dog}: {}\n")
        let document = try JSONValue(parsing: try validate("--format", "json").output)
        let finding = document["diagnostics"]?[0]
        #expect(document["diagnostics"]?.arrayValue?.count == 1)
        #expect(finding?["code"] == "same-pattern")
        #expect(finding?["line"] == 3)
        #expect(finding?["otherStub"]?["line"] == 1)
        #expect(finding?["message"]?.stringValue?.hasSuffix("which stands before it in the file") == true)
    }

    @Test func aMissingBodyFileIsNamedWithTheOneThatIsMeant() throws {
        try folder.write("__files/dogs/all.json", "[]")
        try folder.write("mappings/a.yaml", "GET /a: { file: dogs/al.json }\nGET /b: { file: dogs/all.json }\n")
        let document = try JSONValue(parsing: try validate("--format", "json").output)
        #expect(document["diagnostics"]?.arrayValue?.count == 1)
        let finding = document["diagnostics"]?[0]
        #expect(finding?["code"] == "missing-body-file")
        #expect(finding?["suggestion"] == "dogs/all.json")
        #expect(finding?["line"] == 1)
    }

    @Test func aMisspeltMatcherIsToldOnce() throws {
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

    @Test func theExamplesHaveNothingOddAboutThem() throws {
        let process = try ChildProcess(
            Daemon.binary, ["validate", Daemon.packageRoot + "/mocks", "--strict"], outputsIn: scratch)
        #expect(process.wait() == .exited(0))
        #expect(!process.output.contains("warning"))
    }
}
