import SDJSON

/// The latest exchanges, oldest first, and more of the notable ones.
public struct TrafficLog: Sendable {
    /// The maximum number of rows, and of older notable ones.
    static let most = 10_000
    static let maxNotable = 1_000
    private static let step = 1_000

    public private(set) var rows: [TrafficRow] = []
    /// The number of each row that is open or may still change, counted from the first row ever received.
    private var numbers: [String: Int] = [:]
    /// The number of rows before the first of `rows`, minus `older`.
    private var dropped = 0
    /// Notable rows kept when others were dropped; they are at the start of `rows`.
    private var older = 0
    /// The number of rows received, and of unmatched ones among them.
    public private(set) var added = 0
    public private(set) var unmatched = 0
    /// Incremented with every change.
    public private(set) var version = 0
    /// Requests by the second in which they came.
    private var seconds: [Int: Int] = [:]
    private var durations: [(at: Int, microseconds: Int)] = []
    private var nextDuration = 0

    public init() {}

    /// Applies an event of the stream; only requests' events have an effect.
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
            // A resumed stream repeats open requests only.
            var row = row
            row.ending = row.ending ?? rows[index].ending
            rows[index] = row
            version += 1
            return
        }
        if rows.count >= Self.most + Self.maxNotable + Self.step { dropOldest() }
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

    /// Sets the gates at which open rows wait.
    /// - Parameters:
    ///   - gates: the gates by request id.
    ///   - sessions: the ids of the sessions asked; nil is the default one.
    public mutating func hold(_ gates: [String: String], of sessions: Set<String?>, now: Int) {
        for index in rows.indices.suffix(2_000) where rows[index].isOpen && rows[index].gate != gates[rows[index].id] {
            let gate = gates[rows[index].id]
            // An answer under way does not include the newest requests.
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
        let kept = rows[..<end].filter(\.isNotable).suffix(Self.maxNotable)
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

    /// The number of requests in each of the last seconds, oldest first, without the current second.
    public func rates(_ count: Int, now: Int) -> [Int] {
        let present = now / 1_000
        return (0..<count).map { seconds[present - count + $0] ?? 0 }
    }

    /// The durations of the last minute's exchanges, in microseconds.
    public func percentiles(now: Int) -> (p50: Int, p95: Int, longest: Int)? {
        let recent = durations.filter { $0.at > now - 60_000 }.map(\.microseconds).sorted()
        guard let longest = recent.last else { return nil }
        return (recent[(recent.count - 1) / 2], recent[(recent.count - 1) * 95 / 100], longest)
    }
}
