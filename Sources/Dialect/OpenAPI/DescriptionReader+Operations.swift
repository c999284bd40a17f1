import SDBasics
import SDJSON
import SDStubModel

extension DescriptionReader {
    /// The members of a path item that are methods, in lower case.
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    /// Defaults for all operations.
    struct Defaults {
        var security: [[String]] = []
        var consumes: [String] = []
        var produces: [String] = []
    }

    /// The operations in `paths` or a similar object.
    /// - Parameter arePaths: whether the names are paths.
    mutating func operations(of paths: Node?, _ defaults: Defaults, arePaths: Bool = true) -> [APIOperation] {
        var operations: [APIOperation] = []
        var shapes: [String: String] = [:]
        for (path, node) in members(paths, of: arePaths ? "paths" : "webhooks", isExtensible: arePaths) {
            if arePaths {
                guard Self.variableCount(of: path) <= Self.maxVariables else {
                    report(
                        node.place, "the path has too many variables and is not served",
                        expected: "at most \(Self.maxVariables) variables")
                    continue
                }
                checkPath(path, at: node.place, &shapes)
            }
            operations += self.operations(ofPath: path, node, defaults)
        }
        return operations
    }

    /// The maximum number of variables in a path, as for stubs.
    private static var maxVariables: Int { 100 }

    private static func variableCount(of path: String) -> Int {
        path.utf8.reduce(0) { $1 == UInt8(ascii: "{") || $1 == UInt8(ascii: "*") ? $0 + 1 : $0 }
    }

    /// The operations of a path item, which may be a reference with other members.
    mutating func operations(ofPath path: String, _ node: Node, _ defaults: Defaults) -> [APIOperation] {
        let (target, trouble) = collectingFirstError { reader -> Node? in
            guard let target = reader.followed(node), reader.object(target) != nil else { return nil }
            return target
        }
        var found: [APIOperation] = []
        var taken: Set<String> = []
        for item in target.map({ $0.place == node.place ? [node] : [node, $0] }) ?? [node] {
            for operation in operations(ofItem: item, path, defaults) where taken.insert(operation.method).inserted {
                found.append(operation)
            }
        }
        if let trouble, found.isEmpty {
            // Its methods are unknown: any request for the path gets the reason.
            var broken = APIOperation(method: "GET", path: path, place: node.place)
            broken.problem = trouble
            found = [broken]
        }
        return found
    }

    private mutating func operations(ofItem item: Node, _ path: String, _ defaults: Defaults) -> [APIOperation] {
        guard let object = item.value.objectValue else { return [] }
        checkNames(of: item, pathMembers)
        let basePaths = version == .v2 ? nil : item["servers"].map { self.basePaths($0) }
        // Re-read for each operation, but only if there are any.
        let parameters = item["parameters"]
        var found: [APIOperation] = []
        func read(_ method: String, _ node: Node) {
            operationCount += 1
            guard operationCount <= Self.maxOperations else {
                report(node.place, "too many operations", expected: "at most \(Self.maxOperations)")
                return
            }
            found.append(operation(method, path, node, sharing: parameters, basePaths, defaults))
        }
        for member in object.members {
            let node = Node(place: item.place.appending(member.key), value: member.value)
            if Self.methods.contains(member.key) || (member.key == "query" && version != .v2) {
                read(member.key.uppercased(), node)
            } else if member.key == "additionalOperations", version != .v2 {
                for (method, node) in members(node, of: "operations") {
                    if method.isEmpty || method.utf8.contains(where: { !Self.isOfToken($0) }) {
                        report(
                            node.place, "\(quoted(method)) is no method", expected: "such as LINK", isAboutName: true,
                            isError: false)
                    }
                    read(method, node)
                }
            }
        }
        return found
    }

    /// Whether a byte may appear in a method (RFC 9110, section 5.6.2).
    private static func isOfToken(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
    }

    private var pathMembers: [String] {
        let names = ["$ref", "parameters"] + Self.methods
        switch version {
        case .v2: return names.filter { $0 != "trace" }
        case .v30, .v31: return names + ["summary", "description", "servers"]
        case .v32: return names + ["summary", "description", "servers", "query", "additionalOperations"]
        }
    }

    private var operationMembers: [String] {
        let names = [
            "tags", "summary", "description", "externalDocs", "operationId", "parameters", "responses", "deprecated",
            "security",
        ]
        return version == .v2
            ? names + ["consumes", "produces", "schemes"] : names + ["requestBody", "callbacks", "servers"]
    }

    private mutating func operation(
        _ method: String, _ path: String, _ node: Node, sharing shared: Node?, _ basePaths: [String]?,
        _ defaults: Defaults
    ) -> APIOperation {
        var operation = APIOperation(method: method, path: path, place: node.place)
        let (_, trouble) = collectingFirstError { reader in
            guard reader.object(node) != nil else { return }
            reader.read(node, into: &operation, sharing: shared, defaults)
        }
        operation.basePaths = operation.basePaths ?? basePaths
        operation.problem = trouble
        return operation
    }

