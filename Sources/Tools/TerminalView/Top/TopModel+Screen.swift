import SDBasics

/// The screen as lines.
extension TopModel {
    /// The minimum width of a screen with more than one line of counts.
    public static let minColumns = 60
    public static let minRows = 12

    /// All lines of a screen of this size.
    public mutating func screen(rows: Int, columns: Int, now: Int) -> [ScreenLine] {
        update(now: now)
        guard rows >= Self.minRows, columns >= Self.minColumns else {
            return [counts(columns, now: now, isShort: true).cut(to: columns)]
        }
        var lines = [title(columns, now: now)]
        if columns >= 100 {
            lines.append(wideCounts(columns, now: now))
        } else {
            lines.append(counts(columns, now: now))
            if rows >= 20 { lines.append(bars(columns, now: now)) }
        }
        if rows >= 20 { lines.append(rule(columns)) }
        let room = rows - lines.count - 1
        if showsHelp {
            lines += help(room, columns)
        } else if let opened {
            lines += detail(opened, room, columns, now: now)
        } else {
            lines += main(room, columns, now: now)
        }
        while lines.count < rows - 1 { lines.append(line()) }
        return (lines.prefix(rows - 1) + [footer(columns)]).map { $0.cut(to: columns) }
    }

    /// The current view with the panes below it.
    private mutating func main(_ room: Int, _ columns: Int, now: Int) -> [ScreenLine] {
        var pane: [ScreenLine] = []
        if let copied {
            pane = command(copied, columns, most: max(3, room / 3))
        } else if view == .requests, room >= 16 {
            pane = panes(columns, height: room >= 30 ? room / 3 : 6, now: now)
        }
        let list = room - pane.count - 1
        var lines = [tabs(columns, now: now)]
        switch view {
        case .requests: lines += requests(list, columns, now: now)
        case .stubs: lines += stubs(list, columns, now: now)
        case .sessions: lines += sessions(list, columns, now: now)
        case .held: lines += held(list, columns, now: now)
        }
        while lines.count < room - pane.count { lines.append(line()) }
        return lines + pane
    }

    func line() -> ScreenLine { ScreenLine(isUnicode: settings.isUnicode) }

    func rule(_ columns: Int) -> ScreenLine {
        var line = line()
        line.add(String(repeating: settings.isUnicode ? "─" : "-", count: columns), .dim)
        return line
    }

    // MARK: - Header

    private func title(_ columns: Int, now: Int) -> ScreenLine {
        var line = line()
        let (state, style) = state(now: now)
        let end = columns - 1
        let room = end - CellText.width(CellText.clean(state, isUnicode: settings.isUnicode)) - 2
        line.add(" stuntdouble", .bold)
        func add(_ text: String, _ style: ScreenStyle = .plain) {
            if line.width + CellText.width(CellText.clean(text, isUnicode: settings.isUnicode)) + 2 <= room {
                line.add("  ")
                line.add(text, style)
            }
        }
        if !overview.version.isEmpty { line.add(" " + overview.version, .dim) }
        add(
            CellText.cut(
                settings.url, to: max(20, room - line.width - 2), losing: .middle, isUnicode: settings.isUnicode))
        if let start = overview.startedAt, connection == .live {
            add("up " + TrafficFormats.age(seconds: (now - start) / 1_000), .dim)
        }
        add(overview.stubs.count.of("stub"), .dim)
        if !overview.sessions.isEmpty { add(overview.sessions.count.of("session"), .dim) }
        line.add(state, style, endingAt: end)
        return line
    }

    private func state(now: Int) -> (String, ScreenStyle) {
        switch connection {
        case .lost(let since):
            return (
                "LOST \(TrafficFormats.clock(since, offset: settings.zoneOffset)), trying",
                ScreenStyle(.red, bold: true)
            )
        case .ended: return ("SESSION ENDED", ScreenStyle(.yellow, bold: true))
        case .live: break
        }
        if let frozen {
            let waiting = log.added - frozen.added
            return (
                "PAUSED" + (waiting > 0 ? ", \(TrafficFormats.count(waiting)) waiting" : ""),
                ScreenStyle(.yellow, bold: true)
            )
        }
        return ("LIVE", ScreenStyle(.green, bold: true))
    }

