import SDJSON
import SDRegularExpressions

extension PathEvaluator {
    /// The value of an operand in a comparison.
    private enum Operand {
        case nothing
        case value(JSONValue)
        case regex(JavaRegex)
    }

    /// Whether a filter selects `value`.
    /// - Throws: if the budget is exhausted, or Jayway would abandon the filter.
    mutating func accepts(_ condition: FilterCondition, at value: PathNode) throws(Stop) -> Bool {
        do throws(Stop) {
            return try holds(condition, at: value)
        } catch {
            guard error.onlyForElement else { throw error }
            return false
        }
    }

    private mutating func holds(_ condition: FilterCondition, at value: PathNode) throws(Stop) -> Bool {
        try visit(1)
        switch condition {
        case .any(let conditions):
            for condition in conditions where try holds(condition, at: value) { return true }
            return false
        case .all(let conditions):
            for condition in conditions where try !holds(condition, at: value) { return false }
            return true
        case .not(let condition):
            return try !holds(condition, at: value)
        case .exists(let query):
            let outside = (missing, wantsAllNames)
            (missing, wantsAllNames) = (.leftOut, true)
            defer { (missing, wantsAllNames) = outside }
            switch try result(of: query, at: value) {
            case .nothing: return false
            case .one: return true
            // Jayway only tests whether the path could be followed.
            case .many(let values): return followsWireMock || !values.isEmpty
            }
        case .test(let function):
            return try evaluate(function, at: value) == .bool(true)
        case .compare(let left, let comparison, let right):
            if comparison.isEquality, case .query(let query) = left, case .literal(let literal) = right {
                let found = try result(of: query, at: value)
                if case .one(.place(let place)) = found, let isSame = try same(place, literal) {
                    return isSame == (comparison == .equal)
                }
                let left = try operand(found)
                let right = Operand.value(literal)
                return try followsWireMock
                    ? looselyHolds(left, comparison, right) : strictlyHolds(left, comparison, right)
            }
            let left = try evaluate(left, at: value)
            let right = try evaluate(right, at: value)
            return try followsWireMock ? looselyHolds(left, comparison, right) : strictlyHolds(left, comparison, right)
        }
    }

    private mutating func evaluate(_ operand: FilterOperand, at value: PathNode) throws(Stop) -> Operand {
        switch operand {
        case .literal(let literal): return .value(literal)
        case .regex(let regex): return .regex(regex)
        case .function(let function):
            return try evaluate(function, at: value).map(Operand.value) ?? .nothing
        case .query(let query):
            return try self.operand(try result(of: query, at: value))
        }
    }

    private mutating func operand(_ found: Found) throws(Stop) -> Operand {
        switch found {
        case .nothing: .nothing
        case .one(let value): .value(try json(value))
        case .many(let values): .value(.array(try json(values)))
        }
    }

    /// Evaluates a function of RFC 9535, section 2.4; nil is the special result Nothing.
    /// - Throws: if the evaluation becomes too expensive.
    private mutating func evaluate(_ function: FilterFunction, at value: PathNode) throws(Stop) -> JSONValue? {
        if function.name.takesNodes {
            guard case .query(let query) = function.arguments[0] else { return nil }
            let nodes = try result(of: query, at: value).nodes
            if function.name == .count { return .number(JSONNumber(nodes.count)) }
            return nodes.count == 1 ? try json(nodes[0]) : nil
        }
        guard case .value(let subject) = try evaluate(function.arguments[0], at: value) else {
            return function.name.isTest ? .bool(false) : nil
        }
        switch function.name {
        case .length:
            switch subject {
            case .string(let text):
                try visit(text.utf8.count / 16)
                return .number(JSONNumber(text.unicodeScalars.count))
            case .array(let elements): return .number(JSONNumber(elements.count))
            case .object(let object): return .number(JSONNumber(object.count))
            default: return nil
            }
        case .match, .search:
            guard case .string(let text) = subject else { return .bool(false) }
            var regex = function.pattern
            if regex == nil, case .value(.string(let pattern)) = try evaluate(function.arguments[1], at: value) {
                // Compiling costs as much as visiting many values.
                try visit(2_000 + pattern.utf8.count)
                regex = InternetRegex.compile(pattern, wholeSubject: function.name == .match)
            }
            guard let regex else { return .bool(false) }
            return .bool(try matches(regex, text))
        case .count, .value:
            return nil
        }
    }

