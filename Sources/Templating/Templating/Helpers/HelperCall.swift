import SDJSON
import SDJSONPath
import SDPlatform

/// The implementation of a helper.
typealias Helper = @Sendable (HelperCall) throws(RenderError) -> TemplateValue

/// One call of a helper, with its evaluated parameters.
struct HelperCall {
    let name: String
    let parameters: [TemplateValue]
    let hash: [(name: String, value: TemplateValue)]
    /// The block of the call; nil for none.
    let block: TemplateBlock?
    let renderer: Renderer
    /// The byte offset of the call in its template.
    let offset: Int
    /// The JSONPath parsed with the template; nil for none.
    var jsonPath: JSONPath?
    /// The value for no result where that prints as text: null in a JSON document that keeps types.
    var nothing = TemplateValue.text("")

    var isBlock: Bool { block != nil }

    /// The parameter at an index; null if there are fewer.
    func parameter(_ index: Int) -> TemplateValue {
        index < parameters.count ? parameters[index] : .null
    }

    /// The first parameter, or the current value if there are no parameters.
    var subject: TemplateValue { parameters.first ?? renderer.current }

    var options: CallOptions { CallOptions(hash) }

    /// An option; nil if it is missing or null. Of several with one name, the last wins.
    func option(_ name: String) -> TemplateValue? { options.option(name) }

    /// An option as text.
    func text(_ name: String) -> String? { options.text(name) }

    /// Whether an option is the boolean `true`.
    func isSet(_ name: String) -> Bool { options.isSet(name) }

    // MARK: - Blocks

    /// The text of the block, in the current scope.
    /// - Throws: `RenderError` if the block cannot be rendered, or the budget does not suffice for its text.
    func blockText() throws(RenderError) -> String {
        let text = try renderer.text(of: block?.body ?? [])
        // The block has called other helpers meanwhile.
        let (environment, helper) = (renderer.environment, NamedHelper.named(name))
        environment.work = WorkBudget.Work("template helper", name)
        if case .all(let cost)? = helper?.reading { try renderer.afford(cost * text.utf8.count) }
        return text
    }

    /// Renders the block or its `else` branch.
    /// - Throws: `RenderError` if the block cannot be rendered.
    func renderBlock(if condition: Bool) throws(RenderError) {
        guard let block else { return }
        try renderer.renderHere(condition ? block.body : block.inverse)
    }

    /// The result of a condition: a branch of the block or, without a block, `yes` or `no`.
    /// - Throws: `RenderError` if the block cannot be rendered.
    func verdict(_ holds: Bool) throws(RenderError) -> TemplateValue {
        if isBlock {
            try renderBlock(if: holds)
            return .null
        }
        return option(holds ? "yes" : "no") ?? .bool(holds)
    }

    /// The result of a test whose block has no `else`.
    /// - Throws: `RenderError` if the block cannot be rendered.
    func truth(_ holds: Bool) throws(RenderError) -> TemplateValue {
        guard isBlock else { return .bool(holds) }
        return holds ? .text(try blockText()) : .null
    }

    /// An error of the call, which prints in place of the value, as in WireMock.
    func error(_ message: String) -> TemplateValue {
        renderer.environment.fails(name, message, at: offset)
        return .text("[ERROR: \(message)]")
    }
}

/// A helper with its name.
final class NamedHelper: Sendable {
    let name: String
    let run: Helper
    let precedence: Precedence
    let reading: Reading
    /// The work for which its time is charged.
    let work: WorkBudget.Work

    private init(name: String, run: @escaping Helper, precedence: Precedence) {
        self.name = name
        self.run = run
        self.precedence = precedence
        reading = .of(name)
        work = WorkBudget.Work("template helper", name)
    }

    /// When a name means the helper rather than a value.
    enum Precedence: Sendable {
        /// Always.
        case always
        /// Only with parameters or options: WireMock does not have the helper, and its users name values `state` and
        /// `data`.
        case withParameters
        /// With parameters or options, or if there is no such value.
        case withoutValue
    }

    /// The helper with that name; nil if there is none.
    static func named(_ name: String) -> NamedHelper? { all[name] }

    /// All names, sorted.
    static let names = all.keys.sorted()

    private static let all: [String: NamedHelper] = {
        var all: [String: NamedHelper] = [:]
        func add(_ tables: [[String: Helper]], _ precedence: Precedence) {
            for (name, run) in tables.joined() { all[name] = NamedHelper(name: name, run: run, precedence: precedence) }
        }
        // WireMock's helpers.
        add(
            [
                BlockHelpers.table, ConditionHelpers.table, TextHelpers.table, ListHelpers.table, NumberHelpers.table,
                JSONHelpers.table, JSONEditHelpers.table, XMLHelpers.table, DateHelpers.table, EncodingHelpers.table,
                RegexHelpers.table,
            ], .always)
        add([ServerHelpers.table, TokenHelpers.table], .withParameters)
        add([ServerHelpers.bareTable], .withoutValue)
        return all
    }()
}
