import SDJSON
import SDStubModel

/// Conversion of the kit's matchers into the dialect's.
extension Stub.Match {
    init(_ operator: SDStubModel.ValueMatcher.Operator, _ operand: String) {
        self.init(SDStubModel.ValueMatcher(`operator`, operand))
    }

    init(_ operator: SDStubModel.ValueMatcher.Operator, operand: JSONValue) {
        self.init(SDStubModel.ValueMatcher(`operator`, operand: operand))
    }

    var jsonValue: JSONValue { model.jsonValue }

    /// The matcher with an option; false, nil and empty lists leave it unchanged.
    func option(_ name: String, _ value: JSONValue?) -> Stub.Match {
        guard let value else { return self }
        var json = model.json
        json[name] = value
        return Stub.Match(SDStubModel.ValueMatcher(model.operator, json: json))
    }

    func option(_ name: String, _ isOn: Bool) -> Stub.Match { option(name, isOn ? .bool(true) : nil) }

    func option(_ name: String, _ text: String?) -> Stub.Match { option(name, text.map(JSONValue.string)) }
}

extension JSONValue {
    /// A number in the kit's notation: whole numbers have no fraction.
    static func number(kit value: Double) -> JSONValue {
        if let whole = Int(exactly: value) { return .number(JSONNumber(whole)) }
        return JSONNumber(value).map(JSONValue.number) ?? .string("\(value)")
    }
}
