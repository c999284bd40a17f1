import SDStubModel

/// An entry of one of a report's lists, with access to its texts.
protocol ReportEntry {
    /// Maps the texts of clients, servers and people: all but ids, file paths and our own words.
    mutating func change(_ shown: (String) -> String)

    /// The approximate size of its other members in bytes.
    var rest: Int { get }
}

extension ReportEntry {
    var rest: Int { 100 }

    /// The approximate size of its texts in bytes.
    fileprivate var weight: Int {
        var copy = self
        var bytes = rest
        copy.change { text in
            bytes += text.utf8.count
            return text
        }
        return bytes
    }
}

/// A list of a report, whatever the type of its entries.
struct ReportList {
    let change: (inout Report, (String) -> String) -> Void
    /// Keeps the first entries that fit into a number of bytes, subtracts their size, and returns the number of entries
    /// left out.
    let cut: (inout Report, inout Int) -> Int

    init<Entry: ReportEntry>(_ path: WritableKeyPath<Report, [Entry]>) {
        change = { report, shown in
            for index in report[keyPath: path].indices { report[keyPath: path][index].change(shown) }
        }
        cut = { report, room in
            var kept = 0
            for entry in report[keyPath: path] {
                let weight = entry.weight
                guard weight <= room else { break }
                room -= weight
                kept += 1
            }
            let left = report[keyPath: path].count - kept
            if left > 0 { report[keyPath: path].removeLast(left) }
            return left
        }
    }
}

extension Report {
    /// All lists, most important first, for when the space is limited.
    static var lists: [ReportList] {
        [
            ReportList(\.unmatched), ReportList(\.failed), ReportList(\.files), ReportList(\.unmet),
            ReportList(\.webhooks),
            ReportList(\.aborted), ReportList(\.open), ReportList(\.slow), ReportList(\.faults), ReportList(\.strays),
            ReportList(\.refusals),
            ReportList(\.childSessions.sessions), ReportList(\.slowest), ReportList(\.asked), ReportList(\.unused),
            ReportList(\.used), ReportList(\.contractViolations), ReportList(\.contracts),
        ]
    }

    /// The slowest stubs of the response times.
    package var slowest: [Timings.Slow] {
        get { timings?.slowest ?? [] }
        set { timings?.slowest = newValue }
    }

    /// Redacts the texts of clients and the names that people gave. Conditions and texts about them are unchanged:
    /// their values were redacted with the names of their fields.
    public mutating func hide(_ shown: (String) -> String) {
        name = name.map(shown)
        noVerdict = noVerdict.map(shown)
        for list in Self.lists { list.change(&self, shown) }
    }

    /// Drops entries until the texts of the others fit into a number of bytes. Counts are unchanged.
    public mutating func cut(to bytes: Int) {
        let longest = max(bytes / 100, 200)
        for list in Self.lists { list.change(&self) { $0.cut(to: longest) } }
        var room = bytes
        let asked = asked
        for list in Self.lists { entriesLeftOut += list.cut(&self, &room) }
        askedLeft += asked.dropFirst(self.asked.count).sum(of: \.count)
    }

    /// The approximate size of all texts in bytes.
    package var weight: Int {
        var (copy, room) = (self, Int.max)
        for list in Self.lists { _ = list.cut(&copy, &room) }
        return Int.max - room
    }
}

extension String {
    /// The text, or its beginning and an ellipsis.
    fileprivate func cut(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: bytes)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}

// MARK: - The texts of entries

extension Report.Test {
    mutating func change(_ shown: (String) -> String) { name = name.map(shown) }
}

extension StubReference: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        self = StubReference(id: id, name: name.map(shown), file: file, line: line, key: shown(key))
    }
}

extension Report.Unmatched: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        method = shown(method)
        url = shown(url)
        nearest?.stub.change(shown)
        owner?.change(shown)
        remedy = remedy.map(shown)
    }

    var rest: Int {
        guard let nearest else { return 100 }
        let conditions = nearest.conditions.sum {
            $0.name.utf8.count + $0.expected.utf8.count + ($0.actual?.utf8.count ?? 0)
        }
        return 100 + nearest.change.utf8.count + nearest.differences.sum(of: \.utf8.count) + conditions
    }
}

extension Report.Failed: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        method = shown(method)
        url = shown(url)
        stub?.change(shown)
        reason = shown(reason)
    }
}

extension Report.Used: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        stub.change(shown)
    }
}

extension Report.Unmet: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        name = shown(name)
        text = shown(text)
        stub?.change(shown)
    }
}

extension Report.ActedFault: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        fault = shown(fault)
        outcome = outcome.map(shown)
        source = source.map(shown)
        stub?.change(shown)
    }
}

extension Report.FileProblem: ReportEntry {
    mutating func change(_ shown: (String) -> String) { message = shown(message) }

    var rest: Int { 100 + file.utf8.count }
}

extension Report.Asked: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        method = shown(method)
        url = shown(url)
        stub?.change(shown)
        answer = answer.map(shown)
        ending = ending.map(shown)
    }
}

extension Report.Aborted: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        method = shown(method)
        url = shown(url)
        stub?.change(shown)
        reason = shown(reason)
    }
}

extension Report.Open: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        method = shown(method)
        url = shown(url)
        stub?.change(shown)
        gate = gate.map(shown)
    }
}

extension Report.Slow: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        method = shown(method)
        url = shown(url)
        stub?.change(shown)
    }
}

extension Report.Webhook: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        method = shown(method)
        url = shown(url)
        stub?.change(shown)
        text = shown(text)
    }
}

extension Report.Stray: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        method = shown(method)
        url = shown(url)
        stub?.change(shown)
    }
}

extension Report.Refusal: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        test?.change(shown)
        subject = shown(subject)
        reason = shown(reason)
        nearest?.stub.change(shown)
    }

    var rest: Int { 100 + (nearest?.change.utf8.count ?? 0) }
}

extension ChildSessions.Session: ReportEntry {
    mutating func change(_ shown: (String) -> String) { test.change(shown) }
}

extension Timings.Slow: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        stub?.change(shown)
        method = shown(method)
        url = shown(url)
    }
}

extension Report.FileProblem {
    /// The problem in the format of compilers.
    package var text: String { "\(place): \(message)" }

    /// The file with the line and column.
    package var place: String {
        ([file] + (line.map { ["\($0)"] + (column.map { ["\($0)"] } ?? []) } ?? [])).joined(separator: ":")
    }
}

extension Array {
    package func sum(of count: (Element) -> Int) -> Int { reduce(0) { $0 + count($1) } }
}
