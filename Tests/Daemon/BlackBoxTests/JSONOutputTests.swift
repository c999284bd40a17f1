import Foundation
import SDCommand
import SDJSON
import SDTestSupport
import Testing

/// What programs get of every command: with `--json` a document on standard output, or one a line where it is a stream;
/// errors on standard error that say what to do; and the exit status that the command has without it.
@Suite struct JSONOutputTests {
    /// A command line and what it gives.
    struct Case: Sendable, CustomTestStringConvertible {
        enum Kind: Sendable {
            /// A document, and no error.
            case document
            /// The command goes on until it is told to stop, and prints documents, one a line.
            case stream
            /// Standard output is that of another command; the document is on standard error.
            case verdict
            /// No document, but errors.
            case error
            /// A document and errors.
            case both
            /// One or the other, as the machine is.
            case either
            /// Nothing: nobody asked anything.
            case nothing
        }

        var command: CommandName
        var arguments: [String]
        var kind: Kind
        /// Nil for one that depends on the machine.
        var status: Int32?

        init(_ line: String, _ kind: Kind, _ status: Int32?) {
            let words = line.split(separator: " ").map(String.init)
            command = CommandName(rawValue: words[0]) ?? .help
            (arguments, self.kind, self.status) = (words, kind, status)
        }

        var testDescription: String { arguments.joined(separator: " ") }
        var isGood: Bool { kind != .error && kind != .both && (status ?? 0) == 0 }
    }

    /// `OPEN` is the address of a daemon, `LIVE` that of one with a token, `PORT` its port, `DEAD` an address where nothing listens. The files are those
    /// of `folder()`.
    static let cases = [
        Case("serve ok --port 0", .stream, 0), Case("serve missing", .error, 2), Case("serve notes.txt", .error, 2),
        Case("serve bad --port 0", .error, 1), Case("serve ok --port PORT", .error, 1),
        Case("serve --prot 1", .error, 2), Case("serve empty --port x", .error, 2),
        Case("serve ok --port 0 --port-file ok/a.yaml", .error, 1),

        Case("mock api.yaml -p 0", .stream, 0), Case("mock missing.yaml", .error, 2),
        Case("proxy api.yaml http://127.0.0.1:9 -p 0", .stream, 0), Case("proxy api.yaml", .error, 2),

        Case("run ok -- true", .verdict, 0), Case("run missing -- true", .error, 2),
        Case("run bad -- true", .error, 125),
        Case("run ok -- no-such-program", .error, 127), Case("run --url DEAD -- true", .error, 125),
        Case("run ok --port PORT -- true", .error, 125), Case("run ok true", .error, 2),
        Case("run ok --fail-on unusde -- true", .error, 2), Case("run ok --report junitt=a.xml -- true", .error, 2),

        Case("report --url OPEN", .document, 0), Case("report --url DEAD", .error, 3),
        Case("report --url OPEN --session none", .error, 2), Case("report --format jsn", .error, 2),
        Case("report extra", .error, 3), Case("report LIVE extra", .error, 2),
        Case("report --url OPEN --output empty", .error, 2),

        Case("wait LIVE", .document, 0), Case("wait DEAD --timeout 0ms", .error, 1),
        Case("wait missing.port --timeout 0ms", .error, 1), Case("wait https://x:y", .error, 2),
        Case("wait LIVE extra", .error, 2),

        Case("top OPEN --once", .document, 0), Case("top DEAD --once", .error, 3), Case("top LIVE --once", .error, 2),
        Case("top OPEN extra", .error, 2), Case("top --color blue", .error, 2),

        Case("stop DEAD", .document, 0), Case("stop missing.port", .document, 0),
        Case("stop https://localhost", .error, 2),
        Case("stop LIVE", .error, 2), Case("stop LIVE --admin-token wrong", .error, 2),

        Case("init new", .document, 0), Case("init started", .error, 1), Case("init notes.txt", .error, 2),
        Case("init a b", .error, 2), Case("init notes.txt/a", .error, 1),

        Case("validate ok", .document, 0), Case("validate bad", .document, 1), Case("validate empty", .document, 1),
        Case("validate missing.yaml", .document, 1), Case("validate --strct", .error, 2),

        Case("check OPEN ok", .document, 0), Case("check DEAD ok", .document, 1), Case("check OPEN bad", .error, 1),
        Case("check OPEN empty", .error, 1), Case("check OPEN missing", .error, 2), Case("check nowhere ok", .error, 2),
        Case("check", .error, 2), Case("check OPEN ok --param id", .error, 2),

        Case("convert ok/a.yaml", .document, 0), Case("convert ok --to new", .document, 0),
        Case("convert bad", .error, 1), Case("convert missing", .error, 1), Case("convert empty", .error, 1),
        Case("convert notes.txt", .error, 1), Case("convert", .error, 2), Case("convert ok --format jsn", .error, 2),
        Case("convert ok --to notes.txt/a", .error, 1),

        Case("schema", .document, 0), Case("schema extra", .error, 2),

        Case("explain GET /a ok", .document, 0), Case("explain GET /a --url LIVE --admin-token secret", .document, 0),
        Case("explain GET /b ok", .document, 1), Case("explain GET /a bad", .both, 1),
        Case("explain GET /a empty", .both, 1), Case("explain GET /a missing", .error, 2),
        Case("explain GET a ok", .error, 2), Case("explain /a GET ok", .error, 2),
        Case("explain GET /a --url DEAD", .error, 2), Case("explain GET /a --url LIVE", .error, 2),
        Case("explain POST /a -d @missing ok", .error, 2), Case("explain GET", .error, 2),

        Case("routes ok", .document, 0), Case("routes --url LIVE --admin-token secret", .document, 0),
        Case("routes bad", .both, 1), Case("routes empty", .both, 1), Case("routes missing", .error, 2),
        Case("routes --url DEAD", .error, 2), Case("routes --url ftp://a", .error, 2),

        Case("record --target DEAD --port 0 --to new", .stream, 0), Case("record", .error, 2),
        Case("record --target nowhere", .error, 2), Case("record --target DEAD --port PORT --to new", .error, 1),
        Case("record --target DEAD --to notes.txt", .error, 2),
        Case("record --target DEAD --to notes.txt/a", .error, 1),

        Case("import har ok.har --to new", .document, 0), Case("import har nothing.har --to new", .both, 1),
        Case("import har missing.har", .error, 2), Case("import har bad.har", .error, 2),
        Case("import zip ok.har", .error, 2), Case("import har", .error, 2),

        Case("doctor", .document, nil), Case("doctor --port PORT", .document, nil),
        Case("doctor --require htps", .error, 2), Case("doctor extra", .error, 2),

        Case("ca --state-dir new", .document, 0), Case("ca --path --state-dir new", .document, 0),
        // There is nothing to undo.
        Case("ca --uninstall --state-dir new", .either, nil), Case("ca --state-dir notes.txt/a", .error, 1),
        Case("ca extra", .error, 2),

        Case("completion bash", .document, 0), Case("completion bsh", .error, 2), Case("completion", .error, 2),
        Case("mcp ok", .nothing, 0), Case("mcp missing", .error, 2), Case("mcp ok --write", .error, 2),

        Case("version", .document, 0), Case("version extra", .error, 2),
        Case("help run", .document, 0), Case("help", .document, 0), Case("help rnu", .error, 2),
        Case("generate-docs empty", .document, 0), Case("generate-docs missing", .error, 1),
        Case("generate-docs", .error, 2),
    ]

