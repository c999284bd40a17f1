import SDBasics

/// Parses the command line of `stuntdouble`. An argument takes precedence over an environment variable, and a variable
/// over the default.
public struct CommandLineParser {
    /// The variable with further options, separated by spaces, as WireMock's container images read it. It has the
    /// lowest precedence.
    static let wireMockVariable = "WIREMOCK_OPTIONS"

    /// The variables that `run` sets for its command, besides `STUNTDOUBLE_URL`, which belongs to `--url`.
    static let variablesOfRun = ["STUNTDOUBLE_HTTPS_URL", "STUNTDOUBLE_SESSION", "STUNTDOUBLE_CA"]

    /// The variables that `run` ignores: they belong to a surrounding daemon, whose port file would be overwritten.
    static let variablesOfDaemons: Set = ["STUNTDOUBLE_PORT_FILE"]

    /// The prefixes of all variables that matter.
    public static var variablePrefixes: [String] { [Option.environmentPrefix, wireMockVariable] }

    private let environment: [String: String]
    let folderExists: (String) -> Bool
    let fileExists: (String) -> Bool
    private let foldersIn: (String) -> [String]

    /// Makes a parser.
    /// - Parameters:
    ///   - environment: the process's variables; only those with `variablePrefixes` matter.
    ///   - folderExists: whether a path names a folder.
    ///   - fileExists: whether a path names something other than a folder.
    ///   - foldersIn: the names of a folder's subfolders. These three closures are the parser's only access to the file
    ///     system.
    public init(
        environment: [String: String], folderExists: @escaping (String) -> Bool,
        fileExists: @escaping (String) -> Bool = { _ in false },
        foldersIn: @escaping (String) -> [String] = { _ in [] }
    ) {
        self.environment = environment
        self.folderExists = folderExists
        self.fileExists = fileExists
        self.foldersIn = foldersIn
    }

    /// Whether the arguments (without the program's name) ask for JSON, even if they are invalid otherwise.
    public static func wantsJSON(_ arguments: [String], environment: [String: String] = [:]) -> Bool {
        let given = arguments.prefix { $0 != "--" }.last {
            $0 == "--json" || $0 == "--no-json" || $0.hasPrefix("--json=")
        }
        let text = given.map { $0 == "--json" ? "true" : $0 == "--no-json" ? "false" : String($0.dropFirst(7)) }
        return (try? ValueKind.flag.parse(text ?? environment["STUNTDOUBLE_JSON"] ?? "false")) == .flag(true)
    }

    /// Parses arguments, without the program's name.
    /// - Throws: the first error.
    public func parse(_ arguments: [String]) throws(CommandLineError) -> Invocation {
        if let word = arguments.first.flatMap({ CommandName(rawValue: $0) }), CommandName.ofPrism.contains(word),
            arguments.contains("--help")
        {
            return .help(.command(word))
        }
        if let prism = try PrismArguments(arguments, fileExists: fileExists),
            case .serve(var options) = try parse(asWritten: prism.arguments)
        {
            prism.apply(to: &options)
            return .serve(options)
        }
        do throws(CommandLineError) {
            return try parse(asWritten: arguments)
        } catch {
            throw meaning(error, of: arguments)
        }
    }

