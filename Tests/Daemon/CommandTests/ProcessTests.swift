import Foundation
import SDCommand
import Testing

/// The built command as a script sees it.
@Suite struct ProcessTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Program.Result {
        try Program.built("stuntdouble").run(
            arguments, environment: environment, folder: temporary.path)
    }

    @Test(arguments: [
        (["--version"], "stuntdouble \(Manual.version)\n"), (["--help"], Help.text(.overview)),
        (["help", "wiremock"], Help.text(.wireMock)), (["validate", "-h"], Help.text(.command(.validate))),
        (["completion", "fish"], Completion.script(for: .fish)),
    ])
    func requestedOutputGoesToStandardOutput(arguments: [String], text: String) throws {
        let result = try run(arguments)
        #expect(result.output == text)
        #expect(result.errors == "")
        #expect(result.status == 0)
    }

    @Test(arguments: [
        (["--prot", "1"], "stuntdouble: unknown option --prot; did you mean --port?\nTry: stuntdouble --port 1\n"),
        (
            ["--disable-http"],
            "stuntdouble: --disable-http needs --https-port: there would be nothing to serve\nTry: add --https-port\n"
        ),
        (["nowhere"], "stuntdouble: no such folder: \"nowhere\"\nTry: stuntdouble init nowhere\n"),
    ])
    func aUsageErrorGoesToStandardErrorWithStatusTwo(arguments: [String], text: String) throws {
        let result = try run(arguments)
        #expect(result.output == "")
        #expect(result.errors == text)
        #expect(result.status == 2)
    }

    @Test func aBadVariableIsAUsageErrorToo() throws {
        let result = try run([], environment: ["STUNTDOUBLE_PORT": "x"])
        #expect(result.errors.hasPrefix("stuntdouble: STUNTDOUBLE_PORT: expected a whole number from 0 to 65535"))
        #expect(result.status == 2)
    }

    @Test func thePagesAreWrittenIntoAFolder() throws {
        try temporary.makeFolder("docs")
        #expect(try run(["generate-docs", "docs"]).status == 0)
        for (name, text) in Manual.pages { #expect(try temporary.read("docs/\(name)") == text) }
        let failed = try run(["generate-docs", "none"])
        #expect(failed.status == 1)
        #expect(failed.errors.contains("none/"))
    }
}
