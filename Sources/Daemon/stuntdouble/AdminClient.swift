import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDStubModel

/// A client for the admin API of a running daemon.
struct AdminClient: Sendable {
    let server: ServerURL
    let credentials: BasicCredentials?
    let token: String?

    private static let largestAnswer = 1 << 30
    /// The timeout for connecting and for each read, in seconds.
    var idleSeconds = 30
    /// Whether read-only calls to a session extend its idle time.
    var countsAsUse = false
    /// The start of a replica's error when it cannot reach the shared server.
    static let disagreement = "The replicas cannot agree"
    /// The fix for that error.
    static let sharedServerFix =
        "ask again once the shared server is back; stuntdouble doctor --shared URL looks at it"
    /// The fix when the server that answers is not a daemon.
    static let anotherServer = "name the address of a daemon, as its ready line has it"

    init(server: ServerURL, credentials: BasicCredentials?, token: String?) {
        self.server = server
        self.credentials = credentials
        self.token = token
    }

    /// Makes a client; nil if the options name no daemon's address.
    init?(_ options: QueryOptions) {
        guard let server = options.server else { return nil }
        self.server = server
        credentials = options.adminBasicAuth
        token = options.adminToken
    }

    /// Makes a client of the daemon at an address, or of that whose port is in a file. Where the file names no daemon,
    /// says so on standard error and returns nil.
    init?(ofRunning options: QueryOptions) {
        var options = options
        if let path = options.portFile {
            let seen = ServerProbe(.file(path))
            options.server = seen.server
            if seen.server == nil { Console.error("\(path): \(seen.text)", fix: seen.fix) }
        }
        self.init(options)
    }

