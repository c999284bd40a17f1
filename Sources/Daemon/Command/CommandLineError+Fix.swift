import SDBasics

/// Machine-readable details of an invalid command line, beside the message.
extension CommandLineError {
    /// The expected value; nil if the error is not about a value.
    public var expected: String? {
        switch self {
        case .invalidValue(_, _, let expected, _): expected
        case .unusable(_, _, let form): form
        case .missingValue(let option, let placeholder, _): "\(option)=\(placeholder)"
        case .missingDashes: "stuntdouble \(CommandName.run.synopsis)"
        case .missingArgument(let command), .unexpectedArgument(_, let command), .misplacedArguments(let command, _):
            "stuntdouble \(command.synopsis)"
        case .ambiguousOption(_, let candidates): "one of " + candidates.joined(separator: ", ")
        case .noSuchFolder, .fileForFolder, .fileForOutput: "a folder"
        case .notImported: "har"
        case .noStubFile: "a name that ends in .json, .yaml or .yml"
        case .inVariable(_, let error): error.expected
        default: nil
        }
    }

    /// The value found, without the userinfo of a URL; nil for a secret or a missing value.
    public var found: String? { given?.withoutPassword }

    private var given: String? {
        switch self {
        case .invalidValue(_, let found, _, _): found
        case .missingValue(_, _, let next): next
        case .unknownOption(let name, _), .ambiguousOption(let name, _), .unknownCommand(let name, _),
            .unknownTopic(let name, _), .noSuchFolder(let name, _, _), .fileForFolder(let name), .noStubFile(let name),
            .fileForOutput(let name), .notImported(let name, _, _),
            .unexpectedArgument(let name, _), .optionOfOtherCommand(let name, _, _, _), .needlessOption(let name, _),
            .helpOnOption(let name, _, _):
            name
        case .refused(let source, _): source.text
        case .inVariable(_, let error): error.given
        default: nil
        }
    }

    /// The nearest valid name, without the userinfo of a URL.
    public var nearest: String? { meant?.withoutPassword }

    private var meant: String? {
        switch self {
        case .unknownOption(_, let nearest), .unknownCommand(_, let nearest), .unknownTopic(_, let nearest): nearest
        case .optionOfOtherCommand(_, _, _, let nearest): nearest
        case .listOfWords(_, let list, _): list
        case .noSuchFolder(_, let command, let folder): folder ?? command
        case .invalidValue(_, let found?, let expected, let nearest):
            nearest ?? Self.words(of: expected).flatMap { meantName(by: found.lowercased(), among: $0) }
        case .inVariable(_, let error): error.meant
        default: nil
        }
    }

    /// The corrected command line, or the next step.
    /// - Parameter arguments: the command line, without the program's name.
    public func fix(of arguments: [String]) -> String {
        if let given, let meant, let line = Self.replacing(given, by: meant, in: arguments, of: self) { return line }
        switch self {
        case .unknownTopic: return "stuntdouble help"
        case .helpOnOption(_, _, let command): return "stuntdouble help \(command.rawValue)"
        case .listOfWords(_, _, let meant): return Self.line(meant)
        case .needlessOption(let option, _): return "leave out \(option)"
        case .unknownOption, .unknownCommand:
            let command = arguments.first.flatMap { CommandName(rawValue: $0) }
            return "stuntdouble help" + (command.map { " \($0.rawValue)" } ?? "")
        case .ambiguousOption(_, let candidates): return "write one of \(candidates.joined(separator: ", "))"
        case .noSuchFolder(let path, _, _) where StubRoot.isStubFile(path):
            return "write the file \(path.withoutPassword)"
        case .noSuchFolder(let path, _, _): return "stuntdouble init \(shellWord(path.withoutPassword))"
        case .fileForFolder(let path): return "name a folder in place of \(path.withoutPassword)"
        case .fileForOutput(let path):
            return "\(Self.line(Self.withoutFolder(arguments))) > \(shellWord(path.withoutPassword))"
        case .notImported(_, _, let archive): return "stuntdouble import har \(archive.map(shellWord) ?? "FILE")"
        case .noStubFile(let path): return "give \(path.withoutPassword) such a name, or name its folder"
        case .invalidValue(let source, _, let expected, _): return "give \(source.text) \(expected)"
        case .unusable(let source, _, let form): return "give \(source.text) the form \(form)"
        case .missingValue(let option, let placeholder, nil):
            return Self.replacing(option, by: "\(option)=\(placeholder)", in: arguments) ?? "\(option)=\(placeholder)"
        case .missingValue(let option, _, let next?):
            return "\(option)=\(next.withoutPassword)"
        case .missingDashes(let meant): return Self.line(["run"] + meant)
        case .misplacedArguments(let command, let meant):
            return Self.line([command.rawValue] + meant)
        case .missingArgument(let command): return "stuntdouble help \(command.rawValue)"
        case .unexpectedArgument(let argument, _): return "leave out \(shellWord(argument.withoutPassword))"
        case .optionOfOtherCommand(let option, _, _, _), .refused(.option(let option), _):
            return "leave out \(option)"
        case .refused(.variable(let name), _): return "unset \(name)"
        case .folderBesideServer(let path): return "leave out \(path.withoutPassword), or --url"
        case .twoFolders(_, let second): return "leave out \(second.withoutPassword)"
        case .incomplete(_, let needed, _): return "add \(needed)"
        case .contradictory(let first, let second, _): return "leave out \(first) or \(second)"
        case .inVariable(let name, let error):
            return error.nearest.map { "write \($0) in \(name)" } ?? "unset \(name), or correct it"
        case .refused(.argument(let name), _): return "leave out \(name)"
        }
    }

