import SDBasics
import SDJSON

/// The values of options. WireMock rejects unknown names, and ignores values of the wrong type.
extension ValueMatcher {
    private static let schemaVersions = SchemaDraft.allCases.map(\.rawValue)
    private static let awarenesses = XMLNamespaces.allCases.map(\.rawValue)
    private static let truncations = DateBoundary.allCases.map(\.rawValue)
    private static let comparisons = XMLDifference.allCases.map(\.rawValue)

    static func checkOptions(_ object: JSONObject, _ operator: Operator, _ reader: inout ModelReader) {
        guard object.count > 1 else { return }
        for member in object.members where `operator`.options.contains(member.key) {
            reader.within(member.key) { checkOption(member, of: object, &$0) }
        }
    }

    private static func checkOption(
        _ member: JSONObject.Member, of object: JSONObject, _ reader: inout ModelReader
    ) {
        let value = member.value
        switch member.key {
        case "schemaVersion":
            let list = schemaVersions.map { "\"\($0)\"" }.joined(separator: ", ")
            checkName(value, schemaVersions, detail: { _ in "schemaVersion must be one of [ \(list) ]" }, &reader)
        case "namespaceAwareness":
            let javaClass = "com.github.tomakehurst.wiremock.matching.EqualToXmlPattern.NamespaceAwareness"
            checkName(value, awarenesses, detail: { "No enum constant \(javaClass).\($0)" }, &reader)
        case "exemptedComparisons": checkComparisons(value, &reader)
        case "xPathNamespaces": checkNamespaces(value, &reader)
        case "truncateExpected", "truncateActual": checkTruncation(value, &reader)
        case "expectedOffset":
            let number = value.doubleValue ?? value.stringValue.flatMap { Double($0.trimmingBlanks) }
            if number == nil { warnOfType(value, expected: "an integer", &reader) }
        case "expectedOffsetUnit" where object["expectedOffset"] == nil:
            reader.warn("\"expectedOffsetUnit\" is ignored without \"expectedOffset\"", isIneffective: true)
        case "expectedOffsetUnit":
            guard let unit = value.stringValue else {
                reader.report(
                    detail: nil, message: "not a unit", expected: "one of \(DateOperand.units.joined(separator: ", "))",
                    found: value.shortDescription)
                return
            }
            DateOperand.checkUnit(unit, &reader)
        case let name where Operator.textOptions.contains(name):
            if value.stringValue == nil { warnOfType(value, expected: "a string, in quotes", &reader) }
        case let name where Operator.flagOptions.contains(name): checkFlag(value, &reader)
        default: break
        }
    }

    private static func warnOfType(_ value: JSONValue, expected: String, _ reader: inout ModelReader) {
        if value.isNull { return }
        reader.warn("\(value.shortDescription) is ignored here", expected: expected, isIneffective: true)
    }

    private static func checkFlag(_ value: JSONValue, _ reader: inout ModelReader) {
        if value.isNull || value.asSwitch != nil { return }
        reader.warn("\(value.shortDescription) counts as false", expected: "true or false", isIneffective: true)
    }

    private static func checkName(
        _ value: JSONValue, _ names: [String], detail: (String) -> String, _ reader: inout ModelReader
    ) {
        let text = value.stringValue
        if let text, names.contains(text) { return }
        reader.report(
            detail: detail(text ?? value.compactText), message: "unknown value",
            expected: "one of \(names.joined(separator: ", "))", found: value.shortDescription,
            suggestion: text.flatMap { text in
                names.first { $0.lowercased() == text.lowercased() } ?? nearestName(to: text, among: names)
            })
    }

    /// Checks a truncation, in words or as the Java constant, in any case.
    private static func checkTruncation(_ value: JSONValue, _ reader: inout ModelReader) {
        guard let text = value.stringValue else {
            warnOfType(value, expected: "one of \(truncations.joined(separator: ", "))", &reader)
            return
        }
        if DateBoundary(inAnyCase: text) != nil { return }
        reader.report(
            detail: DateBoundary.unknown(text), message: "unknown truncation",
            expected: "one of \(truncations.joined(separator: ", "))", found: value.shortDescription,
            suggestion: nearestName(to: text, among: truncations))
    }

    private static func checkComparisons(_ value: JSONValue, _ reader: inout ModelReader) {
        guard case .array(let elements) = value else {
            warnOfType(value, expected: "a list of XMLUnit's comparisons", &reader)
            return
        }
        for (index, element) in elements.enumerated() {
            reader.within(String(index)) { reader in
                let detail = { (name: String) in
                    element.stringValue == nil
                        ? "Name is null" : "No enum constant wiremock.org.xmlunit.diff.ComparisonType.\(name)"
                }
                checkName(element, comparisons, detail: detail, &reader)
            }
        }
    }

    private static func checkNamespaces(_ value: JSONValue, _ reader: inout ModelReader) {
        guard case .object(let object) = value else {
            warnOfType(value, expected: "an object of prefixes and URIs", &reader)
            return
        }
        for member in object.members where member.value.stringValue == nil {
            reader.within(member.key) { $0.warn("not a namespace", expected: "a URI, in quotes", isIneffective: true) }
        }
    }
}
