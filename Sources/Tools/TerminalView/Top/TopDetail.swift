import SDBasics
import SDJSON

/// An opened exchange: why it was not matched, the request, the response.
public struct TopDetail: Sendable {
    enum Tab: String, Sendable, CaseIterable {
        case why, overview, request, response
    }

    private(set) var row: TrafficRow
    var tab = Tab.overview
    var explanation: TopExplanation?
    var scroll = 0
    private var exchange: JSONValue?
    /// Whether the daemon's answer is here.
    private var isAnswered = false

    init(_ row: TrafficRow) {
        self.row = row
    }

    /// The same view for the updated row.
    func about(_ row: TrafficRow) -> TopDetail {
        var detail = self
        detail.row = row
        return detail
    }

    mutating func take(_ exchange: JSONValue?) {
        self.exchange = exchange
        isAnswered = true
    }

    var tabs: [Tab] { row.isUnmatched ? Tab.allCases : [.overview, .request, .response] }

    mutating func turn(by step: Int) {
        let place = tabs.firstIndex(of: tab) ?? 0
        show(tabs[(place + step + tabs.count) % tabs.count])
    }

    mutating func show(_ tab: Tab) {
        guard tabs.contains(tab) else { return }
        self.tab = tab
        scroll = 0
    }

    // MARK: - Lines

    /// The maximum number of body bytes shown.
    private static let maxOfBody = 65_536

    /// All lines of the tab.
    func lines(_ settings: TopModel.Settings, width: Int, now: Int) -> [ScreenLine] {
        switch tab {
        case .why:
            guard let explanation else { return [note("asking the daemon", settings)] }
            return explanation.lines(settings, width: width, most: .max)
        case .overview: return overview(settings, width: width, now: now)
        case .request: return message(exchange?["request"], isRequest: true, settings, width: width)
        case .response:
            if let ending = row.ending, ending.end != "sent" {
                return [
                    pair(
                        "sent", "\(row.outcome): \(TrafficFormats.size(ending.bytesSent)) (\(ending.end))", settings,
                        width)
                ].flatMap(\.self)
                    + [ScreenLine()] + message(exchange?["response"], isRequest: false, settings, width: width)
            }
            return message(exchange?["response"], isRequest: false, settings, width: width)
        }
    }

    private func note(_ text: String, _ settings: TopModel.Settings) -> ScreenLine {
        var line = ScreenLine(isUnicode: settings.isUnicode)
        line.add(" " + text, .dim)
        return line
    }

    /// A name and a value, on as many lines as needed.
    private func pair(
        _ name: String, _ value: String, _ settings: TopModel.Settings, _ width: Int, style: ScreenStyle = .plain
    ) -> [ScreenLine] {
        let cleaned = CellText.clean(value, isUnicode: settings.isUnicode)
        return CellText.wrap(cleaned, to: max(10, width - 15)).enumerated().map { index, part in
            var line = ScreenLine(isUnicode: settings.isUnicode)
            line.add(" ")
            line.add(index == 0 ? name : "", .dim, width: 12)
            line.add("  ")
            line.add(part, style)
            return line
        }
    }

    private func overview(_ settings: TopModel.Settings, width: Int, now: Int) -> [ScreenLine] {
        var lines: [ScreenLine] = []
        func add(_ name: String, _ value: String?, _ style: ScreenStyle = .plain) {
            if let value { lines += pair(name, value, settings, width, style: style) }
        }
        add("asked", "\(row.method) \(row.url)")
        add("host", row.host)
        add("received", TrafficFormats.time(row.at, offset: settings.zoneOffset))
        add("answer", row.isUnmatched ? "\(row.outcome): nothing answered it" : row.outcome, row.style)
        add("failure", row.ending?.failure, ScreenStyle(.red))
        add("faults", row.faults.isEmpty ? nil : row.faults.joined(separator: ", "), ScreenStyle(.yellow))
        if let stub = row.stub {
            add(
                "stub",
                [stub.place, stub.name.map { "\"\($0)\"" }, stub.key].compactMap(\.self).joined(separator: "  "))
        }
        if let ending = row.ending {
            var time = TrafficFormats.duration(microseconds: ending.microseconds)
            if let added = exchange?["timing"]?["addedDelay"]?.intValue, added > 0 {
                time += ", \(added)ms of it a delay that was asked for"
            }
            add("took", time)
            add("sent", TrafficFormats.size(ending.bytesSent))
        } else {
            add("waits for", TrafficFormats.age(seconds: (now - row.at) / 1_000))
        }
        add("session", row.session?.label)
        add("protocol", row.protocolName)
        add("client", exchange?["request"]?["clientIp"]?.stringValue)
        add("id", row.id, .dim)
        return lines
    }

