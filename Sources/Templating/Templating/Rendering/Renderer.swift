import SDJSON
import SDPlatform

/// Renders nodes for one request.
final class Renderer {
    // All properties are accessed only by the rendering thread, and accesses never overlap.

    @exclusivity(unchecked) private(set) var output: [UInt8] = []
    let environment: RenderEnvironment
    /// The scopes, innermost last; the first one is the model's.
    private(set) lazy var scopes = [Scope(value: .object(environment.model))]
    /// The number of scopes besides the first.
    @exclusivity(unchecked) private(set) var innerScopes = 0
    /// Values stored by helpers for the whole template.
    @exclusivity(unchecked) private(set) var stored: [String: TemplateValue] = [:]
    /// The partials from `*inline`.
    @exclusivity(unchecked) private var partials: [String: [TemplateNode]] = [:]
    /// The bodies that `partial` stores for `block`.
    @exclusivity(unchecked) private var defined: [String: [TemplateNode]] = [:]
    @exclusivity(unchecked) private var depth = 0
    /// The size of outputs set aside while a block's text is captured, in bytes.
    @exclusivity(unchecked) private var capturedBytes = 0
    private let json: Template.JSONForm?

    /// A value whose members are names, and additional names.
    struct Scope {
        let value: TemplateValue
        /// The names from `each`, and the parameters of a partial.
        var locals: [(name: String, value: TemplateValue)] = []
        /// Whether it holds block parameters, which `this` does not refer to.
        var isHidden = false
        /// Whether its own names precede its value's members.
        var namesFirst = false
        /// Whether names are looked up in enclosing scopes first, because one of them holds block parameters.
        var asksOuterFirst = false
    }

    /// - Parameter output: the output so far, with reserved capacity for the rest.
    init(_ environment: RenderEnvironment, after output: consuming [UInt8], json: Template.JSONForm? = nil) {
        self.environment = environment
        self.json = json
        self.output = output
    }

    // MARK: - Nodes

    /// - Parameter start: the index of the first node to render; none before it is an `inline`.
    func render(_ nodes: [TemplateNode], from start: Int = 0) throws(RenderError) {
        // Partials are visible in the whole block that contains them.
        guard nodes.contains(where: { if case .inline = $0 { true } else { false } }) else {
            return try renderAll(nodes[start...])
        }
        let outer = partials
        defer { partials = outer }
        for case .inline(let name, let body) in nodes { partials[try value(of: name).text] = body }
        try renderAll(nodes[start...])
    }

    private func renderAll(_ nodes: ArraySlice<TemplateNode>) throws(RenderError) {
        for node in nodes {
            switch node {
            case .text(let text): try write(text)
            case .output(let expression): try write(expression)
            case .json(let expression): try writeJSON(expression)
            case .block(let block): try render(block)
            case .partial(let partial): try render(partial)
            case .inline: break
            }
        }
    }

    private func write(_ expression: TemplateExpression) throws(RenderError) {
        if try !writeDirectly(expression) { try write(try value(of: expression)) }
    }

    /// Writes an expression without making its value.
    /// - Returns: false if it needs a lookup or a call; then nothing is written.
    private func writeDirectly(_ expression: TemplateExpression) throws(RenderError) -> Bool {
        let before = output.count
        if innerScopes == 0, let direct = expression.direct {
            guard environment.write(direct, to: &output) else { return false }
        } else if let call = expression.prepared, let helper = expression.helper {
            guard try environment.write(call, of: helper, to: &output) else { return false }
        } else {
            return false
        }
        try spend(1 + (output.count - before) / 16)
        try checkSize()
        return true
    }

    func write(_ value: TemplateValue) throws(RenderError) {
        if case .text(let text) = value {
            try spend(text.utf8.count / 16)
            output.append(contentsOf: text.utf8)
        } else {
            output.append(contentsOf: try text(of: value).utf8)
        }
        try checkSize()
    }

