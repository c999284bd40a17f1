/// The list of exchanges.
extension TopModel {
    /// The visible columns. With too little room they are dropped in the order size, session, stub, when.
    struct Columns {
        var when = 12
        var session = 0
        var size = 8
        var stub = 16
        var url = 0

        init(_ width: Int, hasSessions: Bool) {
            when = width >= 100 ? 12 : 6
            stub = width >= 110 ? 22 : 14
            session = hasSessions ? 12 : 0
            url = Self.rest(self, width)
            if url < 28 { size = 0 }
            url = Self.rest(self, width)
            if url < 28 { session = 0 }
            url = Self.rest(self, width)
            if url < 26 { stub = 0 }
            url = Self.rest(self, width)
            if url < 20 { when = 0 }
            url = Self.rest(self, width)
        }

        private static func rest(_ columns: Columns, _ width: Int) -> Int {
            let gaps = [columns.when, columns.session, columns.size, columns.stub].reduce(0) {
                $0 + ($1 > 0 ? $1 + 1 : 0)
            }
            return width - gaps - 1 - 2 - 8 - 11 - 7
        }
    }

    /// The heading and as many rows as fit.
    mutating func requests(_ height: Int, _ width: Int, now: Int) -> [ScreenLine] {
        let columns = Columns(width, hasSessions: shownLog.rows.last { $0.session != nil } != nil)
        let room = max(1, height - 1)
        var lines = [heading(columns)]
        let start = firstVisible(room)
        for index in start..<min(visible.count, start + room) {
            let row = row(index)
            let line = cells(row, columns, now: now)
            lines.append(row.id == selected ? line.reversed(to: width) : line)
        }
        if visible.isEmpty { lines += nothing(width) }
        if let left, !isFollowing, start + room < visible.count || log.added > left.added, log.added > left.added {
            let unmatched = log.unmatched - left.unmatched
            let text =
                "\(TrafficFormats.count(log.added - left.added)) new"
                + (unmatched > 0 ? ", \(TrafficFormats.count(unmatched)) unmatched" : "") + "  f follows"
            while lines.count < height { lines.append(line()) }
            lines[height - 1] = pill(text, width)
        }
        return lines
    }

    private func pill(_ text: String, _ width: Int) -> ScreenLine {
        var line = line()
        let shown = " \(text) "
        line.fill(to: max(0, width - CellText.width(shown) - 2))
        line.add(shown, .reversed)
        return line
    }

    /// The index of the first visible row.
    private mutating func firstVisible(_ room: Int) -> Int {
        let last = max(0, visible.count - room)
        guard !isFollowing else { return last }
        var start = number(of: top) ?? last
        if let chosen = number(of: selected) {
            // The selected row must not be below the pill.
            if chosen < start { start = chosen }
            if chosen > start + room - 2 { start = chosen - room + 2 }
        }
        start = max(0, min(start, max(0, visible.count - 1)))
        top = visible.indices.contains(start) ? row(start).id : nil
        return start
    }

    private func nothing(_ width: Int) -> [ScreenLine] {
        var texts: [String] = []
        if !wholeFilter.isEmpty, !shownLog.rows.isEmpty {
            texts = ["Nothing passes the filter."] + TrafficFilter(wholeFilter).warnings.prefix(3)
            texts.append("esc shows all again.")
        } else if overview.allRequests > 0 {
            texts = ["Waiting for the next request."]
        } else {
            texts = ["Waiting for the first request.", "curl -i \(settings.url)/"]
        }
        return [line()]
            + texts.map { text in
                var line = line()
                line.add("  " + text, .dim)
                return line
            }
    }

    private func heading(_ columns: Columns) -> ScreenLine {
        var line = line()
        line.add(" ")
        if columns.when > 0 {
            line.add("WHEN", .dim, width: columns.when)
            line.add(" ")
        }
        line.add("  ")
        line.add("METHOD", .dim, width: 7)
        line.add(" ")
        line.add("URL", .dim, width: columns.url)
        line.add(" ")
        line.add("STATUS", .dim, width: 10)
        line.add(" ")
        line.add("TIME", .dim, width: 6, at: .right)
        if columns.size > 0 {
            line.add(" ")
            line.add("SIZE", .dim, width: columns.size, at: .right)
        }
        if columns.session > 0 {
            line.add(" ")
            line.add("SESSION", .dim, width: columns.session)
        }
        if columns.stub > 0 {
            line.add(" ")
            line.add("STUB", .dim, width: columns.stub)
        }
        return line
    }

    private func cells(_ row: TrafficRow, _ columns: Columns, now: Int) -> ScreenLine {
        var line = line()
        line.add(" ")
        if columns.when > 0 {
            let time = TrafficFormats.time(row.at, offset: settings.zoneOffset)
            line.add(time.suffix(columns.when), .dim, width: columns.when)
            line.add(" ")
        }
        line.add(String(row.mark), row.style)
        line.add(" ")
        line.add(row.method, width: 7)
        line.add(" ")
        line.add(url(row.url, columns.url))
        line.add(" ")
        line.add(row.outcome, row.style, width: 10)
        line.add(" ")
        let slow = row.ending.map { $0.microseconds >= 1_000_000 } ?? false
        line.add(time(row, now: now), slow ? .bold : .plain, width: 6, at: .right)
        if columns.size > 0 {
            line.add(" ")
            line.add(row.ending.map { TrafficFormats.size($0.bytesSent) } ?? "", .dim, width: columns.size, at: .right)
        }
        if columns.session > 0 {
            line.add(" ")
            line.add(row.session?.label ?? "-", .dim, width: columns.session)
        }
        if columns.stub > 0 {
            line.add(" ")
            line.add(stub(row), .dim, width: columns.stub, losing: .middle)
        }
        return line
    }

