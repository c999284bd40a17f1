extension JSONPatch {
    /// The maximum growth of a document by a patch, counted in values, plus one for every 16 bytes of text.
    public static let maxGrowth = 1_000_000

    /// Returns the patched document.
    /// - Parameters:
    ///   - document: the document to patch.
    ///   - draw: spends steps of about ten nanoseconds from the caller's budget; false stops the work.
    /// - Throws: why the patch cannot be applied; the document is unchanged.
    public func apply(to document: JSONValue, draw: (_ steps: Int) -> Bool = { _ in true }) throws(Problem) -> JSONValue
    {
        var application = Application(document: document)
        for (index, operation) in operations.enumerated() {
            do throws(Failure) {
                try application.perform(operation, draw)
            } catch {
                throw Problem(
                    kind: error.kind, pointer: JSONPointer([String(index), error.field]), message: error.message)
            }
        }
        return application.document
    }

    /// Why an operation fails, and the member of the operation that is wrong.
    fileprivate struct Failure: Error {
        var kind = Problem.Kind.conflict
        var field = "path"
        let message: String
    }
}

/// One application of a patch.
private struct Application {
    typealias Draw = (Int) -> Bool

    var document: JSONValue
    /// The growth that is still allowed.
    private var room = JSONPatch.maxGrowth

    init(document: JSONValue) {
        self.document = document
    }

    mutating func perform(_ operation: JSONPatch.Operation, _ draw: Draw) throws(JSONPatch.Failure) {
        try Self.spend(1, draw)
        switch operation {
        case .add(let path, let value):
            try add(value, at: path, draw)
        case .remove(let path):
            _ = try remove(at: path, draw)
        case .replace(let path, let value):
            _ = try found(path, "path")
            try weigh(value, at: path, draw)
            try change(path, to: value, draw) { elements, token throws(JSONPatch.Failure) in
                elements[try Self.index(token, in: elements.count)] = value
            }
        case .move(let from, let path):
            _ = try found(from, "from")
            if from == path { return }
            let value = try remove(at: from, draw, field: "from")
            try add(value, at: path, draw)
        case .copy(let from, let path):
            try add(try found(from, "from"), at: path, draw)
        case .test(let path, let value):
            let actual = try found(path, "path")
            // Both sides are at most as large as the charge.
            try Self.spend(Self.weight(value, depth: 0).count, draw)
            guard actual.hasSameValue(as: value) else {
                throw JSONPatch.Failure(field: "value", message: "the test failed: there is \(actual.shortDescription)")
            }
        }
    }

    // MARK: Operations

    private mutating func add(_ value: JSONValue, at path: JSONPointer, _ draw: Draw) throws(JSONPatch.Failure) {
        try weigh(value, at: path, draw)
        try change(path, to: value, draw) { elements, token throws(JSONPatch.Failure) in
            let index = token == "-" ? elements.count : try Self.index(token, in: elements.count + 1)
            elements.insert(value, at: index)
        }
    }

    private mutating func remove(
        at path: JSONPointer, _ draw: Draw, field: String = "path"
    ) throws(JSONPatch.Failure) -> JSONValue {
        let removed = try found(path, field)
        try change(path, to: nil, draw) { elements, token throws(JSONPatch.Failure) in
            elements.remove(at: try Self.index(token, in: elements.count))
        }
        return removed
    }

    // MARK: Locations

    private func found(_ path: JSONPointer, _ field: String) throws(JSONPatch.Failure) -> JSONValue {
        guard let value = document[path] else {
            throw JSONPatch.Failure(field: field, message: "there is nothing at \(Self.name(path))")
        }
        return value
    }

    private static func name(_ path: JSONPointer) -> String {
        path.tokens.isEmpty ? "the root" : "\"\(path.text)\""
    }

    private static func index(_ token: String, in count: Int) throws(JSONPatch.Failure) -> Int {
        guard let index = JSONPointer.arrayIndex(token), index < count else {
            throw JSONPatch.Failure(message: "the list has no place \(JSONValue.string(token).compactText)")
        }
        return index
    }