    private mutating func read(
        _ node: Node, into operation: inout APIOperation, sharing shared: Node?, _ defaults: Defaults
    ) {
        checkNames(of: node, operationMembers)
        operation.id = text(node["operationId"])
        operation.summary = text(node["summary"])
        operation.isDeprecated = node["deprecated"]?.value.boolValue == true
        if version != .v2 {
            operation.basePaths = node["servers"].map { servers in collectingFirstError { $0.basePaths(servers) }.0 }
        }
        // Problems of the request are ignored: the operation can still answer.
        _ = collectingFirstError { $0.readRequest(node, into: &operation, sharing: shared, defaults) }
        if version == .v2 {
            let types = node["produces"].map { texts($0) } ?? defaults.produces
            operation.responses = responses(node["responses"], types, at: node)
        } else {
            operation.callbacks = node["callbacks"].flatMap { object($0, "an object of callbacks") }
            operation.calls = callbacks(node["callbacks"], defaults)
            operation.responses = responses(node["responses"], [], at: node)
        }
        checkPathParameters(of: operation)
        guard let responses = node["responses"], operation.responses.isEmpty, responses.value.objectValue != nil else {
            return
        }
        report(responses.place, "no responses", expected: "at least one, such as 200", isError: false)
    }

    private mutating func readRequest(
        _ node: Node, into operation: inout APIOperation, sharing shared: Node?, _ defaults: Defaults
    ) {
        operation.security = node["security"].map { security($0) } ?? defaults.security
        let own = elements(node["parameters"], of: "parameters")
        let common = elements(shared, of: "parameters")
        if version == .v2 {
            let types = node["consumes"].map { texts($0) } ?? defaults.consumes
            readOldParameters(own, common, types, into: &operation)
        } else {
            operation.parameters = parameters(own, common)
            operation.body = node["requestBody"].flatMap { self.body($0) }
        }
    }

    /// A list of strings; reports anything else.
    mutating func texts(_ node: Node) -> [String] {
        elements(node, of: "texts").compactMap { text($0) }
    }

    // MARK: Paths

    private mutating func checkPath(_ path: String, at place: DocumentSet.Place, _ shapes: inout [String: String]) {
        if !path.hasPrefix("/") {
            report(
                place, "a path begins with /", expected: "a path such as /pets", found: quoted(path),
                suggestion: "/" + path, isAboutName: true, isError: false)
        }
        guard let shape = Self.shape(of: path) else {
            report(
                place, "a brace without its other one", expected: "such as /pets/{petId}", found: quoted(path),
                isAboutName: true)
            return
        }
        if path.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            report(
                place, "a path has neither a query nor a fragment", expected: "a parameter in the query",
                found: quoted(path), isAboutName: true, isError: false)
        }
        if let other = shapes.updateValue(path, forKey: shape) {
            report(
                place, "the same path as \(quoted(other))", expected: "each path once", isAboutName: true,
                isError: false)
        }
    }

    /// The path without its variables' names; nil for an unbalanced brace.
    private static func shape(of path: String) -> String? {
        guard path.utf8.contains(UInt8(ascii: "{")) || path.utf8.contains(UInt8(ascii: "}")) else { return path }
        var shape = ""
        var isInside = false
        for scalar in path.unicodeScalars {
            switch scalar {
            case "{" where !isInside: isInside = true
            case "}" where isInside:
                isInside = false
                shape += "{}"
            case "{", "}": return nil
            default: if !isInside { shape.unicodeScalars.append(scalar) }
            }
        }
        return isInside ? nil : shape
    }

    private mutating func checkPathParameters(of operation: APIOperation) {
        guard openCallbacks.isEmpty, operation.path.hasPrefix("/") || operation.path.contains("{") else { return }
        let names = Self.names(inPath: operation.path)
        let declared = operation.parameters.filter { $0.location == .path }
        for parameter in declared where !names.contains(parameter.name) {
            report(
                parameter.place, "the path \(quoted(operation.path)) has no {\(parameter.name)}",
                suggestion: nearestName(to: parameter.name, among: names), isError: false)
        }
        for name in names where !declared.contains(where: { $0.name == name }) {
            report(
                operation.place, "the parameter {\(name)} of the path is not described",
                expected: "a parameter with in: path", isError: false)
        }
    }

    /// The names in braces.
    static func names(inPath path: String) -> [String] {
        var names: [String] = []
        var rest = path[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            names.append(String(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return names
    }
}

extension APIOperation {
    init(method: String, path: String, place: DocumentSet.Place) {
        self.init(
            id: nil, method: method, path: path, basePaths: nil, place: place, summary: nil, parameters: [], body: nil,
            responses: [], security: [], callbacks: nil, calls: [], problem: nil)
    }
}
