import SDJSON
import SDStubModel

extension DescriptionReader {
    /// Callbacks may have callbacks: no deeper than this.
    private static let deepestCallbacks = 4

    /// What an operation calls back. What is wrong there keeps nobody from being answered.
    mutating func callbacks(_ node: Node?, _ defaults: Defaults) -> [APICallback] {
        guard let node else { return [] }
        guard callbackDepth < Self.deepestCallbacks else {
            report(node.place, "callbacks within callbacks", expected: "at most \(Self.deepestCallbacks) levels")
            return []
        }
        callbackDepth += 1
        defer { callbackDepth -= 1 }
        return withTrouble { reader in
            reader.members(node, of: "callbacks", isExtensible: true).flatMap { name, node -> [APICallback] in
                guard let target = reader.followed(node) else { return [] }
                return reader.members(target, of: "expressions", isExtensible: true).map { expression, node in
                    let calls = reader.operations(ofPath: expression, node, defaults)
                    return APICallback(name: name, expression: expression, operations: calls, place: node.place)
                }
            }
        }.0
    }
}
