public import SDJSON
import SDJSONPath
import SDJavaTime
public import SDPlatform

/// A call of a helper whose work the server does, because it sees the session: `state`, `counter`, `data`, `journal`.
public struct ServerCall {
    private let call: HelperCall

    init(_ call: HelperCall) {
        self.call = call
    }

    public var name: String { call.name }
    public var parameters: [TemplateValue] { call.parameters }

    /// The parameter at an index; null if there are fewer.
    public func parameter(_ index: Int) -> TemplateValue { call.parameter(index) }

    /// An option; nil if it is not given, or null. Of several with one name the last counts.
    public func option(_ name: String) -> TemplateValue? { call.option(name) }

    /// An option as a text.
    public func text(_ name: String) -> String? { call.text(name) }

    /// The names of the options, in the order of the call.
    public var optionNames: [String] { call.hash.map(\.name) }

    /// A problem with the call, as it prints in the place of a value.
    public func error(_ message: String) -> TemplateValue { call.error(message) }

    /// The value that a path such as `headers.Accept` names in an object; null if it names nothing.
    public func value(at path: String, in object: any TemplateObject) -> TemplateValue {
        let bytes = Array(path.utf8)
        var reader = TagReader(bytes: bytes, index: 0, end: bytes.count)
        guard let path = try? reader.path(), reader.isAtEnd else { return .null }
        var value = TemplateValue.object(object)
        for segment in path.segments {
            guard let next = value.member(segment) else { return .null }
            value = next
        }
        return value
    }

    /// The values that a JSONPath finds in a JSON text; null if it finds nothing.
    /// - Throws: when the budget is spent.
    public func value(atJSONPath expression: String, in text: String) throws(RenderError) -> TemplateValue {
        guard let root = call.renderer.environment.json(text) else { return .null }
        return try JSONHelpers.found(expression, in: root, isSmart: true, call) ?? .null
    }

    /// A value as a claim of a token: JSON, whose dates are seconds since 1970, within lists and objects too.
    public func claim(_ value: TemplateValue) -> JSONValue {
        switch value {
        case .date(let date): .number(JSONNumber(Int(date.moment.epochMilliseconds / 1_000)))
        case .list(let elements): .array(elements.map(claim))
        case .map(let map): .object(JSONObject(map.members.map { ($0.key, claim($0.value)) }))
        default: value.json
        }
    }

    /// The request's budget.
    public var budget: WorkBudget { call.renderer.environment.budget }

    /// Looks whether work that nothing can interrupt fits into the request's budget, and ends it if not.
    public func affords(nanoseconds: Int) -> Bool {
        call.renderer.environment.affords(nanoseconds)
    }

    /// Looks whether a document may be made into the values of a template, and ends the budget if not.
    public func affords(_ json: JSONValue) -> Bool { call.renderer.environment.affords(json) }

    /// Does work that benefits all requests, without charging this one: its time is not drawn from the request's
    /// budget.
    /// - Throws: what `work` throws.
    public func uncounted<Result, Failure>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        call.renderer.environment.budget.rest()
        return try work()
    }

    /// Draws from the request's budget, for work that grows with something.
    /// - Throws: when it is spent.
    public func draw(_ steps: Int) throws(RenderError) { try call.renderer.draw(steps) }
}

/// The helpers that the server provides.
enum ServerHelpers {
    /// Helpers of which a name alone is a value.
    static let table: [String: Helper] = [
        "state": state, "counter": ask, "data": ask, "journal": ask, "hmac": ask, "random": FakeHelper.helper,
    ]
    /// Helpers that need no parameters.
    static let bareTable: [String: Helper] = ["jwt": ask, "jwks": ask]

    private static let ask: Helper = { call throws(RenderError) in
        try call.renderer.environment.system.value(of: ServerCall(call))
    }

    /// The option `list` is a JSONPath in the list that the server has.
    private static let state: Helper = { call throws(RenderError) in
        let value = try ask(call)
        guard let path = call.text("list"), case .json(let list) = value else { return value }
        let expression = path.hasPrefix("$") ? path : "$" + (path.hasPrefix("[") ? "" : ".") + path
        return try JSONHelpers.found(expression, in: .tree(list), isSmart: false, call) ?? call.option("default")
            ?? .text("")
    }
}

extension RenderSystem {
    /// Refuses every helper, as a server without helpers of its own does.
    /// - Throws: `RenderError` always.
    public func value(of call: ServerCall) throws(RenderError) -> TemplateValue {
        throw RenderError("could not find helper: '\(call.name)'")
    }
}
