import SDBasics
package import SDJSON

/// Operands that contain no matchers.
extension ValueMatcher {
    /// Reports an invalid operand at the current path, in WireMock's words if it has any.
    package static func checkOperand(_ operand: JSONValue, _ operator: Operator, _ reader: inout ModelReader) {
        let key = `operator`.rawValue
        switch `operator` {
        case .absent:
            if operand.isNull || operand.asSwitch != nil || operand.stringValue == "(absent)" { return }
            reader.warn(
                "\(operand.shortDescription) counts as true: the value must be missing", expected: "true or false",
                isIneffective: true)
        case .equalToJson, .matchesJsonSchema:
            if let text = operand.stringValue { checkJSON(text, `operator`, &reader) }
        case let name where name.takesNumber:
            if operand.numberValue != nil || operand.stringValue.flatMap(Double.init) != nil { return }
            reader.report(
                detail: "\(key) has to be a numeric value", message: "not a number", expected: "a number",
                found: operand.shortDescription)
        case .before, .after, .equalToDateTime:
            if let text = requireText(operand, "'\(key)' expected value cannot be null", &reader) {
                DateOperand.check(text, &reader)
            }
        case .equalToXml: _ = requireText(operand, "'\(key)' expected value cannot be null", &reader)
        case .binaryEqualTo where operand.objectValue?.keys.elementsEqual(["file"]) == true:
            _ = reader.within("file") { requireText(operand["file"] ?? .null, "file must be a non-null string", &$0) }
        case .binaryEqualTo:
            let detail = "binaryEqualTo operand must be a non-null string"
            if let text = requireText(operand, detail, &reader) { checkBase64(text, &reader) }
        default: _ = requireText(operand, "\(key) operand must be a non-null string", &reader)
        }
    }

    private static func requireText(
        _ operand: JSONValue, _ detail: String, _ reader: inout ModelReader
    ) -> String? {
        if let text = operand.stringValue { return text }
        reader.wantsText(operand)
        reader.report(
            detail: detail, message: "not a string", expected: "a string, in quotes", found: operand.shortDescription)
        return nil
    }

    /// Checks JSON in a string, as leniently as WireMock.
    private static func checkJSON(_ text: String, _ operator: Operator, _ reader: inout ModelReader) {
        do throws(JSONSyntaxError) {
            _ = try JSONValue(parsing: text, dialect: .lenient)
        } catch {
            let isText = `operator` == .equalToJson && text.trimmingBlanks.first.map { !"{[\"".contains($0) } ?? false
            reader.report(
                detail: nil, message: "not valid JSON (line \(error.line), column \(error.column) of the text)",
                expected: isText ? "JSON here, \(textOperators(text, &reader))" : error.expected, found: error.found,
                suggestion: isText ? "equalTo" : nil)
        }
    }

    /// The operators that accept a text that is not JSON.
    private static func textOperators(_ text: String, _ reader: inout ModelReader) -> String {
        let isForm = text.contains("=") && !text.contains { $0.isWhitespace }
        let form = reader.place.tokens.contains("bodyPatterns") ? "formParameters" : "form"
        return "\"equalTo\" for a text" + (isForm ? ", or \"\(form)\" for the fields of a form" : "")
    }

    private static func checkBase64(_ text: String, _ reader: inout ModelReader) {
        do throws(Base64.Problem) {
            _ = try Base64.decode(text)
        } catch {
            reader.report(
                detail: error.detail, message: "not Base64", expected: "Base64",
                found: JSONValue.string(text).shortDescription)
        }
    }
}

/// The operand of `before`, `after` and `equalToDateTime`: a date, or an offset from now.
enum DateOperand {
    static let units = ValueMatcher.DateDistanceUnit.allCases.map(\.rawValue)
    private static let expected = "a date such as 2026-03-01T10:00:00Z, or a distance such as now +3 days"

    package static func check(_ text: String, _ reader: inout ModelReader) {
        let words = text.trimmingBlanks.split(separator: " ").map(String.init)
        let isFromNow = words.first == "now"
        let offset = isFromNow ? words.dropFirst() : words[...]
        if offset.isEmpty, isFromNow { return }
        if offset.count == 2, let amount = offset.first, let unit = offset.last, isAmount(amount),
            unit.unicodeScalars.allSatisfy(\.properties.isAlphabetic)
        {
            checkUnit(unit, &reader)
        } else if isFromNow || !text.contains(where: \.isNumber) || text.lowercased().hasPrefix("now") {
            reader.warn("not a date, so this never matches", expected: expected, isIneffective: true)
        }
    }

    static func checkUnit(_ unit: String, _ reader: inout ModelReader) {
        guard ValueMatcher.DateDistanceUnit(inAnyCase: unit) == nil else { return }
        reader.report(
            detail: ValueMatcher.DateDistanceUnit.unknown(unit), message: "unknown unit",
            expected: "one of \(units.joined(separator: ", "))", found: quoted(unit),
            suggestion: nearestName(to: unit, among: units))
    }

    private static func isAmount(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        return text.utf8.count - digits.count <= 1 && !digits.isEmpty
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
