import SDBasics

/// Interprets invalid command lines: words of other tools, misplaced or reordered arguments.
extension CommandLineParser {
    /// The error with a suggested correction, if the whole command line allows one.
    func meaning(_ error: CommandLineError, of arguments: [String]) -> CommandLineError {
        let ours = Array(arguments.prefix { $0 != "--" })
        let named = ours.first.flatMap { CommandName(rawValue: $0) }
        if named == .help { return helpMeant(error, ours) }
        if let list = joinedList(arguments) { return list }
        let behind = arguments.dropFirst(ours.count)
        switch error {
        case .unknownOption(let name, _), .ambiguousOption(let name, _), .optionOfOtherCommand(let name, _, _, _):
            return optionMeant(error, name, named ?? .serve, arguments)
        case .missingArgument(let command), .unexpectedArgument(_, let command):
            return argumentsMeant(by: ours, command)
                .map { .misplacedArguments(command: command, meant: $0 + behind) } ?? error
        case .noSuchFolder, .invalidValue(.argument, _, _, _), .unknownCommand:
            let command = named ?? .serve
            return argumentsMeant(by: ours, command)
                .map { .misplacedArguments(command: command, meant: $0 + behind) } ?? error
        default: return error
        }
    }

    private static func isURL(_ text: String) -> Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

    /// An address without its scheme, such as `localhost:8080`.
    private func isAddress(_ text: String) -> Bool {
        guard !Self.isURL(text), let colon = text.lastIndex(of: ":"), colon > text.startIndex, !folderExists(text)
        else {
            return false
        }
        let port = text[text.index(after: colon)...].prefix { $0 != "/" }
        return Int(port).map { (1...65_535).contains($0) } ?? false
    }

    // MARK: - Arguments

    /// The arguments after a command in the intended form; nil if that cannot be told.
    private func argumentsMeant(by arguments: [String], _ command: CommandName) -> [String]? {
        let words = Array(arguments.dropFirst(arguments.first == command.rawValue ? 1 : 0))
        let operands = words.filter { !$0.hasPrefix("-") }
        let url = words.firstIndex { Self.isURL($0) || isAddress($0) }
        /// The corrected words, with the URL moved by `change`, as one text.
        func moving(_ change: (inout [String], String) -> Void) -> [String]? {
            guard let url else { return nil }
            var rest = words
            let text = rest.remove(at: url)
            change(&rest, Self.isURL(text) ? text : "http://" + text)
            return rest == words ? nil : rest
        }
        switch command {
        case .record where !words.contains { $0.hasPrefix("--target") }:
            return moving { rest, url in
                if let folder = rest.firstIndex(where: { !$0.hasPrefix("-") }), !rest.contains("--to"),
                    folder == 0 || !rest[folder - 1].hasPrefix("-")
                {
                    rest.insert("--to", at: folder)
                }
                rest.insert(contentsOf: ["--target", url], at: 0)
            }
        case .check:
            if url == nil, operands.count == 1, let folder = operands.first,
                folderExists(folder)
            {
                return ["URL"] + words
            }
            return moving { rest, url in rest.insert(url, at: 0) }
        case .routes, .run: return moving { rest, url in rest.insert(contentsOf: ["--url", url], at: 0) }
        case .explain:
            if operands.count == 1, let target = operands.first, target.hasPrefix("/") || Self.isURL(target) {
                return ["GET"] + words
            }
            guard let last = words.last, Self.isURL(last) || isAddress(last), operands.count > 2 else { return nil }
            return words.dropLast() + ["--url", Self.isURL(last) ? last : "http://" + last]
        case .serve:
            // A server in place of a folder: the user probably wants its answers recorded.
            guard words.filter({ !$0.hasPrefix("-") }).count == 1 else { return nil }
            return moving { rest, url in rest.insert(contentsOf: ["--proxy-all", url], at: 0) }
        case .importArchive:
            guard let file = operands.first?.lowercased() else { return nil }
            if file.hasSuffix(".har") { return ["har"] + words }
            return [".yaml", ".yml", ".json"].contains { file.hasSuffix($0) } ? ["openapi"] + words : nil
        default: break
        }
        // An option without its dashes: `ca install`.
        guard
            let place = words.firstIndex(where: { word in
                OptionTable.options.contains { $0.name == word && $0.belongs(to: command) && $0.value == .flag }
            })
        else { return nil }
        var meant = words
        meant[place] = "--" + words[place]
        return meant
    }