    /// Writes a JSON string that is a single expression, as JSON.
    private func writeJSON(_ expression: TemplateExpression) throws(RenderError) {
        let keepsTypes = json == .values
        if !(keepsTypes && expression.prepared?.isNumber == true) {
            output.append(OpenJSON.quote)
            if try writeDirectly(expression) { return output.append(OpenJSON.quote) }
            output.removeLast()
        }
        let value = try value(of: expression, nothing: keepsTypes ? .null : .text(""))
        if let json = try jsonForm(of: value, madeBy: expression.helper, keepsTypes: keepsTypes) {
            output += json.compactBytes
            return try checkSize()
        }
        output.append(OpenJSON.quote)
        try write(value)
        output.append(OpenJSON.quote)
    }

    private func write(_ text: [UInt8]) throws(RenderError) {
        try spend(text.count / 16)
        output += text
        try checkSize()
    }

    private func checkSize() throws(RenderError) { try checkSize(capturedBytes + output.count) }

    /// Checks the size of the output.
    /// - Throws: `RenderError` if it exceeds `limits.output` bytes.
    func checkSize(_ bytes: Int) throws(RenderError) {
        guard bytes <= environment.limits.output else {
            throw RenderError("the template makes more than \(environment.limits.output) bytes")
        }
    }

    /// Spends steps of the request's budget.
    /// - Throws: `RenderError.outOfTime` if the budget is exhausted.
    func spend(_ steps: Int) throws(RenderError) {
        guard environment.budget.spend(steps, for: environment.work) else { throw .outOfTime }
    }

    /// Reserves time for uninterruptible work.
    /// - Parameter nanoseconds: the minimum time that it takes.
    /// - Throws: `RenderError.outOfTime` if it does not fit into the budget.
    func afford(_ nanoseconds: Int) throws(RenderError) {
        guard environment.tryReserve(nanoseconds) else { throw .outOfTime }
    }

    /// A value as text, charged to the budget.
    /// - Throws: `RenderError.outOfTime` if the budget does not suffice for the text.
    func text(of value: TemplateValue) throws(RenderError) -> String {
        guard environment.tryReserveText(of: value) else { throw .outOfTime }
        return value.text
    }

