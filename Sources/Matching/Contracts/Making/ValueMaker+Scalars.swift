import SDFakeValues
import SDJSON
import SDOpenAPI
import SDPlatform

extension ValueMaker {
    /// A value of a shape without open alternatives; nil if none was found.
    mutating func plain(_ shape: Shape, _ spot: ValueLocation, _ style: Style) -> JSONValue? {
        if let fixed = shape.fixed { return listed(fixed, shape, spot) }
        for type in order(of: shape) {
            if let value = value(of: type, shape, spot, style) { return value }
        }
        return nil
    }

    private mutating func value(of type: ValueTypes, _ shape: Shape, _ spot: ValueLocation, _ style: Style)
        -> JSONValue?
    {
        switch type {
        case .object: return object(shape, spot, style)
        case .array: return list(shape, spot)
        case .string: return text(of: shape, spot).map(JSONValue.string)
        case .bool:
            return .bool(
                spot.isInList || spot.turn > 0 ? (spot.turn + Int(spot.seed % 2)) % 2 == 0 : spot.seed % 3 != 0)
        case .null: return .null
        default: return number(of: shape, spot).map(JSONValue.number)
        }
    }

    /// One of the listed values: the first, and others in later list items.
    private mutating func listed(_ values: [JSONValue], _ shape: Shape, _ spot: ValueLocation) -> JSONValue? {
        let start = (spot.turn &+ Int(wishes.seed % 1_009)) % values.count
        guard budget.spend(values.count, for: Self.work) else { return nil }
        let turned = Array(values[start...] + values[..<start])
        // Null only if there is no other value.
        for value in turned.filter({ !$0.isNull }) + turned.filter(\.isNull) {
            guard !budget.isSpent else { return nil }
            if isValid(value, shape) { return value }
        }
        note("None of the listed values is valid together with all that the schema says", shape.sources.first?.place)
        return nil
    }

    /// The allowed types, likeliest first.
    func order(of shape: Shape) -> [ValueTypes] {
        var order: [ValueTypes] = []
        func add(_ type: ValueTypes) {
            if !shape.types.isDisjoint(with: type), !order.contains(type) { order.append(type) }
        }
        if shape.listedTypes.isEmpty || shape.listedTypes.count > 3 {
            if shape.describesObjects { add(.object) }
            if shape.describesLists { add(.array) }
            if shape.describesTexts || shape.format != nil { add(.string) }
            if shape.describesNumbers { add(.number) }
        }
        for type in shape.listedTypes where type != .null {
            add(type == .integer || type == .fraction ? .number : type)
        }
        for type in [ValueTypes.string, .number, .bool, .object, .array, .null] { add(type) }
        return order
    }

    // MARK: - Numbers

    /// Members of error objects that contain the status.
    private static let statusNames: Set<String> = [
        "status", "statuscode", "code", "httpstatus", "httpcode", "errorcode",
    ]

    private mutating func number(of shape: Shape, _ spot: ValueLocation) -> JSONNumber? {
        var choice = NumberChoice(isInteger: !shape.types.contains(.fraction), shape: shape)
        choice.mustBeFraction = !shape.types.contains(.integer)
        if let status, choice.isInteger, spot.depth < 3, Self.statusNames.contains(NameWords(spot.name).joined) {
            let value = JSONNumber(status)
            if isValid(.number(value), shape) { return value }
        }
        let wanted = NumberNames.range(for: spot.name, isInteger: choice.isInteger)
        let start = spot.seed &+ wishes.seed
        if let number = choice.number(in: wanted, start: start, turn: spot.turn) { return number }
        note("No number is within all of the bounds", shape.sources.first?.place)
        return nil
    }
}
