import SDBasics

/// Parses the command line of `stuntdouble`. An argument takes precedence over an environment variable, and a variable
/// over the default.
public struct CommandLineParser {
    /// The variable from which WireMock's container images read more options, separated by spaces. It has the lowest
    /// precedence.
    static let wireMockVariable = "WIREMOCK_OPTIONS"

    /// The variables that `run` sets for its command, beside `STUNTDOUBLE_URL`, which is that of `--url`.
    static let variablesOfRun = ["STUNTDOUBLE_HTTPS_URL", "STUNTDOUBLE_SESSION", "STUNTDOUBLE_CA"]

    /// The variables that `run` does not take for its own options: they name what a daemon around it has, whose port file
    /// would be lost.
    static let variablesOfDaemons: Set = ["STUNTDOUBLE_PORT_FILE"]

    /// The beginnings of the names of all variables that matter.
    public static var variablePrefixes: [String] { [Option.environmentPrefix, wireMockVariable] }

    private let environment: [String: String]
    let folderExists: (String) -> Bool
    let fileExists: (String) -> Bool
    private let foldersIn: (String) -> [String]

    /// Makes a parser.
    /// - Parameters:
    ///   - environment: the variables of the process, of which only those with `variablePrefixes` matter.
    ///   - folderExists: whether a path names a folder.
    ///   - fileExists: whether a path names anything else.
    ///   - foldersIn: the names of the folders in one. The three are the parser's only access to the file system.
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

    /// Whether arguments, without the program's name, ask for JSON, whatever else is wrong with them.
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
        var notices: [String] = []
        if scanner.isCutShort {
            for occurrence in scanner.occurrences { occurrence.option.assign(&settings, occurrence.value) }
            if settings.wantsVersion { return .version }
            return .help(named.map { .command($0) } ?? .overview)
        }
        if command == .run || command == .mcp { settings.serve.port = 0 }
        if command == .serve {
            try applyWireMockOptions(to: &settings, notices: &notices)
            if settings.wantsVersion { return .version }
            if settings.wantsHelp { return .help(.overview) }
        }
        try applyEnvironment(to: &settings, for: command, except: scanner.occurrences, notices: &notices)
        try apply(scanner.occurrences, to: &settings, for: command, notices: &notices)
        try settings.verdict.check()

