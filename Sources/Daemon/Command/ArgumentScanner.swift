import SDBasics

/// Splits arguments into options with their values and the rest, by the option table.
///
/// Used instead of `getopt_long`, which prints its own errors, cannot name the nearest option, does not name the
/// argument with an ambiguous abbreviation, and keeps its state in globals. The rules are those of GNU and of
/// jopt-simple, which WireMock uses: `--name value`, `--name=value`, unambiguous prefixes of names, options and other
/// arguments in any order, `--` before arguments that begin with a dash.
struct ArgumentScanner {
    struct Occurrence {
        let option: Option
        /// The option's full name with dashes, or the name of its opposite that was given.
        let spelling: String
        let value: OptionValue
    }

    private(set) var occurrences: [Occurrence] = []
    private(set) var positionals: [String] = []
    /// The number of positional arguments before `--`; nil if there is none.
    private(set) var dashes: Int?
    /// Whether `--help` or `--version` was found, which ends the scan.
    private(set) var isCutShort = false

    private var rest: ArraySlice<String>
    private let folderExists: (String) -> Bool
    private let command: CommandName

    /// - Parameter command: decides between options with the same name.
    init(_ arguments: [String], of command: CommandName = .serve, folderExists: @escaping (String) -> Bool) {
        rest = arguments[...]
        self.command = command
        self.folderExists = folderExists
    }

    /// Reads all arguments.
    /// - Throws: for an unknown or ambiguous option, and an invalid or missing value.
    mutating func scan() throws(CommandLineError) {
        while let argument = rest.popFirst(), !isCutShort {
            if argument == "--" {
                dashes = positionals.count
                positionals += rest
                rest = []
            } else if argument.hasPrefix("--") {
                try scanLong(argument)
            } else if argument.hasPrefix("-"), argument != "-" {
                try scanShort(argument)
            } else {
                positionals.append(argument)
            }
        }
    }

    private mutating func scanLong(_ argument: String) throws(CommandLineError) {
        let body = argument.dropFirst(2)
        let equals = body.firstIndex(of: "=")
        let name = String(body[..<(equals ?? body.endIndex)])
        let attached = equals.map { String(body[body.index(after: $0)...]) }
        let match = try OptionTable.find(name, of: command)
        try take(match.option, isInverse: match.isInverse, attached: attached)
    }

    private mutating func scanShort(_ argument: String) throws(CommandLineError) {
        let body = argument.dropFirst()
        let word = String(body.prefix { $0 != "=" })
        guard body.count == 1 || OptionTable.exact(word) == nil,
            let letter = body.first, let option = OptionTable.options.first(where: { $0.short == letter })
        else {
            // Without its value, which may be a secret.
            throw .unknownOption("-" + word, nearest: OptionTable.nearest(to: word))
        }
        let attached = body.dropFirst()
        try take(option, isInverse: false, attached: attached.isEmpty ? nil : String(attached))
    }

    private mutating func take(
        _ option: Option, isInverse: Bool, attached: String?
    ) throws(CommandLineError) {
        let spelling = "--" + (isInverse ? option.inverseName ?? option.name : option.name)
        if case .refused(let reason) = option.support {
            throw .refused(.option(spelling), reason: reason)
        }
        let value: OptionValue
        switch option.value {
        case .flag:
            // Scripts for WireMock use `--verbose=true` and `--enable-stub-cors true`.
            let isOn =
                if let attached = attached ?? nextTruth(of: option) {
                    try parse(attached, as: .flag, of: option) == .flag(true)
                } else { true }
            value = .flag(isOn != isInverse)
        case let kind where option.valueIsOptional && attached == nil:
            if let next = rest.first, !next.hasPrefix("-"), let taken = try? kind.parse(next) {
                rest.removeFirst()
                value = taken
            } else {
                value = .flag(true)
            }
        default:
            let text = if let attached { attached } else { try nextValue(of: option) }
            value = try parse(text, as: option.value, of: option)
        }
        occurrences.append(Occurrence(option: option, spelling: spelling, value: value))
        isCutShort = option.group == .general
    }

