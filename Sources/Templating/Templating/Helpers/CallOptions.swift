/// The options of a call, by name.
struct CallOptions {
    let values: [(name: String, value: TemplateValue)]

    /// The constant options of a call; nil if any is not constant.
    init?(constants hash: [(name: String, value: TemplateOperand)]) {
        var values: [(name: String, value: TemplateValue)] = []
        for (name, operand) in hash {
            guard case .literal(let value) = operand else { return nil }
            values.append((name, value))
        }
        self.init(values)
    }

    init(_ values: [(name: String, value: TemplateValue)]) {
        self.values = values
    }

    /// An option; nil if it is missing or null. Of several with one name, the last wins.
    func option(_ name: String) -> TemplateValue? {
        guard let value = values.last(where: { $0.name == name })?.value, !value.isNull else { return nil }
        return value
    }

    /// An option as text.
    func text(_ name: String) -> String? { option(name).map(\.text) }

    /// Whether an option is the boolean `true`.
    func isSet(_ name: String) -> Bool {
        if case .bool(true)? = option(name) { true } else { false }
    }
}
