import SDJSON
import SDJSONPath
import SDPlatform

/// WireMock's helpers for reading and writing JSON.
enum JSONHelpers {
    static let table: [String: Helper] = [
        "jsonPath": jsonPath, "parseJson": parseJSON,
        "toJson": { call throws(RenderError) in
            let value = call.parameter(0)
            return .text(value.isNull ? "" : value.written.prettyText)
        },
        "formatJson": formatJSON,
    ]

    private static let jsonPath: Helper = { call throws(RenderError) in
        let subject = call.subject
        let expression = call.parameter(1)
        if subject.isNull { return call.nothing }
        if subject.string?.isEmpty == true { return call.option("default") ?? call.nothing }
        guard !expression.isNull else { return call.error("The JSONPath cannot be empty") }
        let root: JSONDocument
        // Numbers in a text are parsed differently from those in an already parsed value.
        var isSmart = true
        switch subject {
        case .text(let text):
            guard let parsed = call.renderer.environment.json(text) else {
                try call.renderer.spend(0)
                return call.error("\(text) is not valid JSON")
            }
            root = parsed
        case .json(let json): root = .tree(json)
        default:
            guard call.renderer.environment.tryReserveText(of: subject) else { throw .outOfTime }
            root = .tree(subject.json)
            isSmart = false
        }
        return try found(expression.text, in: root, isSmart: isSmart, call) ?? call.option("default") ?? call.nothing
    }

    /// The result of a JSONPath; nil for none, and an error text for an invalid expression.
    /// - Parameter isSmart: whether the numbers come from a text.
    /// - Throws: `RenderError` if the budget is exhausted.
    static func found(
        _ expression: String, in root: JSONDocument, isSmart: Bool, _ call: HelperCall
    ) throws(RenderError) -> TemplateValue? {
        let path: JSONPath
        if let known = call.jsonPath {
            path = known
        } else {
            try call.renderer.spend(50 + 4 * expression.utf8.count)
            do throws(JSONPathProblem) {
                path = try JSONPath(expression)
            } catch {
                return call.error("\(expression) is not a valid JSONPath expression")
            }
        }
        let budget = call.renderer.environment.budget
        switch path.evaluate(root, missing: .null, budget) {
        case .notFound, .value(.null): return nil
        case .value(.object(let object)): return .json(.object(object))
        case .value(let value):
            // A function's list is a Java list.
            let isFunction = expression.hasSuffix("()")
            return isSmart && !isFunction ? TemplateValue(value) : TemplateValue(plain: value)
        case .list(let values): return .json(.array(values))
        case .failed:
            if budget.isSpent { throw .outOfTime }
            return nil
        }
    }

    private static let parseJSON: Helper = { call throws(RenderError) in
        let text: String
        let name: TemplateValue
        if call.isBlock {
            text = try call.blockText()
            name = call.parameter(0)
        } else {
            guard !call.parameters.isEmpty else { return call.error("Missing required JSON string parameter") }
            // Null is not stored either.
            if call.parameter(0).isNull { return .map(TemplateMap()) }
            text = call.parameter(0).text
            name = call.parameter(1)
        }
        let value: TemplateValue
        if TextHelpers.trimmed(text).isEmpty {
            value = .map(TemplateMap())
        } else {
            guard let json = JacksonJSON.parse(text) else { return call.error("\(text) is not valid JSON") }
            value = TemplateValue(plain: json)
        }
        guard !name.isNull else { return value }
        call.renderer.store(value, as: name.text)
        return .null
    }

    private static let formatJSON: Helper = { call throws(RenderError) in
        let text = call.isBlock ? try call.blockText() : call.parameter(0).string ?? ""
        guard !TextHelpers.trimmed(text).isEmpty else {
            return call.error("formatJson should take a block of JSON to format or a single parameter of type String")
        }
        guard let isPretty = isPretty(call) else { return formatProblem(call) }
        guard let json = JacksonJSON.parse(text) else {
            return call.error("There was an error parsing the json. Please make sure the json is valid")
        }
        guard call.renderer.environment.tryReserve(json) else { throw .outOfTime }
        // On one line, numbers print like Java's decimals, with exponents.
        let shown = isPretty ? json.jackson() : json.rewritten(leavingOutNulls: false) { $0.bigDecimal }
        return .text(isPretty ? shown.prettyText : shown.compactText)
    }

    // MARK: - Formats

    /// Whether `format` asks for indentation, which is the default; nil for an invalid value.
    static func isPretty(_ call: HelperCall) -> Bool? {
        switch call.option("format") {
        case nil, .text("pretty")?: true
        case .text("compact")?: false
        default: nil
        }
    }

    /// The error for an invalid `format`.
    static func formatProblem(_ call: HelperCall) -> TemplateValue {
        let format = call.option("format") ?? .null
        if case .text(let text) = format {
            return call.error("\(call.name): format [\(text)] should be one of [pretty, compact]")
        }
        return call.error(
            "\(call.name): format [\(format.text)] of type [java.lang.\(format.javaType) should be a Format or a String "
                + "and one of [pretty, compact]]")
    }
}