    private func message(_ message: JSONValue?, isRequest: Bool, _ settings: TopModel.Settings, width: Int)
        -> [ScreenLine]
    {
        guard isAnswered else { return [note("asking the daemon", settings)] }
        guard let message else { return [note("it is no longer in the journal", settings)] }
        var lines: [ScreenLine] = []
        let first =
            isRequest
            ? "\(row.method) \(message["url"]?.stringValue ?? row.url)"
            : message["status"]?.intValue.map { "\($0)" } ?? "no answer"
        for part in CellText.wrap(CellText.clean(first, isUnicode: settings.isUnicode), to: max(10, width - 2)) {
            var line = ScreenLine(isUnicode: settings.isUnicode)
            line.add(" ")
            line.add(part, .bold)
            lines.append(line)
        }
        for member in message["headers"]?.objectValue?.members ?? [] {
            for value in member.value.arrayValue ?? [member.value] {
                let text = "\(member.key): \(value.stringValue ?? value.compactText)"
                let cleaned = CellText.clean(text, isUnicode: settings.isUnicode)
                for (index, part) in CellText.wrap(cleaned, to: max(10, width - 4)).enumerated() {
                    var line = ScreenLine(isUnicode: settings.isUnicode)
                    line.add(index == 0 ? " " : "   ")
                    let name = index == 0 ? part.prefix { $0 != ":" } : ""
                    line.add(name, ScreenStyle(.cyan))
                    line.add(part.dropFirst(name.count))
                    lines.append(line)
                }
            }
        }
        lines.append(ScreenLine())
        return lines + body(message, settings, width: width)
    }

    private func body(_ message: JSONValue, _ settings: TopModel.Settings, width: Int) -> [ScreenLine] {
        let text = message["body"]?.stringValue ?? ""
        let encoded = message["bodyAsBase64"]?.stringValue ?? ""
        let size =
            encoded.isEmpty
            ? text.utf8.count : encoded.utf8.count / 4 * 3 - encoded.utf8.suffix(2).count { $0 == UInt8(ascii: "=") }
        guard size > 0 else { return [note("no body", settings)] }
        if text.unicodeScalars.prefix(1_000).contains(where: { $0 == "\u{fffd}" || $0 == "\0" }) || text.isEmpty {
            return [note("\(TrafficFormats.size(size)) that are no text", settings)]
        }
        var shown = text
        if let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[", size <= Self.maxOfBody,
            let json = try? JSONValue(parsing: text)
        {
            shown = json.prettyText
        }
        let bytes = shown.utf8.prefix(Self.maxOfBody)
        var lines: [ScreenLine] = []
        for part in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            let tabs = part.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ")
            let plain = tabs.hasSuffix("\r") ? String(tabs.dropLast()) : tabs
            for piece in CellText.wrap(CellText.clean(plain, isUnicode: settings.isUnicode), to: max(10, width - 2)) {
                var line = ScreenLine(isUnicode: settings.isUnicode)
                line.add(" " + piece)
                lines.append(line)
            }
        }
        let more = message["bodyTruncatedFrom"]?.intValue ?? (shown.utf8.count > Self.maxOfBody ? size : 0)
        if more > 0 { lines.append(note("only the beginning of \(TrafficFormats.size(more))", settings)) }
        return lines
    }
}

