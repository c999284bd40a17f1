import SDJSONPath

/// A part of a template.
indirect enum TemplateNode: Sendable {
    case text([UInt8])
    /// `{{…}}`, or `{{{…}}}`, which is the same where nothing is escaped.
    case output(TemplateExpression)
    /// A string of a JSON document that is nothing but an expression, with its quotes.
    case json(TemplateExpression)
    case block(TemplateBlock)
    /// `{{> name}}`, or `{{#> name}}…{{/name}}` with what stands in for a partial that is missing.
    case partial(TemplatePartial)
    /// `{{#*inline "name"}}…{{/inline}}`.
    case inline(name: TemplateOperand, body: [TemplateNode])
}

/// A name with parameters, or a literal. A class, since each rendering looks at each one.
final class TemplateExpression: Sendable {
    let subject: TemplateOperand
    let parameters: [TemplateOperand]
    let hash: [(name: String, value: TemplateOperand)]
    /// The place in the template, in bytes.
    let offset: Int
    /// The helper that the subject names; nil for a value, and a name that is none.
    let helper: NamedHelper?
    /// The JSONPath that the helper is called with, if it is a constant; nil if it is none, or cannot be read.
    let jsonPath: JSONPath?

    init(
        subject: TemplateOperand, parameters: [TemplateOperand] = [],
        hash: [(name: String, value: TemplateOperand)] = [], offset: Int
    ) {
        self.subject = subject
        self.parameters = parameters
        self.offset = offset
        if case .path(let path) = subject, let name = path.helperName {
            helper = NamedHelper.named(name)
        } else {
            helper = nil
        }
        if helper?.name == "jsonPath", case .literal(.text(""))? = parameters.first {
            // The default is for a body that is empty, as WireMock has it for nothing that is found in one.
            self.hash = hash.filter { $0.name != "default" }
        } else {
            self.hash = hash
        }
        if helper?.name == "jsonPath", parameters.count > 1, case .literal(.text(let text)) = parameters[1] {
            jsonPath = try? JSONPath(text)
        } else {
            jsonPath = nil
        }
    }

    /// Whether it is only a name or literal.
    var isBare: Bool { parameters.isEmpty && hash.isEmpty }
}

/// A value in an expression.
indirect enum TemplateOperand: Sendable {
    case literal(TemplateValue)
    case path(TemplatePath)
    case call(TemplateExpression)
}

/// `{{#name …}}…{{else}}…{{/name}}`; of `{{^name}}`, the body is the inverse.
struct TemplateBlock: Sendable {
    let expression: TemplateExpression
    let blockParameters: [String]
    var body: [TemplateNode]
    var inverse: [TemplateNode]
}

struct TemplatePartial: Sendable {
    let name: TemplateOperand
    let context: TemplateOperand?
    let hash: [(name: String, value: TemplateOperand)]
    let fallback: [TemplateNode]?
    let offset: Int
}

/// A path to a value, such as `../a.[b c].0` or `@root.x`.
struct TemplatePath: Sendable {
    enum Start: Sendable, Equatable {
        /// A name that is looked for in the current scope and those around it.
        case name
        /// `this.` or `./`: only in the current scope.
        case this
        /// `../`, as often as the number says.
        case parent(Int)
        /// `@name`, of the scope that number of levels up.
        case data(Int)
    }

    var start: Start
    var segments: [String]
    /// The path as it was written.
    let text: String
    /// Whether it is a value's even where a helper has the same name.
    var isValue = false

    /// The name by which a helper is called.
    var helperName: String? {
        start == .name && !isValue ? text : nil
    }
}
