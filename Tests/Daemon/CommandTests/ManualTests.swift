import Foundation
import SDCommand
import SDTestSupport
import Testing

@Suite struct ManualTests {
    @Test(arguments: Manual.pages.map(\.name))
    func thePagesInTheDocsAreUpToDate(name: String) throws {
        let page = try #require(Manual.pages.first { $0.name == name })
        let written = try String(contentsOf: PackageFiles.url("docs/\(name)"), encoding: .utf8)
        let isUpToDate = written == page.text
        #expect(isUpToDate, "docs/\(name) is not up to date: run `.build/debug/stuntdouble generate-docs docs`")
    }

    @Test(.enabled(if: Program.find("man") != nil, "there is no man"))
    func theManualPageHasNoWarnings() throws {
        let page = PackageFiles.url("docs/stuntdouble.1").path
        let result = try #require(Program.find("man")).run(
            ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
            environment: ["MANROFFSEQ": "", "LC_ALL": "C.UTF-8"])
        #expect(result.errors == "")
        #expect(result.status == 0)
    }

    @Test(.enabled(if: Program.find("mandoc") != nil, "there is no mandoc"))
    func theManualPageIsWellFormed() throws {
        let page = PackageFiles.url("docs/stuntdouble.1").path
        let result = try #require(Program.find("mandoc")).run(["-Tlint", "-Wwarning", page])
        // The page has no date, so that it only changes with the table.
        let findings = result.output.split(separator: "\n").filter { !$0.contains("missing date") }
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test(arguments: OptionTable.options.filter { $0.support == .served && $0.commands.contains(.serve) }.map(\.usage))
    func theHelpShowsEveryServedOption(usage: String) {
        let lines = Help.text(.overview).split(separator: "\n")
        let matching = lines.filter { $0.contains(" \(usage)  ") || $0.hasSuffix(" \(usage)") }
        #expect(matching.count == 1)
    }

    @Test(arguments: OptionTableTests.wireMockNames)
    func everyWireMockOptionIsInOneOfTheHelps(name: String) {
        let text = Help.text(.overview) + Help.text(.wireMock)
        #expect(text.contains("--\(name)"))
        #expect(ManualPage.text.contains("--\(name)".map { $0 == "-" ? "\\-" : String($0) }.joined()))
        #expect(ReferencePage.text.contains("--\(name)"))
    }

    @Test func helpFitsATerminal() {
        for topic in [HelpTopic.overview, .wireMock, .command(.serve), .command(.validate), .command(.completion)] {
            let lines = Help.text(topic).split(separator: "\n")
            #expect(!lines.isEmpty)
            #expect(lines.allSatisfy { $0.count <= 100 }, "\(topic)")
        }
    }

    @Test func theHelpOfACommandSaysWhatHoldsForIt() {
        func help(_ command: CommandName) -> String {
            Help.text(.command(command)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        for command in [CommandName.run, .mcp] {
            #expect(help(command).contains("Default: a free port.") && !help(command).contains("Default: 8080."))
        }
        #expect(help(.serve).contains("Default: 8080."))
        #expect(!help(.mcp).contains("--no-share"))
        #expect(help(.wait).contains("The maximum wait; 30s by default.") && !help(.wait).contains("For run:"))
    }

    @Test func everyExampleParses() throws {
        for example in Manual.examples {
            let words = example.command.split(separator: ">")[0].split(separator: " ").map { String($0) }
            #expect(words.first == "stuntdouble")
            let parser = CommandLineParser(
                environment: [:], folderExists: { $0 == "mocks" }, fileExists: { $0 == "users.yaml" })
            _ = try parser.parse(Array(words.dropFirst()))
        }
    }
}
