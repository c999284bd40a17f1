import Foundation
import SDCommand
import SDJSON
import SDMockEngine
import SDStubFiles
import SDTestSupport
import Testing

/// Every fenced example of the README and of `docs/` does what its page says.
@Suite struct DocumentedExampleTests {
    /// A fence of another kind would be an example that is never run.
    @Test(arguments: Fence.all) func everyExampleIsRunnable(_ fence: Fence) {
        let kinds = [
            "console", "console routes", "console start", "sh", "sh script", "yaml compose", "yaml file", "yaml mocks",
            "yaml values", "nginx", "json mapping", "json messages", "yaml routes", "json routes", "yaml routes-error",
            "yaml stubs",
            "json stubs", "yaml stubs-error", "text picture", "swift", "swift before", "swift manifest",
            // Those for Python and JavaScript are run by the packages' own tests: PackageTests.
            "python", "python args", "ini", "js", "js vitest", "js playwright", "js server",
        ]
        // Others' files and programs, from which a reader comes: no rule of ours holds for them.
        #expect(kinds.contains(fence.info) || fence.info.hasSuffix(" theirs"))
    }

    @Test(arguments: Fence.of("yaml routes", "json routes", "yaml stubs", "json stubs", "json mapping", "yaml mocks"))
    func stubsAreServed(_ fence: Fence) throws {
        let format: StubFile.Format = fence.info.hasPrefix("json") ? .json : .yaml
        let file = StubFile.read(Array(fence.text.utf8), format: format, path: fence.page)
        #expect(file.diagnostics.isEmpty)
        #expect(!file.stubs.isEmpty || !file.messageStubs.isEmpty)
        for stub in file.stubs { #expect(Session.problems(of: stub).isEmpty) }
    }

    @Test(arguments: Fence.of("json messages")) func messageStubsAreRead(_ fence: Fence) throws {
        let file = StubFile.readMessages(Array(fence.text.utf8), format: .json, path: fence.page)
        #expect(file.diagnostics.isEmpty)
        #expect(file.messageStubs.count == 1)
    }

    @Test(arguments: Fence.of("yaml routes-error", "yaml stubs-error")) func mistakesAreFound(_ fence: Fence) {
        let (_, diagnostics) = StubFile.parse(fence.text.utf8, format: .yaml, path: fence.page)
        #expect(!diagnostics.isEmpty)
    }

    /// What is shown as an example of the folder `mocks` is a file of it, down to the last comment.
    @Test(arguments: Fence.of("yaml mocks")) func theFileOfTheFolderIsShown(_ fence: Fence) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: PackageFiles.root + "/mocks")
        let texts = try names.filter { $0.hasSuffix(".yaml") }.map { name in
            // What an editor reads is left out on a page.
            String(decoding: try PackageFiles.data("mocks/" + name), as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.hasPrefix("# yaml-language-server:") }.joined(separator: "\n")
        }
        #expect(texts.contains(fence.text), "no file of mocks/ has this text")
    }

    @Test(arguments: Fence.of("sh script")) func scriptsParse(_ fence: Fence) throws {
        let scratch = try TemporaryFolder()
        try scratch.write("script.sh", fence.text)
        let shell = try ChildProcess("/bin/sh", ["-n", scratch.path + "/script.sh"], outputsIn: scratch)
        #expect(shell.wait() == .exited(0), "\(shell.errors)")
    }

    /// A file of Kubernetes may have several documents. What `yaml values` holds, HelmChartTests have the chart render.
    @Test(arguments: Fence.of("yaml compose", "yaml file", "yaml values")) func otherFilesParse(_ fence: Fence) {
        for document in fence.text.split(separator: "\n---\n") {
            #expect(throws: Never.self) { try JSONValue(parsingYAML: document.utf8) }
        }
    }

    private static let nginx = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"]
        .first(where: FileManager.default.isExecutableFile)

    /// What stands in the block `http`. Names of replicas lead nowhere here, and ports below 1024 may be forbidden.
    @Test(.enabled(if: nginx != nil, "there is no nginx: it reads examples"), arguments: Fence.of("nginx"))
    func nginxReadsIt(_ fence: Fence) throws {
        let scratch = try TemporaryFolder()
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);\n" }.joined()
        let text = fence.text.replacing("server mocks:", with: "server 127.0.0.1:")
            .replacing("listen 80;", with: "listen unix:socket;")
        try scratch.write("nginx.conf", "pid nginx.pid;\nevents {}\nhttp {\naccess_log off;\n\(folders)\(text)}\n")
        let process = try ChildProcess(
            #require(Self.nginx), ["-t", "-p", scratch.path, "-c", "nginx.conf", "-e", "stderr"],
            folder: scratch.path, outputsIn: scratch)
        #expect(process.wait() == .exited(0), "\(process.errors)")
    }

    /// Commands that would serve for ever are only parsed.
    @Test(arguments: Fence.of("sh")) func commandLinesParse(_ fence: Fence) throws {
        for line in fence.text.split(separator: "\n") {
            let words = line.prefix { $0 != ">" && $0 != "|" }.split(separator: " ").map(String.init)
            try #require(words.first == "stuntdouble")
            let parser = CommandLineParser(
                environment: [:], folderExists: { $0 == "mocks" }, fileExists: { $0.hasSuffix("users.yaml") })
            #expect(throws: Never.self) { try parser.parse(Array(words.dropFirst())) }
        }
    }

    /// `$ ` begins a command; the lines after it are its output, with `…` for any text. The page's daemon serves
    /// `mocks` on port 8080; that of `console routes` serves the page's own stubs above it. What `console start` shows is
    /// typed by `make verify-start`, as it installs the daemon.
    @Test(arguments: Fence.of("console", "console routes")) func commandsPrintWhatThePageShows(_ fence: Fence) throws {
        let scratch = try TemporaryFolder()
        if fence.info == "console" {
            try copy("mocks", to: scratch)
        } else {
            for stubs in Fence.of("yaml routes", "json routes", "yaml stubs", "json stubs")
            where stubs.page == fence.page && stubs.line < fence.line {
                // In the order of the page, by which the later ones win.
                let format = stubs.info.hasPrefix("json") ? "json" : "yaml"
                try scratch.write("mocks/\(10_000 + stubs.line).\(format)", stubs.text)
            }
        }
        let daemon = try Daemon(serving: scratch.path + "/mocks")
        for (command, expected) in commands(of: fence.text) {
            let folder = String(Daemon.binary[..<(Daemon.binary.lastIndex(of: "/") ?? Daemon.binary.endIndex)])
            let shell = try ChildProcess(
                "/bin/sh", ["-c", "PATH=\"\(folder):$PATH\"; " + command.replacing("8080", with: "\(daemon.port)")],
                folder: scratch.path, outputsIn: scratch)
            #expect(shell.wait() != nil)
            let printed = shell.output.replacing(String(daemon.port), with: "8080").replacing("\r", with: "")
            #expect(matches(printed, expected), "\(command)\nprinted:\n\(printed)\n\(shell.errors)")
        }
    }

    private func commands(of text: String) -> [(command: String, output: String)] {
        var commands: [(command: String, output: String)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("$ ") {
                commands.append((String(line.dropFirst(2)), ""))
            } else if !commands.isEmpty, commands[commands.count - 1].command.hasSuffix("\\") {
                commands[commands.count - 1].command += "\n" + line
            } else if !commands.isEmpty {
                commands[commands.count - 1].output += line + "\n"
            }
        }
        return commands
    }

    /// Compares with `…` for any text, without white space at the end, and without the carriage returns of HTTP's
    /// lines, which a page cannot show.
    private func matches(_ printed: String, _ expected: String) -> Bool {
        let pieces = trimmed(expected).split(separator: "…", omittingEmptySubsequences: false)
        var rest = trimmed(printed.replacing("\r\n", with: "\n"))
        for (index, piece) in pieces.enumerated() {
            if index == 0 {
                guard rest.hasPrefix(piece) else { return false }
                rest = rest.dropFirst(piece.count)
            } else if index == pieces.count - 1 {
                return rest.hasSuffix(piece)
            } else {
                guard let found = rest.firstRange(of: piece) else { return false }
                rest = rest[found.upperBound...]
            }
        }
        return rest.isEmpty
    }

    private func trimmed(_ text: String) -> Substring {
        var slice = text[...]
        while slice.last?.isWhitespace == true { slice = slice.dropLast() }
        return slice
    }

    private func copy(_ name: String, to scratch: TemporaryFolder) throws {
        let process = try ChildProcess(
            "/bin/cp", ["-R", PackageFiles.root + "/" + name, scratch.path + "/" + name], outputsIn: scratch)
        try #require(process.wait() == .exited(0))
    }
}