    /// Changes the container of a location: a member of an object, or the root, becomes `value`, and is removed if that
    /// is nil; `edit` changes a list.
    /// - Throws: `JSONPatch.Failure` if there is no such container, `edit` fails, or the budget is exhausted.
    private mutating func change(
        _ path: JSONPointer, to value: JSONValue?, _ draw: Draw,
        _ edit: (inout [JSONValue], String) throws(JSONPatch.Failure) -> Void
    ) throws(JSONPatch.Failure) {
        guard let last = path.tokens.last else {
            document = value ?? .null
            return
        }
        try Self.descend(&document, path.tokens.dropLast()[...], path, draw) { container throws(JSONPatch.Failure) in
            // The container gives up its content during the change, so that nothing is copied.
            switch container {
            case .object(var object):
                try Self.spend(1 + object.count / 8, draw)
                container = .null
                object[last] = value
                container = .object(object)
            case .array(var elements):
                try Self.spend(1 + elements.count / 8, draw)
                container = .null
                try edit(&elements, last)
                container = .array(elements)
            default:
                throw JSONPatch.Failure(
                    message: "there is \(container.shortDescription) in place of the container of \(Self.name(path))")
            }
        }
    }

    private static func descend(
        _ value: inout JSONValue, _ tokens: ArraySlice<String>, _ path: JSONPointer, _ draw: Draw,
        _ body: (inout JSONValue) throws(JSONPatch.Failure) -> Void
    ) throws(JSONPatch.Failure) {
        guard let token = tokens.first else { return try body(&value) }
        // Each level gives up its value during the change, so that no container is copied.
        switch value {
        case .object(var object):
            try spend(1 + object.count / 8, draw)
            guard var child = object[token] else { break }
            value = .null
            object[token] = .null
            try descend(&child, tokens.dropFirst(), path, draw, body)
            object[token] = child
            value = .object(object)
            return
        case .array(var elements):
            try spend(1 + elements.count / 8, draw)
            guard let index = JSONPointer.arrayIndex(token), index < elements.count else { break }
            value = .null
            var child = elements[index]
            elements[index] = .null
            try descend(&child, tokens.dropFirst(), path, draw, body)
            elements[index] = child
            value = .array(elements)
            return
        default: break
        }
        throw JSONPatch.Failure(message: "there is nothing that could hold \(name(path))")
    }

    // MARK: Limits

    private static func spend(_ steps: Int, _ draw: Draw) throws(JSONPatch.Failure) {
        guard draw(steps * 4) else { throw JSONPatch.Failure(kind: .tooCostly, message: "the patch takes too long") }
    }

    /// Subtracts a value from the allowed growth.
    /// - Throws: `tooLarge` if it does not fit or nests too deeply, `tooCostly` if the budget is exhausted.
    private mutating func weigh(_ value: JSONValue, at path: JSONPointer, _ draw: Draw) throws(JSONPatch.Failure) {
        let (count, depth) = Self.weight(value, depth: 0, most: room)
        room -= count
        try Self.spend(count, draw)
        guard room >= 0 else {
            throw JSONPatch.Failure(kind: .tooLarge, message: "the patch makes the value too large")
        }
        guard depth + path.tokens.count <= JSONValue.maximumDepth else {
            throw JSONPatch.Failure(
                kind: .tooLarge, message: "the patch nests values deeper than \(JSONValue.maximumDepth)")
        }
    }

    /// The size of a value, counted up to `most`, and its depth.
    private static func weight(
        _ value: JSONValue, depth: Int, most: Int = JSONPatch.maxGrowth
    ) -> (count: Int, depth: Int) {
        var count = 1
        var deepest = depth
        func add(_ child: JSONValue) {
            guard count <= most else { return }
            let part = weight(child, depth: depth + 1, most: most - count)
            count += part.count
            deepest = max(deepest, part.depth)
        }
        switch value {
        case .string(let text): count += text.utf8.count / 16
        case .number(let number): count += number.text.utf8.count / 16
        case .array(let elements):
            for element in elements { add(element) }
        case .object(let object):
            for member in object.members {
                count += member.key.utf8.count / 16
                add(member.value)
            }
        default: break
        }
        return (count, deepest)
    }
}
