import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDSecrets

/// The mock server that a command sees: a daemon of its own, or a session of one that others use too.
struct RunMock {
    let client: AdminClient
    /// The session's id; nil for a daemon of its own.
    let session: String?
    private let url: String?
    private let httpsURL: String?
    /// The certificate of the authority that issues those for HTTPS; nil where there is none, or it is not known.
    private let authority: RunAuthority?

    /// The time without a request after which a session ends whose run has vanished.
    private static let sessionTime: JSONValue = "24h"

    /// The mock server of a daemon that a run has started or joined.
    /// - Parameter ready: what the daemon's ready line would say.
    /// - Throws: why there is none.
    init(_ options: RunOptions, of ready: JSONValue) throws(RunProblem) {
        let listeners = (ready["listeners"]?.arrayValue ?? []).compactMap { $0["url"]?.stringValue }.map(Self.reachable)
        guard let plain = listeners.first(where: { $0.hasPrefix("http:") }), let server = ServerURL(plain) else {
            throw RunProblem(message: "the mock server tells no address", fix: "leave out --disable-http")
        }
        client = AdminClient(server: server, options.serve)
        guard options.shares else {
            session = nil
            url = plain
            httpsURL = listeners.last { $0.hasPrefix("https:") }
            authority = RunAuthority(options.serve, client)
            return
        }
        (session, url, httpsURL) = try Self.begin(options, client)
        authority = RunAuthority(options.serve, client)
    }

    /// A session of a daemon that runs already.
    init(_ options: RunOptions, at server: ServerURL) throws(RunProblem) {
        client = AdminClient(server: server, options.serve)
        authority = nil
        (session, url, httpsURL) = try Self.begin(options, client)
    }

    private static func begin(
        _ options: RunOptions, _ client: AdminClient
    ) throws(RunProblem) -> (session: String?, url: String?, httpsURL: String?) {
        var document: JSONObject = [
            "name": .string(options.sessionName), "ttl": sessionTime,
        ]
        if options.serve.http { document["port"] = .number(JSONNumber(options.serve.port)) }
        if let port = options.serve.httpsPort { document["httpsPort"] = .number(JSONNumber(port)) }
        do throws(AdminClientProblem) {
            let answer = try client.ask("POST", "/sessions", body: .object(document), accepting: [409, 500])
            let live = (try? JSONValue(parsing: answer.body)) ?? .null
            if let detail = live["errors"]?[0]?["detail"]?.stringValue {
                let place = live["errors"]?[0]?["source"]?["pointer"]?.stringValue
                let port = place == "/httpsPort" ? options.serve.httpsPort ?? 0 : options.serve.port
                let holder = answer.status == 409 ? SystemCalls.listener(onPort: port) : nil
                throw AdminClientProblem(
                    "\(detail)" + (holder.map { ": it is in use by \($0)" } ?? ""),
                    fix: answer.status == 409
                        ? "leave out --port \(port), and a free one is taken" : "stuntdouble doctor")
            }
            guard let id = live["id"]?.stringValue else {
                throw AdminClientProblem(
                    "\(client.server.text) made no session: it is not Stunt Double", fix: AdminClient.anotherServer)
            }
            let url = live["url"]?.stringValue.flatMap { $0.hasPrefix("http:") ? $0 : nil }
            return (id, url, live["httpsUrl"]?.stringValue)
        } catch {
            throw RunProblem(message: error.message, fix: error.fix)
        }
    }

    /// An address of this machine for one that stands for all of them.
    static func reachable(_ url: String) -> String {
        for (all, one) in [("//0.0.0.0:", "//127.0.0.1:"), ("//[::]:", "//[::1]:")] {
            if let place = url.firstRange(ofText: all) {
                return url[..<place.lowerBound] + one + url[place.upperBound...]
            }
        }
        return url
    }

    /// What the environment of the command has beside that of the run. Those of `--port` and such are taken out: they
    /// are in use.
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

    /// What a port file holds.
    var ports: [Int] {
        let ports = [url, httpsURL].compactMap { url in url?.split(separator: ":").last.flatMap { Int($0) } }
        return ports.count == 2 && ports[0] == ports[1] ? [ports[0]] : ports
    }

    var shownURL: String { url ?? httpsURL ?? "" }

    /// Ends the session, and removes what was written for it.
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
    /// The name of the run's session, which everybody sees who may ask the daemon: the program, and the word behind it
    /// that says what it does, such as `run npm test`. Whatever else the command has may be a secret, or its value.
    fileprivate var sessionName: String {
        let program = SystemCalls.lastName(of: command.first ?? "")
        var words = ["run", String(program)]
        if command.count > 1, Self.isPlain(command[1]), !SecretNames().contains(String(program)) {
            words.append(command[1])
        }
        return String(words.joined(separator: " ").prefix(100))
    }

    /// Whether an argument is a word or a path, and no option, assignment, address or script.
    private static func isPlain(_ argument: String) -> Bool {
        argument.utf8.count <= 40 && !argument.hasPrefix("-")
            && argument.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: "/")
            }
    }
}