    private func parse(asWritten arguments: [String]) throws(CommandLineError) -> Invocation {
        let (scanner, named) = try scan(arguments)
        let command = named ?? .serve
        let operands = Array(scanner.positionals.dropFirst(named == nil ? 0 : 1))

        var settings = Settings()
        settings.given = Set(scanner.occurrences.map(\.option.name))
        if scanner.isCutShort {
            for occurrence in scanner.occurrences { occurrence.option.assign(&settings, occurrence.value) }
            if settings.wantsVersion { return .version }
            return .help(named.map { .command($0) } ?? .overview)
        }
        if command == .run || command == .mcp { settings.serve.port = 0 }
        if command == .serve {
            try applyWireMockOptions(to: &settings)
            if settings.wantsVersion { return .version }
            if settings.wantsHelp { return .help(.overview) }
        }
        try applyEnvironment(to: &settings, for: command, except: scanner.occurrences)
        try apply(scanner.occurrences, to: &settings, for: command)
        try settings.verdict.check()

        switch command {
        // Without a document, Prism's commands are names of folders.
        case .serve, .mock, .proxy:
            settings.serve.root = try root(settings, operands, of: command)
            try settings.serve.checkSecurity(namesPort: settings.given.contains("port"))
            if settings.wantsJSON { settings.serve.logFormat = .json }
            return .serve(settings.serve)
        case .validate:
            if operands.count > 1 || operands.contains(where: { !folderExists($0) }) {
                if let given = settings.givenRoot { throw .twoFolders(operands[0], given) }
                settings.validate.paths = operands
            } else {
                settings.validate.root = try root(settings, operands, of: command)
            }
            settings.validate.serve = settings.servedBy
            settings.validate.format = try format(settings, LogFormat.text)
            return .validate(settings.validate)
        case .explain:
            if let meant = Self.explained(operands) { throw .misplacedArguments(command: command, meant: meant) }
            guard operands.count >= 2 else { throw .missingArgument(command: command) }
            settings.query.method = operands[0]
            settings.query.target = operands[1]
            if operands[0].contains("/") {
                throw .invalidValue(
                    .argument("METHOD"), found: operands[0], expected: "a method before the URL, such as GET")
            }
            return .explain(try query(settings, Array(operands.dropFirst(2)), of: command))
        case .routes:
            return .routes(try query(settings, operands, of: command))
        case .record:
            return .record(try recording(settings, operands))
        case .importArchive:
            return .importArchive(try importing(settings, operands))
        case .ca:
            try refuse(operands, of: command)
            settings.authority.stateFolder = settings.serve.stateFolder
            return .authority(settings.authority)
        case .run:
            return .run(try run(settings, scanner))
        case .report:
            // Otherwise the second word would be taken for a port file.
            if let error = joinedList(arguments) { throw error }
            return .report(try report(settings, operands))
        case .top:
            return .top(try top(settings, operands))
        case .wait:
            return .wait(try wait(settings, operands))
        case .stop:
            return .stop(try stop(settings, operands))
        case .initialize:
            let folder = operands.isEmpty ? StubRoot.usual.path : try onlyOperand(operands, of: command)
            if !folderExists(folder), fileExists(folder) { throw .fileForFolder(folder) }
            return .initialize(folder: folder)
        case .convert:
            return .convert(try convert(settings, operands))
        case .check:
            return .check(try check(settings, operands))
        case .doctor:
            return .doctor(try doctor(settings, operands))
        case .schema:
            try refuse(operands, of: command)
            return .schema
        case .mcp:
            return .mcp(try agents(settings, operands))
        case .version:
            try refuse(operands, of: command)
            return .version
        case .completion:
            let word = try onlyOperand(operands, of: command)
            guard let shell = Shell(rawValue: word) else {
                throw .invalidValue(
                    .argument("completion"), found: word,
                    expected: "one of " + Shell.allCases.map(\.rawValue).joined(separator: ", "))
            }
            return .completion(shell)
        case .help:
            return .help(try helpTopic(operands))
        case .generateDocs:
            return .generateDocs(folder: try onlyOperand(operands, of: command))
        }
    }

    /// Scans the arguments again for a command that has its own option under a shared name.
    private func scan(_ arguments: [String]) throws(CommandLineError) -> (ArgumentScanner, CommandName?) {
        var scanner = ArgumentScanner(arguments, folderExists: folderExists)
        do throws(CommandLineError) {
            try scanner.scan()
        } catch {
            // Without `--`, the options after the command belong to the command.
            guard scanner.positionals.first == CommandName.run.rawValue, !arguments.contains("--"),
                scanner.positionals.count > 1
            else { throw error }
            throw .missingDashes(command(in: arguments))
        }
        let named = scanner.positionals.first.flatMap { CommandName(rawValue: $0) }.flatMap {
            CommandName.ofPrism.contains($0) ? nil : $0
        }
        if let named, OptionTable.commandsWithOverrides.contains(named), !scanner.isCutShort {
            scanner = ArgumentScanner(arguments, of: named, folderExists: folderExists)
            try scanner.scan()
        }
        return (scanner, named)
    }

