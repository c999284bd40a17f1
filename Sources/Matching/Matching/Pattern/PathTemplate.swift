public import SDPlatform

/// A `urlPathTemplate`: `/contacts/{id}/files/**`.
///
/// Each `{x}` matches one or more characters other than `/`, each `**` anything or nothing; everything else is literal.
/// The template must match the whole undecoded path. The characters `.`, `;` and `*` in a variable's name are ignored,
/// so that RFC 6570 spellings such as `{;id*}` work.
public struct PathTemplate: Sendable, Hashable {
    enum Token: Sendable, Hashable {
        case literal([UInt8])
        case variable(String)
        case wildcard(String)
    }

    /// The maximum number of variables, more than any path has; it bounds the recursion of matching.
    static let maxVariables = 100

    public let text: String
    let tokens: [Token]

    /// The names in the order of the template. Wildcards are named `0`, `1` and so on.
    public let names: [String]
    /// Whether each variable ends with its segment, and there are no wildcards, so that there is only one way to match.
    private let hasWholeSegments: Bool

    /// Compiles a template; nil only for more than 100 variables, because any other text is valid.
    public init?(_ text: String) {
        self.text = text
        tokens = Self.tokens(of: Array(text.utf8))
        names = tokens.compactMap {
            switch $0 {
            case .literal: nil
            case .variable(let name), .wildcard(let name): name
            }
        }
        hasWholeSegments = Self.haveWholeSegments(tokens)
        if names.count > Self.maxVariables { return nil }
    }

    private static func haveWholeSegments(_ tokens: [Token]) -> Bool {
        for (index, token) in tokens.enumerated() {
            switch token {
            case .literal: continue
            case .variable: if mayStopEarly(tokens, before: index + 1) { return false }
            case .wildcard: return false
            }
        }
        return true
    }

    /// Whether a variable before this token may end before the end of its segment.
    private static func mayStopEarly(_ tokens: [Token], before index: Int) -> Bool {
        guard index < tokens.count else { return false }
        guard case .literal(let literal) = tokens[index] else { return true }
        return literal.first != UInt8(ascii: "/")
    }

    private static func tokens(of bytes: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var wildcards = 0
        var index = 0
        // The start of the literal before `index`.
        var start = 0
        func endLiteral() {
            if start < index { tokens.append(.literal(Array(bytes[start..<index]))) }
        }
        while index < bytes.count {
            if let close = closingBrace(of: bytes, index) {
                endLiteral()
                let name = bytes[(index + 1)..<close].filter { !".;*".utf8.contains($0) }
                tokens.append(.variable(String(decoding: name, as: UTF8.self)))
                index = close + 1
                start = index
            } else if isWildcard(bytes, index) {
                endLiteral()
                tokens.append(.wildcard(String(wildcards)))
                wildcards += 1
                index += 2
                start = index
            } else {
                index += 1
            }
        }
        endLiteral()
        return tokens
    }

    /// The index of the brace that closes a variable starting at `index`; nil if there is none.
    static func closingBrace(of bytes: [UInt8], _ index: Int) -> Int? {
        guard bytes[index] == UInt8(ascii: "{"), let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")),
            close > index + 1
        else { return nil }
        return close
    }

