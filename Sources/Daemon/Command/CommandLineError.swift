import SDBasics

/// The reason why a command line is invalid. Each case names the cause and, if there is one, the nearest valid name.
public enum CommandLineError: Error, Sendable, Equatable {
    /// The source of a value.
    public enum Source: Sendable, Equatable {
        /// An option, by its full name with dashes.
        case option(String)
        /// An environment variable.
        case variable(String)
        /// A positional argument, by its name in the help.
        case argument(String)

        var text: String {
            switch self {
            case .option(let name), .variable(let name), .argument(let name): name
            }
        }
    }

    case unknownOption(String, nearest: String?)
    case ambiguousOption(String, candidates: [String])
    case missingValue(option: String, placeholder: String, next: String?)
    /// An invalid value. `found` is nil for a secret. `nearest` is nil where `expected` lists the valid words.
    case invalidValue(Source, found: String?, expected: String, nearest: String? = nil)
    case refused(Source, reason: String)
    /// An invalid value that is not shown because it may contain a secret, with a sentence about the problem.
    case unusable(Source, problem: String, form: String)
    /// `nearest` is this command's option that other tools call `option`.
    case optionOfOtherCommand(
        String, command: CommandName, belongsTo: [CommandName], nearest: String? = nil)
    /// An option for behaviour that is always on.
    case needlessOption(String, reason: String)
    /// A list whose elements were given as separate arguments. Carries the option with its list, and the corrected
    /// command line.
    case listOfWords(String, list: String, meant: [String])
    /// Help requested for an option, which is part of a command's help.
    case helpOnOption(String, option: String, CommandName)
    case unexpectedArgument(String, command: CommandName)
    case missingArgument(command: CommandName)
    /// `--` is missing before the command. Carries the corrected arguments of `run`.
    case missingDashes([String])
    case unknownCommand(String, nearest: String?)
    case unknownTopic(String, nearest: String?)
    case noSuchFolder(String, nearestCommand: String?, nearestFolder: String? = nil)
    /// Arguments in the wrong order.
    case misplacedArguments(command: CommandName, meant: [String])
    /// A file stands where a folder is expected.
    case fileForFolder(String)
    /// A file is named for output, and only a folder can be.
    case fileForOutput(String)
    /// A format that cannot be imported, the tool that has it, and the archive named beside it.
    case notImported(String, String, archive: String?)
    /// A file whose name is not that of a stub file.
    case noStubFile(String)
    case folderBesideServer(String)
    case twoFolders(String, String)
    /// An option that needs another option.
    case incomplete(String, needs: String, reason: String)
    /// Two options that exclude each other.
    case contradictory(String, String, reason: String)
    /// An error in options given by an environment variable.
    indirect case inVariable(String, CommandLineError)

    /// The exit status of a usage error.
    public static let exitCode: Int32 = 2

    /// The message for the user, without the program's name.
    public var message: String {
        switch self {
        case .unknownOption(let name, let nearest):
            "unknown option \(shown(name))" + didYouMean(nearest, in: "")
        case .ambiguousOption(let name, let candidates):
            "\(shown(name)) is ambiguous; it could be \(Self.alternatives(candidates))"
        case .missingValue(let option, let placeholder, nil):
            "\(option) needs a value: \(option)=\(placeholder)"
        case .missingValue(let option, _, let next?):
            "\(option) needs a value, but \(shown(next)) follows; write \(option)=\(shown(next)) if that is the value"
        case .invalidValue(let source, let found?, let expected, _):
            nearest.map { "\(source.text): did you mean \(quoted($0))? Expected \(expected), found \(quoted(found))" }
                ?? "\(source.text): expected \(expected), found \(quoted(found))"
        case .invalidValue(let source, nil, let expected, _):
            "\(source.text): expected \(expected)"
        case .refused(let source, let reason):
            "\(source.text) is refused: \(reason)"
        case .unusable(let source, let problem, _): "\(source.text): \(problem)"
        case .optionOfOtherCommand(let option, let command, let owners, let nearest):
            "\(option) is not an option of \(quoted(command.rawValue))"
                + (nearest.map { "; did you mean \($0)? It" } ?? "; it")
                + " belongs to \(Self.alternatives(owners.map { quoted($0.rawValue) }))"
        case .needlessOption(let option, let reason): "there is no option \(shown(option)): \(reason)"
        case .listOfWords(let option, let list, _):
            "\(option) takes one list, with commas; did you mean \(shown(list))?"
        case .helpOnOption(let word, let option, let command):
            "no help on \(quoted(word)) alone; did you mean the option \(option) of \(command.rawValue)?"
        case .unexpectedArgument(let argument, let command):
            "unexpected argument \(quoted(argument)) after stuntdouble \(command.synopsis)"
        case .missingArgument(let command):
            "missing argument: stuntdouble \(command.synopsis)"
        case .missingDashes(let meant):
            "run needs -- and a command after it"
                + didYouMean("stuntdouble run \(Self.withoutSecrets(meant).map(shown).joined(separator: " "))", in: "")
        case .unknownCommand(let name, let nearest):
            "unknown command \(quoted(name))" + didYouMean(nearest, in: "")
        case .unknownTopic(let name, let nearest):
            "no help on \(quoted(name))"
                + (nearest == nil
                    ? "; expected one of " + CommandName.shown.map(\.rawValue).joined(separator: ", ") + ", wiremock"
                    : didYouMean(nearest, in: ""))
        case .noSuchFolder(let path, let command, let folder):
            "no such folder: \(quoted(path))"
                + didYouMean(folder.map(shown) ?? command.map { "the command \($0)" }, in: "")
        case .misplacedArguments(let command, let meant):
            "the arguments are stuntdouble \(command.synopsis)"
                + didYouMean(
                    "\(command.rawValue) \(Self.withoutSecrets(meant).map(shown).joined(separator: " "))", in: "")
        case .folderBesideServer(let path): "the folder \(quoted(path)) and --url cannot be used together"
        case .fileForFolder(let path):
            "\(quoted(path)) is a file, not a folder"
        case .fileForOutput(let path):
            "--to: expected a folder, in which files are named as those that are read, found \(quoted(path)); without --to "
                + "the one file is printed"
        case .notImported(let kind, let what, _):
            "import reads HAR archives and OpenAPI documents, and no \(what): expected har or openapi, found \(quoted(kind))"
        case .noStubFile(let path):
            "\(quoted(path)) is no stub file: their names end in .json, .yaml or .yml"
        case .twoFolders(let first, let second):
            "only one folder can be given, not both \(quoted(first)) and \(quoted(second))"
        case .incomplete(let option, let needed, let reason): "\(option) needs \(needed): \(reason)"
        case .contradictory(let first, let second, let reason):
            "\(first) and \(second) cannot be used together: \(reason)"
        case .inVariable(let name, let error):
            "in \(name): \(error.message)"
        }
    }

    private static func alternatives(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

/// An argument for a message, without the userinfo of a URL; `quoted` unless it is plain to read.
func shown(_ argument: String) -> String {
    let argument = argument.withoutPassword
    let isPlain = argument.utf8.count <= 200 && argument.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x22 }
    return isPlain ? argument : quoted(argument)
}

/// A user's text for a message: quoted, without the userinfo of a URL, control characters escaped, long text shortened.
func quoted(_ text: String) -> String {
    var result = "\""
    for (position, scalar) in text.withoutPassword.unicodeScalars.enumerated() {
        guard position < 200 else {
            result += "…"
            break
        }
        switch scalar {
        case "\"", "\\": result += "\\" + String(scalar)
        case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value):
            result += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