    private func recording(
        _ settings: Settings, _ operands: [String]
    ) throws(CommandLineError) -> RecordOptions {
        var record = settings.record
        guard let target = record.givenTarget else { throw .missingArgument(command: .record) }
        // Arguments after --redact are names.
        if let operand = operands.first, !settings.serve.redacts {
            throw .unexpectedArgument(operand, command: .record)
        }
        record.target = target
        record.givenTarget = nil
        record.redacted = settings.serve.redactedNames + operands.flatMap { $0.split(separator: ",").map(String.init) }
        record.format = try format(settings, RecordOptions.Format.yaml)
        record.serve = settings.serve
        let path = record.folder ?? StubRoot.usual.path
        if !folderExists(path), fileExists(path) { throw .fileForFolder(path) }
        record.serve.root = StubRoot(path: path, layout: .free)
        record.serve.proxyAll = target
        record.serve.watch = false
        record.serve.keepsGoing = true
        return record
    }

    private func importing(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> ImportOptions {
        guard let kind = operands.first else { throw .missingArgument(command: .importArchive) }
        guard let known = ImportOptions.Kind(rawValue: kind == "swagger" ? "openapi" : kind) else {
            throw Self.noImport(of: kind, from: operands.dropFirst().first)
        }
        guard operands.count >= 2 else { throw .missingArgument(command: .importArchive) }
        // Arguments after --redact are names.
        let names = operands.dropFirst(2)
        if let operand = names.first, !settings.serve.redacts {
            throw .unexpectedArgument(operand, command: .importArchive)
        }
        var options = ImportOptions()
        options.kind = known
        options.file = operands[1]
        options.folder = settings.record.folder ?? options.folder
        options.format = try format(settings, RecordOptions.Format.yaml)
        options.hosts = settings.hosts
        options.serve = settings.serve
        options.redacted = settings.serve.redactedNames + names.flatMap { $0.split(separator: ",").map(String.init) }
        if !folderExists(options.folder), fileExists(options.folder) { throw .fileForFolder(options.folder) }
        return options
    }

    /// Formats of other tools that no command imports.
    private static let others = [
        "postman": "Postman collections", "mockoon": "environments of Mockoon", "mountebank": "imposters of mountebank",
        "insomnia": "collections of Insomnia", "bruno": "collections of Bruno", "pact": "contracts of Pact",
        "hoverfly": "simulations of Hoverfly", "mockserver": "expectations of MockServer",
        "json-server": "databases of json-server",
    ]

    private static func noImport(of kind: String, from file: String?) -> CommandLineError {
        others[kind.lowercased()].map {
            .notImported(kind, $0, archive: file.flatMap { $0.lowercased().hasSuffix(".har") ? $0 : nil })
        } ?? .invalidValue(.argument("import"), found: kind, expected: "one of har, openapi")
    }

    /// The format set by `--format` or `--json`.
    func format<Format: RawRepresentable & CaseIterable>(
        _ settings: Settings, _ usual: Format
    ) throws(CommandLineError) -> Format where Format.RawValue == String {
        guard let text = settings.format else { return (settings.wantsJSON ? Format(rawValue: "json") : nil) ?? usual }
        if let format = Format(rawValue: text) { return format }
        let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalidValue(.option("--format"), found: text, expected: "one of " + names)
    }

    func query(
        _ settings: Settings, _ operands: [String], of command: CommandName
    ) throws(CommandLineError) -> QueryOptions {
        var query = settings.credentialedQuery
        query.format = try format(settings, LogFormat.text)
        query.serve = settings.servedBy
        query.server = try server(settings, operands)
        if query.server == nil { query.root = try root(settings, operands, of: command) }
        return query
    }

    /// The running daemon to use. A folder takes precedence over a variable, which `stuntdouble run` sets.
    func server(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> ServerURL? {
        guard let folder = operands.first ?? settings.givenRoot, settings.query.server != nil else {
            return settings.query.server
        }
        if settings.given.contains("url") { throw .folderBesideServer(folder) }
        return nil
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    /// The arguments of `explain`, reordered to method, URL, folder; nil if they are in order. A lower-case method is
    /// made upper case.
    private static func explained(_ operands: [String]) -> [String]? {
        guard (2...3).contains(operands.count),
            let method = operands.first(where: { methods.contains($0.uppercased()) })
        else { return nil }
        let rest = operands.filter { $0 != method }
        let isURL = { (text: String) in text.hasPrefix("/") || text.hasPrefix("http://") || text.hasPrefix("https://") }
        guard rest.count == operands.count - 1, let url = rest.first(where: isURL) else { return nil }
        let meant = [method.uppercased(), url] + rest.filter { $0 != url }
        return meant == operands || meant.count != operands.count || operands[0] == method.uppercased() ? nil : meant
    }

    // MARK: - Sources of values

    private func apply(
        _ occurrences: [ArgumentScanner.Occurrence], to settings: inout Settings, for command: CommandName
    ) throws(CommandLineError) {
        var lists: [String: [String]] = [:]
        for occurrence in occurrences {
            let option = occurrence.option
            guard option.belongs(to: command) else {
                let owners = CommandName.allCases.filter { option.commands.contains($0) }
                throw .optionOfOtherCommand(occurrence.spelling, command: command, belongsTo: owners)
            }
            if case .list(let elements) = occurrence.value {
                for element in elements where lists[option.name]?.contains(element) != true {
                    lists[option.name, default: []].append(element)
                }
                option.assign(&settings, .list(lists[option.name] ?? elements))
            } else {
                option.assign(&settings, occurrence.value)
            }
            note(option, as: occurrence.spelling, in: &settings.serve.notices)
        }
    }

    private func applyEnvironment(
        to settings: inout Settings, for command: CommandName, except given: [ArgumentScanner.Occurrence]
    ) throws(CommandLineError) {
        // Most processes have none, and looking up each option's variable would take a good part of the start-up time.
        guard environment.keys.contains(where: { $0.hasPrefix(Option.environmentPrefix) }) else { return }
        for option in OptionTable.options where option.belongs(to: command) {
            // An empty variable counts as unset; an empty password is allowed.
            guard let name = option.environmentName, let text = environment[name],
                !text.isEmpty || option.value == .password, !given.contains(where: { $0.option.name == option.name }),
                !([.run, .mcp].contains(command) && Self.variablesOfDaemons.contains(name)),
                !Self.isOfService(name, text)
            else { continue }
            let value: OptionValue
            do {
                value = try option.value.parse(text)
            } catch {
                throw .invalidValue(
                    .variable(name), found: option.value.isSecret ? nil : text, expected: error.expected,
                    nearest: error.nearest)
            }
            if value == .flag(false), !option.isServed { continue }
            if case .refused(let reason) = option.support { throw .refused(.variable(name), reason: reason) }
            option.assign(&settings, value)
            note(option, as: name, in: &settings.serve.notices)
        }
        if command == .serve { noteMisspeltVariables(in: &settings.serve.notices) }
    }

    /// Whether a variable was set by Kubernetes or Docker for a service called `stuntdouble` or `stuntdouble-https`,
    /// such as `STUNTDOUBLE_PORT=tcp://10.0.0.1:8080`, rather than for us.
    private static func isOfService(_ name: String, _ text: String) -> Bool {
        name.hasSuffix("_PORT") && text.contains(text: "://")
    }

    private func applyWireMockOptions(to settings: inout Settings) throws(CommandLineError) {
        guard let line = environment[Self.wireMockVariable] else { return }
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "\n" }.map { String($0) }
        var scanner = ArgumentScanner(words, folderExists: folderExists)
        do throws(CommandLineError) {
            try scanner.scan()
            if let operand = scanner.positionals.first {
                throw CommandLineError.unexpectedArgument(operand, command: .serve)
            }
            try apply(scanner.occurrences, to: &settings, for: .serve)
        } catch {
            throw .inVariable(Self.wireMockVariable, error)
        }
    }

    private func note(_ option: Option, as spelling: String, in notices: inout [String]) {
        guard case .withoutEffect(let reason) = option.support else { return }
        notices.append("\(spelling) has no effect: \(reason)")
    }

    /// Adds a notice for each variable whose name nearly is that of an option.
    private func noteMisspeltVariables(in notices: inout [String]) {
        let names = OptionTable.options.compactMap(\.environmentName)
        for variable in environment.keys.sorted()
        where variable.hasPrefix(Option.environmentPrefix) && !names.contains(variable)
            && !Self.variablesOfRun.contains(variable)
        {
            let suffix = String(variable.dropFirst(Option.environmentPrefix.count))
            let suffixes = names.map { String($0.dropFirst(Option.environmentPrefix.count)) }
            if let nearest = nearestName(to: suffix, among: suffixes) {
                let meant = Option.environmentPrefix + nearest
                notices.append("the variable \(variable) matches no option" + didYouMean(meant, in: ""))
            }
        }
    }

    // MARK: - Arguments that are no options

    /// The folder to serve. DIR takes precedence over `--root-dir` in the environment; on one command line both must be
    /// equal.
    /// - Throws: if they differ, or there are too many arguments.
    func root(
        _ settings: Settings, _ operands: [String], of command: CommandName
    ) throws(CommandLineError) -> StubRoot {
        if operands.count > 1 {
            if let first = operands.first, !folderExists(first), !fileExists(first) {
                throw .unknownCommand(first, nearest: nearestCommand(to: first))
            }
            throw .unexpectedArgument(operands[1], command: command)
        }
        if let operand = operands.first, let given = settings.givenRoot, operand != given {
            throw .twoFolders(operand, given)
        }
        guard let path = operands.first, settings.givenRoot == nil else {
            // Missing folders are created when serving starts.
            if let path = settings.rootDirectory {
                if !folderExists(path), fileExists(path) { throw .fileForFolder(path) }
                return StubRoot(path: path, layout: .wireMock)
            }
            return folderExists(StubRoot.usual.path) ? .usual : .fallback
        }
        guard folderExists(path) else {
            if fileExists(path) {
                guard StubRoot.isStubFile(path) else { throw .noStubFile(path) }
                return StubRoot(file: path)
            }
            let folder = nearestFolder(to: path)
            throw .noSuchFolder(
                path, nearestCommand: folder == nil ? nearestCommand(to: path) : nil, nearestFolder: folder)
        }
        return StubRoot(path: path, layout: .free)
    }

    private func nearestCommand(to word: String) -> String? {
        // Usual folder names, for which other tools have `routes`.
        if [StubRoot.usual.path, "stubs", "mappings"].contains(word) { return nil }
        // A folder is more likely than a command of Prism.
        let commands = CommandName.shown.filter { !CommandName.ofPrism.contains($0) }
        return meantName(by: word, among: commands.map(\.rawValue))
    }

    /// The existing sibling folder with the nearest name.
    private func nearestFolder(to path: String) -> String? {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let parent = path[..<start]
        return nearestName(to: String(path[start...]), among: foldersIn(parent.isEmpty ? "." : String(parent)))
            .map { parent + $0 }
    }

    func onlyOperand(_ operands: [String], of command: CommandName) throws(CommandLineError) -> String {
        guard let operand = operands.first else { throw .missingArgument(command: command) }
        if operands.count > 1 { throw .unexpectedArgument(operands[1], command: command) }
        return operand
    }

    /// Refuses arguments of a command that takes none.
    func refuse(_ operands: [String], of command: CommandName) throws(CommandLineError) {
        if let operand = operands.first { throw .unexpectedArgument(operand, command: command) }
    }

    private func helpTopic(_ operands: [String]) throws(CommandLineError) -> HelpTopic {
        guard let word = operands.first else { return .overview }
        if operands.count > 1 { throw .unexpectedArgument(operands[1], command: .help) }
        if word == "wiremock" { return .wireMock }
        if let command = CommandName(rawValue: word) { return .command(command) }
        throw .unknownTopic(
            word, nearest: nearestName(to: word, among: CommandName.shown.map(\.rawValue) + ["wiremock"]))
    }
}