    /// Consumes a `true` or `false` after a flag, unless a folder has that name.
    private mutating func nextTruth(of option: Option) -> String? {
        guard option.group != .general, let next = rest.first, ["true", "false"].contains(next), !folderExists(next)
        else { return nil }
        return rest.popFirst()
    }

    /// Consumes the next argument, unless it clearly is another option.
    /// - Throws: if there is no value.
    private mutating func nextValue(of option: Option) throws(CommandLineError) -> String {
        let next = rest.popFirst()
        guard let next, !looksLikeOption(next) else {
            // The next argument is another option; its value must not be shown.
            let name = next.map { String($0.prefix { $0 != "=" }) }
            throw .missingValue(option: "--" + option.name, placeholder: option.placeholder, next: name)
        }
        return next
    }

    private func looksLikeOption(_ argument: String) -> Bool {
        argument.hasPrefix("--") && OptionTable.exact(String(argument.dropFirst(2).prefix { $0 != "=" })) != nil
    }

    private func parse(
        _ text: String, as kind: ValueKind, of option: Option
    ) throws(CommandLineError) -> OptionValue {
        do {
            return try kind.parse(text)
        } catch {
            let named = positionals.first.flatMap { CommandName(rawValue: $0) } ?? command
            let words = option.words(for: named).map { "one of " + $0.joined(separator: ", ") }
            throw .invalidValue(
                .option("--" + option.name), found: kind.isSecret ? nil : error.wrong ?? text,
                expected: words ?? error.expected, nearest: error.nearest)
        }
    }
}

extension OptionTable {
    /// The option with exactly this name, alias or opposite.
    static func exact(_ name: String, of command: CommandName = .serve) -> (option: Option, isInverse: Bool)? {
        if isOverridden(name), let option = options.first(where: { $0.name == name && $0.belongs(to: command) }) {
            return (option, false)
        }
        if let option = options.first(where: { $0.name == name || $0.aliases.contains(name) }) {
            return (option, false)
        }
        return options.first { $0.inverseName == name }.map { ($0, true) }
    }

    /// The option that `name` names in full or abbreviates. An abbreviation of one WireMock option always means that
    /// option, even if other options share the prefix: command lines written for WireMock keep their meaning.
    /// - Throws: if none or several match.
    static func find(
        _ name: String, of command: CommandName = .serve
    ) throws(CommandLineError) -> (option: Option, isInverse: Bool) {
        if let match = exact(name, of: command) { return match }
        var candidates: [(name: String, option: Option)] = []
        if !name.isEmpty {
            for option in options {
                if let match = ([option.name] + option.aliases).first(where: { $0.hasPrefix(name) }) {
                    candidates.append((match, option))
                }
            }
        }
        let ofWireMock = candidates.filter { $0.option.isWireMock || $0.name != $0.option.name }
        if ofWireMock.count == 1 { candidates = ofWireMock }
        switch candidates.count {
        case 0: throw .unknownOption("--" + name, nearest: nearest(to: name))
        case 1: return (candidates[0].option, false)
        default: throw .ambiguousOption("--" + name, candidates: candidates.map { "--" + $0.name })
        }
    }

    /// The nearest name with dashes; the name itself if only the dashes were wrong.
    static func nearest(to name: String) -> String? {
        let names = options.flatMap { [$0.name] + $0.aliases } + options.compactMap(\.inverseName)
        return (names.contains(name) ? name : meantName(by: name, among: names)).map { "--" + $0 }
    }

    /// The secret option that a name may mean, as an abbreviation or a typo.
    static func secret(meantBy name: String) -> Option? {
        let names: [String]
        do throws(CommandLineError) {
            names = ["--" + (try find(name).option.name)]
        } catch {
            if case .ambiguousOption(_, let candidates) = error {
                names = candidates
            } else {
                names = [error.nearest ?? ""]
            }
        }
        return options.first { $0.value.isSecret && names.contains("--" + $0.name) }
    }
}
