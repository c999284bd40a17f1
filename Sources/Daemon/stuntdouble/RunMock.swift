import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDSecrets

/// A command's mock server: a daemon, or a session of a shared one.
struct RunMock {
    let client: AdminClient
    /// The session's id; nil for an unshared daemon.
    let session: String?
    private let url: String?
    private let httpsURL: String?
    /// The authority of the HTTPS certificates; nil if there is none, or it is not known.
    private let authority: RunAuthority?

    /// The idle time after which the session of a vanished run is deleted.
    private static let sessionTime: JSONValue = "24h"

    /// The mock server of a daemon that this run has started or joined.
    /// - Parameter ready: the content of the daemon's ready line.
    /// - Throws: the reason why there is none.
    init(_ options: RunOptions, of ready: JSONValue) throws(RunProblem) {
        let listeners = (ready["listeners"]?.arrayValue ?? []).compactMap { $0["url"]?.stringValue }.map(Self.reachable)
        guard let plain = listeners.first(where: { $0.hasPrefix("http:") }), let server = ServerURL(plain) else {
            throw RunProblem(message: "the mock server has no HTTP address", fix: "leave out --disable-http")
        }
        client = AdminClient(server: server, options.serve)
        let secured = listeners.last { $0.hasPrefix("https:") }
        guard options.shares || options.isReplica else {
            session = nil
            url = plain
            httpsURL = secured
            authority = RunAuthority(options.serve, client)
            return
        }
        let begun = try Self.begin(options, client)
        session = begun.session
        if options.isReplica {
            // The requested ports are the daemon's own.
            url = options.serve.http ? begun.url : nil
            httpsURL = begun.session.flatMap { id in secured.map { "\($0)/__session/\(id)" } }
        } else {
            (url, httpsURL) = (begun.url, begun.httpsURL)
        }
        authority = RunAuthority(options.serve, client)
    }

    /// A session of a daemon that is already running.
    init(_ options: RunOptions, at server: ServerURL) throws(RunProblem) {
        client = AdminClient(server: server, options.serve)
        authority = nil
        (session, url, httpsURL) = try Self.begin(options, client)
    }

    private static func begin(
        _ options: RunOptions, _ client: AdminClient
    ) throws(RunProblem) -> (session: String?, url: String?, httpsURL: String?) {
        do throws(AdminClientProblem) {
            var live = try make(options, client, withPorts: !options.isReplica)
            // A replica has no session ports; the session's address is a path.
            if live == nil { live = try make(options, client, withPorts: false) }
            guard let live, let id = live["id"]?.stringValue else {
                throw AdminClientProblem(
                    "\(client.server.text) made no session: it is not Stunt Double", fix: AdminClient.anotherServer)
            }
            if live["port"]?.intValue == nil, live["httpsPort"]?.intValue == nil, options.serve.portFile != nil {
                _ = try? client.ask("DELETE", "/sessions/\(id)")
                throw AdminClientProblem(
                    "a session of several replicas has no port of its own for --port-file",
                    fix: "leave out --port-file; the command finds its address, with a path, in STUNTDOUBLE_URL")
            }
            let url = live["url"]?.stringValue.flatMap { $0.hasPrefix("http:") ? $0 : nil }
            return (id, url, live["httpsUrl"]?.stringValue)
        } catch {
            throw RunProblem(message: error.message, fix: error.fix)
        }
    }

