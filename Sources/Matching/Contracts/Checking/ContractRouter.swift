import SDBasics
import SDOpenAPI

/// The paths of operations as a tree, so that the search time does not depend on their number.
struct ContractRouter: Sendable {
    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        /// Those with the most literal characters first.
        var mixed: [(pieces: [PathTemplate.Part], node: Int)] = []
        var variable: Int?
        /// The operations with a final variable for the rest of the path.
        var rest: [Int] = []
        /// The operations whose path ends here.
        var operations: [Int] = []
    }

    private var nodes = [Node()]
    let templates: [PathTemplate]
    private let methods: [String]

    init(_ operations: [APIOperation]) {
        templates = operations.map { PathTemplate($0.path) }
        methods = operations.map { $0.method.uppercased() }
        for (index, template) in templates.enumerated() { add(template, index) }
    }

    private mutating func add(_ template: PathTemplate, _ operation: Int) {
        // No request is that long, and each segment adds a level.
        guard template.segments.count <= 256 else { return }
        var node = 0
        for segment in template.segments {
            switch segment {
            case .literal(let text):
                if let next = nodes[node].literals[text] {
                    node = next
                } else {
                    nodes[node].literals[text] = nodes.count
                    node = grow()
                }
            case .variable:
                if let next = nodes[node].variable {
                    node = next
                } else {
                    nodes[node].variable = nodes.count
                    node = grow()
                }
            case .mixed(let pieces):
                let shape = Self.shape(pieces)
                if let next = nodes[node].mixed.first(where: { Self.shape($0.pieces) == shape }) {
                    node = next.node
                } else {
                    let weight = Self.weight(pieces)
                    let place = nodes[node].mixed.firstIndex { Self.weight($0.pieces) < weight }
                    nodes[node].mixed.insert((pieces, nodes.count), at: place ?? nodes[node].mixed.count)
                    node = grow()
                }
            case .rest:
                nodes[node].rest.append(operation)
                return
            }
        }
        nodes[node].operations.append(operation)
    }

    private mutating func grow() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }

    /// The parts without the names of variables.
    private static func shape(_ pieces: [PathTemplate.Part]) -> [PathTemplate.Part] {
        pieces.map { if case .variable = $0 { .variable("") } else { $0 } }
    }

    private static func weight(_ pieces: [PathTemplate.Part]) -> Int {
        pieces.reduce(0) { if case .literal(let text) = $1 { $0 + text.utf8.count } else { $0 } }
    }

    /// The operation for a method and a path, preferring literal segments to variables; and all methods of the path.
    func find(_ method: String, _ path: [ArraySlice<UInt8>]) -> (operation: Int?, allowed: [String]) {
        var search = Search(path: path, method: method)
        visit(0, 0, &search)
        return (search.found, search.allowed)
    }

    private struct Search {
        let path: [ArraySlice<UInt8>]
        let method: String
        var found: Int?
        var allowed: [String] = []
        /// The number of nodes that may still be visited: a crafted tree may have very many ways.
        var left = 20_000
    }

    private func visit(_ number: Int, _ depth: Int, _ search: inout Search) {
        guard search.found == nil, search.left > 0 else { return }
        search.left -= 1
        let node = nodes[number]
        if depth == search.path.count {
            end(node.operations, &search)
            return
        }
        let segment = search.path[depth]
        if let next = node.literals[PathTemplate.decoded(segment)] { visit(next, depth + 1, &search) }
        if !segment.isEmpty {
            search.left -= node.mixed.count / 4
            for (pieces, next) in node.mixed where PathTemplate.values(of: pieces, in: segment) != nil {
                visit(next, depth + 1, &search)
            }
            if let next = node.variable { visit(next, depth + 1, &search) }
        }
        if !node.rest.isEmpty, search.path[depth...].contains(where: { !$0.isEmpty }) { end(node.rest, &search) }
    }

    private func end(_ operations: [Int], _ search: inout Search) {
        for operation in operations where search.found == nil {
            if methods[operation] == search.method { search.found = operation }
            if !search.allowed.contains(methods[operation]) { search.allowed.append(methods[operation]) }
        }
    }

    /// The maximum number of templates compared with an unknown path.
    private static let maxNear = 5_000

    /// The template nearest to an unknown path: all segments but one are equal.
    func nearest(to path: [ArraySlice<UInt8>], _ operations: [APIOperation]) -> String? {
        let decoded = path.prefix(64).map { PathTemplate.decoded($0) }
        for (index, template) in templates.prefix(Self.maxNear).enumerated()
        where template.segments.count == decoded.count {
            var wrong: Int?
            let fits = zip(template.segments, decoded).enumerated().allSatisfy { place, pair in
                guard case .literal(let text) = pair.0, text != pair.1 else { return true }
                defer { wrong = place }
                return wrong == nil
            }
            guard fits, let wrong, case .literal(let text) = template.segments[wrong] else { continue }
            if nearestName(to: decoded[wrong], among: [text]) != nil { return operations[index].path }
        }
        // One segment too many or too few.
        for (index, template) in templates.prefix(Self.maxNear).enumerated()
        where abs(template.segments.count - decoded.count) == 1 {
            let count = min(template.segments.count, decoded.count)
            let fits = zip(template.segments.prefix(count), decoded).allSatisfy { segment, text in
                guard case .literal(let literal) = segment else { return true }
                return literal == text
            }
            if fits, count > 0 { return operations[index].path }
        }
        return nil
    }
}
