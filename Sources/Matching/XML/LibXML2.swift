private import SDCLibXML2
internal import SDPlatform
private import Synchronization

/// A parsed document owned by libxml2. The only code that touches its memory.
///
/// Sendable, because the pointer never changes and is used only while `lock` is held. Results are copies; no pointer
/// into the document leaves it.
final class LibXML2Document: Sendable {
    private nonisolated(unsafe) let pointer: OpaquePointer
    private let lock = Mutex(())

    /// - Throws: why the text cannot be parsed. If its entities grow too large, the budget is exhausted.
    init(_ bytes: ArraySlice<UInt8>, namespaceAware: Bool, _ budget: WorkBudget) throws(XMLProblem) {
        do {
            pointer = try Self.parse(bytes, namespaceAware, budget.left)
        } catch let error {
            if error.code == CX_TOO_LATE {
                let work = WorkBudget.Work("XML document", "of \(bytes.count) bytes")
                if budget.checkClock(work) { budget.exhaust(work) }
            }
            throw XMLProblem(error, bytes)
        }
    }

    deinit {
        cx_document_free(pointer)
    }

    private static func parse(
        _ bytes: ArraySlice<UInt8>, _ namespaceAware: Bool, _ nanoseconds: UInt64
    ) throws(Failure) -> sending OpaquePointer {
        var problem = cx_problem()
        if let parsed = parseOnce(bytes, namespaceAware, nanoseconds, &problem) { return parsed }
        if problem.code != CX_TOO_LATE, String(validating: bytes, as: UTF8.self) == nil {
            // Invalid UTF-8 counts as U+FFFD, as in a Java string read from bytes.
            let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
            if let parsed = parseOnce(repaired[...], namespaceAware, nanoseconds, &problem) { return parsed }
        }
        throw Failure(problem)
    }

    private static func parseOnce(
        _ bytes: ArraySlice<UInt8>, _ namespaceAware: Bool, _ nanoseconds: UInt64, _ problem: inout cx_problem
    ) -> sending OpaquePointer? {
        bytes.withUnsafeBytes { buffer in
            cx_parse(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, namespaceAware ? 1 : 0,
                nanoseconds, &problem)
        }
    }

    /// The whole document as plain values, cut short once the budget is exhausted.
    func tree(_ reading: XMLReading, _ budget: WorkBudget) -> XMLTree {
        let work = WorkBudget.Work("XML document", "as a tree")
        return lock.withLock { _ in Self.tree(cx_document_node(pointer), reading, budget, work) }
    }

    /// Evaluates an expression. If nodes are only counted, they are not read.
    ///
    /// libxml2 limits only its number of steps. The limit is raised in attempts while the budget has time, each time
    /// only so far that the attempt fits even if its cost grows with the cube of the steps.
    func evaluate(
        _ expression: String, _ namespaces: [(prefix: String, uri: String)], _ growth: Growth, readsNodes: Bool,
        _ budget: WorkBudget
    ) -> Evaluation {
        let work = WorkBudget.Work("XPath", expression)
        return lock.withLock { _ in
            var problem = cx_problem()
            var steps = growth.firstSteps(budget.left)
            var value: OpaquePointer?
            while true {
                guard budget.checkClock(work) else { return .failed("its budget of work is spent") }
                let left = budget.left
                value = withCStrings(namespaces.flatMap { [$0.prefix, $0.uri] }) { names in
                    cx_evaluate(pointer, expression, names, UInt(steps), left, &problem)
                }
                let isLimited = problem.code == CX_TOO_LATE || problem.code == Failure.tooManySteps
                guard value == nil, isLimited else { break }
                guard budget.checkClock(work) else { continue }
                let room = (Double(budget.left) / Double(max(left - budget.left, 1))).cubeRoot
                let next = min(steps * min(room, 8), growth.maxSteps(budget.left))
                if problem.code == CX_TOO_LATE || next < 1.2 * steps || steps > 1e12 { budget.exhaust(work) }
                steps = next
            }
            guard let value else { return .failed(Failure(problem).message) }
            defer { cx_value_free(value) }
            switch UInt32(bitPattern: cx_value_kind(value)) {
            case CX_BOOLEAN.rawValue: return .boolean(cx_value_boolean(value) != 0)
            case CX_NUMBER.rawValue: return .number(cx_value_number(value))
            case CX_STRING.rawValue: return .string(String(cString: cx_value_string(value)))
            default:
                let count = cx_value_count(value)
                guard readsNodes else { return .nodes(Array(repeating: .text(""), count: count)) }
                var nodes: [Node] = []
                for index in 0..<count where budget.spend(20, for: work) {
                    nodes.append(Self.node(cx_value_node(value, index), budget, work))
                }
                return .nodes(nodes)
            }
        }
    }

    /// How an evaluation's time grows with its steps. If a step may reach a node in several ways, libxml2 compares each
    /// found node with all found before, which its count of steps does not include.
    enum Growth {
        case linear
        /// Linear in most documents; in others, the evaluation takes longer than its budget.
        case mostlyLinear
        /// Quadratic in any document.
        case quadratic