    private func nested(_ work: () throws(RenderError) -> Void) throws(RenderError) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= environment.limits.depth else {
            throw RenderError("blocks are nested deeper than \(environment.limits.depth)")
        }
        try spend(8)
        try work()
    }

    /// Renders nodes to a separate text.
    /// - Throws: `RenderError` if a node cannot be rendered, or they are nested too deeply.
    func text(of nodes: [TemplateNode]) throws(RenderError) -> String {
        let outer = output
        capturedBytes += outer.count
        output = []
        defer {
            output = outer
            capturedBytes -= outer.count
        }
        try nested { () throws(RenderError) in try render(nodes) }
        // Text across several strings of a JSON document cannot be inserted into one string.
        guard json == nil || !output.contains(OpenJSON.quote) else {
            throw RenderError("the block ends in another string of the JSON than it begins in, and is read as a text")
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Renders nodes to a separate text, in their own scope.
    /// - Throws: `RenderError` if a node cannot be rendered, or they are nested too deeply.
    func text(
        of nodes: [TemplateNode], in value: TemplateValue, _ locals: [(name: String, value: TemplateValue)]
    ) throws(RenderError) -> String {
        push(value, locals)
        defer { pop() }
        return try text(of: nodes)
    }

    // MARK: - Scopes

    /// The value of `this`.
    var current: TemplateValue {
        let last = scopes.count - 1
        return scopes[last].isHidden && last > 0 ? scopes[last - 1].value : scopes[last].value
    }

    var root: TemplateValue { scopes[0].value }

    /// Renders nodes in their own scope.
    /// - Throws: `RenderError` if a node cannot be rendered, or they are nested too deeply.
    func render(
        _ nodes: [TemplateNode], in value: TemplateValue, _ locals: [(name: String, value: TemplateValue)] = []
    ) throws(RenderError) {
        push(value, locals)
        defer { pop() }
        try nested { () throws(RenderError) in try render(nodes) }
    }

    private func push(
        _ value: TemplateValue, _ locals: [(name: String, value: TemplateValue)], isHidden: Bool = false
    ) {
        let outer = scopes[scopes.count - 1]
        scopes.append(
            Scope(
                value: value, locals: locals, isHidden: isHidden,
                asksOuterFirst: outer.isHidden || outer.asksOuterFirst))
        innerScopes += 1
    }

    private func pop(_ count: Int = 1) {
        scopes.removeLast(count)
        innerScopes -= count
    }

    /// Renders a block in the scope of a value with names, and with its block parameters, if any: these hide the value,
    /// but not its members.
    /// - Throws: `RenderError` if the block cannot be rendered.
    func render(
        _ block: TemplateBlock, in value: TemplateValue, _ locals: [(name: String, value: TemplateValue)] = [],
        parameters: [TemplateValue]
    ) throws(RenderError) {
        let named = Array(zip(block.blockParameters, parameters)).map { (key: $0, value: $1) }
        guard !named.isEmpty else { return try render(block.body, in: value, locals) }
        push(value, locals)
        push(.map(TemplateMap(named)), [], isHidden: true)
        defer { pop(2) }
        try nested { () throws(RenderError) in try render(block.body) }
    }

    /// Renders nodes in the current scope.
    /// - Throws: `RenderError` if a node cannot be rendered, or they are nested too deeply.
    func renderHere(_ nodes: [TemplateNode]) throws(RenderError) {
        if nodes.isEmpty { return }
        try nested { () throws(RenderError) in try render(nodes) }
    }

    /// Stores a value under a name for the whole template.
    func store(_ value: TemplateValue, as name: String) {
        stored[name] = value
    }

    // MARK: - Named blocks

    /// Stores the body of a block for another one.
    func define(_ body: [TemplateNode], as name: String) { defined[name] = body }

    func definition(_ name: String) -> [TemplateNode]? { defined[name] }

    // MARK: - Values

    func value(of operand: TemplateOperand) throws(RenderError) -> TemplateValue {
        switch operand {
        case .literal(let value): value
        case .path(let path): value(at: path)
        case .call(let expression): try value(of: expression)
        }
    }

    /// - Parameter nothing: the result of a helper that finds nothing and would print nothing.
    func value(
        of expression: TemplateExpression, nothing: TemplateValue = .text("")
    ) throws(RenderError) -> TemplateValue {
        guard case .path(let path) = expression.subject else { return try value(of: expression.subject) }
        if let helper = helper(of: expression, at: path) {
            return try call(helper, expression, block: nil, nothing: nothing)
        }
        if expression.isBare { return value(at: path) }
        throw RenderError("could not find helper: '\(path.text)'")
    }

    /// The helper that an expression calls; nil if it names a value.
    private func helper(of expression: TemplateExpression, at path: TemplatePath) -> NamedHelper? {
        guard let helper = expression.helper else { return nil }
        switch helper.precedence {
        case .always: return helper
        case .withParameters: return expression.isBare ? nil : helper
        case .withoutValue: return expression.isBare && !value(at: path).isNull ? nil : helper
        }
    }

    private func call(
        _ helper: NamedHelper, _ expression: TemplateExpression, block: TemplateBlock?,
        nothing: TemplateValue = .text("")
    ) throws(RenderError) -> TemplateValue {
        if block == nil, let call = expression.prepared, let value = try environment.value(of: call, of: helper) {
            return value
        }
        try spend(16)
        var parameters: [TemplateValue] = []
        parameters.reserveCapacity(expression.parameters.count)
        for operand in expression.parameters { parameters.append(try value(of: operand)) }
        var hash: [(name: String, value: TemplateValue)] = []
        for (name, operand) in expression.hash { hash.append((name, try value(of: operand))) }
        let call = HelperCall(
            name: helper.name, parameters: parameters, hash: hash, block: block, renderer: self,
            offset: expression.offset, jsonPath: expression.jsonPath, nothing: nothing)
        environment.work = helper.work
        guard environment.tryReserve(call, reading: helper.reading) else { throw .outOfTime }
        do throws(RenderError) {
            return try helper.run(call)
        } catch {
            // Of nested helpers, the inner one is reported.
            if error != .outOfTime { environment.fails(helper.name, error.message, at: expression.offset) }
            throw error
        }
    }

    // MARK: - Blocks

    private func render(_ block: TemplateBlock) throws(RenderError) {
        if let condition = block.condition {
            try spend(16)
            let holds = try value(of: block.expression.parameters[0]).isTrue == condition
            return try renderHere(holds ? block.body : block.inverse)
        }
        guard case .path(let path) = block.expression.subject else {
            return try render(block, of: try value(of: block.expression.subject))
        }
        if let helper = helper(of: block.expression, at: path) {
            return try write(try call(helper, block.expression, block: block))
        }
        guard block.expression.isBare else { throw RenderError("could not find helper: '\(path.text)'") }
        try render(block, of: value(at: path))
    }

    /// Renders a block with a value: once for each element of a list, once for any other truthy value, and otherwise
    /// its `else` branch.
    /// - Throws: `RenderError` if the block cannot be rendered.
    private func render(_ block: TemplateBlock, of value: TemplateValue) throws(RenderError) {
        guard value.isTrue else { return try renderHere(block.inverse) }
        guard environment.tryReserveElements(of: value) else { throw .outOfTime }
        if let elements = value.elements {
            try render(block, forEach: elements)
        } else if case .bool = value {
            try renderHere(block.body)
        } else {
            try render(block.body, in: value)
        }
    }

    /// Renders a block once for each element of a list.
    /// - Parameter base: the index of the first element.
    /// - Throws: `RenderError` if the block cannot be rendered.
    func render(_ block: TemplateBlock, forEach elements: TemplateList, base: Int = 0) throws(RenderError) {
        for (index, element) in elements.enumerated() {
            let locals = Self.eachLocals(index, of: elements.count, base: base)
            try render(block, in: element, locals, parameters: [element, .int(index &+ base)])
        }
    }

    /// The local names of an iteration.
    /// - Parameters:
    ///   - key: the key in a map; nil for a list element.
    ///   - base: the index of the first list element.
    static func eachLocals(
        _ index: Int, of count: Int, key: String? = nil, base: Int = 0
    ) -> [(name: String, value: TemplateValue)] {
        let number = index &+ base
        let first = TemplateValue.text(index == 0 ? "first" : "")
        let last = TemplateValue.text(index == count - 1 ? "last" : "")
        if let key {
            return [
                ("@index", .int(number)), ("@key", .text(key)), ("@first", first), ("@last", last), ("@odd", .text("")),
                ("@even", .text("")), ("@index_1", .text("")),
            ]
        }
        let isOdd = number % 2 != 0
        return [
            ("@index", .int(number)), ("@key", .int(number)), ("@first", first), ("@last", last),
            ("@odd", .text(isOdd ? "odd" : "")), ("@even", .text(isOdd ? "" : "even")), ("@index_1", .int(number &+ 1)),
        ]
    }

    private func render(_ partial: TemplatePartial) throws(RenderError) {
        // A partial's name is a word, not a path.
        let name: String
        if case .path(let path) = partial.name {
            name = path.segments.count == 1 && path.start == .name ? path.segments[0] : path.text
        } else {
            name = try value(of: partial.name).text
        }
        guard let body = partials[name] ?? partial.fallback else {
            throw RenderError("The partial '\(name)' could not be found")
        }
        var locals: [(name: String, value: TemplateValue)] = []
        for (name, operand) in partial.hash { locals.append((name, try value(of: operand))) }
        let outer = partials["@partial-block"]
        partials["@partial-block"] = partial.fallback
        defer { partials["@partial-block"] = outer }
        let context = try partial.context.map { operand throws(RenderError) in try value(of: operand) } ?? current
        push(context, locals)
        scopes[scopes.count - 1].namesFirst = true
        defer { pop() }
        try nested { () throws(RenderError) in try render(body) }
    }
}
