import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDStubFiles

/// The output of commands: text, or JSON if the command line has `--json`.
enum Console {
    /// Whether to print the result as one JSON document on standard output, and an error as one on standard error.
    static let wantsJSON = CommandLineParser.wantsJSON(
        SystemCalls.arguments,
        environment: SystemCalls.environment(prefixes: CommandLineParser.variablePrefixes))

    /// Prints a text to standard output, unchanged.
    /// - Returns: the exit status: 1 if standard output is closed.
    @discardableResult
    static func print(_ text: String) -> Int32 { write(text, to: 1) }

    /// Prints the result as a document.
    @discardableResult
    static func print(document: JSONValue) -> Int32 { print(Printable.json(document.prettyText) + "\n") }

    /// Prints the result: `document` with `--json`, otherwise `text`.
    @discardableResult
    static func print(_ document: @autoclosure () -> JSONValue, else text: @autoclosure () -> String) -> Int32 {
        wantsJSON ? print(document: document()) : print(text())
    }

    /// Prints an error: as a line, or as a JSON document with the known members.
    static func error(_ error: ConsoleError) {
        printError(error.json, else: error.text)
    }

    /// Prints an error.
    static func error(_ message: String, fix: String) {
        error(ConsoleError(message, fix: fix))
    }

    /// Prints errors and warnings in files, each as an entry of its own.
    static func print(_ diagnostics: [FileDiagnostic]) {
        for diagnostic in diagnostics { error(ConsoleError(diagnostic)) }
    }

    /// Prints information that is not an error.
    static func info(_ message: String) {
        let json: JSONValue = ["warning": ["message": .string(message)]]
        printError(json, else: "stuntdouble: \(message)\n")
    }

    /// The text may come from files and requests, so control characters are escaped.
    private static func printError(_ document: JSONValue, else text: String) {
        write(wantsJSON ? Printable.json(document.compactText) + "\n" : Printable.lines(text), to: 2)
    }

    /// Prints text from files or requests to standard output, control characters escaped.
    @discardableResult
    static func show(_ text: String) -> Int32 { print(Printable.lines(text)) }

    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        do throws(SystemError) {
            try SystemCalls.writeAll(text.utf8, to: descriptor)
            return 0
        } catch {
            // A reader that has closed its end is not our error.
            if descriptor == 1, !error.isBrokenPipe {
                Self.error(
                    "cannot write to standard output: \(error.reason)", fix: "make room, or let it go to another file")
            }
            return 1
        }
    }
}

/// An error printed as text or JSON. `fix` is required: the corrected command or the next step.
struct ConsoleError {
    var message: String
    var expected: String?
    var found: String?
    /// The nearest valid name.
    var nearest: String?
    /// The corrected command line, or the next step.
    var fix: String
    /// Whether the command continues.
    var isWarning = false
    /// The text for people; the message and the fix by default.
    var text: String
    /// The location, for an error in a file.
    private var place: JSONObject = [:]

    init(
        _ message: String, expected: String? = nil, found: String? = nil, nearest: String? = nil, fix: String,
        text: String? = nil
    ) {
        self.message = message
        self.expected = expected
        self.found = found
        self.nearest = nearest
        self.fix = fix
        self.text = text ?? "stuntdouble: \(message)\nTry: \(fix)\n"
    }

    /// A problem in a file, printed for people as compilers do.
    init(_ diagnostic: FileDiagnostic) {
        self.init(
            diagnostic.message, expected: diagnostic.expected, found: diagnostic.found, nearest: diagnostic.suggestion,
            fix: diagnostic.fix, text: diagnostic.description + "\n")
        isWarning = diagnostic.severity == .warning
        place["file"] = .string(diagnostic.file)
        place["line"] = diagnostic.line.map { .number(JSONNumber($0)) }
        place["column"] = diagnostic.column.map { .number(JSONNumber($0)) }
    }

    /// `{"error": {"message": …, "expected": …, "found": …, "nearest": …, "fix": …}}` without unknown members; in a
    /// file also `file`, `line` and `column`.
    var json: JSONValue {
        var members: JSONObject = ["message": .string(message)]
        for member in place.members { members[member.key] = member.value }
        for (name, text) in [("expected", expected), ("found", found), ("nearest", nearest), ("fix", fix)] {
            if let text { members[name] = .string(text) }
        }
        return [isWarning ? "warning" : "error": .object(members)]
    }
}

extension CommandLineError {
    /// The error in the form in which it is printed.
    /// - Parameter arguments: the command line, without the program's name.
    func consoleError(about arguments: [String]) -> ConsoleError {
        ConsoleError(
            message, expected: expected, found: found, nearest: nearest, fix: fix(of: arguments))
    }
}
