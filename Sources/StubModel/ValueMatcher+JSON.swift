public import JSON
import Spelling

extension ValueMatcher {
    /// Where a matcher stands decides which operators it may use.
    enum Position {
        /// A cookie, a path parameter, the host, or within another matcher.
        case single
        /// A header, query or form parameter, which may have several values.
        case multiValue
        /// A body or a part of one.
        case body

        func allows(_ operator: Operator) -> Bool {
            switch `operator` {
            case .hasExactly, .includes: self == .multiValue
            case .binaryEqualTo: self == .body
            default: true
            }
        }
    }

    /// Reads one matcher of a plain value, as in `{"equalTo": "x"}`: no `hasExactly`, `includes` or `binaryEqualTo`.
    public init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        let matcher = Self.read(json, .single, &reader)
        guard let matcher, reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        self = matcher
    }

    static func read(_ value: JSONValue, _ position: Position, _ reader: inout ModelReader) -> ValueMatcher? {
        let anchor = reader.pointer
        return reader.anchored(at: anchor) { read(value, position, anchor: anchor, &$0) }
    }

    private static func read(
        _ value: JSONValue, _ position: Position, anchor: JSONPointer, _ reader: inout ModelReader
    ) -> ValueMatcher? {
        guard case .object(var object) = value else {
            let example = value.stringValue.map { JSONValue.object(["equalTo": .string($0)]).compactText }
            reader.report(
                detail: "\(value.compactText) is not a valid match operation", message: "not a matcher",
                expected: "an object with an operator" + (example.map { ", such as \($0)" } ?? ""),
                found: value.shortDescription)
            return nil
        }
        let named = object.members.lazy.compactMap { Operator(rawValue: $0.key) }.first { position.allows($0) }
        guard let `operator` = named else {
            reportNoOperator(object, position, &reader)
            return nil
        }
        let key = `operator`.rawValue
        warnOfIgnored(object, `operator`, &reader)
        let operand = object[key] ?? .null
        reader.within(key) { reader in
            switch `operator` {
            case .hasExactly, .includes: readList(operand, &reader)
            case .and, .or: readAlternatives(operand, anchor: anchor, &reader)
            case .not: _ = read(operand, .single, anchor: anchor, &reader)
            case .matchesJsonPath, .matchesXPath: readPath(operand, key, anchor: anchor, &reader)
            default: checkPlainOperand(operand, `operator`, &reader)
            }
        }
        // WireMock forgets what stood here, and so says the same of any operand.
        if `operator` == .absent { object[key] = .bool(true) }
        if `operator` == .anything { object[key] = "anything" }
        return ValueMatcher(`operator`, json: object)
    }

    /// WireMock ignores what stands beside an operator and is none of its options, misspelt ones too.
    private static func warnOfIgnored(_ object: JSONObject, _ operator: Operator, _ reader: inout ModelReader) {
        guard object.count > 1 else { return }
        for key in object.keys where key != `operator`.rawValue && !`operator`.options.contains(key) {
            // Part of the enclosing matchesJsonPath or matchesXPath.
            if key == "expression" { continue }
            if Operator(rawValue: key) != nil {
                reader.warn("\"\(key)\" is ignored, the first operator counts: \"\(`operator`.rawValue)\"", name: key)
            } else {
                reader.warn(
                    "\(quoted(key)) is ignored, \"\(`operator`.rawValue)\" has no such option",
                    suggestion: nearestName(to: key, among: `operator`.options), name: key)
            }
        }
    }

    private static func reportNoOperator(_ object: JSONObject, _ position: Position, _ reader: inout ModelReader) {
        let names = Operator.allCases.filter(position.allows).map(\.rawValue)
        let shown = object.isEmpty ? "null" : JSONValue.object(object).compactText
        let suggestions = object.keys.lazy.compactMap { nearestName(to: $0, among: names) }
        let misplaced = object.keys.first { Operator(rawValue: $0) != nil }
        reader.report(
            detail: "\(shown) is not a valid match operation",
            message: misplaced.map { "\"\($0)\" cannot be used here" } ?? "a matcher without a known operator",
            expected: "one of \(names.joined(separator: ", "))",
            found: object.isEmpty ? "an empty object" : object.keys.map { "\"\($0)\"" }.joined(separator: ", "),
            suggestion: suggestions.first)
    }

    private static func checkPlainOperand(
        _ operand: JSONValue, _ operator: Operator, _ reader: inout ModelReader
    ) {
        let detail: String
        switch `operator` {
        // Any value will do, or the engine judges it together with the operator's options.
        case .absent, .equalToJson, .matchesJsonSchema: return
        case .equalToNumber, .greaterThanNumber, .greaterThanEqualNumber, .lessThanNumber, .lessThanEqualNumber:
            if operand.numberValue != nil || operand.stringValue.flatMap(Double.init) != nil { return }
            detail = "\(`operator`.rawValue) has to be a numeric value"
        case .equalToXml, .before, .after, .equalToDateTime:
            if operand.stringValue != nil { return }
            detail = "'\(`operator`.rawValue)' expected value cannot be null"
        case .binaryEqualTo:
            guard let text = operand.stringValue else {
                detail = "binaryEqualTo operand must be a non-null string"
                break
            }
            do throws(Base64.Problem) {
                _ = try Base64.decode(text)
                return
            } catch {
                reader.report(
                    detail: error.detail, message: "not Base64", expected: "Base64", found: operand.shortDescription)
                return
            }
        default:
            if operand.stringValue != nil { return }
            detail = "\(`operator`.rawValue) operand must be a non-null string"
        }
        let isNumeric = detail.hasSuffix("numeric value")
        reader.report(
            detail: detail, message: isNumeric ? "not a number" : "not a string",
            expected: isNumeric ? "a number" : "a string, in quotes", found: operand.shortDescription)
    }

    /// `hasExactly` and `includes`: a list of matchers, each with a place of its own.
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

    /// `and` and `or`. WireMock names an element by its index right below the enclosing matcher.
    private static func readAlternatives(_ operand: JSONValue, anchor: JSONPointer, _ reader: inout ModelReader) {
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
                reader.anchored(at: elementAnchor) { _ = read(element, .single, anchor: elementAnchor, &$0) }
            }
        }
    }

    /// `matchesJsonPath` and `matchesXPath`: an expression, or an object of an expression and an operator.
    private static func readPath(
        _ operand: JSONValue, _ key: String, anchor: JSONPointer, _ reader: inout ModelReader
    ) {
        if operand.stringValue != nil { return }
        guard case .object(let object) = operand, let expression = object["expression"] else {
            reader.report(
                detail: "expression is required in the advanced \(key) form", message: "no expression",
                expected: "an expression, or an object with \"expression\" and an operator",
                found: operand.shortDescription)
            return
        }
        guard expression.stringValue != nil else {
            reader.within("expression") {
                $0.report(
                    detail: "expression is required in the advanced \(key) form", message: "not a string",
                    expected: "a string", found: expression.shortDescription)
            }
            return
        }
        _ = read(operand, .single, anchor: anchor, &reader)
    }
}

extension ValueMatcher.Operator {
    /// The members that may stand beside the operator.
    public var options: [String] {
        switch self {
        case .equalTo: ["caseInsensitive"]
        case .equalToJson: ["ignoreArrayOrder", "ignoreExtraElements"]
        case .matchesJsonSchema: ["schemaVersion"]
        case .equalToXml:
            [
                "enablePlaceholders", "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex",
                "exemptedComparisons", "ignoreOrderOfSameNode", "namespaceAwareness",
            ]
        case .matchesXPath: ["xPathNamespaces"]
        case .before, .after, .equalToDateTime:
            [
                "actualFormat", "truncateExpected", "truncateActual", "applyTruncationLast", "expectedOffset",
                "expectedOffsetUnit",
            ]
        default: []
        }
    }
}
