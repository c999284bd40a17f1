import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDTerminalView

/// Exchanges as lines, if standard output is not a terminal.
struct TopLines {
    let client: AdminClient
    let feed: TopFeed
    let wantsJSON: Bool

    /// Prints a line for each ended exchange, until the daemon stops or standard output is closed.
    /// - Returns: the exit status.
    func run() -> Int32 {
        do throws(SystemError) {
            try feed.watch(after: nil)
        } catch {
            Console.error("cannot watch: \(error)", fix: "close other programs, and try again")
            return CommandLineError.exitCode
        }
        let zone = TopCommand.zoneOffset
        let kind = SystemCalls.kindOfStream(1)
        // Notices a closed reader even when there is nothing to write.
        let watched = [feed.number] + (kind == .pipe || kind == .socket ? [1] : [])
        var log = TrafficLog()
        while true {
            let ready = SystemCalls.waitReadable(anyOf: watched, milliseconds: -1)
            if ready.count > 1, ready[1] { return 0 }
            let news = feed.take()
            let isBusy = news.count > 200
            for item in news {
                switch item {
                case .events(let events):
                    for event in events {
                        log.take(event)
                        if event.type == "gap" {
                            Console.info("some requests are missing: \(event.data["reason"]?.stringValue ?? "")")
                        }
                        guard event.type == "response", let id = event.data["id"]?.stringValue,
                            let row = log.row(id) ?? TrafficRow(request: event.data)
                        else { continue }
                        if !print(row, isBusy: isBusy, zone) { return 0 }
                    }
                case .lost:
                    Console.error(
                        "\(client.server.text) no longer answers",
                        fix: "stuntdouble wait \(shellWord(client.server.text))")
                    return TopCommand.noDaemon
                case .ended:
                    Console.info("the session has ended")
                    return 0
                case .refused(let problem): return problem.report()
                default: break
                }
            }
        }
    }

    /// - Returns: false if standard output is closed.
    private func print(_ row: TrafficRow, isBusy: Bool, _ zone: Int) -> Bool {
        let explanation = row.isUnmatched && !isBusy ? explanation(row) : nil
        let line =
            wantsJSON
            ? Printable.json(ExchangeLine.document(row, explanation).compactText)
            : ExchangeLine.text(row, explanation, zoneOffset: zone)
        return Console.print(line + "\n") == 0
    }

    private func explanation(_ row: TrafficRow) -> TopExplanation? {
        let owner = row.session.map { client.client(ofSession: $0.id) } ?? client
        return owner?.explanation(of: row)
    }
}
