import SDBasics

/// The effects of keys.
extension TopModel {
    /// Handles a key.
    /// - Parameter rows: the height of the screen.
    public mutating func press(_ key: TerminalKey, rows: Int, now: Int) -> [TopAction] {
        switch key {
        case .control("c"): return [.quit]
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        default: break
        }
        update(now: now)
        if question != nil { return answer(key) }
        if typed != nil { return type(key) }
        if showsHelp {
            showsHelp = false
            return key == .character("q") || key == .character("?") || key == .escape
                ? [] : press(key, rows: rows, now: now)
        }
        if copied != nil {
            copied = nil
            if key == .escape || key == .enter || key == .character("q") { return [] }
        }
        if opened != nil, let actions = pressOpened(key, rows: rows) { return actions }
        return pressView(key, rows: rows, now: now)
    }

    private mutating func pressView(_ key: TerminalKey, rows: Int, now: Int) -> [TopAction] {
        switch key {
        case .character("q"): return [.quit]
        case .character("?"): showsHelp = true
        case .character("/"): beginTyping()
        case .character("p"): pause(now: now)
        case .character("f"): follow()
        case .character("u"):
            onlyUnmatched.toggle()
            view = .requests
            follow()
        case .tab: change(by: 1)
        case .backTab: change(by: -1)
        case .character("1"): show(.requests)
        case .character("2"): show(.stubs)
        case .character("3"): show(.sessions)
        case .character("4"): show(.held)
        case .character("s"):
            let all = Sorting.allCases
            sorting = all[((all.firstIndex(of: sorting) ?? 0) + 1) % all.count]
            view = .stubs
        case .character("S"): nextSession(now: now)
        case .character("r"): ask(now: now)
        case .character("y"):
            if let row = subject { return [.curl(row)] }
            tell("choose a request first", now: now)
        case .character("n"): toUnmatched(by: 1, now: now)
        case .character("N"): toUnmatched(by: -1, now: now)
        case .character("w"):
            if let row = subject { return open(row, at: .why) }
            tell("nothing is unmatched", now: now)
        case .enter: return enter(now: now)
        case .escape: back()
        default: move(key, rows: rows)
        }
        return []
    }

    private mutating func show(_ view: View) {
        self.view = view
        opened = nil
    }

    private mutating func change(by step: Int) {
        let all = View.allCases
        show(all[((all.firstIndex(of: view) ?? 0) + step + all.count) % all.count])
    }

    private mutating func back() {
        if selected != nil || !isFollowing {
            follow()
        } else if !filter.isEmpty || onlyUnmatched {
            filter = TrafficFilter("")
            onlyUnmatched = false
        } else {
            view = .requests
        }
    }

    private mutating func follow() {
        isFollowing = true
        selected = nil
        top = nil
        left = nil
        if frozen != nil { frozen = nil }
    }

    private mutating func stay() {
        guard isFollowing else { return }
        isFollowing = false
        left = (log.added, log.unmatched)
    }

    private mutating func pause(now: Int) {
        frozen = frozen == nil ? log : nil
        if frozen == nil { tell("going on", now: now) }
    }

    private mutating func nextSession(now: Int) {
        let labels = overview.sessions.map(\.session.label)
        guard !labels.isEmpty else { return tell("there is no session beside the daemon's own", now: now) }
        let words = filter.text.split(separator: " ").filter { !$0.hasPrefix("session:") }.joined(separator: " ")
        let present = labels.firstIndex { filter.text.contains(text: Self.sessionWord($0)) }
        let next = present.map { $0 + 1 } ?? 0
        filter = TrafficFilter(
            next < labels.count ? (words + " " + Self.sessionWord(labels[next])).trimmed : words.trimmed)
        view = .requests
        follow()
    }

    private static func sessionWord(_ label: String) -> String {
        let word = String(label.unicodeScalars.filter { $0 != "\"" })
        return word.contains(" ") ? "session:\"\(word)\"" : "session:\(word)"
    }

    private mutating func enter(now: Int) -> [TopAction] {
        switch view {
        case .requests:
            guard let row = selected != nil ? subject : visible.last.map({ shownLog.rows[$0] }) else { return [] }
            return open(row, at: row.isUnmatched ? .why : .overview)
        case .stubs:
            let stubs = sortedStubs
            guard let stub = stubs[safe: place[.stubs] ?? 0]?.stub else { return [] }
            filter = TrafficFilter("stub:\"\(stub.label)\"")
            onlyUnmatched = false
            view = .requests
            follow()
        case .sessions:
            guard let session = overview.sessions[safe: place[.sessions] ?? 0]?.session else { return [] }
            filter = TrafficFilter(Self.sessionWord(session.label))
            view = .requests
            follow()
        case .held:
            guard let held = overview.held[safe: place[.held] ?? 0], let row = log.row(held.id) else { return [] }
            return open(row, at: .overview)
        }
        return []
    }

    mutating func open(_ row: TrafficRow, at tab: TopDetail.Tab) -> [TopAction] {
        stay()
        selected = row.id
        var detail = TopDetail(row)
        detail.tab = detail.tabs.contains(tab) ? tab : .overview
        detail.explanation = explanations[row.id] ?? nil
        opened = detail
        if row.isUnmatched, explanations[row.id] == nil {
            explanations[row.id] = .some(nil)
            return [.load(row), .explain(row)]
        }
        return [.load(row)]
    }

    // MARK: - Release

