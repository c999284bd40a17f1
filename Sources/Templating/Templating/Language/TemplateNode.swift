import SDJSONPath

/// A part of a template.
enum TemplateNode: Sendable {
    case text([UInt8])
    /// `{{…}}`, or `{{{…}}}`, which is equivalent because nothing is escaped.
    case output(TemplateExpression)
    /// A string of a JSON document that is a single expression, with its quotes.
    case json(TemplateExpression)
    case block(TemplateBlock)
    /// `{{> name}}`, or `{{#> name}}…{{/name}}` with a fallback for a missing partial.
    case partial(TemplatePartial)
    /// `{{#*inline "name"}}…{{/inline}}`.
    // In a box: it is rare, and would make all nodes larger.
    indirect case inline(name: TemplateOperand, body: [TemplateNode])

    /// Whether it can be written without a name lookup, and uses no random numbers.
    var isDirect: Bool {
        switch self {
        case .text: true
        case .output(let expression): expression.direct.map { $0 != .uuid } ?? false
        case .block(let block): block.isDirect
        case .json, .partial, .inline: false
        }
    }
}

/// An expression: a name with parameters, or a literal. A class, because each rendering visits all of them.
final class TemplateExpression: Sendable {
    let subject: TemplateOperand
    let parameters: [TemplateOperand]
    let hash: [(name: String, value: TemplateOperand)]
    /// The byte offset in the template.
    let offset: Int
    /// The helper named by the subject; nil for a value, and for an unknown name.
    let helper: NamedHelper?
    /// The constant JSONPath parameter of the helper; nil if there is none, or it is invalid.
    let jsonPath: JSONPath?
    /// The value that can be written without a name lookup; nil for most expressions.
    let direct: DirectValue?
    /// The prepared call of the helper; nil for most expressions.
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
            // As in WireMock, `default` is ignored for an empty literal; it applies to an empty body.
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

    /// Whether it is a name or literal without parameters.
    var isBare: Bool { parameters.isEmpty && hash.isEmpty }
}

/// A value in an expression.
enum TemplateOperand: Sendable {
    case literal(TemplateValue)
    case path(TemplatePath)
    case call(TemplateExpression)

    /// Whether its truth value is known without a name lookup.
    var isDirect: Bool {
        switch self {
        case .literal: true
        case .path(let path): path.direct != nil
        case .call: false
        }
    }
}

/// `{{#name …}}…{{else}}…{{/name}}`; for `{{^name}}` the branches are swapped.
final class TemplateBlock: Sendable {
    let expression: TemplateExpression
    let blockParameters: [String]
    let body: [TemplateNode]
    let inverse: [TemplateNode]
    /// The truth value for which `if` or `unless` renders the body; nil for other blocks, and for calls with more than
    /// one parameter.
    let condition: Bool?
    /// Whether it is a condition on a value known without a name lookup, with branches of such values.
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
        /// A name that is looked up in the current scope and outwards.
        case name
        /// `this.` or `./`: only in the current scope.
        case this
        /// `../`, repeated this many times.
        case parent(Int)
        /// `@name` in the scope that many levels up.
        case data(Int)
    }

    let start: Start
    let segments: [String]
    /// The path as written.
    let text: String
    /// Whether it is a value even if a helper has the same name.
    let isValue: Bool
    /// The value that the path names outside of all blocks, if known without a name lookup; nil for most paths.
    let direct: DirectValue?

    init(start: Start, segments: [String], text: String, isValue: Bool = false) {
        direct = start == .name ? DirectValue(segments) : nil
        self.start = start
        self.segments = segments
        self.text = text
        self.isValue = isValue
    }

    /// The helper name; nil if the path cannot be one.
    var helperName: String? {
        start == .name && !isValue ? text : nil
    }
}
