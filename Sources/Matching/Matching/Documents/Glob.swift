public import SDPlatform

/// A compiled glob, which must match a whole text:
///
/// `*` any characters but `/`, `**` any characters, `?` one character but `/`, `[abc]`, `[a-z]` one of these, `[!abc]`
/// one other character but `/`, `{a,b}` one of these globs; a backslash takes the next character literally.
///
/// All alternatives are followed at the same time (Thompson's construction), so the cost is at most the length of the
/// text times that of the glob. Each alternative at each character costs budget steps; once the budget is exhausted,
/// the match is abandoned.
public struct Glob: Sendable {
    /// The reason why a text is not a glob.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The column at which the problem starts, from 1.
        public let column: Int
        /// The error and how to correct it, in one sentence.
        public let message: String

        public var description: String { "column \(column): \(message)" }
    }

    public static let lengthLimit = 1_024

    /// The glob as written.
    public let text: String
    private let program: [GlobStep]
    /// The bytes with which every matching text starts.
    private let literalPrefix: [UInt8]

    /// Compiles a glob.
    /// - Throws: the first error and its column.
    public init(_ text: String) throws(Problem) {
        var compiler = try GlobCompiler(text)
        self.text = text
        program = try compiler.compile()
        literalPrefix = Self.literalPrefix(program)
    }

    /// Whether the glob matches a UTF-8 text; invalid bytes count as U+FFFD.
    public func matches(_ bytes: ArraySlice<UInt8>, _ budget: WorkBudget = WorkBudget()) -> Bool {
        guard bytes.continues(with: literalPrefix[...], at: 0) else { return false }
        if bytes.isASCII { return run(bytes.lazy.map(Unicode.Scalar.init), budget) }
        guard budget.tryReserve(2 * bytes.count, for: work) else { return false }
        return run(String(decoding: bytes, as: UTF8.self).unicodeScalars, budget)
    }

    private static func literalPrefix(_ program: [GlobStep]) -> [UInt8] {
        var prefix = ""
        for step in program {
            guard case .one(let scalar) = step else { break }
            prefix.unicodeScalars.append(scalar)
        }
        return Array(prefix.utf8)
    }

    private func run(_ text: some Sequence<Unicode.Scalar>, _ budget: WorkBudget) -> Bool {
        var states = StateSet(count: program.count)
        var next = states
        states.add(0, program)
        for scalar in text {
            next.removeAll()
            for state in states.members {
                switch program[state] {
                case .one(let expected): if scalar == expected { next.add(state + 1, program) }
                case .any: next.add(state + 1, program)
                case .anyButSlash: if scalar != "/" { next.add(state + 1, program) }
                case .oneOf(let set): if set.contains(scalar) { next.add(state + 1, program) }
                case .fork, .jump, .end: break
                }
            }
            guard !next.members.isEmpty, budget.spend(2 * states.members.count, for: work) else { return false }
            swap(&states, &next)
        }
        return states.members.contains { if case .end = program[$0] { true } else { false } }
    }

    private var work: WorkBudget.Work { WorkBudget.Work("glob", text) }

    /// The set of steps reached during a match.
    private struct StateSet {
        private(set) var members: [Int] = []
        private var isMember: [Bool]
        private var pending: [Int] = []

        init(count: Int) {
            isMember = Array(repeating: false, count: count)
            members.reserveCapacity(count)
        }

        mutating func removeAll() {
            for state in members { isMember[state] = false }
            members.removeAll(keepingCapacity: true)
        }

        /// Adds a step, and those reachable from it without consuming a character.
        mutating func add(_ state: Int, _ program: [GlobStep]) {
            pending.append(state)
            while let state = pending.popLast() {
                if isMember[state] { continue }
                isMember[state] = true
                members.append(state)
                switch program[state] {
                case .jump(let target): pending.append(target)
                case .fork(let targets): pending.append(contentsOf: targets)
                default: break
                }
            }
        }
    }
}

/// A step of a compiled glob. One that consumes a character continues with the next step.
enum GlobStep: Sendable {
    case one(Unicode.Scalar)
    case any
    case anyButSlash
    case oneOf(GlobClass)
    case fork([Int])
    case jump(Int)
    case end
}

/// `[…]`.
struct GlobClass: Sendable {
    var isNegated = false
    var ranges: [ClosedRange<Unicode.Scalar>] = []

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let isListed = ranges.contains { $0.contains(scalar) }
        return isNegated ? !isListed && scalar != "/" : isListed
    }
}
