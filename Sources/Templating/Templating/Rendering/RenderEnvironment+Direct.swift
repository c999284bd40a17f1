import SDPlatform

/// Templates of texts and direct values, and of conditions on these: they need neither names nor scopes.
extension RenderEnvironment {
    /// The text of nodes; nil if one of them needs more, and all have to be rendered from the start.
    /// - Parameter room: about how many bytes they make.
    /// - Throws: `RenderError` if they make too much, or the budget is spent.
    func directText(of nodes: [TemplateNode], room: Int) throws(RenderError) -> [UInt8]? {
        guard nodes.allSatisfy(\.isDirect) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(room)
        return try write(nodes, to: &output) ? output : nil
    }

    /// - Returns: false if a value is not known.
    private func write(_ nodes: [TemplateNode], to output: inout [UInt8]) throws(RenderError) -> Bool {
        for node in nodes {
            let before = output.count
            switch node {
            case .text(let text): output += text
            case .output(let expression):
                guard let direct = expression.direct, write(direct, to: &output) else { return false }
            case .block(let block):
                guard let condition = block.condition, let truth = truth(of: block.expression.parameters[0]) else {
                    return false
                }
                guard try write(truth == condition ? block.body : block.inverse, to: &output) else { return false }
            default: return false
            }
            guard budget.draw(1 + (output.count - before) / 16, for: work) else { throw .outOfTime }
            guard output.count <= limits.output else {
                throw RenderError("the template makes more than \(limits.output) bytes")
            }
        }
        return true
    }

    /// Whether a value counts as true; nil if it is not known.
    private func truth(of operand: TemplateOperand) -> Bool? {
        switch operand {
        case .literal(let value): return value.isTrue
        case .path(let path):
            var text: [UInt8] = []
            guard let direct = path.direct, write(direct, to: &text) else { return nil }
            // Headers and parameters are lists of values, and true where there is one.
            if case .pathVariable = direct { return !text.isEmpty }
            return true
        case .call: return nil
        }
    }

    /// Writes a moment as `now` prints it.
    /// - Parameter wallTime: nanoseconds since 1970.
    public static func writeNow(_ wallTime: UInt64, to output: inout [UInt8]) {
        DateHelpers.present(wallTime).write(to: &output)
    }

    /// Writes a random UUID as `randomValue` prints it.
    public func writeUUID(to output: inout [UInt8]) {
        RandomUUID.write(system, to: &output)
    }
}