    private mutating func matches(_ regex: JavaRegex, _ text: String) throws(Stop) -> Bool {
        try visit(10 + text.utf8.count / 8)
        switch regex.match(Array(text.utf8)[...], budget) {
        case .match: return true
        case .noMatch: return false
        case .abandoned:
            throw Stop(reason: "the regular expression `\(regex.pattern)` was abandoned")
        }
    }

    /// Compares by RFC 9535, section 2.3.5.2.2.
    /// - Throws: if the comparison becomes too expensive.
    private mutating func strictlyHolds(
        _ left: Operand, _ comparison: FilterOperator, _ right: Operand
    ) throws(Stop) -> Bool {
        switch comparison {
        case .equal: return try equal(left, right)
        case .notEqual: return try !equal(left, right)
        case .less: return ordered(left, right)
        case .greater: return ordered(right, left)
        case .lessOrEqual: return ordered(left, right) ? true : try equal(left, right)
        case .greaterOrEqual: return ordered(right, left) ? true : try equal(left, right)
        default: return false
        }
    }

    private mutating func equal(_ left: Operand, _ right: Operand) throws(Stop) -> Bool {
        switch (left, right) {
        case (.nothing, .nothing): return true
        case (.value(let left), .value(let right)): return try same(left, right)
        default: return false
        }
    }

    private func ordered(_ left: Operand, _ right: Operand) -> Bool {
        switch (left, right) {
        case (.value(.number(let left)), .value(.number(let right))): left.compared(to: right) == .less
        case (.value(.string(let left)), .value(.string(let right))): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: false
        }
    }

    /// Whether the value at index `place` of the tape equals `literal`, without building a tree; nil if a tree is
    /// needed.
    /// - Throws: if the budget is exhausted.
    private mutating func same(_ place: Int, _ literal: JSONValue) throws(Stop) -> Bool? {
        guard let constant = TapeConstant(literal),
            let isSame = constant.equals(tape.entries[place], in: tape.bytes.span)
        else { return nil }
        try visit(constant.steps)
        return isSame
    }

    /// Whether two values are equal, numbers by value.
    /// - Throws: if the comparison becomes too expensive.
    private mutating func same(_ left: JSONValue, _ right: JSONValue) throws(Stop) -> Bool {
        try visit(1)
        switch (left, right) {
        case (.number(let left), .number(let right)): return left.compared(to: right) == .equal
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            for (left, right) in zip(left, right) where try !same(left, right) { return false }
            return true
        case (.string(let left), .string(let right)):
            guard left.utf8.count == right.utf8.count else { return false }
            try visit(left.utf8.count / 8)
            return left.utf8.elementsEqual(right.utf8)
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            for member in left.members {
                guard let other = right[member.key], try same(member.value, other) else { return false }
            }
            return true
        default: return left == right
        }
    }

    /// Compares like Jayway: a missing value equals nothing, not even another one; a number and a text are compared as
    /// the kind of the left one.
    /// - Throws: if the comparison becomes too expensive.
    private mutating func looselyHolds(
        _ left: Operand, _ comparison: FilterOperator, _ right: Operand
    ) throws(Stop) -> Bool {
        switch comparison {
        case .equal: return try looselyEqual(left, right)
        case .notEqual: return try !looselyEqual(left, right)
        case .identical: return try identical(left, right)
        case .notIdentical: return try !identical(left, right)
        case .less: return ordered(left, right)
        case .greater: return ordered(right, left)
        case .lessOrEqual: return ordered(left, right) || orderedEqual(left, right)
        case .greaterOrEqual: return ordered(right, left) || orderedEqual(left, right)
        case .matches: return try matches(left, right)
        case .isIn, .isNotIn:
            guard let right = try comparedList(right) else { return comparison == .isNotIn }
            return try contains(right, left) == (comparison == .isIn)
        case .subsetOf:
            guard let right = try comparedList(right), let left = try comparedList(left) else { return false }
            for element in left where try !contains(right, .value(element)) { return false }
            return true
        case .allOf: return try looselyHolds(right, .subsetOf, left)
        case .anyOf: return try overlap(left, right) ?? false
        case .noneOf: return try overlap(left, right).map { !$0 } ?? false
        case .contains:
            if case .value(.string(let left)) = left, case .value(.string(let right)) = right {
                try visit(1 + left.utf8.count / 8)
                return left.containsBytes(of: right)
            }
            guard let left = list(left) else { return false }
            return try contains(left, right)
        case .size:
            guard case .value(.number(let expected)) = right, case .value(let value) = left else { return false }
            if case .string(let text) = value { try visit(text.utf8.count / 16) }
            return value.size.map { $0 == expected.intValue } ?? false
        case .empty:
            guard case .value(let value) = left, let isEmpty = value.isEmpty else { return false }
            guard case .value(.bool(let expected)) = right else {
                throw Stop(reason: "`empty` takes true or false", onlyForElement: true)
            }
            return isEmpty == expected
        }
    }