    /// A command line without `--to`.
    private static func withoutFolder(_ arguments: [String]) -> [String] {
        var rest: [String] = []
        var isFolder = false
        for argument in arguments {
            if isFolder {
                isFolder = false
            } else if argument == "--to" {
                isFolder = true
            } else if !argument.hasPrefix("--to=") {
                rest.append(argument)
            }
        }
        return rest
    }

    /// The words of an expectation such as `one of text, json`.
    private static func words(of expected: String) -> [String]? {
        guard expected.hasPrefix("one of ") else { return nil }
        return expected.dropFirst(7).split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// The command line with `found` replaced: an argument, or the value of an option after `=`.
    private static func replacing(
        _ found: String, by nearest: String, in arguments: [String], of error: CommandLineError
    ) -> String? {
        if let meant = replacing(found, by: nearest, in: arguments) { return meant }
        guard case .invalidValue(.option(let option), _, _, _) = error else { return nil }
        return replacing("\(option)=\(found)", by: "\(option)=\(nearest)", in: arguments)
    }

    /// The command line with `found` replaced in the first argument that is `found` or starts with it and `=`.
    private static func replacing(_ found: String, by other: String, in arguments: [String]) -> String? {
        guard let index = arguments.firstIndex(where: { $0 == found || $0.hasPrefix(found + "=") }) else { return nil }
        var meant = arguments
        meant[index] = other + arguments[index].dropFirst(found.count)
        if other.hasPrefix("--"), OptionTable.exact(String(other.dropFirst(2)))?.option.value == .flag {
            // The argument after a flag is not its value.
            meant[index] = other
            let words = ["debug", "trace", "verbose", "all", "true", "on", "1"]
            if index + 1 < meant.count, words.contains(meant[index + 1].lowercased()) { meant.remove(at: index + 1) }
        }
        return line(meant)
    }

    /// A command line as typed in a shell.
    private static func line(_ arguments: [String]) -> String {
        (["stuntdouble"] + withoutSecrets(arguments).map(shellWord)).joined(separator: " ")
    }

    /// Arguments with secrets replaced by their placeholders, and URLs without userinfo. The command after `--` is not
    /// ours and stays as it is.
    static func withoutSecrets(_ arguments: [String]) -> [String] {
        var secret: Option?
        var isOurs = true
        return arguments.map { argument in
            isOurs = isOurs && argument != "--"
            guard isOurs else { return argument }
            if let option = secret.take(), !argument.hasPrefix("--") { return option.placeholder }
            let name = argument.drop { $0 == "-" }.prefix { $0 != "=" }
            guard argument.hasPrefix("-") else { return argument.withoutPassword }
            guard let option = OptionTable.secret(meantBy: String(name)) else {
                guard let equals = argument.firstIndex(of: "=") else { return argument }
                return argument[...equals] + String(argument[argument.index(after: equals)...]).withoutPassword
            }
            guard let equals = argument.firstIndex(of: "=") else {
                secret = option
                return argument
            }
            return argument[...equals] + option.placeholder
        }
    }
}
