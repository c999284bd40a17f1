import SDJSON
import SDShorthand
public import SDStubModel

/// Writes stubs as the text of a file.
public enum StubFileText {
    /// Stubs as YAML: routes, with mappings for stubs that routes cannot express.
    /// - Parameter stubs: in the order in which they are tried.
    public static func yaml(_ stubs: [StubMapping]) -> String {
        yaml(stubs.map { CommentedStub(stub: $0) }).text
    }

    /// A stub with its comment in a file.
    package struct CommentedStub {
        var stub: StubMapping
        /// The lines of the comment.
        var comment: [String] = []
        /// Whether to write its id; nil writes it only for a stub that becomes a mapping.
        var keepsID: Bool?

        package init(stub: StubMapping, comment: [String] = [], keepsID: Bool? = nil) {
            self.stub = stub
            self.comment = comment
            self.keepsID = keepsID
        }
    }

    /// Stubs as YAML, and the number of stubs written as mappings.
    package static func yaml(_ stubs: [CommentedStub]) -> (text: String, mappings: Int) {
        let parts = Parts(of: stubs)
        switch parts.all.count {
        case 0: return ("mappings: []\n", 0)
        case 1: return (parts.all[0].value.yamlText(isSpaced: true, comments: parts.all[0].comments), parts.mappings)
        default:
            // In a list the later stub is tried first.
            var comments: [[String]: [String]] = [:]
            for (index, part) in parts.all.reversed().enumerated() {
                for (path, lines) in part.comments { comments[[String(index)] + path] = lines }
            }
            let list = JSONValue.array(parts.all.reversed().map(\.value))
            return (list.yamlText(isSpaced: true, comments: comments), parts.mappings)
        }
    }

    /// Consecutive objects of routes, and mappings.
    private struct Parts {
        private(set) var all: [(value: JSONValue, comments: [[String]: [String]])] = []
        private(set) var mappings = 0
        private var routes = JSONObject()
        private var comments: [[String]: [String]] = [:]

        init(of stubs: [CommentedStub]) {
            var rest = stubs[...]
            while let first = rest.first {
                if let collection = Self.collection(at: rest) {
                    add(collection.route, rest.prefix(collection.count).flatMap(\.comment))
                    rest = rest.dropFirst(collection.count)
                    continue
                }
                rest = rest.dropFirst()
                if let route = WrittenRoute(first.stub, keepsID: first.keepsID == true) {
                    add(route, first.comment)
                } else {
                    end()
                    add(first)
                }
            }
            end()
        }

        /// The collection of records formed by the next stubs.
        private static func collection(
            at stubs: ArraySlice<CommentedStub>
        ) -> (route: WrittenRoute, count: Int)? {
            guard let first = stubs.first, let resource = first.stub.resource, first.keepsID != true else { return nil }
            let own = stubs.prefix(resource.urls.count)
            return WrittenRoute(collection: own.map(\.stub)[...]).map { ($0, own.count) }
        }

        private mutating func end() {
            if !routes.isEmpty { all.append((.object(routes), comments)) }
            routes = JSONObject()
            comments = [:]
        }

        private mutating func add(_ stub: CommentedStub) {
            var mapping = stub.stub.json(view: .file)
            if stub.keepsID == false, case .object(var object) = mapping {
                object["id"] = nil
                object["uuid"] = nil
                mapping = .object(object)
            }
            all.append((mapping, stub.comment.isEmpty ? [:] : [[]: stub.comment]))
            mappings += 1
        }

        private mutating func add(_ route: WrittenRoute, _ comment: [String]) {
            var path = [route.key]
            if let former = routes[route.key] {
                // Responses with the same key become one list.
                guard routes.keys.last == route.key, !route.isCollection else {
                    end()
                    return add(route, comment)
                }
                let elements = former.arrayValue ?? [former]
                if former.arrayValue == nil, let lines = comments.removeValue(forKey: path) {
                    comments[path + ["0"]] = lines
                }
                path.append(String(elements.count))
                routes[route.key] = .array(elements + [route.value])
            } else {
                routes[route.key] = route.value
            }
            if !comment.isEmpty { comments[path] = comment }
        }
    }
}
