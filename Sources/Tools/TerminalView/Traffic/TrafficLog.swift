import SDJSON

/// The exchanges that were seen, oldest first: so many of all, and more of those that somebody looks for.
public struct TrafficLog: Sendable {
    /// The most rows that are kept, and the most of those out of the ordinary behind them.
    static let most = 10_000
    static let mostNotable = 1_000
    private static let step = 1_000

    public private(set) var rows: [TrafficRow] = []
    /// Where each open row is, counted from the first row that ever came, and of the others that may still change.
    private var numbers: [String: Int] = [:]
    /// The number of rows before the first one of `rows`, less those of `older`.
    private var dropped = 0
    /// Rows out of the ordinary that were kept when others went; they stand at the beginning of `rows`.
    private var older = 0
    /// How many rows have come, and how many of them nothing answered.
    public private(set) var added = 0
    public private(set) var unmatched = 0
    /// Changes whenever a row comes or changes.
    public private(set) var version = 0
    /// Requests by the second in which they came.
    private var seconds: [Int: Int] = [:]
    private var durations: [(at: Int, microseconds: Int)] = []
    private var nextDuration = 0

    public init() {}

    /// Takes an event of the stream. Others than those of requests change nothing.
    public mutating func take(_ event: TrafficEvent) {
        switch event.type {
        case "request":
            if let row = TrafficRow(request: event.data) { add(row) }
        case "response":
            if let id = event.data["id"]?.stringValue { end(id, event.data) }
        case "reset":
            let what = event.data["what"]?.stringValue
            if what == "all" || what == "requests" { numbers.removeAll() }
        default: break
        }
    }

    public mutating func add(_ row: TrafficRow) {
        if let number = numbers[row.id], let index = index(number) {
            // Resumed streams repeat nothing but what was open.
            var row = row
            row.ending = row.ending ?? rows[index].ending
            rows[index] = row
            version += 1
            return
        }
        if rows.count >= Self.most + Self.mostNotable + Self.step { dropOldest() }
        numbers[row.id] = dropped + rows.count
        rows.append(row)
        added += 1
        version += 1
        if row.isUnmatched { unmatched += 1 }
        count(row)
    }

    private mutating func end(_ id: String, _ data: JSONValue) {
        guard let number = numbers[id], let index = index(number) else { return }
        let wasOpen = rows[index].isOpen
        rows[index].end(with: data)
        version += 1
        guard wasOpen, let ending = rows[index].ending else { return }
        let entry = (at: rows[index].at, microseconds: ending.microseconds)
        if durations.count < 2_000 {
            durations.append(entry)
        } else {
            durations[nextDuration] = entry
            nextDuration = (nextDuration + 1) % durations.count
        }
    }

    /// Says at which gates open rows wait.
    /// - Parameters:
    ///   - gates: the gates by the ids of their requests.
    ///   - sessions: the sessions that were asked, by id; nil is the daemon's own.
    public mutating func hold(_ gates: [String: String], of sessions: Set<String?>, now: Int) {
        for index in rows.indices.suffix(2_000) where rows[index].isOpen && rows[index].gate != gates[rows[index].id] {
            let gate = gates[rows[index].id]
            // What has just come is not in an answer that was on its way.
            guard gate != nil || sessions.contains(rows[index].session?.id) && rows[index].at < now - 2_000 else {
                continue
            }
            rows[index].gate = gate
            version += 1
        }
    }

    private func index(_ number: Int) -> Int? {
        let index = number - dropped
        return index >= older && index < rows.count ? index : nil
    }

    /// The row of an exchange.
    public func row(_ id: String) -> TrafficRow? {
        if let number = numbers[id], let index = index(number) { return rows[index] }
        return rows.first { $0.id == id }
    }

    private mutating func dropOldest() {
        let end = older + Self.step
        let kept = rows[..<end].filter(\.isNotable).suffix(Self.mostNotable)
        for row in rows[older..<end] { numbers[row.id] = nil }
        let removed = end - kept.count
        rows.replaceSubrange(..<end, with: kept)
        dropped += removed
        older = kept.count
    }

    private mutating func count(_ row: TrafficRow) {
        let second = row.at / 1_000
        seconds[second, default: 0] += 1
        if seconds.count > 180 {
            for old in seconds.keys where old < second - 90 { seconds[old] = nil }
        }
    }

    // MARK: - Figures

    /// How many came in each of the last seconds, oldest first; the present one, which is not over, left out.
    public func rates(_ count: Int, now: Int) -> [Int] {
        let present = now / 1_000
        return (0..<count).map { seconds[present - count + $0] ?? 0 }
    }

    /// How long exchanges of the last minute took, in microseconds.
    public func percentiles(now: Int) -> (p50: Int, p95: Int, longest: Int)? {
        let recent = durations.filter { $0.at > now - 60_000 }.map(\.microseconds).sorted()
        guard let longest = recent.last else { return nil }
        return (recent[(recent.count - 1) / 2], recent[(recent.count - 1) * 95 / 100], longest)
    }
}