    /// Creates the session.
    /// - Returns: the daemon's answer; nil if its sessions have no ports.
    private static func make(
        _ options: RunOptions, _ client: AdminClient, withPorts: Bool
    ) throws(AdminClientProblem) -> JSONValue? {
        var document: JSONObject = [
            "name": .string(options.sessionName), "ttl": sessionTime,
        ]
        if withPorts, options.serve.http { document["port"] = .number(JSONNumber(options.serve.port)) }
        if withPorts, let port = options.serve.httpsPort { document["httpsPort"] = .number(JSONNumber(port)) }
        let answer = try client.ask("POST", "/sessions", body: .object(document), accepting: [409, 422, 500])
        let live = (try? JSONValue(parsing: answer.body)) ?? .null
        guard let error = live["errors"]?[0] else { return live }
        let place = error["source"]?["pointer"]?.stringValue
        if answer.status == 422, withPorts, place == "/port" || place == "/httpsPort" {
            guard let option = options.namedPort else { return nil }
            throw AdminClientProblem(
                "\(client.server.text) is one of several replicas, whose sessions have no ports of their own",
                fix: "leave out \(option); the command finds its address, with a path, in STUNTDOUBLE_URL")
        }
        guard answer.status != 422, let detail = error["detail"]?.stringValue else {
            throw AdminClientProblem(
                "\(client.server.text) makes no session: \(answer.title ?? "status \(answer.status)")",
                fix: AdminClient.anotherServer)
        }
        let port = place == "/httpsPort" ? options.serve.httpsPort ?? 0 : options.serve.port
        let holder = answer.status == 409 ? SystemCalls.listener(onPort: port) : nil
        throw AdminClientProblem(
            "\(detail)" + (holder.map { ": it is in use by \($0)" } ?? ""),
            fix: answer.status == 409
                ? "leave out --port \(port), and a free one is taken" : "stuntdouble doctor")
    }

    /// Replaces a wildcard address by one that can be connected to.
    static func reachable(_ url: String) -> String {
        for (all, one) in [("//0.0.0.0:", "//127.0.0.1:"), ("//[::]:", "//[::1]:")] {
            if let place = url.firstRange(ofText: all) {
                return url[..<place.lowerBound] + one + url[place.upperBound...]
            }
        }
        return url
    }

    /// The command's environment, as changes to that of the run. `--port` and similar variables are removed: those
    /// ports are in use.
    var variables: [String: String?] {
        var variables: [String: String?] = [
            "STUNTDOUBLE_URL": url, "STUNTDOUBLE_HTTPS_URL": httpsURL, "STUNTDOUBLE_SESSION": session,
            "STUNTDOUBLE_CA": nil, "STUNTDOUBLE_PORT": nil, "STUNTDOUBLE_PORT_FILE": nil,
            "STUNTDOUBLE_HTTPS_PORT": nil, "STUNTDOUBLE_UNIX_SOCKET": nil,
        ]
        if httpsURL != nil, let authority {
            for (name, file) in authority.variables { variables[name] = file }
        }
        return variables
    }

    /// The content of a port file.
    var ports: [Int] {
        let ports = [url, httpsURL].compactMap { url in url?.split(separator: ":").last.flatMap { Int($0) } }
        return ports.count == 2 && ports[0] == ports[1] ? [ports[0]] : ports
    }

    var shownURL: String { url ?? httpsURL ?? "" }

    /// Ends the session, and removes the run's files.
    func end() {
        authority?.remove()
        guard let session else { return }
        _ = try? client.ask("DELETE", "/sessions/\(session)")
    }
}

extension AdminClient {
    init(server: ServerURL, _ options: ServeOptions) {
        self.init(server: server, credentials: options.adminBasicAuth, token: options.adminToken)
    }
}

extension RunOptions {
    /// Whether the run's daemon is a replica, whose sessions have no ports.
    var isReplica: Bool { server == nil && serve.shared != nil }

    /// The option that requests a specific port for the session; nil if there is none.
    fileprivate var namedPort: String? {
        if let port = serve.httpsPort { return "--https-port \(port)" }
        return serve.http && (namesPort || serve.port != 0)
            ? "--port \(serve.port)" : serve.http ? nil : "--disable-http"
    }

    /// The name of the run's session: the program and its first plain word, such as `run npm test`. The name is visible
    /// to anyone with access to the daemon, so other arguments, which may be secret, are left out.
    fileprivate var sessionName: String {
        let program = SystemCalls.lastName(of: command.first ?? "")
        var words = ["run", String(program)]
        if command.count > 1, Self.isPlain(command[1]), !SecretNames().contains(String(program)) {
            words.append(command[1])
        }
        return String(words.joined(separator: " ").prefix(100))
    }

    /// Whether an argument is a word or path, not an option, assignment, address or script.
    private static func isPlain(_ argument: String) -> Bool {
        argument.utf8.count <= 40 && !argument.hasPrefix("-")
            && argument.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: "/")
            }
    }
}
