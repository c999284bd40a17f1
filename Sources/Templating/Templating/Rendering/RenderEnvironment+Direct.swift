import SDPlatform

/// Writes text, direct values, prepared calls, and conditions on direct values, without name lookup or scopes.
extension RenderEnvironment {
    /// Writes nodes up to the first one that needs more.
    /// - Returns: the number of nodes written.
    /// - Throws: `RenderError` if the output is too large, or the budget is exhausted.
    func writeDirectly(_ nodes: [TemplateNode], to output: inout [UInt8]) throws(RenderError) -> Int {
        for (index, node) in nodes.enumerated() {
            let before = output.count
            guard try write(node, to: &output) else {
                output.removeLast(output.count - before)
                return index
            }
        }
        return nodes.count
    }

    /// - Returns: false if it needs more; it may then be partly written.
    private func write(_ node: TemplateNode, to output: inout [UInt8]) throws(RenderError) -> Bool {
        let before = output.count
        switch node {
        case .text(let text): output += text
        case .output(let expression):
            if let direct = expression.direct {
                guard write(direct, to: &output) else { return false }
            } else if let call = expression.prepared, let helper = expression.helper {
                guard try write(call, of: helper, to: &output) else { return false }
            } else {
                return false
            }
        case .block(let block):
            // A block that turns out to need more is rendered from its start: nothing in it may be sampled twice.
            guard block.isDirect, let condition = block.condition,
                let truth = truth(of: block.expression.parameters[0])
            else { return false }
            for node in truth == condition ? block.body : block.inverse {
                guard try write(node, to: &output) else { return false }
            }
        default: return false
        }
        guard budget.spend(1 + (output.count - before) / 16, for: work) else { throw .outOfTime }
        guard output.count <= limits.output else {
            throw RenderError("the template makes more than \(limits.output) bytes")
        }
        return true
    }

    /// The truth value; nil if it is unknown.
    private func truth(of operand: TemplateOperand) -> Bool? {
        switch operand {
        case .literal(let value): return value.isTrue
        case .path(let path):
            var text: [UInt8] = []
            guard let direct = path.direct, write(direct, to: &text) else { return nil }
            // Headers and parameters are lists of values, and true if present.
            if case .pathVariable = direct { return !text.isEmpty }
            return true
        case .call: return nil
        }
    }

    /// Writes a moment in the format of `now`.
    /// - Parameter wallTime: nanoseconds since 1970.
    public static func writeNow(_ wallTime: UInt64, to output: inout [UInt8]) {
        DateHelpers.present(wallTime).write(to: &output)
    }

    /// Writes a random UUID in the format of `randomValue`.
    public func writeUUID(to output: inout [UInt8]) {
        RandomUUID.write(system, to: &output)
    }
}
