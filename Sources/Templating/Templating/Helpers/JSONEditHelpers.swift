import SDBasics
import SDJSON
import SDJSONPath
import SDPlatform

/// WireMock's helpers for editing JSON documents.
enum JSONEditHelpers {
    static let table: [String: Helper] = [
        "jsonMerge": jsonMerge, "jsonRemove": jsonRemove, "jsonArrayAdd": jsonArrayAdd, "jsonSort": jsonSort,
    ]

    private static let jsonMerge: Helper = { call throws(RenderError) in
        guard case .text(let baseText) = call.parameter(0) else {
            return call.error("Base JSON parameter must be a string")
        }
        guard let base = JacksonJSON.parse(baseText) else {
            return call.error("Base JSON is not valid JSON ('\(baseText)')")
        }
        guard case .object(let baseObject) = base else {
            return call.error("Base JSON is not a JSON object ('\(baseText)')")
        }
        let otherText: String
        if call.isBlock {
            otherText = try call.blockText()
        } else {
            guard case .text(let text) = call.parameter(1) else {
                return call.error("JSON to merge must be a string")
            }
            otherText = text
        }
        guard let other = JacksonJSON.parse(otherText) else {
            return call.error("JSON to merge is not valid JSON ('\(otherText)')")
        }
        guard case .object(let otherObject) = other else {
            return call.error("JSON to merge is not a JSON object ('\(otherText)')")
        }
        let merged = try merged(baseObject, otherObject, removesNulls: call.isSet("removeNulls"), call)
        return .text(JSONValue.object(merged).jackson().compactText)
    }

    /// - Throws: `RenderError` if the budget is exhausted.
    private static func merged(
        _ base: JSONObject, _ other: JSONObject, removesNulls: Bool, _ call: HelperCall
    ) throws(RenderError) -> JSONObject {
        var result = base
        var hasRemoved = false
        for member in other.members {
            try call.renderer.spend(20)
            if removesNulls, member.value.isNull {
                // Removed together below: removing each separately would shift the following ones.
                guard result[member.key] != nil else { continue }
                result[member.key] = .null
                hasRemoved = true
            } else if case .object(let left)? = result[member.key], case .object(let right) = member.value {
                result[member.key] = .object(try merged(left, right, removesNulls: removesNulls, call))
            } else {
                result[member.key] = member.value
            }
        }
        guard hasRemoved else { return result }
        try call.renderer.spend(10 * result.count)
        return JSONObject(result.members.filter { other[$0.key]?.isNull != true }.map { ($0.key, $0.value) })
    }

    private static let jsonRemove: Helper = { call throws(RenderError) in
        guard case .text(let text) = call.parameter(0) else { return call.error("Input JSON must be a string") }
        guard call.parameters.count == 2 else {
            return call.error("A single JSONPath expression parameter must be supplied")
        }
        guard case .text(let expression) = call.parameter(1) else {
            return call.error("JSONPath parameter must be a string")
        }
        guard var json = JacksonJSON.parse(text) else {
            return call.error("Input JSON string is not valid JSON ('\(text)')")
        }
        guard let path = try? JSONPath(expression) else {
            return call.error("JSONPath parameter is not a valid JSONPath expression ('\(expression)')")
        }
        guard let places = path.places(in: json, call.renderer.environment.budget) else {
            return call.error("Delete operation cannot be applied to JSONPath expression ('\(expression)')")
        }
        if places.contains(.root) {
            return call.error("Delete operation cannot be applied to JSONPath expression ('\(expression)')")
        }
        // From the end, so that earlier indices stay valid.
        for place in places.reversed() {
            try call.renderer.spend(10 + json.siblings(at: place.tokens[...]) / 2)
            json.remove(at: place.tokens[...])
        }
        return .text(json.jackson(leavingOutNulls: true).compactText)
    }

    private static let jsonArrayAdd: Helper = { call throws(RenderError) in
        guard case .text(let text) = call.parameter(0) else { return call.error("Base JSON must be a string") }
        guard var json = JacksonJSON.parse(text), !json.isNull else {
            return call.error("Base JSON is not valid JSON ('\(text)')")
        }
        var place = JSONPointer.root
        var target = "'\(text)'"
        var isDefinite = true
        if let option = call.option("jsonPath") {
            guard case .text(let expression) = option else { return call.error("jsonPath option must be a string") }
            guard let path = try? JSONPath(expression) else {
                return call.error("jsonPath option is not valid JSONPath expression ('\(expression)')")
            }
            target = "root: '\(text)', jsonPath: '\(expression)'"
            isDefinite = path.isDefinite
            guard let found = path.places(in: json, call.renderer.environment.budget)?.first else {
                return isDefinite
                    ? call.error("Target JSON is not a JSON array (\(target))") : .text(json.jackson().compactText)
            }
            place = found
        }
        guard var elements = isDefinite ? json[place]?.arrayValue : [] else {
            return call.error("Target JSON is not a JSON array (\(target))")
        }
        let itemText: String
        if call.isBlock {
            itemText = try call.blockText()
        } else {
            guard case .text(let text) = call.parameter(1) else {
                return call.error("Item-to-add JSON must be a string")
            }
            itemText = text
        }
        guard let item = JacksonJSON.parse(itemText) else {
            return call.error("Item-to-add JSON is not valid JSON ('\(itemText)')")
        }
        var isFlat = false
        if let option = call.option("flatten") {
            guard case .bool(let flag) = option else { return call.error("flatten option must be a boolean") }
            isFlat = flag
        }
        if isFlat, case .array(let items) = item { elements += items } else { elements.append(item) }
        if let option = call.option("maxItems") {
            guard case .int(let most) = option else { return call.error("maxItems option must be an integer") }
            guard most >= 0 else { return call.error("maxItems option integer must be positive") }
            elements = elements.suffix(most)
        }
        // The result of an indefinite path is a separate list, which is not part of the document.
        if isDefinite { json.replace(at: place.tokens[...], with: .array(elements)) }
        return .text(json.jackson(leavingOutNulls: true).compactText)
    }

