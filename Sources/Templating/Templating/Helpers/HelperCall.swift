import JSON

/// The code of a helper.
typealias Helper = @Sendable (HelperCall) throws(RenderError) -> TemplateValue

/// One call of a helper, with its values.
struct HelperCall {
    let name: String
    let parameters: [TemplateValue]
    let hash: [(name: String, value: TemplateValue)]
    /// The block that the helper was called with; nil for none.
    let block: TemplateBlock?
    let renderer: Renderer

    var isBlock: Bool { block != nil }

    /// The parameter at an index; null if there are fewer.
    func parameter(_ index: Int) -> TemplateValue {
        index < parameters.count ? parameters[index] : .null
    }

    /// The first parameter, or without any the value of the scope.
    var subject: TemplateValue { parameters.first ?? renderer.current }

    /// An option; nil if it is not given, or null. Of several with one name the last counts.
    func option(_ name: String) -> TemplateValue? {
        guard let value = hash.last(where: { $0.name == name })?.value, !value.isNull else { return nil }
        return value
    }

    /// An option as a text.
    func text(_ name: String) -> String? { option(name).map(\.text) }

    /// Whether an option is the boolean `true`.
    func isSet(_ name: String) -> Bool {
        if case .bool(true)? = option(name) { true } else { false }
    }

    // MARK: - Blocks

    /// The text of the block, in the current scope.
    func blockText() throws(RenderError) -> String {
        try renderer.text(of: block?.body ?? [])
    }

    /// Renders the block or what stands behind its `else`.
    func renderBlock(if condition: Bool) throws(RenderError) {
        guard let block else { return }
        try renderer.renderHere(condition ? block.body : block.inverse)
    }

    /// The outcome of a condition: its branch of the block or, without one, `yes` or `no`.
    func verdict(_ holds: Bool) throws(RenderError) -> TemplateValue {
        if isBlock {
            try renderBlock(if: holds)
            return .null
        }
        return option(holds ? "yes" : "no") ?? .bool(holds)
    }

    /// The outcome of a test whose block has no `else`.
    func truth(_ holds: Bool) throws(RenderError) -> TemplateValue {
        guard isBlock else { return .bool(holds) }
        return holds ? .text(try blockText()) : .null
    }

    /// What is wrong with the call, as WireMock prints it in the place of a value.
    func error(_ message: String) -> TemplateValue {
        .text("[ERROR: \(message)]")
    }
}

/// The helpers of a template, by name.
public struct HelperTable: Sendable {
    private var helpers: [String: Helper]

    init(_ tables: [[String: Helper]]) {
        helpers = [:]
        for table in tables { helpers.merge(table) { $1 } }
    }

    subscript(name: String) -> Helper? { helpers[name] }

    /// Those of WireMock.
    public static let standard = HelperTable([
        BlockHelpers.table, ConditionHelpers.table, TextHelpers.table, ListHelpers.table, NumberHelpers.table,
        JSONHelpers.table, JSONEditHelpers.table, XMLHelpers.table, DateHelpers.table, EncodingHelpers.table,
        RegexHelpers.table,
    ])
}
