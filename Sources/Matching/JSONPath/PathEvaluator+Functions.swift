import SDJSON

extension PathEvaluator {
    /// Applies a function to a path that starts with `..`. Jayway passes it that path as its first argument, and the
    /// value at which the path starts as its subject. `length` then counts the children of the values found.
    /// - Throws: if the function cannot be applied, or the evaluation becomes too expensive.
    mutating func gathered(
        by function: PathFunction, _ segments: [PathSegment], from start: PathNode
    ) throws(Stop) -> JSONValue {
        if function.name == "length" || function.name == "size" {
            let children = segments + [PathSegment(descends: false, selectors: [.wildcard])]
            return .number(JSONNumber(try walk(children, from: start).nodes.count))
        }
        return try apply(function, to: json(start), extra: json(walk(segments, from: start).nodes))
    }

    mutating func apply(_ function: PathFunction, to subject: PathNode) throws(Stop) -> JSONValue {
        if function.name == "length" || function.name == "size", function.arguments.isEmpty {
            return shape(of: subject) == .scalar ? .null : .number(JSONNumber(count(of: subject)))
        }
        return try apply(function, to: json(subject))
    }

    /// Applies a function. The values in `extra` count as if the first argument had found them.
    /// - Throws: for an unknown function, and arguments or a subject that do not fit it.
    mutating func apply(
        _ function: PathFunction, to subject: JSONValue, extra: [JSONValue] = []
    ) throws(Stop) -> JSONValue {
        switch function.name {
        case "length", "size":
            return try length(function, of: subject)
        case "min", "max", "avg", "sum", "stddev":
            return try aggregate(function, of: subject, extra)
        case "first": return try element(of: subject, at: 0)
        case "last": return try element(of: subject, at: -1)
        case "index":
            guard case .literal(.number(let number))? = function.arguments.first, let index = number.intValue else {
                throw Stop(reason: "index() takes one whole number")
            }
            return try element(of: subject, at: index)
        case "keys":
            guard case .object(let object) = subject else { return .null }
            try visit(object.count)
            return .array(object.members.map { .string($0.key) })
        case "concat":
            return .string(try concatenation(function, of: subject, extra))
        case "append":
            guard case .array(var elements) = subject else { return subject }
            for argument in function.arguments { elements.append(try value(of: argument, at: subject)) }
            try visit(elements.count)
            return .array(elements)
        default:
            throw Stop(reason: "Function with name: \(function.name) does not exist.")
        }
    }

    private mutating func value(of argument: PathFunction.Argument, at subject: JSONValue) throws(Stop) -> JSONValue {
        switch argument {
        case .literal(let literal): return literal
        case .query(let query):
            switch try result(of: query, at: .tree(subject)) {
            case .nothing: throw Stop(reason: "an argument's path was not found")
            case .one(let value): return try json(value)
            case .many(let values): return .array(try json(values))
            }
        }
    }

    private mutating func length(_ function: PathFunction, of subject: JSONValue) throws(Stop) -> JSONValue {
        let counted = try function.arguments.first.map { argument throws(Stop) in try value(of: argument, at: subject) }
        switch counted ?? subject {
        case .array(let elements): return .number(JSONNumber(elements.count))
        case .object(let object): return .number(JSONNumber(object.count))
        default: return .null
        }
    }

    private func element(of subject: JSONValue, at index: Int) throws(Stop) -> JSONValue {
        guard case .array(let elements) = subject else {
            throw Stop(reason: "Aggregation function attempted to calculate value using empty array")
        }
        guard let element = elements.element(at: index) else {
            let count = elements.count
            throw Stop(
                reason: index < 0
                    ? "Target index:\(index) larger than object count:\(count)"
                    : "Index \(index) out of bounds for length \(count)")
        }
        return element
    }

    private mutating func aggregate(
        _ function: PathFunction, of subject: JSONValue, _ extra: [JSONValue]
    ) throws(Stop) -> JSONValue {
        var numbers: [Double] = []
        func gather(_ value: JSONValue) {
            if case .number(let number) = value { numbers.append(number.doubleValue) }
        }
        if case .array(let elements) = subject {
            try visit(elements.count)
            elements.forEach(gather)
        }
        extra.forEach(gather)
        for argument in function.arguments {
            let value = try value(of: argument, at: subject)
            guard case .array(let elements) = value else {
                gather(value)
                continue
            }
            try visit(elements.count)
            elements.forEach(gather)
        }
        guard let first = numbers.first else {
            throw Stop(reason: "Aggregation function attempted to calculate value using empty array")
        }
        let count = Double(numbers.count)
        let sum = numbers.reduce(0, +)
        let result: Double
        switch function.name {
        case "min": result = numbers.reduce(first, Swift.min)
        case "max": result = numbers.reduce(first, Swift.max)
        case "sum": result = sum
        case "avg": result = sum / count
        default:
            let squares = numbers.reduce(0) { $0 + $1 * $1 }
            result = (squares / count - sum * sum / count / count).squareRoot()
        }
        guard result.isFinite else { return .string(JavaText.of(result)) }
        return .number(JSONNumber(validText: JavaText.of(result)))
    }

    private mutating func concatenation(
        _ function: PathFunction, of subject: JSONValue, _ extra: [JSONValue]
    ) throws(Stop) -> String {
        var text = ""
        if case .array(let elements) = subject {
            try visit(elements.count)
            for case .string(let element) in elements { text += element }
        }
        for value in extra { text += JavaText.of(element: value) ?? "" }
        for argument in function.arguments {
            let value = try value(of: argument, at: subject)
            if case .array(let elements) = value {
                try visit(elements.count)
                for element in elements { text += JavaText.of(element: element) ?? "" }
            } else {
                text += value.concatenated
            }
            try visit(1 + text.utf8.count / 16)
        }
        return text
    }
}

extension JSONValue {
    /// The concatenation of a value's texts and numbers; outside of a list Jayway skips everything else.
    fileprivate var concatenated: String {
        switch self {
        case .string(let text): text
        case .number(let number): JavaText.of(number)
        default: ""
        }
    }
}