    /// Sorts an array by a value in each element.
    private static let jsonSort: Helper = { call throws(RenderError) in
        let input = call.parameter(0)
        var json: JSONValue
        if let text = input.string {
            guard let parsed = JacksonJSON.parse(text) else {
                return call.error("Input JSON string is not valid JSON ('\(text)')")
            }
            json = parsed
        } else {
            guard input.elements != nil || input.members != nil else {
                return call.error("Input JSON must be a string or a list")
            }
            guard call.renderer.environment.tryReserveText(of: input) else { throw .outOfTime }
            json = input.json
        }
        // A plain list is sorted by its elements.
        let parameter = call.parameter(1)
        guard let expression = parameter.string ?? (parameter.isNull && input.elements != nil ? "$[*]" : nil) else {
            return call.error("A single JSONPath expression parameter must be supplied")
        }
        let order = call.text("order") ?? "asc"
        guard order == "asc" || order == "desc" else { return call.error("order parameter must be 'asc' or 'desc'") }
        guard let mark = expression.firstRange(ofText: "[*]") else {
            return call.error(
                "JSONPath must include [*] to specify array location (e.g., '$[*].name' or '$.users[*].name')")
        }
        let budget = call.renderer.environment.budget
        guard let whole = try? JSONPath(String(expression[..<mark.lowerBound])),
            let key = try? JSONPath("$" + expression[mark.upperBound...]),
            let place = whole.places(in: json, budget)?.first, case .array(let elements)? = json[place]
        else { return call.error("JSONPath parameter is not a valid JSONPath expression ('\(expression)')") }
        let keyed = elements.map { element -> (key: TemplateValue, element: JSONValue) in
            if case .value(let value) = key.evaluate(element, budget) { return (TemplateValue(value), element) }
            return (.null, element)
        }
        let (known, unknown) = (keyed.filter { !$0.key.isNull }, keyed.filter { $0.key.isNull })
        guard zip(known, known.dropFirst()).allSatisfy({ $0.key.ordering(to: $1.key) != nil }) else {
            return call.error("All sort field values must be of the same comparable type (Number, String, or Boolean)")
        }
        // Each comparison builds two texts.
        let comparisons = known.count * (Int.bitWidth - known.count.leadingZeroBitCount)
        let keys = known.reduce(0) { $0 + ($1.key.string?.utf8.count ?? 0) }
        try call.renderer.afford(100 * comparisons + 4 * keys * (comparisons / max(known.count, 1)))
        let sorted = known.enumerated().sorted { left, right in
            let way = left.element.key.ordering(to: right.element.key) ?? 0
            return way == 0 ? left.offset < right.offset : order == "asc" ? way < 0 : way > 0
        }.map(\.element.element)
        let rest = unknown.map(\.element)
        json.replace(at: place.tokens[...], with: .array(call.text("nulls") == "first" ? rest + sorted : sorted + rest))
        return input.string == nil ? .json(json) : .text(json.jackson().compactText)
    }
}

extension JSONValue {
    /// Replaces the value at a path of tokens.
    mutating func replace(at tokens: ArraySlice<String>, with value: JSONValue) {
        guard let token = tokens.first else {
            self = value
            return
        }
        switch self {
        case .object(var object):
            guard var member = object[token] else { return }
            member.replace(at: tokens.dropFirst(), with: value)
            object[token] = member
            self = .object(object)
        case .array(var elements):
            guard let index = Int(token), elements.indices.contains(index) else { return }
            elements[index].replace(at: tokens.dropFirst(), with: value)
            self = .array(elements)
        default: break
        }
    }

    /// The number of values to move or copy if the value at a path of tokens is removed.
    fileprivate func siblings(at tokens: ArraySlice<String>) -> Int {
        guard let token = tokens.first else { return 0 }
        switch self {
        case .object(let object):
            return object.members.count + (object[token]?.siblings(at: tokens.dropFirst()) ?? 0)
        case .array(let elements):
            guard let index = Int(token), elements.indices.contains(index) else { return 0 }
            return elements.count + elements[index].siblings(at: tokens.dropFirst())
        default: return 0
        }
    }

    /// Removes the value at a path of tokens.
    mutating func remove(at tokens: ArraySlice<String>) {
        guard let token = tokens.first else { return }
        let rest = tokens.dropFirst()
        switch self {
        case .object(var object):
            // Keeps a single reference, so that nothing is copied.
            self = .null
            if rest.isEmpty {
                object[token] = nil
            } else if var member = object[token] {
                object[token] = .null
                member.remove(at: rest)
                object[token] = member
            }
            self = .object(object)
        case .array(var elements):
            guard let index = Int(token), elements.indices.contains(index) else { return }
            self = .null
            if rest.isEmpty { elements.remove(at: index) } else { elements[index].remove(at: rest) }
            self = .array(elements)
        default: break
        }
    }
}