        /// The maximum time of comparing two nodes, in nanoseconds.
        private static let comparison = 6.0

        /// The steps that fit into `time` nanoseconds even if each node is compared with all before.
        private static func sureSteps(_ time: UInt64) -> Double { (2 * Double(time) / comparison).squareRoot() }

        /// The limit of the first attempt, which ends within milliseconds.
        func firstSteps(_ time: UInt64) -> Double { self == .linear ? 200_000 : min(10_000, Self.sureSteps(time)) }

        /// The limit of any further attempt.
        func maxSteps(_ time: UInt64) -> Double { self == .quadratic ? Self.sureSteps(time) : .infinity }
    }

    enum Evaluation {
        case nodes([Node])
        case boolean(Bool)
        case number(Double)
        case string(String)
        case failed(String)
    }

    /// A node of a result.
    enum Node {
        /// An element, or the document.
        case tree(XMLTree)
        /// A text, or the URI of a namespace.
        case text(String)
        case cdata(String)
        /// The name as written, and the value.
        case attribute(String, String)
        case comment(String)
        case instruction(target: String, data: String)
    }

    private static func node(_ pointer: OpaquePointer?, _ budget: WorkBudget, _ work: WorkBudget.Work) -> Node {
        let facts = read(pointer)
        switch UInt32(bitPattern: facts.kind) {
        case CX_ELEMENT.rawValue, CX_DOCUMENT.rawValue: return .tree(tree(pointer, .printing, budget, work))
        case CX_ATTRIBUTE.rawValue:
            return .attribute(
                String(decoding: bytes(facts.local), as: UTF8.self),
                String(decoding: value(of: facts), as: UTF8.self))
        case CX_CDATA.rawValue: return .cdata(String(decoding: bytes(facts.content), as: UTF8.self))
        case CX_COMMENT.rawValue: return .comment(String(decoding: bytes(facts.content), as: UTF8.self))
        case CX_INSTRUCTION.rawValue:
            return .instruction(
                target: String(decoding: bytes(facts.local), as: UTF8.self),
                data: String(decoding: bytes(facts.content), as: UTF8.self))
        default: return .text(String(decoding: bytes(facts.content), as: UTF8.self))
        }
    }

    private static func read(_ node: OpaquePointer?) -> cx_facts {
        var facts = cx_facts()
        if let node { cx_read(node, &facts) }
        return facts
    }

    private static func bytes(_ string: UnsafePointer<CChar>?) -> [UInt8] {
        guard let string else { return [] }
        var length = 0
        while string[length] != 0 { length += 1 }
        return UnsafeBufferPointer(start: string, count: length).map { UInt8(bitPattern: $0) }
    }

    private static func prefix(_ facts: cx_facts) -> [UInt8] {
        UnsafeBufferPointer(start: facts.prefix, count: facts.prefix_length).map { UInt8(bitPattern: $0) }
    }

    /// The value of an attribute, from the text nodes below it.
    private static func value(of attribute: cx_facts) -> [UInt8] {
        var result: [UInt8] = []
        var next = attribute.first
        while let node = next {
            let facts = read(node)
            result.append(contentsOf: bytes(facts.content))
            next = facts.next
        }
        return result
    }

    private static func tree(
        _ top: OpaquePointer?, _ reading: XMLReading, _ budget: WorkBudget, _ work: WorkBudget.Work
    ) -> XMLTree {
        var builder = XMLTreeBuilder(reading)
        var current = top
        while let node = current, budget.spend(30, for: work) {
            let facts = read(node)
            switch UInt32(bitPattern: facts.kind) {
            case CX_DOCUMENT.rawValue: builder.openDocument()
            case CX_ELEMENT.rawValue: builder.openElement(start(facts))
            case CX_TEXT.rawValue: builder.text(bytes(facts.content), isCDATA: false)
            case CX_CDATA.rawValue: builder.text(bytes(facts.content), isCDATA: true)
            case CX_COMMENT.rawValue: builder.comment(bytes(facts.content))
            case CX_INSTRUCTION.rawValue: builder.instruction(bytes(facts.local), bytes(facts.content))
            default: break
            }
            if facts.first != nil {
                current = facts.first
                continue
            }
            if facts.isContainer { builder.close() }
            current = following(node, facts, within: top, &builder)
        }
        return builder.tree
    }

    /// The node after one whose children are done. Closes the elements that end before it.
    private static func following(
        _ node: OpaquePointer, _ facts: cx_facts, within top: OpaquePointer?, _ builder: inout XMLTreeBuilder
    ) -> OpaquePointer? {
        var node = node
        var facts = facts
        while node != top {
            if let next = facts.next { return next }
            guard let parent = facts.parent else { return nil }
            node = parent
            facts = read(parent)
            builder.close()
        }
        return nil
    }

