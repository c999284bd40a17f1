import SDBasics
import Testing

@testable import SDCommand

/// The command line of `stuntdouble report`.
@Suite struct ReportOptionsTests {
    private func parse(_ words: [String], _ environment: [String: String] = [:]) throws -> ReportOptions {
        let parser = CommandLineParser(environment: environment, folderExists: { $0 == "mocks" })
        guard case .report(let options) = try parser.parse(["report"] + words) else {
            throw CommandLineError.missingArgument(command: .report)
        }
        return options
    }

    @Test func aDaemonOfThisMachineIsAskedForText() throws {
        let options = try parse([])
        #expect(options.query.server == ServerURL("http://127.0.0.1:8080") && options.format == .text)
        #expect(options.verdict == VerdictOptions() && options.session == nil && options.output == nil)
        #expect(options.verdict.query(.text) == "format=text&fail=unmatched,error")
    }

    /// As `wait` and `stop` take it.
    @Test func theDaemonIsNamedByAddressPortOrPortFile() throws {
        #expect(try parse(["http://a:1/__session/s1"]).query.server == ServerURL("http://a:1/__session/s1"))
        #expect(try parse(["8081"]).query.server == ServerURL("http://127.0.0.1:8081"))
        #expect(try parse(["port.txt"]).query.portFile == "port.txt")
        #expect(throws: CommandLineError.self) { try parse(["port.txt", "--url", "http://a"]) }
        #expect(throws: CommandLineError.self) { try parse(["https://a"]) }
    }

    @Test func everyOptionReachesItsSetting() throws {
        let options = try parse([
            "--url", "http://a:1/__session/s1", "--format=junit", "--fail-on", "unused,fault", "--ignore",
            "/favicon.ico",
            "--ignore=/a b/é&c/**", "--session", "s1-a", "-o", "report.xml", "--admin-token", "t",
        ])
        #expect(options.query.server == ServerURL("http://a:1/__session/s1") && options.query.adminToken == "t")
        #expect(options.format == .junit && options.session == "s1-a" && options.output == "report.xml")
        #expect(options.verdict.failOn == [.unused, .fault])
        #expect(
            options.verdict.query(.junit)
                == "format=junit&fail=unused,fault&ignore=/favicon.ico&ignore=/a%20b/%C3%A9%26c/**")
        #expect(try parse(["--fail-on", "none"]).verdict.query(.json) == "format=json&fail=none")
        let slow = try parse(["--fail-on", "slow>1.5s,webhook"]).verdict
        #expect(slow.failOn == FailOn([.webhook, .slow], slowLimit: 1_500))
        #expect(slow.query(.github, workspace: "/a b") == "format=github&fail=webhook,slow%3E1500ms&workspace=/a%20b")
        #expect(try parse(["--json"]).format == .json)
        #expect(try parse(["--reset"]).resets && !options.resets)
        #expect(
            try parse(["--all-stubs"]).verdict.query(.text) == "format=text&fail=unmatched,error&stubs=all")
    }

    @Test func variablesSayTheSame() throws {
        let options = try parse(
            [], ["STUNTDOUBLE_URL": "http://b", "STUNTDOUBLE_FAIL_ON": "unmet", "STUNTDOUBLE_IGNORE": "*.map,/x"])
        #expect(options.query.server == ServerURL("http://b") && options.verdict.failOn == [.unmet])
        #expect(options.verdict.ignored == ["*.map", "/x"])
    }

    @Test(arguments: [
        ["--fail-on", "unmached"], ["--fail-on="], ["--fail-on", "slow"], ["--fail-on", "unmet>1s"],
        ["--format", "yaml"], ["mocks"], ["--strict"],
    ])
    func whatItDoesNotTakeIsRefused(words: [String]) {
        #expect(throws: CommandLineError.self) { try parse(words) }
    }
}