    /// Makes a call.
    /// - Parameter path: the path below `/__admin`.
    /// - Throws: if the call fails, or the status is not a success.
    func call(_ method: String, _ path: String, body: JSONValue? = nil) throws(AdminClientProblem) -> JSONValue {
        let answer = try ask(method, path, body: body)
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: answer.body)
        } catch {
            throw AdminClientProblem("\(server.text)/__admin\(path) did not return JSON", fix: Self.anotherServer)
        }
    }

    /// Makes a call whose answer may be of any type.
    /// - Parameters:
    ///   - path: the path below `/__admin`, with a query.
    ///   - accepting: statuses that are not errors, besides the successful ones.
    /// - Throws: for any other status; `isUnreachable` if no daemon answers.
    func ask(
        _ method: String, _ path: String, body: JSONValue? = nil, accepting accepted: [Int] = []
    ) throws(AdminClientProblem) -> Answer {
        let answer = try exchange(method, server.path + "/__admin" + path, body: body?.compactBytes)
        if accepted.contains(answer.status) { return answer }
        let call = String(path.prefix { $0 != "?" })
        switch answer.status {
        case 200..<300: return answer
        case 401 where token != nil || credentials != nil:
            let option = token != nil ? "--admin-token" : "--admin-api-basic-auth"
            throw AdminClientProblem(
                "\(server.text) rejects this \(option)", fix: "give \(option) as the daemon has it")
        case 401:
            throw AdminClientProblem(
                "\(server.text) requires --admin-token or --admin-api-basic-auth", fix: "add --admin-token TOKEN")
        case 404 where answer.title?.contains(text: "(--admin-port)") == true:
            throw elsewhere(answer.detail ?? "")
        case 404 where answer.title?.contains(text: "session") == true,
            410 where answer.title?.contains(text: "session") == true:
            throw AdminClientProblem(
                "\(server.text): \(answer.title ?? "")",
                fix: "name a session of those at http://\(server.authority)/__admin/sessions")
        case 503 where answer.title?.hasPrefix(AdminClient.disagreement) == true:
            throw AdminClientProblem("\(server.text): \(answer.title ?? "")", fix: Self.sharedServerFix)
        // WireMock reads the last path segment as an id, and rejects it.
        case 404,
            400 where method == "GET", 422 where method == "GET":
            throw AdminClientProblem(
                "\(server.text) has no \(call): it is not Stunt Double, or an older version", fix: Self.anotherServer)
        default:
            let text = String(decoding: answer.body.prefix(500), as: UTF8.self)
            throw AdminClientProblem("\(server.text) answered \(answer.status): \(text)", fix: Self.anotherServer)
        }
    }

    /// Starts a call with an endless answer, such as an event stream. Uses HTTP/1.0, so that the answer is not chunked:
    /// everything after the head is the body.
    /// - Parameters:
    ///   - fields: additional header lines.
    ///   - idleSeconds: the timeout for connecting and for each read.
    func begin(
        _ path: String, fields: [String] = [], idleSeconds: Int
    ) throws(SystemCalls.ClientProblem) -> FileDescriptor {
        try SystemCalls.beginExchange(
            host: server.host, port: server.port,
            request: request(
                "GET", server.path + "/__admin" + path, nil, version: "1.0", accepting: "text/event-stream", fields),
            idleSeconds: idleSeconds)
    }

    /// The problem of asking a port that does not serve the admin API.
    /// - Parameter addresses: the admin API's addresses, comma-separated.
    private func elsewhere(_ addresses: String) -> AdminClientProblem {
        let first = addresses.prefix { $0 != "," }
        // The daemon's answer may redirect to another port, never to another host.
        let own = ServerURL(String(first)).flatMap { found in
            let host = server.host.contains(":") ? "[\(server.host)]" : server.host
            return ServerURL("http://\(host):\(found.port)\(server.path)")
        }
        return AdminClientProblem(
            "the admin API of \(server.text) has a port of its own: \(addresses)",
            fix: "name that address: \(shellWord(own?.text ?? String(first)))", adminServer: own)
    }

    /// A client for the admin API's own port, taken from the problem that names it.
    func following(_ problem: AdminClientProblem) -> AdminClient? {
        problem.adminServer.map { AdminClient(server: $0, credentials: credentials, token: token) }
    }

    /// A client for a session; nil if the id cannot be part of a path.
    func client(ofSession id: String) -> AdminClient? {
        ServerURL("http://\(server.authority)/__session/\(id)").map {
            AdminClient(server: $0, credentials: credentials, token: token)
        }
    }

    /// Makes a call and accepts any status.
    /// - Parameter target: the whole path, with a query.
    /// - Throws: if no daemon answers.
    func exchange(
        _ method: String, _ target: String, body: [UInt8]?, contentType: String = "application/json"
    ) throws(AdminClientProblem) -> Answer {
        let answer: Answer?
        do throws(SystemCalls.ClientProblem) {
            answer = Answer(
                try SystemCalls.exchange(
                    host: server.host, port: server.port, request: request(method, target, body, contentType),
                    limit: Self.largestAnswer, idleSeconds: idleSeconds))
        } catch {
            throw AdminClientProblem(
                "cannot connect to \(server.text): \(Self.reason(error))",
                fix: "stuntdouble wait \(shellWord(server.text)), or start it: stuntdouble --port \(server.port) mocks",
                isUnreachable: true)
        }
        guard let answer else {
            throw AdminClientProblem(
                "\(server.text) sent no complete HTTP response", fix: Self.anotherServer, isUnreachable: true)
        }
        return answer
    }

    private static func reason(_ problem: SystemCalls.ClientProblem) -> String {
        switch problem {
        case .unknownHost(let reason): reason
        case .failed(let error): error.reason
        }
    }

    private func request(
        _ method: String, _ target: String, _ body: [UInt8]?, _ contentType: String = "application/json",
        version: String = "1.1", accepting type: String = "application/json", _ fields: [String] = []
    ) -> [UInt8] {
        var head = "\(method) \(target) HTTP/\(version)\r\nHost: \(server.authority)\r\n"
        head += "Accept: \(type)\r\nConnection: close\r\n"
        for field in fields { head += field + "\r\n" }
        if countsAsUse { head += "X-StuntDouble-Use: true\r\n" }
        if let token {
            head += "Authorization: Bearer \(token)\r\n"
        } else if let credentials {
            let pair = Base64.encode(Array("\(credentials.username):\(credentials.password)".utf8))
            head += "Authorization: Basic \(pair)\r\n"
        }
        if let body { head += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }

    /// A complete HTTP/1.x answer.
    struct Answer {
        let status: Int
        /// The header fields; names and values in lower case.
        private(set) var fields: [String: String] = [:]
        let body: [UInt8]

        /// Parses an answer; nil if it is malformed or incomplete.
        init?(_ bytes: [UInt8]) {
            let blank = Array("\r\n\r\n".utf8)
            guard let end = Self.index(of: blank, in: bytes, from: 0) else { return nil }
            let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
            let words = lines.first?.split(separator: " ") ?? []
            guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
            self.status = status
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                fields[line[..<colon].lowercased()] = value.lowercased()
            }
            let rest = Array(bytes[(end + blank.count)...])
            if fields["transfer-encoding"]?.hasSuffix("chunked") == true {
                guard let whole = Self.dechunked(rest) else { return nil }
                body = whole
            } else if let length = fields["content-length"].flatMap({ Int($0) }) {
                guard length >= 0, rest.count >= length else { return nil }
                body = Array(rest.prefix(length))
            } else {
                body = rest
            }
        }

        /// The title of the first error in an admin API answer.
        var title: String? {
            (try? JSONValue(parsing: body))?["errors"]?[0]?["title"]?.stringValue
        }

        /// The detail of the first error.
        var detail: String? {
            (try? JSONValue(parsing: body))?["errors"]?[0]?["detail"]?.stringValue
        }

        private static func dechunked(_ bytes: [UInt8]) -> [UInt8]? {
            var body: [UInt8] = []
            var offset = 0
            while let line = index(of: Array("\r\n".utf8), in: bytes, from: offset) {
                let digits = bytes[offset..<line].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
                guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else { return nil }
                if size == 0 { return body }
                let start = line + 2
                guard size <= bytes.count - start - 2 else { return nil }
                body += bytes[start..<(start + size)]
                offset = start + size + 2
            }
            return nil
        }

        private static func index(of text: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
            guard bytes.count >= start + text.count else { return nil }
            return (start...(bytes.count - text.count)).first { bytes[$0...].starts(with: text) }
        }
    }
}