    private mutating func ask(now: Int) {
        let held: TopOverview.Held? =
            switch view {
            case .held: overview.held[safe: place[.held] ?? 0]
            default:
                overview.held.first { $0.id == (opened?.row.id ?? selected) }
                    ?? (overview.held.count == 1 ? overview.held[0] : nil)
            }
        guard let held else {
            if overview.held.isEmpty { return tell("nothing is held", now: now) }
            view = .held
            return tell("choose what to release, then r", now: now)
        }
        question = Question(
            held: held, waiting: overview.held.filter { $0.gate == held.gate && $0.session == held.session }.count)
    }

    private mutating func answer(_ key: TerminalKey) -> [TopAction] {
        guard let asked = question else { return [] }
        let session = asked.held.session?.id
        switch key {
        case .character("y"):
            question = nil
            return [.release(gate: asked.held.gate, id: asked.held.id, session: session)]
        case .character("a") where asked.waiting > 1:
            question = nil
            return [.release(gate: asked.held.gate, id: nil, session: session)]
        case .character("n"), .escape, .character("q"): question = nil
        default: break
        }
        return []
    }

    // MARK: - Filter

    private mutating func beginTyping() {
        opened = nil
        view = .requests
        if onlyUnmatched {
            filter = TrafficFilter(wholeFilter)
            onlyUnmatched = false
        }
        typed = filter.text
    }

    private mutating func type(_ key: TerminalKey) -> [TopAction] {
        guard var text = typed else { return [] }
        switch key {
        case .enter:
            filter = TrafficFilter(text)
            typed = nil
            if !text.isEmpty {
                typedBefore.removeAll { $0 == text }
                typedBefore = Array(([text] + typedBefore).prefix(10))
            }
            return []
        case .escape:
            // First clears the field, then leaves it.
            if text.isEmpty {
                filter = TrafficFilter("")
                typed = nil
                return []
            }
            text = ""
        case .backspace: if !text.isEmpty { text.removeLast() }
        case .control("u"): text = ""
        case .control("w"):
            while text.last == " " { text.removeLast() }
            while let last = text.last, last != " " { text.removeLast() }
        case .down:
            let index = typedBefore.firstIndex(of: text).map { $0 + 1 } ?? 0
            text = typedBefore[safe: index] ?? text
        case .up:
            if let index = typedBefore.firstIndex(of: text) { text = index > 0 ? typedBefore[index - 1] : "" }
        case .character(let character): if text.utf8.count < 1_000 { text.append(character) }
        default: break
        }
        typed = text
        isFollowing = true
        selected = nil
        top = nil
        return []
    }

    // MARK: - Places

    private mutating func move(_ key: TerminalKey, rows: Int) {
        let page = max(1, rows - 10)
        let step: Int
        switch key {
        case .down, .character("j"): step = 1
        case .up, .character("k"): step = -1
        case .pageDown: step = page
        case .pageUp: step = -page
        case .home: step = -1_000_000
        case .end: step = 1_000_000
        default: return
        }
        guard view == .requests else {
            let count = [.stubs: overview.stubs.count, .sessions: overview.sessions.count][view] ?? overview.held.count
            place[view] = max(0, min(count - 1, (place[view] ?? 0) + step))
            return
        }
        if step == 1_000_000 { return follow() }
        guard !visible.isEmpty else { return }
        let now = number(of: selected) ?? visible.count - (step < 0 ? 1 : 0)
        // The first key selects the last row; longer moves start from there.
        let isFirst = selected == nil
        stay()
        let next = isFirst && abs(step) == 1 ? visible.count - 1 : now + step
        selected = row(max(0, min(visible.count - 1, next))).id
    }

    private mutating func toUnmatched(by step: Int, now: Int) {
        let present = number(of: selected) ?? visible.count
        let places =
            step > 0 ? Array(visible.indices.dropFirst(present + 1)) : Array(visible.indices.prefix(present).reversed())
        guard let next = places.first(where: { row($0).isUnmatched }) else {
            // From the end, the first step selects the last unmatched one.
            if selected == nil, let last = visible.indices.last(where: { row($0).isUnmatched }) {
                view = .requests
                stay()
                selected = row(last).id
                return
            }
            return tell(step > 0 ? "no later one is unmatched" : "no earlier one is unmatched", now: now)
        }
        view = .requests
        stay()
        selected = row(next).id
    }

    // MARK: - The opened exchange

    private mutating func pressOpened(_ key: TerminalKey, rows: Int) -> [TopAction]? {
        switch key {
        case .escape, .character("q"), .backspace: opened = nil
        case .character("]"), .right, .tab: opened?.turn(by: 1)
        case .character("["), .left, .backTab: opened?.turn(by: -1)
        case .down, .character("j"): opened?.scroll += 1
        case .up, .character("k"): opened?.scroll -= 1
        case .pageDown, .character(" "): opened?.scroll += max(1, rows - 8)
        case .pageUp: opened?.scroll -= max(1, rows - 8)
        case .home: opened?.scroll = 0
        case .end: opened?.scroll = .max / 2
        case .character("n"), .character("N"), .character("y"), .character("r"), .character("?"), .character("/"):
            if key == .character("n") || key == .character("N") {
                let before = selected
                toUnmatched(by: key == .character("n") ? 1 : -1, now: 0)
                if selected != before, let row = subject { return open(row, at: .why) }
                return []
            }
            return nil
        case .character("w"): opened?.show(.why)
        default: return []
        }
        return []
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension String {
    /// The text without surrounding spaces.
    var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
