import SDTestSupport
import Testing

/// Documents of OpenAPI as others judge what the daemon makes of them, by the programs in `Tests/OpenAPI`.
@Suite(.serialized)
struct ContractJudgeTests {
    private static let python = ClientSuite.python(
        that: "import jsonschema, openapi_core, requests, schemathesis, yaml")

    @Test(
        .enabled(if: python != nil, "`.ci/deps ci` installs what judges documents of OpenAPI"),
        arguments: ["answers", "verdicts", "broken", "clients", "import", "shown"])
    func findsNothing(part: String) throws {
        let scratch = try TemporaryFolder()
        let judge = try ChildProcess(
            #require(Self.python),
            [
                "-B", PackageFiles.root + "/Tests/OpenAPI/judge.py", Daemon.binary, part, "--mutations", "40",
                "--operations", "25",
            ], outputsIn: scratch)
        let ending = judge.wait(milliseconds: 600_000)
        #expect(ending == .exited(0), "\(judge.output.suffix(4_000))\n\(judge.errors.suffix(4_000))")
    }
}
