/// The other views, and overlays of the list.
extension TopModel {
    /// The index of the first visible entry, such that the selected one is visible.
    private func start(_ chosen: Int, _ room: Int, _ count: Int) -> Int {
        max(0, min(chosen - room / 2, count - room))
    }

    private func list(
        _ count: Int, _ height: Int, _ width: Int, heading: ScreenLine, empty: String, _ entry: (Int) -> ScreenLine
    ) -> [ScreenLine] {
        guard count > 0 else {
            var line = line()
            line.add("  " + empty, .dim)
            return [heading, self.line(), line]
        }
        let room = max(1, height - 1)
        let chosen = min(place[view] ?? 0, count - 1)
        let first = start(chosen, room, count)
        return [heading]
            + (first..<min(count, first + room)).map { index in
                let line = entry(index)
                return index == chosen ? line.reversed(to: width) : line
            }
    }

    func stubs(_ height: Int, _ width: Int, now: Int) -> [ScreenLine] {
        let stubs = sortedStubs
        let file = width >= 80 ? min(30, width / 4) : 0
        let key = width - 20 - (file > 0 ? file + 2 : 0)
        var heading = line()
        heading.add(" ")
        heading.add("HITS", .dim, width: 8, at: .right)
        heading.add("LAST", .dim, width: 8, at: .right)
        heading.add("  ")
        heading.add("STUB", .dim, width: key)
        if file > 0 {
            heading.add("  ")
            heading.add("FILE", .dim, width: file)
        }
        return list(stubs.count, height, width, heading: heading, empty: "There are no stubs.") { index in
            let count = stubs[index]
            let style: ScreenStyle = count.hits == 0 ? .dim : .plain
            var line = line()
            line.add(" ")
            line.add(TrafficFormats.count(count.hits), style, width: 8, at: .right)
            line.add(last(count, now: now), .dim, width: 8, at: .right)
            line.add("  ")
            var text = count.stub.key ?? count.stub.label
            if let name = count.stub.name { text += "  \"\(name)\"" }
            let note = !count.isEnabled ? " off" : count.isHidden ? " hidden" : ""
            line.add(text, style, width: key - note.count, losing: .end)
            line.add(note, ScreenStyle(.yellow))
            if file > 0 {
                line.add("  ")
                line.add(count.stub.place ?? "in memory", .dim, width: file, losing: .middle)
            }
            return line
        }
    }

    func sessions(_ height: Int, _ width: Int, now: Int) -> [ScreenLine] {
        let name = max(12, width - 46)
        var heading = line()
        heading.add(" ")
        heading.add("SESSION", .dim, width: name)
        for title in ["REQUESTS", "UNMATCHED", "FAILED", "IDLE"] { heading.add(title, .dim, width: 11, at: .right) }
        return list(
            overview.sessions.count, height, width, heading: heading, empty: "No session beside the daemon's own."
        ) { index in
            let count = overview.sessions[index]
            var line = line()
            line.add(" ")
            line.add(count.session.label, width: name)
            line.add(TrafficFormats.count(count.served), width: 11, at: .right)
            line.add(
                TrafficFormats.count(count.unmatched), count.unmatched > 0 ? ScreenStyle(.magenta, bold: true) : .plain,
                width: 11, at: .right)
            line.add(
                TrafficFormats.count(count.failed), count.failed > 0 ? ScreenStyle(.red, bold: true) : .plain,
                width: 11,
                at: .right)
            line.add(TrafficFormats.age(seconds: count.idleMilliseconds / 1_000), .dim, width: 11, at: .right)
            return line
        }
    }

    func held(_ height: Int, _ width: Int, now: Int) -> [ScreenLine] {
        let hasSessions = overview.held.contains { $0.session != nil }
        let session = hasSessions && width >= 100 ? 14 : 0
        let gate = 14
        let room = width - 1 - 7 - 2 - 8 - gate - 2 - (session > 0 ? session + 2 : 0) - 1
        var heading = line()
        heading.add(" ")
        heading.add("HELD", .dim, width: 7, at: .right)
        heading.add("  ")
        heading.add("METHOD", .dim, width: 8)
        heading.add("URL", .dim, width: room)
        heading.add("  ")
        heading.add("GATE", .dim, width: gate)
        if session > 0 {
            heading.add("  ")
            heading.add("SESSION", .dim, width: session)
        }
        return list(overview.held.count, height, width, heading: heading, empty: "No request waits at a gate.") {
            index in
            let held = overview.held[index]
            var line = line()
            line.add(" ")
            line.add(TrafficFormats.age(seconds: (now - held.since) / 1_000), width: 7, at: .right)
            line.add("  ")
            line.add(held.method, width: 8)
            line.add(url(held.url, room))
            line.add("  ")
            line.add(held.gate, ScreenStyle(.yellow), width: gate)
            if session > 0 {
                line.add("  ")
                line.add(held.session?.label ?? "-", .dim, width: session)
            }
            return line
        }
    }

    /// An opened exchange.
    mutating func detail(_ detail: TopDetail, _ height: Int, _ width: Int, now: Int) -> [ScreenLine] {
        var shown = detail
        // Updates of the row since it was opened.
        if let row = log.row(detail.row.id), row != detail.row { shown = detail.about(row) }
        if shown.explanation == nil { shown.explanation = explanations[detail.row.id] ?? nil }
        var title = line()
        let near = shown.row.isUnmatched ? shown.explanation?.hint : nil
        title.add(" #\(shown.row.sequence) ", .dim)
        let room = width - title.width - (near.map { CellText.width(CellText.clean($0)) + 3 } ?? 1)
        title.add(
            CellText.cut(
                CellText.clean("\(shown.row.method) \(shown.row.url)", isUnicode: settings.isUnicode),
                to: max(16, room), losing: .middle, isUnicode: settings.isUnicode), .bold)
        if let near {
            title.add("  ")
            title.add(near, ScreenStyle(.magenta))
        }
        var tabs = line()
        for tab in shown.tabs {
            tabs.add(" ")
            tabs.add(" \(tab == .why ? "why not" : tab.rawValue) ", tab == shown.tab ? .reversed : .dim)
        }
        let all = shown.lines(settings, width: width, now: now)
        let space = max(1, height - 3)
        let first = max(0, min(shown.scroll, all.count - space))
        opened?.scroll = first
        let end = min(all.count, first + space)
        if all.count > space {
            tabs.add("\(first + 1)-\(end) of \(all.count) ", .dim, endingAt: width)
        }
        return [title, tabs, line()] + all[first..<end]
    }

    /// A command below the list, for terminals without clipboard support.
    func command(_ text: String, _ width: Int, most: Int) -> [ScreenLine] {
        let lines = text.split(separator: "\n").flatMap { part in
            CellText.wrap(CellText.clean(part, isUnicode: settings.isUnicode), to: width)
        }
        return [rule(width)]
            + lines.prefix(most - 1).map { part in
                var line = line()
                line.add(part)
                return line
            }
    }
}
