import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDStubFiles

/// What commands print: for people, or for programs where the command line asks for `--json`.
enum Console {
    /// Whether the result is to be one JSON document on standard output, and an error one on standard error.
    static let wantsJSON = CommandLineParser.wantsJSON(
        SystemCalls.arguments,
        environment: SystemCalls.environment(prefixes: CommandLineParser.variablePrefixes))

    /// Prints a text to standard output, as it is.
    /// - Returns: the exit status: 1 if nobody reads it.
    @discardableResult
    static func print(_ text: String) -> Int32 { write(text, to: 1) }

    /// Prints the result as a document.
    @discardableResult
    static func print(document: JSONValue) -> Int32 { print(Printable.json(document.prettyText) + "\n") }

    /// Prints the result: `document` where JSON is asked for, otherwise `text`.
    @discardableResult
    static func print(_ document: @autoclosure () -> JSONValue, else text: @autoclosure () -> String) -> Int32 {
        wantsJSON ? print(document: document()) : print(text())
    }

    /// Tells of an error: a line, or a document with the members that are known.
    static func complain(_ complaint: Complaint) {
        tell(complaint.json, else: complaint.text)
    }

    /// Tells of an error.
    static func complain(_ message: String, fix: String) {
        complain(Complaint(message, fix: fix))
    }

    /// Tells of errors and warnings in files, each by itself.
    static func tell(_ diagnostics: [FileDiagnostic]) {
        for diagnostic in diagnostics { complain(Complaint(diagnostic)) }
    }

    /// Tells what is no error.
    static func note(_ message: String) {
        let json: JSONValue = ["warning": ["message": .string(message)]]
        tell(json, else: "stuntdouble: \(message)\n")
    }

    /// What is told may be from files, requests and whoever else, so it is printable.
    private static func tell(_ document: JSONValue, else text: String) {
        write(wantsJSON ? Printable.json(document.compactText) + "\n" : Printable.lines(text), to: 2)
    }

    /// Prints what files or requests say to standard output.
    @discardableResult
    static func show(_ text: String) -> Int32 { print(Printable.lines(text)) }

    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        do throws(SystemError) {
            try SystemCalls.writeAll(text.utf8, to: descriptor)
            return 0
        } catch {
            // That the reader has gone is no error of ours.
            if descriptor == 1, !error.isBrokenPipe {
                complain(
                    "cannot write to standard output: \(error.reason)", fix: "make room, or let it go to another file")
            }
            return 1
        }
    }
}

/// An error for people and programs. Whoever makes one says what to do about it.
struct Complaint {
    var message: String
    var expected: String?
    var found: String?
    /// The nearest valid name.
    var nearest: String?
    /// The corrected command line, or the step to take.
    var fix: String
    /// Whether the command goes on.
    var isWarning = false
    /// The text for people; by default the message and the fix.
    var text: String
    /// Where it is, if it is in a file.
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

    /// What is wrong with a file, which people are told as compilers do.
    init(_ diagnostic: FileDiagnostic) {
        self.init(
            diagnostic.message, expected: diagnostic.expected, found: diagnostic.found, nearest: diagnostic.suggestion,
            fix: diagnostic.fix, text: diagnostic.description + "\n")
        isWarning = diagnostic.severity == .warning
        place["file"] = .string(diagnostic.file)
        place["line"] = diagnostic.line.map { .number(JSONNumber($0)) }
        place["column"] = diagnostic.column.map { .number(JSONNumber($0)) }
    }

    /// `{"error": {"message": …, "expected": …, "found": …, "nearest": …, "fix": …}}`, without what is not known; in a
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
    /// The error as it is told.
    /// - Parameter arguments: those of the command line, without the program's name.
    func complaint(about arguments: [String]) -> Complaint {
        Complaint(
            message, expected: expected, found: found, nearest: nearest, fix: fix(of: arguments))
    }
}
