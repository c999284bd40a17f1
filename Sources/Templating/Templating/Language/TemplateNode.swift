import SDJSONPath

/// A part of a template.
enum TemplateNode: Sendable {
    case text([UInt8])
    /// `{{…}}`, or `{{{…}}}`, which is the same where nothing is escaped.
    case output(TemplateExpression)
    /// A string of a JSON document that is nothing but an expression, with its quotes.
    case json(TemplateExpression)
    case block(TemplateBlock)
    /// `{{> name}}`, or `{{#> name}}…{{/name}}` with what stands in for a partial that is missing.
    case partial(TemplatePartial)
    /// `{{#*inline "name"}}…{{/inline}}`.
    // In a box: it is rare, and would make all nodes larger.
    indirect case inline(name: TemplateOperand, body: [TemplateNode])

    /// Whether it is written without a look at names, and draws nothing at random.
    var isDirect: Bool {
        switch self {
        case .text: true
        case .output(let expression): expression.direct.map { $0 != .uuid } ?? false
        case .block(let block): block.isDirect
        case .json, .partial, .inline: false
        }
    }
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
    /// What is written for the expression without a look at names; nil for most.
    let direct: DirectValue?
    /// The call of the helper, ready to be made; nil for most.
    let prepared: PreparedCall?

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
        direct = DirectValue(subject, helper, parameters, hash)
        prepared = PreparedCall(helper, parameters, hash)
    }

    /// Whether it is only a name or literal.
    var isBare: Bool { parameters.isEmpty && hash.isEmpty }
}

/// A value in an expression.
enum TemplateOperand: Sendable {
    case literal(TemplateValue)
    case path(TemplatePath)
    case call(TemplateExpression)

    /// Whether its truth is known without a look at names.
    var isDirect: Bool {
        switch self {
        case .literal: true
        case .path(let path): path.direct != nil
        case .call: false
        }
    }
}

/// `{{#name …}}…{{else}}…{{/name}}`; of `{{^name}}`, the body is the inverse.
final class TemplateBlock: Sendable {
    let expression: TemplateExpression
    let blockParameters: [String]
    let body: [TemplateNode]
    let inverse: [TemplateNode]
    /// The truth of its value for which `if` or `unless` renders the body; nil for another block, and a call that has
    /// more than one value.
    let condition: Bool?
    /// Whether it is a condition on a value that is known without a look at names, with bodies of such values.
    let isDirect: Bool

    init(
        expression: TemplateExpression, blockParameters: [String], body: [TemplateNode], inverse: [TemplateNode]
    ) {
        self.expression = expression
        self.blockParameters = blockParameters
        self.body = body
        self.inverse = inverse
        let isPlain = expression.parameters.count == 1 && expression.hash.isEmpty
        switch expression.helper?.name {
        case "if" where isPlain: condition = true
        case "unless" where isPlain: condition = false
        default: condition = nil
        }
        isDirect =
            condition != nil && expression.parameters[0].isDirect && body.allSatisfy(\.isDirect)
            && inverse.allSatisfy(\.isDirect)
    }
}

final class TemplatePartial: Sendable {
    let name: TemplateOperand
    let context: TemplateOperand?
    let hash: [(name: String, value: TemplateOperand)]
    let fallback: [TemplateNode]?
    let offset: Int

    init(
        name: TemplateOperand, context: TemplateOperand?, hash: [(name: String, value: TemplateOperand)],
        fallback: [TemplateNode]?, offset: Int
    ) {
        self.name = name
        self.context = context
        self.hash = hash
        self.fallback = fallback
        self.offset = offset
    }
}

/// A path to a value, such as `../a.[b c].0` or `@root.x`.
final class TemplatePath: Sendable {
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

    let start: Start
    let segments: [String]
    /// The path as it was written.
    let text: String
    /// Whether it is a value's even where a helper has the same name.
    let isValue: Bool
    /// The value that the path names outside of all blocks, where that is known without a look at names; nil for most.
    let direct: DirectValue?

    init(start: Start, segments: [String], text: String, isValue: Bool = false) {
        direct = start == .name ? DirectValue(segments) : nil
        self.start = start
        self.segments = segments
        self.text = text
        self.isValue = isValue
    }

    /// The name by which a helper is called.
    var helperName: String? {
        start == .name && !isValue ? text : nil
    }
}
