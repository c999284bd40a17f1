import SDJSON
import SDRecords
import SDTemplating

/// The helpers that read and change the session's state.
extension TemplateSystem {
    /// `{{state context='…' property='…' default='…'}}`, as in WireMock's extension; and `{{state 'name'}}`, a property
    /// of the default context.
    /// - Throws: `RenderError` if the budget is spent.
    func stateValue(_ call: ServerCall) throws(RenderError) -> TemplateValue {
        let given = call.parameters.isEmpty ? nil : call.parameter(0).text
        guard let name = call.text("context") ?? given.map({ _ in StateStore.defaultContext }), !name.isEmpty else {
            return call.error("'context' cannot be empty")
        }
        let property = call.text("property") ?? given
        let list = call.text("list")
        guard (property.map(Self.isBlank) ?? true) != (list.map(Self.isBlank) ?? true) else {
            return call.error("Either 'property' or 'list' has to be set")
        }
        let context = session.states[name]
        // A list is encoded anew each time.
        try call.spend(20 * (context?.list.count ?? 0))
        guard let property, !Self.isBlank(property) else {
            // The helper evaluates the path in it.
            return .json(.array((context?.list ?? []).map { .object($0) }))
        }
        switch property {
        case "updateCount": return context.map { .int($0.updateCount) } ?? call.option("default") ?? .int(0)
        case "listSize": return context.map { .int($0.list.count) } ?? call.option("default") ?? .int(0)
        case "list":
            if let context { return try value(of: .array(context.list.map { .object($0) }), call) }
            let list = call.text("default").flatMap { try? JSONValue(parsing: $0) }
            return TemplateValue(plain: list?.arrayValue == nil ? .array([]) : list ?? .array([]))
        default:
            guard let kept = context?.properties[property] else { return call.option("default") ?? .text("") }
            return try value(of: kept, call)
        }
    }

    /// The template value of a stored value, which may be a large document.
    /// - Throws: `RenderError.outOfTime` if the budget does not suffice.
    private func value(of json: JSONValue, _ call: ServerCall) throws(RenderError) -> TemplateValue {
        guard call.tryReserve(json) else { throw .outOfTime }
        return TemplateValue(plain: json)
    }

    private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

    /// `{{counter 'name'}}`: counts from 1, or from `start`, by 1, or by `step`, in a property of the session's state.
    /// - Throws: if an option or the stored property is not a number, or a limit is exceeded.
    func count(_ call: ServerCall) throws(RenderError) -> TemplateValue {
        let name = call.parameter(0).text
        guard !name.isEmpty else { return call.error("counter needs a name: counter 'orders'") }
        func number(_ option: String) throws(RenderError) -> Int {
            guard let value = call.option(option) else { return 1 }
            guard let number = Int(value.text) else {
                throw RenderError("counter: `\(option)` is no whole number: \(value.text)")
            }
            return number
        }
        let (start, step) = (try number("start"), try number("step"))
        do throws(StateProblem) {
            let context = call.text("context") ?? StateStore.defaultContext
            return .int(try session.count(name, in: context, from: start, by: step))
        } catch {
            throw RenderError("counter: \(error.message)")
        }
    }
}
