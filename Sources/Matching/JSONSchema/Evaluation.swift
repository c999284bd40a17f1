import SDJSON
import SDPlatform
import SDRegularExpressions

/// The evaluation of one document against a schema.
///
/// It is bounded: schemas are followed to a fixed depth, and each step costs the caller's budget. Beyond either limit
/// the document is invalid, even inside `not`.
struct Evaluation {
    let schema: JSONSchema
    /// Schemas that are compiled on demand; nil for `schema`.
    let shared: SchemaDocuments?
    /// The direction of the document, for properties that only one side sends.
    let direction: SchemaDocuments.Direction?
    private(set) var errors: [SchemaError] = []

    /// Whether errors are collected and the evaluation continues after the first one.
    var collects: Bool
    /// The resources entered on the path to the current node, outermost first.
    var scope: [Int] = []
    var path: [String] = []
    private(set) var depth = 0
    /// The nodes applied to the current value, outermost first; for shared schemas only, which may be circular.
    private var active: [Int] = []
    private var activeStart = 0
    private(set) var abandoned: String?

    /// The maximum nesting of schemas. A document is at most 512 levels deep, and each level may need a schema, a
    /// reference and a combination.
    private static let depthLimit = 1_600
    private static let work = WorkBudget.Work("JSON Schema", "matchesJsonSchema")

    private let budget: WorkBudget
    let errorLimit: Int

    /// Prepares an evaluation.
    /// - Parameter errorLimit: the maximum number of errors collected.
    init(_ schema: JSONSchema, collects: Bool, errorLimit: Int = 1_000, _ budget: WorkBudget) {
        self.schema = schema
        shared = nil
        direction = nil
        self.errorLimit = errorLimit
        self.budget = budget
        self.collects = collects
    }

    /// Prepares an evaluation with schemas that are compiled on demand.
    init(
        _ shared: SchemaDocuments, _ direction: SchemaDocuments.Direction?, collects: Bool, errorLimit: Int,
        _ budget: WorkBudget
    ) {
        schema = SchemaDocuments.noSchema
        self.shared = shared
        self.direction = direction
        self.errorLimit = errorLimit
        self.budget = budget
        self.collects = collects
    }

    mutating func run(_ value: JSONValue) -> Bool {
        run(value, from: schema.root)
    }

    mutating func run(_ value: JSONValue, from root: Int) -> Bool {
        var marks: Marks?
        let isValid = evaluate(root, value, &marks)
        guard let abandoned else { return isValid }
        errors = collects ? [SchemaError(instance: .root, keyword: "", message: abandoned)] : []
        return false
    }

    /// Applies node `number` to `value`. The evaluated members or elements are recorded in `marks`, if not nil.
    mutating func evaluate(_ number: Int, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        if let shared {
            let (node, steps) = shared.node(number)
            if steps > 0, !spend(steps / 4) { return false }
            return evaluateOnce(number, node, value, &marks)
        }
        guard spend(1), depth < Self.depthLimit else {
            abandon("The schema refers to itself without end")
            return false
        }
        let node = schema.nodes[number]
        if node.rules.isEmpty { return true }
        return enter(node, value, &marks)
    }

    /// Applies a node of shared schemas, unless the value is already being checked against it.
    private mutating func evaluateOnce(
        _ number: Int, _ node: SchemaNode, _ value: JSONValue, _ marks: inout Marks?
    ) -> Bool {
        // Only the value's own depth counts here, as circles end.
        guard spend(1), depth < Self.depthLimit / 2 else {
            abandon("the value is too deep to be checked")
            return false
        }
        if node.rules.isEmpty || isActive(number) { return true }
        active.append(number)
        defer { active.removeLast() }
        return enter(node, value, &marks)
    }

    /// Whether the value is being checked against a node of shared schemas.
    func isActive(_ number: Int) -> Bool { active[activeStart...].contains(number) }

    private mutating func enter(_ node: SchemaNode, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        depth += 1
        let entersResource = scope.last != node.resource
        if entersResource { scope.append(node.resource) }
        defer {
            depth -= 1
            if entersResource { scope.removeLast() }
        }
        if node.looksAtMarks, marks == nil {
            var own: Marks? = Marks()
            return apply(node, value, &own)
        }
        return apply(node, value, &marks)
    }

    private mutating func apply(_ node: SchemaNode, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        // A schema's unevaluated keywords consider only what the schema itself evaluated.
        guard node.looksAtMarks, let outer = marks else {
            return applyRules(node, value, &marks)
        }
        var own: Marks? = Marks()
        let isValid = applyRules(node, value, &own)
        marks = outer
        if let own { marks?.add(own) }
        return isValid
    }

