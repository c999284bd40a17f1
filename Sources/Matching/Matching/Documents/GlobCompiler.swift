/// Compiles a glob into steps.
struct GlobCompiler {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var steps: [GlobStep] = []
    /// The open braces.
    private var groups: [Group] = []

    private struct Group {
        /// The index in the text at which the group starts.
        var start: Int
        /// The step that leads to each alternative.
        var fork: Int
        var alternatives: [Int]
        /// The steps that lead to the end of the group.
        var exits: [Int] = []
    }

    init(_ text: String) throws(Glob.Problem) {
        scalars = Array(text.unicodeScalars)
        guard scalars.count <= Glob.lengthLimit else {
            throw Glob.Problem(
                column: Glob.lengthLimit + 1,
                message: "a glob has at most \(Glob.lengthLimit) characters, this one has \(scalars.count)")
        }
    }

    mutating func compile() throws(Glob.Problem) -> [GlobStep] {
        while position < scalars.count {
            let start = position
            position += 1
            switch scalars[start] {
            case "*": star()
            case "?": steps.append(.anyButSlash)
            case "[": try characterClass(from: start)
            case "\\": try escape(from: start)
            case "{": openGroup(start)
            case ",": if !nextAlternative() { steps.append(.one(",")) }
            case "}": if !closeGroup() { steps.append(.one("}")) }
            case let scalar: steps.append(.one(scalar))
            }
        }
        if let group = groups.last { throw problem("\"{\" without \"}\"; write \"\\{\" for a brace", group.start) }
        steps.append(.end)
        return steps
    }

    private mutating func star() {
        var count = 1
        while position < scalars.count, scalars[position] == "*" {
            position += 1
            count += 1
        }
        let fork = steps.count
        steps.append(.fork([fork + 1, fork + 3]))
        steps.append(count > 1 ? .any : .anyButSlash)
        steps.append(.jump(fork))
    }

    private mutating func escape(from start: Int) throws(Glob.Problem) {
        guard position < scalars.count else { throw problem("a lone backslash; write \"\\\\\" for one", start) }
        steps.append(.one(scalars[position]))
        position += 1
    }

    private mutating func openGroup(_ start: Int) {
        groups.append(Group(start: start, fork: steps.count, alternatives: [steps.count + 1]))
        steps.append(.fork([]))
    }

    /// Starts the next alternative. Returns false if no group is open.
    private mutating func nextAlternative() -> Bool {
        guard var group = groups.popLast() else { return false }
        group.exits.append(steps.count)
        steps.append(.jump(0))
        group.alternatives.append(steps.count)
        groups.append(group)
        return true
    }

    /// Closes the innermost group. Returns false if none is open.
    private mutating func closeGroup() -> Bool {
        guard let group = groups.popLast() else { return false }
        steps[group.fork] = .fork(group.alternatives)
        for exit in group.exits { steps[exit] = .jump(steps.count) }
        return true
    }

    /// Reads a class. As in POSIX, a leading `]` stands for itself, and so does a leading or trailing `-`.
    /// - Throws: if the class does not end, or a range is reversed.
    private mutating func characterClass(from start: Int) throws(Glob.Problem) {
        var result = GlobClass()
        if position < scalars.count, scalars[position] == "!" || scalars[position] == "^" {
            result.isNegated = true
            position += 1
        }
        var isFirst = true
        while isFirst || peek() != "]" {
            isFirst = false
            let offset = position
            let first = try classScalar(from: start)
            guard peek() == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                result.ranges.append(first...first)
                continue
            }
            position += 1
            let last = try classScalar(from: start)
            guard first <= last else {
                throw problem("the range \(first)-\(last) runs backwards; write \(last)-\(first)", offset)
            }
            result.ranges.append(first...last)
        }
        position += 1
        steps.append(.oneOf(result))
    }

    private func peek() -> Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    private mutating func classScalar(from start: Int) throws(Glob.Problem) -> Unicode.Scalar {
        if peek() == "\\" { position += 1 }
        guard let scalar = peek() else { throw problem("\"[\" without \"]\"; write \"\\[\" for a bracket", start) }
        position += 1
        return scalar
    }

    private func problem(_ message: String, _ offset: Int) -> Glob.Problem {
        Glob.Problem(column: offset + 1, message: message)
    }
}
