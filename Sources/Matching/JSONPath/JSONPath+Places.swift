public import SDJSON
public import SDPlatform

extension JSONPath {
    /// The pointers to the values that the path finds, in document order; may be empty. Nil for a path whose result is
    /// not part of the document, such as a function's, and if the budget is exhausted.
    public func places(in document: JSONValue, _ budget: WorkBudget = WorkBudget()) -> [JSONPointer]? {
        guard let tape = JSONTape(document.compactBytes[...]) else { return nil }
        var evaluator = PathEvaluator(.tape(tape), self, budget)
        guard let found = try? evaluator.result(of: query, at: evaluator.root) else { return nil }
        var pointers: [JSONPointer] = []
        for node in found.nodes {
            guard case .place(let place) = node else { return nil }
            pointers.append(tape.pointer(to: place))
        }
        return pointers
    }
}

extension JSONTape {
    /// The path from the root to a value.
    fileprivate func pointer(to target: Int) -> JSONPointer {
        var pointer = JSONPointer.root
        var container = 0
        while container != target {
            let isObject = entries[container].kind == .object
            var child = container + 1
            var index = 0
            while true {
                let value = isObject ? child + 1 : child
                let next = next(after: value)
                if target < next {
                    pointer = isObject ? pointer.appending(text(at: child)) : pointer.appending(index)
                    container = value
                    break
                }
                child = next
                index += 1
            }
        }
        return pointer
    }
}
