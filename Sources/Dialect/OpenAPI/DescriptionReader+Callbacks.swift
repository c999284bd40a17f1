import SDJSON
import SDStubModel

extension DescriptionReader {
    /// What an operation calls back. What is wrong there keeps nobody from being answered.
    mutating func callbacks(_ node: Node?, _ defaults: Defaults) -> [APICallback] {
        guard let node else { return [] }
        return withTrouble { reader in
            reader.members(node, of: "callbacks", isExtensible: true).flatMap { name, node -> [APICallback] in
                guard let target = reader.followed(node) else { return [] }
                return reader.calls(of: target, defaults)
                    .map { APICallback(name: name, expression: $0, operations: $1, place: node.place) }
            }
        }.0
    }

    /// The requests by expression. Those that lead back to where they came from are left out.
    private mutating func calls(
        of node: Node, _ defaults: Defaults
    ) -> [(expression: String, operations: [APIOperation])] {
        if let known = shared.callbacks[node.place] { return known }
        // A chain of them must not use up the stack.
        guard openCallbacks.count < 16, openCallbacks.insert(node.place).inserted else { return [] }
        let calls = members(node, of: "expressions", isExtensible: true)
            .map { (expression: $0, operations: operations(ofPath: $0, $1, defaults)) }
        openCallbacks.remove(node.place)
        shared.callbacks[node.place] = calls
        return calls
    }
}