    private func figure(_ count: Int, _ noun: String, _ style: ScreenStyle) -> (String, ScreenStyle) {
        ("\(TrafficFormats.count(count)) \(noun)", count > 0 ? style : .plain)
    }

    private func rate(now: Int) -> String {
        let two = log.rates(2, now: now)
        return "\(TrafficFormats.count((two[0] + two[1] + 1) / 2))/s"
    }

    private var unmatchedStyle: ScreenStyle { ScreenStyle(.magenta, bold: true) }

    /// The counts: the daemon's, updated by later events.
    private var figures: (requests: Int, unmatched: Int, failed: Int, held: Int) {
        (overview.allRequests, overview.allUnmatched, overview.allFailed, overview.heldCount)
    }

    private func counts(_ columns: Int, now: Int, isShort: Bool = false) -> ScreenLine {
        var line = line()
        var parts: [(String, ScreenStyle, Int)] = [(rate(now: now), .bold, 0)]
        let count = figures
        if connection != .live {
            let (text, style) = state(now: now)
            if isShort { parts = [(text, style, 0)] }
        }
        if let times = log.percentiles(now: now) {
            parts.append(("p50 " + TrafficFormats.duration(microseconds: times.p50), .plain, 3))
            parts.append(("p95 " + TrafficFormats.duration(microseconds: times.p95), .plain, 2))
        }
        parts.append(("\(TrafficFormats.count(count.requests)) request\(count.requests == 1 ? "" : "s")", .plain, 1))
        for (text, style) in [
            figure(count.unmatched, "unmatched", unmatchedStyle),
            figure(count.failed, "failed", ScreenStyle(.red, bold: true)),
            figure(count.held, "held", ScreenStyle(.yellow, bold: true)),
        ] {
            parts.append((text, style, 0))
        }
        // The least important ones are dropped if there is no room.
        for level in [3, 2, 1] {
            let width = parts.reduce(0) { $0 + $1.0.utf8.count + 2 }
            if width > columns { parts.removeAll { $0.2 == level } }
        }
        line.add(" ")
        for (index, part) in parts.enumerated() {
            if index > 0 { line.add("  ") }
            line.add(part.0, part.1)
        }
        return line
    }

    private func wideCounts(_ columns: Int, now: Int) -> ScreenLine {
        var line = line()
        line.add(" ")
        line.add(rate(now: now), .bold)
        line.add("  ")
        line.add(spark(min(60, columns - 92), now: now))
        if let times = log.percentiles(now: now) {
            line.add(
                "  p50 \(TrafficFormats.duration(microseconds: times.p50))  p95 \(TrafficFormats.duration(microseconds: times.p95))  max \(TrafficFormats.duration(microseconds: times.longest))"
            )
        }
        let count = figures
        line.add("   \(TrafficFormats.count(count.requests)) request\(count.requests == 1 ? "" : "s")")
        for (text, style) in [
            figure(count.unmatched, "unmatched", unmatchedStyle),
            figure(count.failed, "failed", ScreenStyle(.red, bold: true)),
            figure(count.held, "held", ScreenStyle(.yellow, bold: true)),
        ] {
            line.add("  ")
            line.add(text, style)
        }
        return line
    }

    /// Requests per second as bars.
    private func spark(_ width: Int, now: Int) -> ScreenLine {
        let rates = log.rates(60, now: now).suffix(max(1, width))
        let most = max(1, rates.max() ?? 1)
        let marks = settings.isUnicode ? Array("▂▃▄▅▆▇█") : Array(":|")
        var line = line()
        line.add(settings.isUnicode ? "" : "[", .dim)
        for rate in rates {
            if rate == 0 {
                line.add(settings.isUnicode ? "▁" : ".", .dim)
            } else {
                line.add(String(marks[min(marks.count - 1, rate * marks.count / (most + 1))]), ScreenStyle(.blue))
            }
        }
        line.add(settings.isUnicode ? "" : "]", .dim)
        return line
    }