extension TopExplanation {
    /// The explanation as lines.
    /// - Parameter most: the maximum number of lines.
    func lines(_ settings: TopModel.Settings, width: Int, most: Int) -> [ScreenLine] {
        var lines: [ScreenLine] = []
        guard let first = nearest.first else {
            var line = ScreenLine(isUnicode: settings.isUnicode)
            line.add(" no stub is near: \(reason ?? "there is none")", .dim)
            return [line]
        }
        let last = change.map { text in
            let cleaned = CellText.clean("Smallest change: " + text, isUnicode: settings.isUnicode)
            return CellText.wrap(cleaned, to: max(10, width - 2)).map { part in
                var line = ScreenLine(isUnicode: settings.isUnicode)
                line.add(" ")
                line.add(part, .bold)
                return line
            }
        }
        let room = most == .max ? .max : most - min(last?.count ?? 0, max(0, most - 2))
        lines += Self.rows(first, settings, width: width, most: room)
        lines += last ?? []
        if most == .max {
            for (index, other) in nearest.dropFirst().enumerated() {
                lines.append(ScreenLine())
                var title = ScreenLine(isUnicode: settings.isUnicode)
                title.add(" \(index + 2). nearest: ", .dim)
                title.add(other.stub.label, .bold)
                if other.stub.key != other.stub.label { title.add("  \(other.stub.key ?? "")") }
                lines.append(title)
                lines += Self.rows(other, settings, width: width, most: .max)
            }
        }
        return Array(lines.prefix(most))
    }

    /// One row per condition; if there is no room for all, failed ones first.
    private static func rows(_ nearest: Nearest, _ settings: TopModel.Settings, width: Int, most: Int) -> [ScreenLine] {
        var conditions = nearest.conditions
        if conditions.count > most { conditions = conditions.filter { !$0.matches } + conditions.filter(\.matches) }
        let nameWidth = min(max(conditions.map { CellText.width($0.name) }.max() ?? 6, 6), 22)
        let half = max(8, (width - nameWidth - 7) / 2)
        return conditions.prefix(max(1, most)).map { condition in
            var line = ScreenLine(isUnicode: settings.isUnicode)
            let differs = ScreenStyle(.magenta, bold: true)
            line.add("  ")
            line.add(condition.matches ? "=" : "X", condition.matches ? .dim : differs)
            line.add(" ")
            line.add(condition.name, condition.matches ? .dim : .plain, width: nameWidth)
            line.add(" ")
            guard let actual = condition.actual else {
                line.add(condition.expected, .plain, width: half)
                line.add(" ")
                line.add(condition.matches ? "" : "missing", differs, width: half)
                return line
            }
            if condition.matches {
                line.add(condition.expected, .dim, width: half)
                line.add(" ")
                line.add(actual, .dim, width: half)
                return line
            }
            let common = TextDifference.common(condition.expected, actual)
            line.add(part(condition.expected, common.start.0, common.end.0, settings, half))
            line.add(" ")
            line.add(part(actual, common.start.1, common.end.1, settings, half))
            return line
        }
    }

    /// A text with the difference underlined, scrolled so that it is visible.
    private static func part(_ text: String, _ start: Int, _ end: Int, _ settings: TopModel.Settings, _ width: Int)
        -> ScreenLine
    {
        var head = String(text.prefix(start))
        let middle = String(text.dropFirst(start).dropLast(end))
        let tail = String(text.suffix(end))
        let room = max(4, width / 3)
        if CellText.width(head) > room, CellText.width(text) > width {
            head = (settings.isUnicode ? "…" : "..") + String(head.suffix(room))
        }
        var line = ScreenLine(isUnicode: settings.isUnicode)
        line.add(head, .dim)
        line.add(middle, ScreenStyle(.magenta, bold: true, underlined: true))
        line.add(tail, .dim)
        var cut = line.cut(to: width)
        cut.fill(to: width)
        return cut
    }
}

extension TrafficRow {
    /// The style of an outcome; successes are inconspicuous.
    var style: ScreenStyle {
        if isHeld { return ScreenStyle(.yellow) }
        if isOpen { return .dim }
        if isUnmatched { return ScreenStyle(.magenta, bold: true) }
        if isFault { return ScreenStyle(.yellow, bold: true) }
        if isError { return ScreenStyle(.red, bold: true) }
        if ending?.end != "sent" { return ScreenStyle(.yellow) }
        switch status ?? 200 {
        case 400...: return ScreenStyle(.yellow)
        case 300..<400: return ScreenStyle(.cyan)
        default: return .plain
        }
    }
}