    /// Whether there is a `**` at `index`.
    static func isWildcard(_ bytes: [UInt8], _ index: Int) -> Bool {
        bytes[index] == UInt8(ascii: "*") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "*")
    }

    // MARK: - Matching

    /// Whether a path matches.
    /// - Parameter budget: the budget for paths that can be split in many ways.
    public func matches(_ path: ArraySlice<UInt8>, _ budget: @autoclosure () -> WorkBudget = WorkBudget()) -> Bool {
        match(path, captures: false, budget) != nil
    }

    /// The values of the variables and wildcards, in template order; nil if the path does not match.
    public func captures(
        of path: ArraySlice<UInt8>, _ budget: @autoclosure () -> WorkBudget = WorkBudget()
    ) -> [ArraySlice<UInt8>]? {
        match(path, captures: true, budget)?.map { path[$0] }
    }

    /// The value of the variable or wildcard at a place in the template; nil if the path does not match.
    public func capture(
        _ place: Int, of path: ArraySlice<UInt8>, _ budget: @autoclosure () -> WorkBudget = WorkBudget()
    ) -> ArraySlice<UInt8>? {
        guard hasWholeSegments else { return captures(of: path, budget())?[place] }
        var (position, left) = (path.startIndex, place)
        var found: Range<Int>?
        for token in tokens {
            if case .literal(let literal) = token {
                guard path.continues(with: literal[...], at: position - path.startIndex) else { return nil }
                position += literal.count
            } else {
                let end = path[position...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
                guard end > position else { return nil }
                if left == 0 { found = position..<end }
                left -= 1
                position = end
            }
        }
        return position == path.endIndex ? found.map { path[$0] } : nil
    }

    /// The captures (empty unless `captures`); nil if the path does not match.
    private func match(_ path: ArraySlice<UInt8>, captures: Bool, _ budget: () -> WorkBudget) -> [Range<Int>]? {
        var match = Match(tokens: tokens, path: path, captured: captures ? [] : nil)
        if match.run(token: 0, position: path.startIndex) { return match.captured ?? [] }
        guard match.isOutOfSteps else { return nil }
        var watched = Match(tokens: tokens, path: path, captured: captures ? [] : nil)
        watched.budget = (budget(), WorkBudget.Work("path template", text))
        return watched.run(token: 0, position: path.startIndex) ? watched.captured ?? [] : nil
    }

    /// An attempt to match. Variables are greedy and wildcards lazy, which decides what `{a}-{b}` captures.
    private struct Match {
        let tokens: [Token]
        let path: ArraySlice<UInt8>
        /// The captures, stored from the first on; nil if they are not wanted.
        var captured: [Range<Int>]?
        /// The budget, used after the first free steps; nil until then.
        var budget: (WorkBudget, WorkBudget.Work)?
        private var steps = 0

        private static let freeSteps = 1_000

        init(tokens: [Token], path: ArraySlice<UInt8>, captured: [Range<Int>]?) {
            self.tokens = tokens
            self.path = path
            self.captured = captured
        }

        var isOutOfSteps: Bool { steps > Self.freeSteps }

        private mutating func step() -> Bool {
            if let (budget, work) = budget { return budget.spend(2, for: work) }
            steps += 1
            return !isOutOfSteps
        }

        mutating func run(token first: Int, position start: Int) -> Bool {
            var position = start
            for index in first..<tokens.count {
                switch tokens[index] {
                case .literal(let literal):
                    guard path.continues(with: literal[...], at: position - path.startIndex) else { return false }
                    position += literal.count
                case .variable:
                    let end = path[position...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
                    guard end > position else { return false }
                    guard PathTemplate.mayStopEarly(tokens, before: index + 1) else {
                        captured?.append(position..<end)
                        position = end
                        continue
                    }
                    return attempt(index, position, ends: stride(from: end, to: position, by: -1))
                case .wildcard:
                    guard index + 1 < tokens.count else {
                        captured?.append(position..<path.endIndex)
                        return true
                    }
                    return attempt(index, position, ends: stride(from: position, through: path.endIndex, by: 1))
                }
            }
            return position == path.endIndex
        }

        private mutating func attempt(_ index: Int, _ start: Int, ends: some Sequence<Int>) -> Bool {
            let count = captured?.count ?? 0
            for end in ends {
                guard step() else { return false }
                captured?.append(start..<end)
                if run(token: index + 1, position: end) { return true }
                if let surplus = captured.map({ $0.count - count }) { captured?.removeLast(surplus) }
            }
            return false
        }
    }
}