    private func bars(_ columns: Int, now: Int) -> ScreenLine {
        var line = line()
        line.add(" ")
        line.add(spark(min(60, columns - 16), now: now))
        line.add("  last \(min(60, columns - 16)) s", .dim)
        return line
    }

    private func tabs(_ columns: Int, now: Int) -> ScreenLine {
        var line = line()
        for view in View.allCases {
            line.add(" ")
            let count = view == .held && overview.heldCount > 0 ? " \(overview.heldCount)" : ""
            line.add(" \(view.rawValue)\(count) ", view == self.view ? .reversed : .dim)
        }
        let shown = "\(TrafficFormats.count(visible.count))/\(TrafficFormats.count(shownLog.rows.count)) "
        if let typed {
            let room = columns - line.width - 12
            line.add("  / ", .bold)
            let text = CellText.clean(typed, isUnicode: settings.isUnicode)
            line.add(CellText.width(text) < room ? text : String(text.suffix(room - 1)))
            line.add(" ", .reversed)
            line.add(shown, .dim, endingAt: columns)
        } else if view == .requests, !wholeFilter.isEmpty {
            line.add("  filter: ", .dim)
            line.add(
                CellText.cut(
                    CellText.clean(wholeFilter, isUnicode: settings.isUnicode),
                    to: max(6, columns - line.width - shown.utf8.count - 2), isUnicode: settings.isUnicode), .bold)
            line.add(shown, .dim, endingAt: columns)
        } else if view == .stubs {
            line.add("\(sorting.rawValue) ", .dim, endingAt: columns)
        }
        return line
    }

    // MARK: - Footer

    private func footer(_ columns: Int) -> ScreenLine {
        var line = line()
        if let question {
            let held = question.held
            line.add(" Release \(held.method) ", .bold)
            let choices =
                question.waiting > 1 ? "  y yes   a all \(question.waiting) at \(held.gate)   n no" : "  y yes   n no"
            let room = max(8, columns - line.width - CellText.width(CellText.clean(choices)) - 2)
            line.add(
                CellText.cut(
                    CellText.clean(held.url, isUnicode: settings.isUnicode), to: room, losing: .middle,
                    isUnicode: settings.isUnicode), .bold)
            line.add("?", .bold)
            line.add(choices)
            return line.cut(to: columns).reversed(to: columns)
        }
        // Beside a message, as many keys as fit are shown.
        if let warning = TrafficFilter(wholeFilter).warnings.first, typed != nil || message == nil {
            line.add(" " + warning, ScreenStyle(.yellow))
        } else if let message {
            line.add(" " + message.text, ScreenStyle(.yellow))
        }
        let keys: [(String, String)]
        if typed != nil {
            keys = [("enter", "keep"), ("esc", "empty, then leave"), ("down", "earlier ones"), ("^W", "drop a word")]
        } else if opened != nil {
            keys = [
                ("esc", "back"), ("[ ]", "what is shown"), ("j k", "scroll"), ("n N", "next unmatched"),
                ("y", "copy curl"), ("?", "help"),
            ]
        } else if showsHelp {
            keys = [("esc", "back")]
        } else {
            keys = TopKeys.all.compactMap { row in row.word.map { (row.keys, $0) } }
        }
        for (key, word) in keys {
            guard line.width + key.count + word.count + 3 <= columns else { break }
            line.add(line.width == 0 ? " " : "  ")
            line.add(key, .bold)
            line.add(" " + word, .dim)
        }
        return line
    }

    private func help(_ room: Int, _ columns: Int) -> [ScreenLine] {
        var lines: [ScreenLine] = []
        for row in TopKeys.all {
            for (index, part) in CellText.wrap(row.help, to: columns - 12).enumerated() {
                var line = line()
                line.add(" ")
                line.add(index == 0 ? row.keys : "", .bold, width: 8)
                line.add("  " + part)
                lines.append(line)
            }
        }
        for text in [
            "X nothing answered   F a fault acted   H held   ! failed",
            "If a kill -9 left the terminal in disorder: reset",
        ] {
            var line = line()
            line.add("           " + text, .dim)
            lines.append(line)
        }
        return Array(lines.prefix(room))
    }
}