        switch command {
        // Words of Prism without a document are folders.
        case .serve, .mock, .proxy:
            let given = scanner.occurrences.contains { $0.option.name == "root-dir" } ? settings.rootDirectory : nil
            settings.serve.root = try root(operands, option: given, variable: settings.rootDirectory, of: command)
            let namesPort = scanner.occurrences.contains { $0.option.name == "port" }
            try settings.serve.checkSecurity(namesPort: namesPort, notices: &notices)
            settings.serve.notices = notices
            if settings.wantsJSON { settings.serve.logFormat = .json }
            return .serve(settings.serve)
        case .validate:
            let given = scanner.occurrences.contains { $0.option.name == "root-dir" } ? settings.rootDirectory : nil
            if operands.count > 1 || operands.contains(where: { !folderExists($0) }) {
                if let given { throw .twoFolders(operands[0], given) }
                settings.validate.paths = operands
            } else {
                settings.validate.root = try root(
                    operands, option: given, variable: settings.rootDirectory, of: command)
            }
            settings.validate.serve = settings.servedBy
            settings.validate.format = try format(settings, LogFormat.text)
            settings.validate.notices = notices
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
            return .explain(try query(settings, Array(operands.dropFirst(2)), scanner, command))
        case .routes:
            return .routes(try query(settings, operands, scanner, command))
        case .record:
            return .record(try recording(settings, operands, notices))
        case .importArchive:
            return .importArchive(try importing(settings, operands))
        case .ca:
            if let operand = operands.first { throw .unexpectedArgument(operand, command: .ca) }
            settings.authority.stateFolder = settings.serve.stateFolder
            settings.authority.notices = notices
            return .authority(settings.authority)
        case .run:
            return .run(try run(settings, operands, scanner, notices))
        case .report:
            // The second word would be the file of a port.
            if let error = joinedList(arguments) { throw error }
            return .report(try report(settings, operands, scanner, notices))
        case .top:
            return .top(try top(settings, operands, scanner, notices))
        case .wait:
            return .wait(try wait(settings, operands, scanner, notices))
        case .stop:
            return .stop(try stop(settings, operands, scanner, notices))
        case .initialize:
            return .initialize(try initialize(settings, operands, scanner, notices))
        case .convert:
            return .convert(try convert(settings, operands, scanner, notices))
        case .check:
            return .check(try check(settings, operands, scanner, notices))
        case .doctor:
            return .doctor(try doctor(settings, operands, scanner, notices))
        case .schema:
            return .schema(try schema(settings, operands, scanner, notices))
        case .mcp:
            return .mcp(try agents(settings, operands, scanner, notices))
        case .version:
            if let operand = operands.first { throw .unexpectedArgument(operand, command: .version) }
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

    /// Scans arguments once more where the command has options of its own with names that others have too.
    private func scan(_ arguments: [String]) throws(CommandLineError) -> (ArgumentScanner, CommandName?) {
        var scanner = ArgumentScanner(arguments, folderExists: folderExists)
        do throws(CommandLineError) {
            try scanner.scan()
        } catch {
            // The options of a command without dashes before it are not ours.
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
        _ settings: Settings, _ operands: [String], _ notices: [String]
    ) throws(CommandLineError) -> RecordOptions {
        var record = settings.record
        guard let target = record.givenTarget else { throw .missingArgument(command: .record) }
        // What stands behind --redact are names.
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
        record.notices = notices
        return record
    }

    private func importing(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> ImportOptions {
        guard let kind = operands.first else { throw .missingArgument(command: .importArchive) }
        guard let known = ImportOptions.Kind(rawValue: kind == "swagger" ? "openapi" : kind) else {
            throw Self.noImport(of: kind, from: operands.dropFirst().first)
        }
        guard operands.count >= 2 else { throw .missingArgument(command: .importArchive) }
        // What stands behind --redact are names.
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

    /// What other tools have, and no command imports.
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

    /// What `--format` says, or `--json`.
    func format<Format: RawRepresentable & CaseIterable>(
        _ settings: Settings, _ usual: Format
    ) throws(CommandLineError) -> Format where Format.RawValue == String {
        guard let text = settings.format else { return (settings.wantsJSON ? Format(rawValue: "json") : nil) ?? usual }
        if let format = Format(rawValue: text) { return format }
        let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalidValue(.option("--format"), found: text, expected: "one of " + names)
    }

    func query(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ command: CommandName
    ) throws(CommandLineError) -> QueryOptions {
        var query = settings.query
        query.format = try format(settings, LogFormat.text)
        query.serve = settings.servedBy
        query.adminToken = settings.serve.adminToken
        query.adminBasicAuth = settings.serve.adminBasicAuth
        let given = scanner.occurrences.contains { $0.option.name == "root-dir" } ? settings.rootDirectory : nil
        query.server = try server(settings, operands.first ?? given, scanner)
        if query.server == nil {
            query.root = try root(operands, option: given, variable: settings.rootDirectory, of: command)
        }
        return query
    }

    /// The running daemon that is meant. A folder takes precedence over a variable, which `stuntdouble run` sets.
    func server(
        _ settings: Settings, _ folder: String?, _ scanner: ArgumentScanner
    ) throws(CommandLineError) -> ServerURL? {
        guard let folder, settings.query.server != nil else { return settings.query.server }
        if scanner.occurrences.contains(where: { $0.option.name == "url" }) { throw .folderBesideServer(folder) }
        return nil
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    /// The arguments of `explain` in the order in which they are meant, if that is another one: the method, the URL,
    /// the folder. A method in lower case is meant in upper case.
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
        _ occurrences: [ArgumentScanner.Occurrence], to settings: inout Settings, for command: CommandName,
        notices: inout [String]
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
            note(option, as: occurrence.spelling, in: &notices)
        }
    }

    private func applyEnvironment(
        to settings: inout Settings, for command: CommandName, except given: [ArgumentScanner.Occurrence],
        notices: inout [String]
    ) throws(CommandLineError) {
        // Most processes have none; looking up each option's variable would take a good part of the start.
        guard environment.keys.contains(where: { $0.hasPrefix(Option.environmentPrefix) }) else { return }
        for option in OptionTable.options where option.belongs(to: command) {
            // A variable without content is none, as scripts unset them; but a password may be empty.
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
            if case .refused(let reason) = option.standing { throw .refused(.variable(name), reason: reason) }
            option.assign(&settings, value)
            note(option, as: name, in: &notices)
        }
        if command == .serve { noteMisspeltVariables(in: &notices) }
    }

    /// Whether a variable is one that Kubernetes and Docker set in containers beside a service called `stuntdouble` or
    /// `stuntdouble-https`, such as `STUNTDOUBLE_PORT=tcp://10.0.0.1:8080`, and no port of ours.
    private static func isOfService(_ name: String, _ text: String) -> Bool {
        name.hasSuffix("_PORT") && text.contains(text: "://")
    }

    private func applyWireMockOptions(to settings: inout Settings, notices: inout [String]) throws(CommandLineError) {
        guard let line = environment[Self.wireMockVariable] else { return }
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "\n" }.map { String($0) }
        var scanner = ArgumentScanner(words, folderExists: folderExists)
        do throws(CommandLineError) {
            try scanner.scan()
            if let operand = scanner.positionals.first {
                throw CommandLineError.unexpectedArgument(operand, command: .serve)
            }
            try apply(scanner.occurrences, to: &settings, for: .serve, notices: &notices)
        } catch {
            throw .inVariable(Self.wireMockVariable, error)
        }
    }

    private func note(_ option: Option, as spelling: String, in notices: inout [String]) {
        guard case .withoutEffect(let reason) = option.standing else { return }
        notices.append("\(spelling) has no effect: \(reason)")
    }

    /// Notes variables with the program's prefix whose names are nearly those of an option.
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

    /// The folder to serve. DIR takes precedence over `--root-dir` in the environment; on one command line both must
    /// agree.
    /// - Throws: if they do not, or there are too many arguments.
    func root(
        _ operands: [String], option: String?, variable: String?, of command: CommandName
    ) throws(CommandLineError) -> StubRoot {
        if operands.count > 1 {
            if let first = operands.first, !folderExists(first), !fileExists(first) {
                throw .unknownCommand(first, nearest: nearestCommand(to: first))
            }
            throw .unexpectedArgument(operands[1], command: command)
        }
        if let operand = operands.first, let option, operand != option { throw .twoFolders(operand, option) }
        guard let path = operands.first, option == nil else {
            // Missing parts are made when it is served.
            if let path = option ?? variable {
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
        // Usual names of folders, which stand for `routes` elsewhere.
        if [StubRoot.usual.path, "stubs", "mappings"].contains(word) { return nil }
        // A folder is meant more likely than a word of Prism.
        let commands = CommandName.shown.filter { !CommandName.ofPrism.contains($0) }
        return meantName(by: word, among: commands.map(\.rawValue))
    }

    /// The folder beside the one that is missing whose name is nearest.
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

    private func helpTopic(_ operands: [String]) throws(CommandLineError) -> HelpTopic {
        guard let word = operands.first else { return .overview }
        if operands.count > 1 { throw .unexpectedArgument(operands[1], command: .help) }
        if word == "wiremock" { return .wireMock }
        if let command = CommandName(rawValue: word) { return .command(command) }
        throw .unknownTopic(
            word, nearest: nearestName(to: word, among: CommandName.shown.map(\.rawValue) + ["wiremock"]))
    }
}