    // MARK: - Options

    /// An option of another name that means the same as one of this command's.
    private func optionMeant(
        _ error: CommandLineError, _ spelling: String, _ command: CommandName, _ arguments: [String]
    ) -> CommandLineError {
        let name = String(spelling.drop { $0 == "-" })
        let names = OptionTable.options.filter { $0.belongs(to: command) && $0.isServed }.map(\.name)
        let meant = otherToolsName(for: name, among: names).map { "--" + $0 }
        switch error {
        case .unknownOption(_, let nearest):
            if name == "log-level" { return logLevel(spelling, arguments) }
            return .unknownOption(spelling, nearest: meant ?? nearest)
        // Names used by other tools have one meaning, whatever options share the prefix.
        case .ambiguousOption: return meant.map { .unknownOption(spelling, nearest: $0) } ?? error
        case .optionOfOtherCommand(_, let command, let owners, _):
            return .optionOfOtherCommand(spelling, command: command, belongsTo: owners, nearest: meant)
        default: return error
        }
    }

    /// A log level of another tool: this log has two levels.
    private func logLevel(_ spelling: String, _ arguments: [String]) -> CommandLineError {
        let place = arguments.firstIndex { $0 == spelling || $0.hasPrefix(spelling + "=") }
        let value = place.flatMap { place -> String? in
            if let equals = arguments[place].firstIndex(of: "=") {
                return String(arguments[place][equals...].dropFirst())
            }
            return place + 1 < arguments.count ? arguments[place + 1] : nil
        }
        let isQuiet = ["info", "notice", "warn", "warning", "error", "fatal"].contains(value?.lowercased() ?? "")
        return isQuiet
            ? .needlessOption(spelling, reason: "requests are logged only with --verbose, warnings and errors always")
            : .unknownOption(spelling, nearest: "--verbose")
    }

    /// A list whose elements were given as separate words: `--fail-on unmatched unused`.
    func joinedList(_ arguments: [String]) -> CommandLineError? {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        for place in arguments[..<end].indices where arguments[place].hasPrefix("--") {
            let parts = arguments[place].dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
            guard let name = parts.first, let option = OptionTable.options.first(where: { $0.name == name }),
                case .list(let element) = option.value, element.isOfWords
            else { continue }
            var words = parts.count > 1 ? [parts[1]] : []
            var next = place + 1
            while next < end, !arguments[next].hasPrefix("-"), !folderExists(arguments[next]),
                !fileExists(arguments[next]), (try? option.value.parse(arguments[next].trimmingCommas)) != nil
            {
                words.append(arguments[next].trimmingCommas)
                next += 1
            }
            guard words.count > 1 else { continue }
            let list = "--\(name)=" + words.map(\.trimmingCommas).joined(separator: ",")
            return .listOfWords("--" + name, list: list, meant: arguments[..<place] + [list] + arguments[next...])
        }
        return nil
    }

    // MARK: - Help

    private func helpMeant(_ error: CommandLineError, _ arguments: [String]) -> CommandLineError {
        guard arguments.count == 2, let word = arguments.last else { return error }
        let name = String(word.drop { $0 == "-" })
        let commands = CommandName.shown.map(\.rawValue) + ["wiremock"]
        if let option = OptionTable.options.first(where: { $0.name == name || $0.aliases.contains(name) }),
            let owner = CommandName.shown.first(where: { option.commands.contains($0) })
        {
            return .helpOnOption(word, option: "--" + option.name, owner)
        }
        return .unknownTopic(word, nearest: meantName(by: name, among: commands))
    }
}

extension ValueKind.ListElement {
    /// Whether the list's elements come from a fixed set of words.
    fileprivate var isOfWords: Bool {
        switch self {
        case .failReason, .word: true
        default: false
        }
    }
}

extension String {
    fileprivate var trimmingCommas: String {
        var text = self[...]
        while text.last == "," { text.removeLast() }
        while text.first == "," { text.removeFirst() }
        return String(text)
    }
}
