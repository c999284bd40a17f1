/// The options of `stuntdouble wait`.
public struct WaitOptions: Sendable, Equatable {
    /// The server to wait for.
    public var target = ServerTarget.file("")
    /// The maximum time to wait.
    public var timeout = Duration.seconds(30)

    public init() {}
}

/// A server that is or was running, as named on a command line.
public enum ServerTarget: Sendable, Hashable {
    case url(ServerURL)
    /// A TLS server: only connecting to it can be tried.
    case secured(host: String, port: Int)
    /// The file given to the daemon's `--port-file`.
    case file(String)

    /// Reads a URL, an address such as `localhost:8080`, a port, or the path of a port file; nil for an invalid URL.
    init?(_ text: String) {
        let scheme = text.split(separator: ":", maxSplits: 1).first?.lowercased()
        if scheme == "https", text.dropFirst(5).hasPrefix("://") {
            guard let url = ServerURL("http" + text.dropFirst(5)) else { return nil }
            let hasPort = url.port != 80 || url.text.hasSuffix(":80")
            self = .secured(host: url.host, port: hasPort ? url.port : 443)
        } else if scheme == "http", text.dropFirst(4).hasPrefix("://") {
            guard let url = ServerURL(text) else { return nil }
            self = .url(url)
        } else if let url = ServerURL(text), decimal(text) != nil || Self.endsInPort(text) {
            self = .url(url)
        } else {
            self = .file(text)
        }
    }

    private static func endsInPort(_ text: String) -> Bool {
        guard let colon = text.lastIndex(of: ":"), !text.hasPrefix("/"), !text.hasPrefix(".") else { return false }
        return decimal(text[text.index(after: colon)...]) != nil
    }
}

extension CommandLineParser {
    func wait(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> WaitOptions {
        var options = WaitOptions()
        options.target = try target(settings, operands, of: .wait)
        options.timeout = settings.timeout ?? options.timeout
        return options
    }

    /// The server named by the argument, `--url` or its variable.
    func target(
        _ settings: Settings, _ operands: [String], of command: CommandName
    ) throws(CommandLineError) -> ServerTarget {
        if operands.count > 1 { throw .unexpectedArgument(operands[1], command: command) }
        guard let operand = operands.first else {
            let usual = ServerURL(ReportOptions.usualServer)
            guard let server = settings.query.server ?? usual else { throw .missingArgument(command: command) }
            return .url(server)
        }
        if settings.given.contains("url") {
            throw .contradictory(operand, "--url", reason: "each names a server")
        }
        guard let target = ServerTarget(operand) else {
            throw .invalidValue(
                .argument(command.rawValue), found: operand,
                expected: "a URL such as http://127.0.0.1:8080, a port, or the path of a port file")
        }
        return target
    }

    /// The server that a command is about which speaks no TLS.
    func plainTarget(
        _ settings: Settings, _ operands: [String], of command: CommandName
    ) throws(CommandLineError) -> ServerTarget {
        let target = try target(settings, operands, of: command)
        guard case .secured = target else { return target }
        throw .invalidValue(
            .argument(command.rawValue), found: operands.first ?? "",
            expected: "the address of the daemon's HTTP port, as this command speaks no TLS")
    }

    /// The running daemon that a command asks: its address, or the file with its port.
    func askedDaemon(
        _ settings: Settings, _ operands: [String], of command: CommandName
    ) throws(CommandLineError) -> QueryOptions {
        var query = settings.credentialedQuery
        switch try plainTarget(settings, operands, of: command) {
        case .url(let server): query.server = server
        case .file(let path):
            if folderExists(path) { throw .unexpectedArgument(path, command: command) }
            query.portFile = path
        case .secured: break
        }
        return query
    }
}
