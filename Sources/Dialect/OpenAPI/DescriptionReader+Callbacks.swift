import SDJSON
import SDStubModel

extension DescriptionReader {
    /// The callbacks of an operation. Problems in them do not affect its responses.
    mutating func callbacks(_ node: Node?, _ defaults: Defaults) -> [APICallback] {
        guard let node else { return [] }
        return collectingFirstError { reader in
            reader.members(node, of: "callbacks", isExtensible: true).flatMap { name, node -> [APICallback] in
                guard let target = reader.followed(node) else { return [] }
                return reader.calls(of: target, defaults)
                    .map { APICallback(name: name, expression: $0, operations: $1, place: node.place) }
            }
        }.0
    }

    /// The requests by expression. Recursive ones are left out.
    private mutating func calls(
        of node: Node, _ defaults: Defaults
    ) -> [(expression: String, operations: [APIOperation])] {
        if let known = shared.callbacks[node.place] { return known }
        // A long chain must not exhaust the stack.
        guard openCallbacks.count < 16, openCallbacks.insert(node.place).inserted else { return [] }
        let calls = members(node, of: "expressions", isExtensible: true)
            .map { (expression: $0, operations: operations(ofPath: $0, $1, defaults)) }
        openCallbacks.remove(node.place)
        shared.callbacks[node.place] = calls
        return calls
    }
}
