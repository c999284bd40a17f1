import SDJSON

/// WireMock's list helpers.
enum ListHelpers {
    static let table: [String: Helper] = [
        "array": { call throws(RenderError) in
            try call.renderer.list(call.parameter(0).isNull ? [] : call.parameters)
        },
        "arrayAdd": arrayAdd, "arrayRemove": arrayRemove, "arrayJoin": arrayJoin,
        "range": range, "size": size, "contains": contains, "pickRandom": pickRandom, "val": val,
    ]

    /// The list to change: null counts as empty; nil for another value.
    private static func list(_ call: HelperCall) -> [TemplateValue]? {
        let value = call.parameter(0)
        return value.isNull ? [] : value.elements?.array
    }

    /// The index for adding or removing a value; nil for an invalid position.
    private static func position(_ call: HelperCall, end: Int) -> Int? {
        switch call.option("position") {
        case nil, .null?: return end
        case .int(let place)?: return place
        case let option?:
            switch option.text.lowercased() {
            case "start": return 0
            case "end": return end
            case let text: return Int(text)
            }
        }
    }

    private static let arrayAdd: Helper = { call throws(RenderError) in
        if call.parameters.count > 1, call.parameter(0).isNull { return .list([]) }
        guard var list = list(call), call.parameters.count > 1 else {
            return call.error("Missing required parameter: additional value to add to list")
        }
        guard let place = position(call, end: list.count) else {
            return call.error("position must be 'start', 'end' or an integer")
        }
        guard (0...list.count).contains(place) else {
            return call.error(
                "position must be greater than or equal to 0 and less than or equal to the size of the list")
        }
        try call.renderer.afford(5 * list.count)
        list.insert(call.parameter(1), at: place)
        return try call.renderer.list(list, adding: [call.parameter(1)])
    }

    private static let arrayRemove: Helper = { call throws(RenderError) in
        guard var list = list(call) else { return call.error("The parameter must be list") }
        guard !list.isEmpty else { return .list([]) }
        guard let place = position(call, end: list.count - 1) else {
            return call.error("position must be 'start', 'end' or an integer")
        }
        guard list.indices.contains(place) else {
            return call.error(
                "position must be greater than or equal to 0 and less than or equal to the size of the list")
        }
        try call.renderer.afford(5 * list.count)
        list.remove(at: place)
        return .list(list)
    }

    private static let arrayJoin: Helper = { call throws(RenderError) in
        guard case .text(let separator) = call.parameter(0) else {
            return call.error("Separator parameter must be a String")
        }
        guard call.parameters.dropFirst().contains(where: { !$0.isNull }) else {
            return call.error("The parameter must be list")
        }
        let values = call.parameter(1).elements ?? TemplateList(Array(call.parameters.dropFirst()))
        guard !values.isEmpty else { return .text("") }
        let joined = try TextHelpers.joined(values, separator, call) { value throws(RenderError) in
            guard let block = call.block else { return value.text }
            // A single name stands for the value; of several, none does.
            let names = block.blockParameters
            let locals = names.count == 1 ? [(name: names[0], value: value)] : []
            return try call.renderer.text(of: block.body, in: value, locals)
        }
        return .text(joined)
    }

    private static let range: Helper = { call throws(RenderError) in
        guard let low = call.parameter(0).integer, let high = call.parameter(1).integer else {
            return call.error("The range helper requires both lower and upper bounds as integer parameters")
        }
        let (distance, isTooMuch) = high.subtractingReportingOverflow(low)
        guard !isTooMuch, distance.magnitude < 1_000_000 else {
            throw RenderError("a range of more than a million numbers")
        }
        // As in WireMock, `(range 1 (size list))` is empty for an empty list.
        guard distance != -1 else { return .list([]) }
        return .list(TemplateList(from: low, through: high))
    }

    /// The length of a text in UTF-16 units, or of a list or map; null for other values.
    private static let size: Helper = { call throws(RenderError) in
        let value = call.subject
        switch value {
        case .json(.array(let elements)): return .int(elements.count)
        case .json(.object(let object)): return .int(object.count)
        default: break
        }
        if let elements = value.elements { return .int(elements.count) }
        if let members = value.members { return .int(members.count) }
        return value.string.map { .int($0.utf16.count) } ?? .text("")
    }

    private static let contains: Helper = { call throws(RenderError) in
        guard call.parameters.count > 1 else {
            return call.error("You must specify the string or array to be matched and the regular expression")
        }
        let (whole, part) = (call.parameter(0), call.parameter(1))
        guard !whole.isNull else { return .bool(false) }
        let holds: Bool
        if let elements = whole.elements {
            try call.renderer.afford(10 * elements.count)
            holds = elements.contains { $0.isEqual(to: part) }
        } else if whole.members != nil {
            // Header names compare case-insensitively.
            holds = whole.member(part.text).map { !$0.isNull } ?? false
        } else {
            holds = part.isNull ? false : try TextHelpers.contains(whole.text, part.text)
        }
        return try call.truth(holds)
    }

    private static let pickRandom: Helper = { call throws(RenderError) in
        let first = call.subject
        guard !first.isNull else {
            return call.error("Must specify either a single list argument or a set of single value arguments.")
        }
        var values = first.elements?.array ?? [first] + call.parameters.dropFirst()
        let system = call.renderer.environment.system
        guard let option = call.option("count"), (option.integer ?? 1) > 0 else {
            return values.isEmpty ? .null : values[Int(system.random() % UInt64(values.count))]
        }
        guard case .int(let count) = option else { return call.error("count must be an integer") }
        var picked: [TemplateValue] = []
        while picked.count < count, !values.isEmpty {
            try call.renderer.spend(1 + values.count / 2)
            picked.append(values.remove(at: Int(system.random() % UInt64(values.count))))
        }
        return try call.renderer.list(picked)
    }

    private static let val: Helper = { call throws(RenderError) in
        var value = call.parameter(0)
        if value.isNull { value = call.option("or") ?? call.option("default") ?? .null }
        guard let name = call.text("assign") else { return value }
        call.renderer.store(value, as: name)
        return .null
    }
}
