import SDCommand
import SDJSON
import SDPlatform

/// What commands print: for people, or for programs where the command line asks for `--json`.
enum Console {
    /// Whether the result is to be one JSON document on standard output, and an error one on standard error.
    static let wantsJSON = CommandLineParser.wantsJSON(
        SystemCalls.arguments,
        environment: SystemCalls.environment(prefixes: CommandLineParser.variablePrefixes))

    /// Prints a text to standard output.
    /// - Returns: the exit status: 1 if nobody reads it.
    @discardableResult
    static func print(_ text: String) -> Int32 { write(text, to: 1) }

    /// Prints the result: `document` where JSON is asked for, otherwise `text`.
    @discardableResult
    static func print(_ document: @autoclosure () -> JSONValue, else text: @autoclosure () -> String) -> Int32 {
        print(wantsJSON ? document().prettyText + "\n" : text())
    }

    /// Tells of an error: a line, or a document with the members that are known.
    static func complain(_ complaint: Complaint) {
        write(wantsJSON ? complaint.json.compactText + "\n" : complaint.text, to: 2)
    }

    /// Tells of an error.
    static func complain(_ message: String, fix: String? = nil) {
        complain(Complaint(message, fix: fix))
    }

    /// Tells what is no error.
    static func note(_ message: String) {
        let json: JSONValue = ["warning": ["message": .string(message)]]
        write(wantsJSON ? json.compactText + "\n" : "stuntdouble: \(message)\n", to: 2)
    }

    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        do throws(SystemError) {
            try SystemCalls.writeAll(text.utf8, to: descriptor)
            return 0
        } catch {
            // The reader has gone, so there is nowhere to report it.
            return 1
        }
    }
}

/// An error for people and programs.
struct Complaint {
    var message: String
    var expected: String?
    var found: String?
    /// The nearest valid name.
    var nearest: String?
    /// The corrected command line, or the step to take.
    var fix: String?
    /// A line behind the message, for people alone.
    var advice: String?

    init(
        _ message: String, expected: String? = nil, found: String? = nil, nearest: String? = nil, fix: String? = nil,
        advice: String? = nil
    ) {
        self.message = message
        self.expected = expected
        self.found = found
        self.nearest = nearest
        self.fix = fix
        self.advice = advice
    }

    /// `{"error": {"message": …, "expected": …, "found": …, "nearest": …, "fix": …}}`, without what is not known.
    var json: JSONValue {
        var members: JSONObject = ["message": .string(message)]
        for (name, text) in [("expected", expected), ("found", found), ("nearest", nearest), ("fix", fix)] {
            if let text { members[name] = .string(text) }
        }
        return ["error": .object(members)]
    }

    var text: String {
        "stuntdouble: \(message)\n" + ((advice ?? fix.map { "Try: \($0)" }).map { $0 + "\n" } ?? "")
    }
}

extension CommandLineError {
    /// The error as it is told.
    /// - Parameter arguments: those of the command line, without the program's name.
    func complaint(about arguments: [String]) -> Complaint {
        Complaint(
            message, expected: expected, found: found, nearest: nearest, fix: fix(of: arguments),
            advice: "Try \"stuntdouble --help\".")
    }
}
