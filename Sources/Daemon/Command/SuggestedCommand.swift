import SDBasics

/// What was probably meant by a command whose first word is not a program: a shell construct, an assignment before the
/// program, or a whole line in quotes.
public struct SuggestedCommand: Equatable, Sendable {
    /// The command as written after `--`.
    public let line: String

    /// Keywords and built-ins of shells.
    private static let shellWords: Set = [
        ".", "alias", "bg", "builtin", "cd", "command", "eval", "exec", "exit", "export", "fg", "for", "function", "if",
        "jobs",
        "local", "popd", "pushd", "read", "set", "shopt", "source", "trap", "type", "ulimit", "umask", "unset", "until",
        "while",
        "{", "(", "!", "[[", "time",
    ]
    /// Operators that join commands.
    private static let operators: Set = ["&&", "||", ";", "|", ">", ">>", "<", "&"]

    /// - Parameter command: the words after `--`; the first one is not a program.
    public init?(_ command: [String]) {
        guard let program = command.first, !program.isEmpty else { return nil }
        let words = program.split { $0 == " " || $0 == "\t" || $0 == "\n" }.map(String.init)
        if words.count > 1 {
            // A shell script still needs its shell.
            let isScript = words.contains { word in
                Self.operators.contains(word) || Self.shellWords.contains(word) || word.hasSuffix(";")
                    || word.utf8.contains(where: Array("$`'\"".utf8).contains)
            }
            if isScript || Self.isAssignment(words[0]) {
                line = "sh -c " + shellWord(([program] + command.dropFirst().map(shellWord)).joined(separator: " "))
            } else {
                line = (words + command.dropFirst()).map(shellWord).joined(separator: " ")
            }
        } else if Self.isAssignment(program) {
            let rest = command.drop(while: Self.isAssignment)
            line = (["env"] + command + (rest.isEmpty ? ["COMMAND"] : [])).map(shellWord).joined(separator: " ")
        } else if Self.shellWords.contains(program) {
            let script = command.map { Self.operators.contains($0) ? $0 : shellWord($0) }.joined(separator: " ")
            line = "sh -c " + shellWord(script)
        } else {
            return nil
        }
    }

    /// Whether a word is `NAME=value`.
    private static func isAssignment(_ word: String) -> Bool {
        guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")), equals != word.utf8.startIndex else {
            return false
        }
        let name = word.utf8[..<equals]
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        return !isDigit(name.first ?? 0x30)
            && name.allSatisfy { byte in
                isDigit(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || byte == UInt8(ascii: "_")
            }
    }

    /// Whether an empty text stands where `$STUNTDOUBLE_URL` was probably meant: the outer shell expanded the variable,
    /// which is set for the command only.
    public static func lacksURL(_ command: [String]) -> Bool {
        let program = command.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
        let asks = ["curl", "wget", "http", "https", "xh", "ab", "wrk", "hey"].contains(program)
        return command.dropFirst().contains { word in
            word.isEmpty
                || ["http:///", "https:///", "http://:", "https://:"].contains {
                    word.hasPrefix($0) || word.contains(text: "=" + $0)
                }
                || asks && word.hasPrefix("/")
        }
    }
}