    private static func start(_ facts: cx_facts) -> XMLTreeBuilder.Start {
        var start = XMLTreeBuilder.Start()
        start.prefix = prefix(facts)
        start.local = bytes(facts.local)
        start.uri = facts.uri.map { bytes($0) }
        var attribute = facts.attribute
        while let node = attribute {
            let facts = read(node)
            start.attributes.append((prefix(facts), bytes(facts.local), facts.uri.map { bytes($0) }, value(of: facts)))
            attribute = facts.next
        }
        var declared = facts.declared
        while let node = declared {
            let facts = read(node)
            start.declarations.append((bytes(facts.local), bytes(facts.content)))
            declared = facts.next
        }
        return start
    }

    /// Why an expression is invalid; nil if it is valid.
    static func problem(inExpression expression: String) -> String? {
        var problem = cx_problem()
        guard cx_check(expression, &problem) != 0 else { return nil }
        let failure = Failure(problem)
        guard failure.code > Failure.firstOfXPath else { return failure.message }
        let bytes = Array(expression.utf8)
        let place = min(max(failure.column, 0), bytes.count)
        guard place < bytes.count else {
            let message = failure.code == Failure.unexpected ? "something is missing" : failure.message
            return message + ", at the end of the expression"
        }
        let before = String(decoding: bytes[..<place], as: UTF8.self).unicodeScalars.count
        let rest = String(decoding: bytes[place...], as: UTF8.self)
        return failure.message + ", at character \(before + 1): \"\(rest.prefix(20))\(rest.count > 20 ? "…" : "")\""
    }

    /// Why XML is unavailable; nil if libxml2 is installed.
    static var unavailable: String? { cx_unavailable().map { String(cString: $0) } }

    /// A `cx_problem` as Swift values.
    struct Failure: Error {
        let code: Int
        let line: Int
        let column: Int
        let message: String
        /// The names that the error is about, if any.
        let name: String
        let other: String
        let third: String

        fileprivate init(_ problem: cx_problem) {
            code = Int(problem.code)
            line = Int(problem.line)
            column = Int(problem.column)
            name = Self.text(problem.name)
            other = Self.text(problem.other)
            third = Self.text(problem.third)
            let said = Self.text(problem.message)
            // Some versions of libxml2 have no message for an invalid expression, others a short one.
            message = Self.words[code] ?? (said.isEmpty ? "it cannot be read (libxml2's error \(code))" : said)
        }

        /// The first error number of `xmlXPathError`.
        fileprivate static let firstOfXPath = 1_200
        /// The error number for an unexpected token.
        fileprivate static let unexpected = 1_207
        /// The error number for an evaluation that reached its limit of steps.
        fileprivate static let tooManySteps: Int32 = 1_225

        /// Messages for errors without one in libxml2: `xmlParserErrors` and, from `firstOfXPath` on, `xmlXPathError`.
        private static let words = [
            2: "out of memory", 1_201: "a number is malformed", 1_202: "a string in quotes does not end",
            1_203: "a string in quotes is expected", 1_204: "a name is expected after $",
            1_205: "there is no such variable", 1_206: "a [ without its ]", unexpected: "this is not allowed here",
            1_208: "a ( without its )", 1_209: "there is no such function",
            1_210: "an operand is of a type that cannot be used here",
            1_211: "an argument is of a type that cannot be used here",
            1_212: "a function is called with a wrong number of arguments", 1_213: "last() is not available",
            1_214: "position() is not available", 1_215: "out of memory", 1_219: "a prefix is not declared",
            1_220: "the text is not valid UTF-8", 1_221: "a character that XML does not allow",
            1_222: "there is nothing to evaluate", 1_223: "a function or operand is missing or one too many",
            1_224: "variables cannot be used", 1_225: "the expression takes too many steps on this document",
            1_226: "the expression is nested too deeply",
        ]

        private static func text<Characters>(_ characters: Characters) -> String {
            withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }

        var isUnavailable: Bool { code == CX_UNAVAILABLE }
    }
}

extension cx_facts {
    fileprivate var isContainer: Bool {
        let kind = UInt32(bitPattern: kind)
        return kind == CX_ELEMENT.rawValue || kind == CX_DOCUMENT.rawValue
    }
}

/// Passes strings as a null-terminated list of C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
    guard !strings.isEmpty else { return body(nil) }
    let texts = strings.map { Array($0.utf8CString) }
    var offsets: [Int] = []
    var joined: [CChar] = []
    for text in texts {
        offsets.append(joined.count)
        joined.append(contentsOf: text)
    }
    return joined.withUnsafeBufferPointer { characters in
        let list: [UnsafePointer<CChar>?] = offsets.map { offset in characters.baseAddress.map { $0 + offset } } + [nil]
        return list.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}

extension Double {
    /// The cube root by Newton's method, precise enough for a limit.
    fileprivate var cubeRoot: Double {
        guard self > 0 else { return 0 }
        var root = Swift.max(self.squareRoot(), 1)
        for _ in 0..<40 { root -= (root * root * root - self) / (3 * root * root) }
        return root
    }
}