    private mutating func applyRules(_ node: SchemaNode, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        var isValid = true
        for rule in node.rules where !check(rule, value, &marks) {
            if !collects || abandoned != nil { return false }
            isValid = false
        }
        return isValid
    }

    // MARK: - Limits

    /// Spends budget steps: applied schemas, looked-up members, 16 bytes of text. Returns false once the budget is
    /// exhausted.
    mutating func spend(_ count: Int) -> Bool {
        if abandoned != nil { return false }
        guard budget.spend(4 * count, for: Self.work) else {
            abandon("The schema takes too long on this document")
            return false
        }
        return true
    }

    mutating func abandon(_ reason: String) {
        if abandoned == nil { abandoned = reason }
    }

    mutating func matches(_ pattern: SchemaPattern, _ text: String) -> Bool {
        guard spend(1 + text.utf8.count / 64) else { return false }
        return pattern.match(text, budget) == .match
    }

    /// Spends the steps of comparing a whole value.
    mutating func spend(onAllOf value: JSONValue) -> Bool {
        switch value {
        case .array(let elements):
            guard spend(elements.count) else { return false }
            for element in elements where element.isContainer && !spend(onAllOf: element) { return false }
            return true
        case .object(let object):
            guard spend(2 * object.count) else { return false }
            for member in object.members where member.value.isContainer && !spend(onAllOf: member.value) {
                return false
            }
            return true
        case .string(let text): return spend(1 + text.utf8.count / 64)
        default: return spend(1)
        }
    }

    // MARK: - Errors

    /// Records that a value violates a keyword.
    mutating func fail(
        _ keyword: String, _ expected: @autoclosure () -> String, found: @autoclosure () -> String? = nil
    ) -> Bool {
        if collects, errors.count < errorLimit {
            errors.append(
                SchemaError(instance: JSONPointer(path), keyword: keyword, expected: expected(), found: found()))
        }
        return false
    }

    /// Records that a value is not allowed.
    mutating func fail(_ keyword: String, message: @autoclosure () -> String) -> Bool {
        if collects, errors.count < errorLimit {
            errors.append(SchemaError(instance: JSONPointer(path), keyword: keyword, message: message()))
        }
        return false
    }

    /// Replaces the errors after the first `count`.
    mutating func replaceErrors(beyond count: Int, by others: some Sequence<SchemaError>) {
        forgetErrors(beyond: count)
        errors.append(contentsOf: others.prefix(max(0, errorLimit - count)))
    }

    /// Applies a node without reporting errors.
    mutating func evaluateSilently(_ number: Int, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        let collected = collects
        collects = false
        defer { collects = collected }
        return evaluate(number, value, &marks)
    }

    /// Drops the errors after the first `count`.
    mutating func forgetErrors(beyond count: Int) {
        if errors.count > count { errors.removeLast(errors.count - count) }
    }

    /// Applies a node to a part of the current value, whose own marks are discarded.
    mutating func evaluatePart(_ number: Int, _ value: JSONValue, _ token: @autoclosure () -> String) -> Bool {
        var none: Marks?
        if shared != nil { return evaluateSharedPart(number, value, token()) }
        guard collects else { return evaluate(number, value, &none) }
        path.append(token())
        defer { path.removeLast() }
        return evaluate(number, value, &none)
    }

    private mutating func evaluateSharedPart(
        _ number: Int, _ value: JSONValue, _ token: @autoclosure () -> String
    ) -> Bool {
        var none: Marks?
        let outerStart = activeStart
        activeStart = active.count
        if collects { path.append(token()) }
        defer {
            activeStart = outerStart
            if collects { path.removeLast() }
        }
        return evaluate(number, value, &none)
    }
}

/// The members of an object, or elements of an array, that some schema has evaluated.
struct Marks {
    private var all = false
    private var places: [Bool] = []

    mutating func addAll() {
        all = true
    }

    mutating func add(_ place: Int) {
        if all { return }
        while places.count <= place { places.append(false) }
        places[place] = true
    }

    mutating func add(_ other: Marks) {
        if other.all { all = true }
        if all { return }
        for (place, isMarked) in other.places.enumerated() where isMarked { add(place) }
    }

    func contains(_ place: Int) -> Bool {
        all || place < places.count && places[place]
    }
}

extension JSONValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}
