import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDTerminalView

/// `stuntdouble top`: a live view of a running daemon, on a terminal or as lines.
enum TopCommand {
    /// The exit status if no daemon answers.
    static let noDaemon: Int32 = 3

    /// Runs the command.
    /// - Returns: the exit status: 0 at the end, 2 if the question is invalid, 3 if no daemon answers.
    static func run(_ options: TopOptions) -> Int32 {
        SystemCalls.ignoreBrokenPipes()
        guard let named = AdminClient(ofRunning: options.query) else { return noDaemon }
        do throws(AdminClientProblem) {
            let (client, overview) = try look(named)
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

    /// Connects to the daemon, at the admin API's own port if another one was named.
    private static func look(_ named: AdminClient) throws(AdminClientProblem) -> (AdminClient, TopOverview) {
        do throws(AdminClientProblem) {
            return (named, try named.overview())
        } catch {
            guard let client = named.following(error) else { throw error }
            return (client, try client.overview())
        }
    }

    private static func tell(_ overview: TopOverview, _ client: AdminClient, asJSON: Bool) -> Int32 {
        let now = Int(SystemCalls.wallClockMilliseconds())
        var overview = overview
        overview.unanswered = client.unanswered()
        if asJSON {
            _ = Console.print(document: ExchangeLine.document(overview, url: client.server.text, now: now))
        } else {
            _ = Console.print(ExchangeLine.summary(overview, url: client.server.text, now: now))
        }
        return 0
    }

    /// The local time zone, in seconds east of Greenwich.
    static var zoneOffset: Int { SystemCalls.zoneOffset(at: Int(SystemCalls.wallClockMilliseconds() / 1_000)) }
}

extension AdminClient {
    /// Fetches everything that the view shows besides requests.
    /// - Throws: the reason why that failed.
    func overview() throws(AdminClientProblem) -> TopOverview {
        var overview = TopOverview()
        let now = Int(SystemCalls.wallClockMilliseconds())
        overview.take(health: try call("GET", "/health"), now: now)
        overview.take(counters: try call("GET", "/requests/counters"))
        overview.take(sessions: try call("GET", "/sessions"))
        overview.take(gates: gates(overview), now: now)
        return overview
    }

    /// The latest unmatched requests, newest first, with the nearest stub of the first one; empty if the daemon does
    /// not list them.
    func unanswered() -> [TopOverview.Unanswered] {
        let list = try? call(
            "GET", "/requests?view=row&sessions=all&q=is:unmatched&limit=\(TopOverview.maxUnanswered)")
        let rows = (list?["requests"]?.arrayValue ?? []).compactMap { TrafficRow(request: $0) }
        return rows.enumerated().map { place, row in
            let owner = row.session.map { client(ofSession: $0.id) } ?? self
            return TopOverview.Unanswered(row: row, explanation: place < 5 ? owner?.explanation(of: row) : nil)
        }
    }

    /// The gates of the daemon and its sessions, as far as their calls succeed.
    func gates(_ overview: TopOverview) -> [(session: TrafficRow.Session?, answer: JSONValue)] {
        var answers: [(session: TrafficRow.Session?, answer: JSONValue)] = []
        if let answer = try? call("GET", "/gates") { answers.append((nil, answer)) }
        // A limit: with more sessions, users examine single ones.
        for count in overview.sessions.prefix(20) {
            if let answer = try? client(ofSession: count.session.id)?.call("GET", "/gates") {
                answers.append((count.session, answer))
            }
        }
        return answers
    }
}