    private mutating func looselyEqual(_ left: Operand, _ right: Operand) throws(Stop) -> Bool {
        guard case .value(let left) = left, case .value(let right) = right else { return false }
        switch (left, right) {
        case (.number(let left), .string(let text)):
            return JSONNumber(text: text).map { left.compared(to: $0) == .equal } ?? false
        case (.string(let text), .number(let number)): return text == JavaText.of(number)
        default: return try same(left, right)
        }
    }

    private mutating func identical(_ left: Operand, _ right: Operand) throws(Stop) -> Bool {
        switch (left, right) {
        case (.value(.number), .value(.string)), (.value(.string), .value(.number)): false
        default: try looselyEqual(left, right)
        }
    }

    private func orderedEqual(_ left: Operand, _ right: Operand) -> Bool {
        switch (left, right) {
        case (.value(.number(let left)), .value(.number(let right))): left.compared(to: right) == .equal
        case (.value(.string(let left)), .value(.string(let right))): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }

    /// Evaluates `=~`, which needs an expression on exactly one side. A list matches if one of its elements does; a
    /// value without a text counts as the empty text.
    /// - Throws: if the expression backtracks too much.
    private mutating func matches(_ left: Operand, _ right: Operand) throws(Stop) -> Bool {
        switch (left, right) {
        case (.regex, .regex): return false
        case (.regex(let regex), let subject), (let subject, .regex(let regex)):
            guard case .value(let value) = subject else { return try matches(regex, "") }
            guard case .array(let elements) = value else { return try matches(regex, value.regexSubject) }
            for element in elements where try matches(regex, element.regexSubject) { return true }
            return false
        default: return false
        }
    }

    private func list(_ operand: Operand) -> [JSONValue]? {
        if case .value(.array(let elements)) = operand { elements } else { nil }
    }

    /// The list to compare with; nil for an object.
    /// - Throws: for anything else, which ends the filter for this element, as in Jayway.
    private func comparedList(_ operand: Operand) throws(Stop) -> [JSONValue]? {
        switch operand {
        case .value(.array(let elements)): return elements
        case .value(.object): return nil
        default: throw Stop(reason: "a list is compared with something else", onlyForElement: true)
        }
    }

    private mutating func contains(_ elements: [JSONValue], _ sought: Operand) throws(Stop) -> Bool {
        for element in elements {
            try visit(1)
            if try looselyEqual(sought, .value(element)) { return true }
        }
        return false
    }

    private mutating func overlap(_ left: Operand, _ right: Operand) throws(Stop) -> Bool? {
        guard let right = try comparedList(right), let left = try comparedList(left) else { return nil }
        for element in left where try contains(right, .value(element)) { return true }
        return false
    }
}

extension JSONValue {
    /// The size that Jayway's `size` tests; nil if there is none, as for objects.
    fileprivate var size: Int? {
        switch self {
        case .string(let text): text.utf16.count
        case .array(let elements): elements.count
        default: nil
        }
    }

    /// Whether Jayway's `empty` holds; nil if it cannot be tested.
    fileprivate var isEmpty: Bool? {
        switch self {
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let object): object.isEmpty
        default: nil
        }
    }

    fileprivate var regexSubject: String {
        switch self {
        case .string(let text): text
        case .number(let number): JavaText.of(number)
        case .bool(let value): value ? "true" : "false"
        default: ""
        }
    }
}
