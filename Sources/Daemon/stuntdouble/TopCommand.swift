import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDTerminalView

/// `stuntdouble top`: the live view of a running daemon, on a terminal or as lines.
enum TopCommand {
    /// The status where no daemon answers.
    static let noDaemon: Int32 = 3

    /// Runs the command.
    /// - Returns: the exit status: 0, 2 for a question that cannot be asked, 3 if no daemon answers.
    static func run(_ options: TopOptions) -> Int32 {
        SystemCalls.ignoreBrokenPipes()
        for notice in options.notices { Console.note(notice) }
        var query = options.query
        if let path = options.portFile {
            let seen = LookAtServer(.file(path))
            guard let server = seen.server else {
                Console.complain("\(path): \(seen.text)", fix: seen.fix)
                return noDaemon
            }
            query.server = server
        }
        guard let client = AdminClient(query) else { return CommandLineError.exitCode }
        do throws(AdminClientProblem) {
            let overview = try client.overview()
            if options.isOnce { return tell(overview, client, asJSON: options.wantsJSON) }
            let feed: TopFeed
            do throws(SystemError) {
                feed = try TopFeed(client)
            } catch {
                throw AdminClientProblem("cannot watch: \(error)", fix: "close other programs, and try again")
            }
            guard !options.wantsJSON, let terminal = TopTerminal(options.colours) else {
                return TopLines(client: client, feed: feed, wantsJSON: options.wantsJSON).run()
            }
            return terminal.run(feed, overview, client)
        } catch {
            let status = error.report()
            return error.isUnreachable ? noDaemon : status
        }
    }

    private static func tell(_ overview: TopOverview, _ client: AdminClient, asJSON: Bool) -> Int32 {
        let now = Int(SystemCalls.wallClockMilliseconds())
        if asJSON {
            _ = Console.print(document: ExchangeLine.document(overview, url: client.server.text, now: now))
        } else {
            _ = Console.print(ExchangeLine.summary(overview, url: client.server.text, now: now))
        }
        return 0
    }

    /// The zone of this machine's clock, in seconds east of Greenwich.
    static var zoneOffset: Int { SystemCalls.zoneOffset(at: Int(SystemCalls.wallClockMilliseconds() / 1_000)) }
}

extension AdminClient {
    /// Asks for all that a view shows beside requests.
    /// - Throws: why there is none.
    func overview() throws(AdminClientProblem) -> TopOverview {
        var overview = TopOverview()
        let now = Int(SystemCalls.wallClockMilliseconds())
        overview.take(health: try call("GET", "/health"), now: now)
        overview.take(counters: try call("GET", "/requests/counters"))
        overview.take(sessions: try call("GET", "/sessions"))
        overview.take(gates: gates(overview), now: now)
        return overview
    }

    /// The gates of the daemon and of its sessions, as far as they answer.
    func gates(_ overview: TopOverview) -> [(session: TrafficRow.Session?, answer: JSONValue)] {
        var answers: [(session: TrafficRow.Session?, answer: JSONValue)] = []
        if let answer = try? call("GET", "/gates") { answers.append((nil, answer)) }
        // Who has more sessions looks at them one by one.
        for count in overview.sessions.prefix(20) {
            if let answer = try? client(ofSession: count.session.id)?.call("GET", "/gates") {
                answers.append((count.session, answer))
            }
        }
        return answers
    }
}