    @Test func everyCommandIsHere() {
        for command in CommandName.allCases {
            let own = Self.cases.filter { $0.command == command }
            #expect(own.contains { $0.isGood }, "no good case of \(command.rawValue)")
            #expect(own.contains { $0.kind == .error }, "no bad case of \(command.rawValue)")
        }
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let entry = """
            { "startedDateTime": "2026-01-31T09:30:00.000Z", "time": 3,
              "request": { "method": "GET", "url": "http://h/a", "headersSize": -1 },
              "response": { "status": 200, "statusText": "OK", "headers": [],
                "content": { "size": 1, "mimeType": "text/plain", "text": "a" } } }
            """
        try folder.write("ok/a.yaml", "GET /a: { json: { a: 1 } }\n")
        try folder.write("bad/b.yaml", "GET /a: { jsn: { a: 1 } }\n")
        try folder.write("started/routes.yaml", "GET /a: {}\n")
        try folder.write("empty/x.txt", "")
        try folder.write("notes.txt", "x")
        try folder.write("api.yaml", "openapi: 3.0.3\npaths: { /a: { get: { responses: { \"200\": {} } } } }\n")
        try folder.write("ok.har", "{ \"log\": { \"entries\": [\(entry)] } }")
        try folder.write("nothing.har", "{ \"log\": { \"entries\": [] } }")
        try folder.write("bad.har", "{ \"log\": 3 }")
        return folder
    }

    private static func run(
        _ item: Case, isJSON: Bool, _ names: [String: String], in folder: TemporaryFolder
    ) throws -> EndedCommand {
        var words = item.arguments.map { names[$0] ?? $0 }
        if isJSON { words.insert("--json", at: words.firstIndex(of: "--") ?? words.count) }
        // What it prints stands beside the files that it sees.
        let scratch = try TemporaryFolder()
        let environment = [
            "HOME": scratch.path, "XDG_STATE_HOME": scratch.path, "XDG_RUNTIME_DIR": scratch.path,
        ]
        let process = try ChildProcess(
            Daemon.binary, words, environment: environment, folder: folder.path, outputsIn: scratch)
        process.closeInput()
        if item.kind == .stream {
            _ = eventually(within: 60_000) { process.output.contains("\n") || process.poll() != nil ? true : nil }
            process.signal(SIGINT)
        }
        return EndedCommand(process)
    }

