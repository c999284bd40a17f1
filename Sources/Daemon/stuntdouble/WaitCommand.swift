import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDServing

/// `stuntdouble wait`: waits until a server answers.
enum WaitCommand {
    private static let pause: Int32 = 50

    /// Runs the command.
    /// - Returns: the exit status: 0 once the server answers, 1 if it does not in time.
    static func run(_ options: WaitOptions) -> Int32 {
        let start = SystemCalls.monotonicMilliseconds()
        let limit = Int64(options.timeout.milliseconds)
        while true {
            let seen = ServerProbe(options.target)
            let waited = SystemCalls.monotonicMilliseconds() - start
            if seen.isUp, !seen.isUnready {
                return Console.print(
                    [
                        "url": .string(seen.place), "answer": .string(seen.text),
                        "status": seen.status.map { .number(JSONNumber($0)) } ?? .null,
                        "waitedMs": .number(JSONNumber(Int(waited))),
                    ],
                    else: "\(seen.place) \(seen.text)\n")
            }
            guard waited < limit else {
                let time = limit.isMultiple(of: 1_000) ? "\(limit / 1_000) s" : "\(limit) ms"
                Console.error(
                    ConsoleError(
                        seen.status == nil
                            ? "\(seen.place) does not answer after \(time): \(seen.text)"
                            : "\(seen.place) \(seen.text) (after \(time))", found: seen.text, fix: seen.fix))
                return 1
            }
            SystemCalls.pause(milliseconds: Int32(clamping: min(Int64(pause), limit - waited)))
        }
    }
}

/// One probe of a server.
struct ServerProbe {
    /// The address, or the port file while the address is unknown.
    let place: String
    /// The server's address; nil while unknown.
    private(set) var server: ServerURL?
    private(set) var isUp = false
    /// Whether the daemon reports that it is not ready: a replica that has not joined the others yet.
    private(set) var isUnready = false
    /// The status of the answer; nil without one.
    private(set) var status: Int?
    /// The result in words.
    private(set) var text: String
    private(set) var fix: String

    /// The timeout; a server that accepts and stays silent then counts as up.
    private static let idleSeconds = 2

    init(_ target: ServerTarget) {
        switch target {
        case .url(let url):
            (place, text, fix) = (url.text, "", Self.start(url))
            look(at: url)
        case .secured(let host, let port):
            (place, text) = ("https://\(host):\(port)", "")
            fix = "start it: stuntdouble --https-port \(port)"
            take(Self.exchange(host, port, []), isPlain: false)
        case .file(let path):
            guard let port = Self.port(in: path), let url = ServerURL("127.0.0.1:\(port)") else {
                place = path.withoutPassword
                let isThere = SystemCalls.exists(path)
                text = isThere ? "there is no port in this file" : "there is no such port file"
                fix =
                    isThere
                    ? "name a file that --port-file has"
                    : "stuntdouble --port 0 --port-file \(shellWord(path.withoutPassword))"
                return
            }
            (place, text, fix) = (url.text, "", Self.start(url))
            look(at: url)
        }
    }

    private static func start(_ server: ServerURL) -> String {
        "wait longer by --timeout, or start it: stuntdouble --port \(server.port)"
    }

    private static func port(in path: String) -> Int? {
        guard let file = try? SystemCalls.open(path, .read), let bytes = try? SystemCalls.readAll(file, limit: 64)
        else {
            return nil
        }
        return Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    private mutating func look(at url: ServerURL) {
        server = url
        let request =
            "GET \(url.path)/__admin/health HTTP/1.1\r\nHost: \(url.authority)\r\nAccept: application/json\r\n"
            + "Connection: close\r\n\r\n"
        take(Self.exchange(url.host, url.port, Array(request.utf8)), isPlain: true)
    }

    private static func exchange(
        _ host: String, _ port: Int, _ request: [UInt8]
    ) -> Result<[UInt8], SystemCalls.ClientProblem> {
        Result { () throws(SystemCalls.ClientProblem) in
            try SystemCalls.exchange(
                host: host, port: port, request: request, limit: 1 << 20,
                idleSeconds: request.isEmpty ? 1 : idleSeconds)
        }
    }

    private mutating func take(_ result: Result<[UInt8], SystemCalls.ClientProblem>, isPlain: Bool) {
        switch result {
        case .success(let bytes) where bytes.isEmpty:
            (isUp, text) = (!isPlain, isPlain ? "it closes connections without an answer" : "accepts connections")
        case .success(let bytes):
            isUp = true
            let answer = AdminClient.Answer(bytes)
            status = answer?.status
            let json = answer.flatMap { try? JSONValue(parsing: $0.body) }
            let message = json?["message"]?.stringValue.map { ": \($0)" } ?? ""
            if json?["status"] == "healthy", let version = json?["version"]?.stringValue {
                let isOurs = json?["message"]?.stringValue?.hasPrefix("Stunt Double") ?? false
                text = "is \(isOurs ? "Stunt Double" : "WireMock") \(version)"
            } else if json?["status"] == "unhealthy" {
                isUnready = true
                text = "is unhealthy" + message
                fix = "wait longer by --timeout; GET /__admin/replicas says what a replica waits for"
            } else if json?["status"] == "degraded" {
                text = "is degraded" + message
            } else {
                text = status.map { "answers, with status \($0)" } ?? "answers, but not in HTTP"
            }
        case .failure(.unknownHost(let reason)): text = reason
        case .failure(.failed(let error)) where error.call == "read" && error.isTimeOut:
            (isUp, text) = (true, "accepts connections")
        case .failure(.failed(let error)): text = error.reason
        }
    }
}