    /// The stub in short: `shop:18` for `shop.yaml:18`.
    private func stub(_ row: TrafficRow) -> String {
        guard !row.isUnmatched, let stub = row.stub else { return "-" }
        guard let place = stub.place, let file = stub.file else { return stub.label }
        let ending = [".yaml", ".yml", ".json"].first { file.hasSuffix($0) } ?? ""
        return String(file.dropLast(ending.count) + place.dropFirst(file.count))
    }

    /// How long it took, or has been running.
    private func time(_ row: TrafficRow, now: Int) -> String {
        if let ending = row.ending { return TrafficFormats.duration(microseconds: ending.microseconds) }
        let seconds = (now - row.at) / 1_000
        return seconds > 0 ? TrafficFormats.age(seconds: seconds) : ""
    }

    /// The URL with an inconspicuous query.
    func url(_ url: String, _ width: Int) -> ScreenLine {
        var line = line()
        let cleaned = CellText.clean(url, isUnicode: settings.isUnicode)
        guard CellText.width(cleaned) <= width, let mark = cleaned.firstIndex(of: "?") else {
            line.add(cleaned, width: width, losing: .middle)
            return line
        }
        line.add(cleaned[..<mark])
        line.add(cleaned[mark...], .dim)
        line.fill(to: width)
        return line
    }

    // MARK: - Panes below the list

    /// Why the selected or the last unmatched request was not matched; beside it, if there is room, stubs by hits.
    func panes(_ width: Int, height: Int, now: Int) -> [ScreenLine] {
        guard width >= 100, height >= 6 else { return [rule(width)] + why(width, height - 1, now: now) }
        let left = width * 2 / 5
        let right = width - left - 3
        let stubs = hits(left, height - 1, now: now)
        let why = why(right, height - 1, now: now)
        var lines = [rule(width)]
        for index in 0..<height - 1 {
            var line = index < stubs.count ? stubs[index].cut(to: left) : line()
            line.fill(to: left)
            line.add(settings.isUnicode ? " │ " : " | ", .dim)
            if index < why.count { line.add(why[index].cut(to: right)) }
            lines.append(line)
        }
        return lines
    }

    private func why(_ width: Int, _ height: Int, now: Int) -> [ScreenLine] {
        guard let row = subject else {
            var line = line()
            line.add(log.unmatched == 0 ? " Everything was answered." : " No unmatched request in view.", .dim)
            return [line]
        }
        var title = line()
        title.add(" #\(row.sequence) ", .dim)
        let known = explanations[row.id] ?? nil
        let near =
            row.isUnmatched
            ? known?.nearest.first.map { "nearest \($0.stub.label)" }
            : "\(row.outcome) by \(row.stub?.label ?? "no stub")"
        let room = width - title.width - (near.map { CellText.width(CellText.clean($0)) + 2 } ?? 0)
        title.add(
            CellText.cut(
                CellText.clean("\(row.method) \(row.url)", isUnicode: settings.isUnicode), to: max(16, room),
                losing: .middle, isUnicode: settings.isUnicode), .bold)
        if let near {
            title.add("  ")
            title.add(near, row.isUnmatched ? ScreenStyle(.magenta) : .dim)
        }
        var lines = [title]
        if row.isUnmatched {
            guard let known else {
                var line = line()
                line.add(connection == .live ? "  asking why" : "  not known: the daemon is gone", .dim)
                return lines + [line]
            }
            lines += known.lines(settings, width: width, most: height - 1)
        } else {
            lines += TopDetail(row).lines(settings, width: width, now: now).prefix(height - 1)
        }
        return lines
    }

    private func hits(_ width: Int, _ height: Int, now: Int) -> [ScreenLine] {
        let stubs = overview.stubs.enumerated()
            .sorted { ($1.element.hits, $0.offset) < ($0.element.hits, $1.offset) }.map(\.element)
        var head = line()
        head.add(" STUBS BY HITS", .dim, width: width - 15)
        head.add("HITS", .dim, width: 7, at: .right)
        head.add("LAST", .dim, width: 8, at: .right)
        return [head]
            + stubs.prefix(height - 1).map { count in
                var line = line()
                line.add(" ")
                line.add(
                    count.stub.name ?? count.stub.key ?? count.stub.label, count.hits == 0 ? .dim : .plain,
                    width: width - 16, losing: .middle)
                line.add(TrafficFormats.count(count.hits), count.hits == 0 ? .dim : .plain, width: 7, at: .right)
                line.add(last(count, now: now), .dim, width: 8, at: .right)
                return line
            }
    }

    func last(_ count: TopOverview.StubCount, now: Int) -> String {
        count.last.map { TrafficFormats.age(seconds: (now - $0) / 1_000) } ?? "never"
    }
}