    @Test(arguments: cases) func whatIsPrintedIsJSON(item: Case) throws {
        let needsDaemon = item.arguments.contains { ["LIVE", "OPEN", "PORT"].contains($0) }
        let options = item.arguments.contains("OPEN") ? [] : ["--admin-token", "secret"]
        let daemon =
            needsDaemon ? try Daemon(files: ["a.yaml": "GET /a: { json: { a: 1 } }"], options) : nil
        let address = "http://127.0.0.1:\(daemon?.port ?? 1)"
        let names = ["LIVE": address, "OPEN": address, "PORT": "\(daemon?.port ?? 1)", "DEAD": "http://127.0.0.1:1"]
        let text = try Self.run(item, isJSON: false, names, in: try Self.folder())
        let json = try Self.run(item, isJSON: true, names, in: try Self.folder())
        #expect(json.status == text.status && json.status != nil, "\(text) \(json)")
        if let status = item.status { #expect(json.status == status, "\(json)") }
        Self.checkOutput(json, of: item)
        try Self.checkErrors(json, of: item)
    }

    private static func checkOutput(_ ended: EndedCommand, of item: Case) {
        let output = ended.output
        switch item.kind {
        case .document, .both: #expect((try? JSONValue(parsing: output)) != nil, "\(ended)")
        case .either: #expect(output.isEmpty || (try? JSONValue(parsing: output)) != nil, "\(ended)")
        case .error, .verdict, .nothing: #expect(output == "")
        case .stream:
            let lines = output.split(separator: "\n")
            #expect(!lines.isEmpty && lines.allSatisfy { (try? JSONValue(parsing: String($0))) != nil }, "\(ended)")
        }
    }

    private static func checkErrors(_ ended: EndedCommand, of item: Case) throws {
        let documents = try ended.errors.split(separator: "\n").map { line in
            try #require(try? JSONValue(parsing: String(line)), "not JSON: \(line)")
        }
        // Those of what serves are lines of its log.
        let errors = documents.compactMap { $0["error"] ?? ($0["level"] == "error" ? $0 : nil) }
        for error in errors {
            #expect(error["message"]?.stringValue?.isEmpty == false)
            #expect(error["fix"]?.stringValue?.isEmpty == false, "nothing says what to do: \(error.compactText)")
        }
        switch item.kind {
        case .error, .both: #expect(!errors.isEmpty, "\(ended)")
        case .either: #expect(!ended.output.isEmpty || !errors.isEmpty)
        case .document, .stream, .nothing: #expect(errors.isEmpty, "\(ended)")
        case .verdict: #expect(errors.isEmpty && documents.contains { $0["run"] != nil }, "\(ended)")
        }
    }

    /// What cannot be printed is an error, whatever the command.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
        arguments: ["routes ok", "explain GET /a ok", "validate ok", "version", "help", "schema", "convert ok/a.yaml"])
    func aFullDiskIsTold(line: String) throws {
        let folder = try Self.folder()
        let process = try ChildProcess(
            "/bin/sh", ["-c", "'\(Daemon.binary)' \(line) > /dev/full"], folder: folder.path, outputsIn: folder)
        let ended = EndedCommand(process)
        #expect(ended.status == 1)
        #expect(ended.errors.hasPrefix("stuntdouble: cannot write to standard output: "), "\(ended)")
    }

    // MARK: Errors

    /// The fix of a mistake, and what else is known of it.
    @Test(arguments: [
        ("serve missing", "fix", "stuntdouble init missing"),
        ("serve mocks", "message", #"no such folder: "mocks""#),
        ("serve missing.yaml", "fix", "write the file missing.yaml"),
        ("serve --prot=1", "fix", "stuntdouble --port=1 --json"),
        ("run ok --fail-on unmatched,unusde -- true", "nearest", "unmatched,unused"),
        (
            "run ok --fail-on unusde -- true", "message",
            #"--fail-on: did you mean "unused"? Expected a list of unmatched, unused, unmet, fault, error, webhook, aborted, slow>TIME, contract, or none, found "unusde""#
        ),
        ("run ok --report junt=a.xml -- true", "nearest", "junit=a.xml"),
        ("report --format jsn", "expected", "one of text, json, junit, html, github, markdown"),
        ("convert ok --format yml", "fix", "stuntdouble convert ok --format yaml --json"),
        ("routes bad", "file", "bad/b.yaml"), ("routes bad", "nearest", "json"),
        ("routes bad", "fix", "write json at bad/b.yaml:1"), ("explain GET a ok", "fix", "write /a"),
        ("doctor --require htps", "nearest", "https"),
        ("check http://127.0.0.1:1 empty", "fix", "stuntdouble init empty"),
        ("wait http://127.0.0.1:1 --timeout 0ms", "found", "Connection refused"),
    ]) func anErrorSaysWhatToDo(line: String, member: String, expected: String) throws {
        var words = line.split(separator: " ").map(String.init)
        if words.first == "serve", words.contains("--prot=1") { words.removeFirst() }
        words.insert("--json", at: words.firstIndex(of: "--") ?? words.count)
        let folder = try Self.folder()
        let ended = try EndedCommand(words, in: folder.path, outputsIn: folder)
        #expect(ended.error?[member]?.stringValue == expected, "\(ended)")
    }
}
