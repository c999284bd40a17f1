public import SDJSON
import SDJSONPath
import SDJavaTime
public import SDPlatform

/// A call of a helper that the server implements, because it needs the session: `state`, `counter`, `data`, `journal`.
public struct ServerCall {
    private let call: HelperCall

    init(_ call: HelperCall) {
        self.call = call
    }

    public var name: String { call.name }
    public var parameters: [TemplateValue] { call.parameters }

    /// The parameter at an index; null if there are fewer.
    public func parameter(_ index: Int) -> TemplateValue { call.parameter(index) }

    /// An option; nil if it is missing or null. Of several with one name, the last wins.
    public func option(_ name: String) -> TemplateValue? { call.option(name) }

    /// An option as text.
    public func text(_ name: String) -> String? { call.text(name) }

    /// The names of the options, in call order.
    public var optionNames: [String] { call.hash.map(\.name) }

    /// An error of the call, which prints in place of the value.
    public func error(_ message: String) -> TemplateValue { call.error(message) }

    /// The value at a path such as `headers.Accept` in an object; null if it does not exist.
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

    /// The result of a JSONPath in a JSON text; null if there is none.
    /// - Throws: `RenderError` if the budget is exhausted.
    public func value(atJSONPath expression: String, in text: String) throws(RenderError) -> TemplateValue {
        guard let root = call.renderer.environment.json(text) else { return .null }
        return try JSONHelpers.found(expression, in: root, isSmart: true, call) ?? .null
    }

    /// A value as a token claim: JSON with dates as seconds since 1970, also inside lists and objects.
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

    /// Reserves time for uninterruptible work. Exhausts the budget and returns false if it does not fit.
    public func tryReserve(nanoseconds: Int) -> Bool {
        call.renderer.environment.tryReserve(nanoseconds)
    }

    /// Reserves time for converting a document to template values. Exhausts the budget and returns false if it does not
    /// fit.
    public func tryReserve(_ json: JSONValue) -> Bool { call.renderer.environment.tryReserve(json) }

    /// Runs work that benefits all requests without charging it to this request's budget.
    /// - Throws: what `work` throws.
    public func uncounted<Result, Failure>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        call.renderer.environment.budget.pauseClock()
        return try work()
    }

    /// Spends steps of the request's budget, for work of variable size.
    /// - Throws: `RenderError` if the budget is exhausted.
    public func spend(_ steps: Int) throws(RenderError) { try call.renderer.spend(steps) }
}

/// The helpers implemented by the server.
enum ServerHelpers {
    /// Helpers whose name without parameters is a value.
    static let table: [String: Helper] = [
        "state": state, "counter": ask, "data": ask, "journal": ask, "hmac": ask, "random": FakeHelper.helper,
    ]
    /// Helpers that need no parameters.
    static let bareTable: [String: Helper] = ["jwt": ask, "jwks": ask]

    private static let ask: Helper = { call throws(RenderError) in
        try call.renderer.environment.system.value(of: ServerCall(call))
    }

    /// The option `list` is a JSONPath in the server's list.
    private static let state: Helper = { call throws(RenderError) in
        let value = try ask(call)
        guard let path = call.text("list"), case .json(let list) = value else { return value }
        let expression = path.hasPrefix("$") ? path : "$" + (path.hasPrefix("[") ? "" : ".") + path
        return try JSONHelpers.found(expression, in: .tree(list), isSmart: false, call) ?? call.option("default")
            ?? .text("")
    }
}

extension RenderSystem {
    /// The default for a server without helpers: rejects every call.
    /// - Throws: `RenderError` always.
    public func value(of call: ServerCall) throws(RenderError) -> TemplateValue {
        throw RenderError("could not find helper: '\(call.name)'")
    }
}
