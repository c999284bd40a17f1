import SDBasics
public import SDJSON

extension ValueMatcher {
    /// Where a matcher stands, which decides the allowed operators.
    package enum Position {
        /// A cookie, a path parameter, the host, or inside another matcher.
        case single
        /// A header, query or form parameter, which may have several values.
        case multiValue
        /// A body or a part of one.
        case body
        /// Inside a body matcher.
        case withinBody

        package func allows(_ operator: Operator) -> Bool { `operator`.isAllowed(at: self) }

        /// The position of a matcher nested in one at this position.
        var inner: Position {
            self == .body || self == .withinBody ? .withinBody : .single
        }
    }

    /// Reads a matcher of a plain value, such as `{"equalTo": "x"}`, without `hasExactly`, `includes` and
    /// `binaryEqualTo`.
    /// - Throws: all problems.
    public init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        let matcher = Self.read(json, .single, &reader)
        guard let matcher, reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        self = matcher
    }

    package static func read(_ value: JSONValue, _ position: Position, _ reader: inout ModelReader) -> ValueMatcher? {
        let anchor = reader.pointer
        return reader.anchored(at: anchor) { read(value, position, anchor: anchor, &$0) }
    }

    /// Reads a matcher.
    /// - Parameter outerNames: members of the enclosing matcher that may appear in this one's object.
    private static func read(
        _ value: JSONValue, _ position: Position, anchor: JSONPointer, outerNames: [String] = [],
        _ reader: inout ModelReader
    ) -> ValueMatcher? {
        guard case .object(var object) = value else {
            let example = value.stringValue.map { JSONValue.object(["equalTo": .string($0)]).compactText }
            reader.report(
                detail: "\(value.compactText) is not a valid match operation", message: "not a matcher",
                expected: "an object with an operator" + (example.map { ", such as \($0)" } ?? ""),
                found: value.shortDescription)
            return nil
        }
        guard let `operator` = deciding(object, position) else {
            reportNoOperator(object, position, &reader)
            return nil
        }
        let key = `operator`.rawValue
        if `operator` == .hasExactly || `operator` == .includes {
            reportBesideList(object, `operator`, &reader)
        } else {
            warnOfIgnored(object, `operator`, outerNames, &reader)
        }
        let operand = object[key] ?? .null
        reader.within(key) { reader in
            switch `operator` {
            case .hasExactly, .includes: readList(operand, &reader)
            case .and, .or: readAlternatives(operand, position.inner, anchor: anchor, &reader)
            case .not: _ = read(operand, position.inner, anchor: anchor, &reader)
            case .matchesJsonPath, .matchesXPath:
                readPath(operand, `operator`, position.inner, anchor: anchor, &reader)
            case .matchesJwt: JWTOperand.check(operand, &reader)
            case .matchesGraphql: GraphQLOperand.check(operand, &reader)
            case .count: _ = ValueCount.read(operand, &reader)
            default: checkOperand(operand, `operator`, &reader)
            }
        }
        checkOptions(object, `operator`, &reader)
        // WireMock discards the operand and always shows the same one. `false` stays distinguishable here.
        if `operator` == .absent { object[key] = .bool(operand.asSwitch ?? true) }
        if `operator` == .anything { object[key] = "anything" }
        return ValueMatcher(`operator`, json: object)
    }

    /// The deciding operator: `hasExactly` or `includes` if present, otherwise the first known one, as in WireMock.
    package static func deciding(_ object: JSONObject, _ position: Position) -> Operator? {
        var first: Operator?
        for member in object.members {
            guard let known = Operator(rawValue: member.key), position.allows(known) else { continue }
            if known == .hasExactly || known == .includes { return known }
            if first == nil { first = known }
        }
        return first
    }

    // MARK: Members beside the operator

    /// Reports members beside these two operators, which WireMock rejects.
    private static func reportBesideList(
        _ object: JSONObject, _ operator: Operator, _ reader: inout ModelReader
    ) {
        guard object.count > 1 else { return }
        let javaClass: JavaClass = `operator` == .includes ? .includesPattern : .exactPattern
        reader.anchored(at: nil) { reader in
            for key in object.keys where key != `operator`.rawValue {
                reader.reportUnknown(key, in: javaClass, valid: [`operator`.rawValue])
            }
        }
    }

    /// Warns about members that are not options of the operator, including misspelt ones; WireMock ignores them.
    private static func warnOfIgnored(
        _ object: JSONObject, _ operator: Operator, _ outerNames: [String], _ reader: inout ModelReader
    ) {
        guard object.count > 1 else { return }
        for key in object.keys where key != `operator`.rawValue && !`operator`.options.contains(key) {
            if outerNames.contains(key) { continue }
            if Operator(rawValue: key) != nil {
                reader.warn(
                    "\"\(key)\" is ignored; only the first operator applies: \"\(`operator`.rawValue)\"", name: key,
                    isIneffective: true)
            } else {
                reader.warn(
                    "\(quoted(key)) is ignored; \"\(`operator`.rawValue)\" has no such option",
                    suggestion: meantName(by: key, among: `operator`.options + outerNames)
                        ?? meantName(by: key, among: Operator.allCases.map(\.rawValue)), name: key, isIneffective: true)
            }
        }
    }

    private static func reportNoOperator(_ object: JSONObject, _ position: Position, _ reader: inout ModelReader) {
        let names = Operator.allCases.filter(position.allows).map(\.rawValue)
        let isAlone = reader.place.tokens.isEmpty
        let shown = object.isEmpty && !isAlone ? "null" : JSONValue.object(object).compactText
        let suggestions = object.members.lazy.compactMap { presence($0) ?? meantName(by: $0.key, among: names) }
        let misplaced = object.keys.first { Operator(rawValue: $0) != nil }
        reader.report(
            detail: "\(shown) is not a valid match operation",
            message: misplaced.map { "\"\($0)\" cannot be used here" } ?? "a matcher without a known operator",
            expected: "one of \(names.joined(separator: ", "))",
            found: object.isEmpty ? "an empty object" : object.keys.map { "\"\($0)\"" }.joined(separator: ", "),
            suggestion: suggestions.first)
    }

    /// Our notation for `{exists: true}`; nil for any other member.
    private static func presence(_ member: JSONObject.Member) -> String? {
        let word = member.key.lowercased().filter { !"-_".contains($0) }
        if ["in", "within", "values", "enum"].contains(word), member.value.arrayValue != nil { return "or" }
        guard ["exists", "exist", "present", "ispresent", "required", "defined", "isdefined"].contains(word),
            let isThere = member.value.asSwitch
        else { return nil }
        return "absent: \(!isThere)"
    }

    // MARK: Nested matchers

    /// Reads the operand of `hasExactly` or `includes`: a list of matchers, each at its own pointer.
    private static func readList(_ operand: JSONValue, _ reader: inout ModelReader) {
        reader.anchored(at: nil) { reader in
            guard let elements = reader.array(operand, elementOf: JavaClass.stringPattern.name) else {
                if operand.isNull { reader.report(detail: nil, message: "no list", expected: "a list of matchers") }
                return
            }
            for (index, element) in elements.enumerated() {
                _ = reader.within(String(index)) { read(element, .single, &$0) }
            }
        }
    }

    /// Reads the operand of `and` or `or`. WireMock reports an element by its index directly below the enclosing
    /// matcher.
    private static func readAlternatives(
        _ operand: JSONValue, _ position: Position, anchor: JSONPointer, _ reader: inout ModelReader
    ) {
        guard case .array(let elements) = operand else {
            reader.report(
                detail: "and field must be an array of matchers", message: "wrong type",
                expected: "a list of at least two matchers", found: operand.shortDescription)
            return
        }
        guard elements.count >= 2 else {
            reader.report(
                detail: "Must be constructed with at least two matchers", message: "too few matchers",
                expected: "a list of at least two matchers", found: operand.shortDescription)
            return
        }
        for (index, element) in elements.enumerated() {
            let elementAnchor = anchor.appending(index)
            reader.within(String(index)) { reader in
                reader.anchored(at: elementAnchor) { _ = read(element, position, anchor: elementAnchor, &$0) }
            }
        }
    }

    /// Reads the operand of `matchesJsonPath` or `matchesXPath`: an expression, or an object with an expression and an
    /// operator.
    private static func readPath(
        _ operand: JSONValue, _ operator: Operator, _ position: Position, anchor: JSONPointer,
        _ reader: inout ModelReader
    ) {
        let key = `operator`.rawValue
        if let text = operand.stringValue {
            checkExpression(text, `operator`, &reader)
            return
        }
        guard case .object(let object) = operand, let expression = object["expression"] else {
            reader.report(
                detail: "expression is required in the advanced \(key) form", message: "no expression",
                expected: "an expression, or an object with \"expression\" and an operator",
                found: operand.shortDescription)
            return
        }
        reader.within("expression") { reader in
            if let text = expression.stringValue {
                checkExpression(text, `operator`, &reader)
            } else {
                reader.report(
                    detail: "'\(key)' expected value cannot be null", message: "not a string",
                    expected: "a string, in quotes", found: expression.shortDescription)
            }
        }
        let outerNames = ["expression"] + `operator`.options
        _ = read(operand, position, anchor: anchor, outerNames: outerNames, &reader)
    }

    private static func checkExpression(_ text: String, _ operator: Operator, _ reader: inout ModelReader) {
        guard `operator` == .matchesJsonPath, text.isEmpty else { return }
        reader.report(
            detail: "json can not be null or empty", message: "an empty expression", expected: "a path such as $.a")
    }
}
