import SDBasics
import SDCommand
import SDPlatform
import SDTerminalView

/// The live view on a terminal: waits for keys, signals and news, and draws.
struct TopTerminal {
    private let output: Int32 = 1
    /// The descriptor that keys are read from.
    private let input: Int32
    private let hasColours: Bool
    private let isUnicode: Bool
    private static let frameMilliseconds: Int64 = 100

    /// Checks for a terminal that can be drawn on; nil if standard output is not one.
    init?(_ colours: TopOptions.Colours) {
        func variable(_ name: String) -> String? {
            SystemCalls.environmentVariable(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        guard SystemCalls.kindOfStream(1) == .terminal, let kind = variable("TERM"), kind != "dumb" else { return nil }
        if SystemCalls.kindOfStream(0) == .terminal {
            input = 0
        } else {
            guard let terminal = try? SystemCalls.open("/dev/tty", .read) else { return nil }
            input = terminal.release()
        }
        hasColours =
            switch colours {
            case .always: true
            case .never: false
            case .auto: variable("NO_COLOR") == nil
            }
        let locale = (variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG"))?.lowercased() ?? ""
        isUnicode = locale.contains(text: "utf-8") || locale.contains(text: "utf8")
    }

    /// Shows the view until it is quit.
    /// - Returns: the exit status.
    func run(_ feed: TopFeed, _ overview: TopOverview, _ client: AdminClient) -> Int32 {
        var view = Drawing(
            TopModel(
                TopModel.Settings(
                    url: client.server.text, zoneOffset: TopCommand.zoneOffset, isUnicode: isUnicode)), hasColours)
        view.model.overview = overview
        do throws(SystemError) {
            let signals = try SystemCalls.catchTerminalSignals()
            try feed.watch(after: max(0, client.lastSequence() - 500))
            try feed.answer()
            try enter(&view)
            defer { SystemCalls.leaveTerminal() }
            return try show(&view, feed, signals)
        } catch {
            SystemCalls.leaveTerminal()
            // No error message if the terminal was closed.
            if error.isBrokenPipe || error.call == "write" { return 0 }
            Console.error("cannot draw on the terminal: \(error)", fix: "stuntdouble top | cat")
            return CommandLineError.exitCode
        }
    }

    /// The state of drawing.
    private struct Drawing {
        var model: TopModel
        var painter: ScreenPainter
        var keys = TerminalKeyReader()
        var isStale = true
        var isAway = false
        var lastFrame: Int64 = 0
        /// Text sent before the next frame, such as one for the clipboard.
        var ahead = ""
        /// Bytes that the terminal has not accepted yet; no frame is drawn meanwhile.
        var unsent: [UInt8] = []

        init(_ model: TopModel, _ hasColours: Bool) {
            self.model = model
            painter = ScreenPainter(hasColours: hasColours)
        }
    }

    private var size: (rows: Int, columns: Int) {
        let size = SystemCalls.terminalSize(output) ?? (24, 80)
        return (min(size.rows, 500), min(size.columns, 1_000))
    }

    private func enter(_ view: inout Drawing) throws(SystemError) {
        try SystemCalls.enterTerminal(output, leave: ScreenPainter.leave)
        view.unsent = Array(ScreenPainter.enter.utf8)
    }

    /// Sends what the terminal accepts without blocking, so that a stopped terminal does not delay signals.
    private func send(_ view: inout Drawing) throws(SystemError) {
        while !view.unsent.isEmpty {
            let count = try SystemCalls.writeTerminal(view.unsent, to: output)
            guard count > 0 else { return }
            view.unsent.removeFirst(count)
        }
    }

    private static var now: Int { Int(SystemCalls.wallClockMilliseconds()) }

    private func show(
        _ view: inout Drawing, _ feed: TopFeed, _ signals: borrowing SystemCalls.CaughtSignals
    ) throws(SystemError) -> Int32 {
        while true {
            let waited = [signals.number, feed.number] + (view.isAway ? [] : [input])
            let ready = SystemCalls.waitReadable(anyOf: waited, milliseconds: wait(view))
            if ready[0] {
                for signal in signals.wait(milliseconds: 0) { try take(signal.number, &view) }
            }
            if view.isAway {
                if SystemCalls.isForeground(output) { try comeBack(&view) } else { continue }
            }
            var keys: [TerminalKey] = []
            if ready.count > 2, ready[2] {
                let bytes = (try? SystemCalls.readSome(input)) ?? []
                if bytes.isEmpty { return 0 }
                keys = view.keys.read(bytes)
            } else if view.keys.waits {
                keys = view.keys.flush()
            }
            for key in keys {
                view.isStale = true
                for action in view.model.press(key, rows: size.rows, now: Self.now) {
                    if action == .quit { return 0 }
                    try take(action, &view, feed)
                }
            }
            for news in feed.take() {
                view.isStale = true
                if case .refused(let problem) = news {
                    SystemCalls.leaveTerminal()
                    return problem.report()
                }
                take(news, &view)
            }
            for wish in view.model.wishes(rows: size.rows, columns: size.columns, now: Self.now) { feed.ask(wish) }
            try draw(&view)
        }
    }

    /// The time to wait for an event, in milliseconds: until the next frame, or the next second, because ages are
    /// shown.
    private func wait(_ view: Drawing) -> Int32 {
        if view.keys.waits { return 50 }
        if view.isAway { return 500 }
        if !view.unsent.isEmpty { return 50 }
        let sinceFrame = SystemCalls.monotonicMilliseconds() - view.lastFrame
        if view.isStale { return Int32(clamping: max(0, Self.frameMilliseconds - sinceFrame)) }
        return Int32(1_005 - Self.now % 1_000)
    }

    private func draw(_ view: inout Drawing) throws(SystemError) {
        let time = SystemCalls.monotonicMilliseconds()
        guard !view.isAway else { return }
        try send(&view)
        guard view.unsent.isEmpty, time - view.lastFrame >= Self.frameMilliseconds else { return }
        let (rows, columns) = size
        let lines = view.model.screen(rows: rows, columns: columns, now: Self.now)
        let text = view.ahead + view.painter.paint(lines, rows: rows, columns: columns)
        view.ahead = ""
        view.isStale = false
        view.lastFrame = time
        view.unsent = Array(text.utf8)
        try send(&view)
    }

    // MARK: - Events

    private func take(_ signal: Int32, _ view: inout Drawing) throws(SystemError) {
        switch signal {
        case TerminalSignal.interrupt, TerminalSignal.terminate, TerminalSignal.hangUp:
            SystemCalls.leaveTerminal()
            SystemCalls.endProcess(by: signal)
        case TerminalSignal.stop: stop(&view)
        case TerminalSignal.goOn:
            // Programs that ran meanwhile may have changed the terminal's mode.
            SystemCalls.leaveTerminal()
            view.isAway = true
        case TerminalSignal.resize: view.isStale = true
        default: break
        }
    }

    private func stop(_ view: inout Drawing) {
        SystemCalls.leaveTerminal()
        view.isAway = true
        SystemCalls.stopProcess()
    }

    private func comeBack(_ view: inout Drawing) throws(SystemError) {
        try enter(&view)
        view.isAway = false
        view.isStale = true
        view.painter.forget()
    }

    private func take(_ action: TopAction, _ view: inout Drawing, _ feed: TopFeed) throws(SystemError) {
        switch action {
        case .suspend: stop(&view)
        case .redraw: view.painter.forget()
        default: feed.ask(action)
        }
    }

    private func take(_ news: TopFeed.News, _ view: inout Drawing) {
        let now = Self.now
        switch news {
        case .events(let events): view.model.take(events, now: now)
        case .connected: view.model.connection = .live
        case .lost: if view.model.connection == .live { view.model.connection = .lost(since: now) }
        case .ended: view.model.connection = .ended
        case .overview(let health, let counters, let sessions):
            if let health { view.model.overview.take(health: health, now: now) }
            if let counters { view.model.overview.take(counters: counters) }
            if let sessions { view.model.overview.take(sessions: sessions) }
        case .gates(let answers): view.model.take(gates: answers, now: now)
        case .explanation(let id, let explanation): view.model.take(explanation: explanation, of: id)
        case .exchange(let id, let exchange): view.model.take(exchange: exchange, of: id)
        case .curl(let text):
            view.model.take(curl: text, now: now)
            // As Base64, so that its bytes cannot control the terminal.
            view.ahead += "\u{1b}]52;c;\(base64(Array(text.utf8.prefix(75_000))))\u{7}"
        case .said(let text): view.model.tell(text, now: now)
        case .refused: break
        }
    }
}
