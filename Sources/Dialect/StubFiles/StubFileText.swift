import SDJSON
import SDShorthand
public import SDStubModel

/// Stubs as the text of a file.
public enum StubFileText {
    /// Stubs as YAML: as routes, and in WireMock's form what these cannot say.
    /// - Parameter stubs: in the order in which they are to be tried.
    public static func yaml(_ stubs: [StubMapping]) -> String {
        yaml(stubs.map { CommentedStub(stub: $0) }).text
    }

    /// A stub with what a file says of it besides.
    package struct CommentedStub {
        var stub: StubMapping
        /// The lines of its comment.
        var comment: [String] = []
        /// Whether its id is written; nil for an id that only a mapping in WireMock's form has.
        var keepsID: Bool?

        package init(stub: StubMapping, comment: [String] = [], keepsID: Bool? = nil) {
            self.stub = stub
            self.comment = comment
            self.keepsID = keepsID
        }
    }

    /// Stubs as YAML, and the number of those that are written in WireMock's form.
    package static func yaml(_ stubs: [CommentedStub]) -> (text: String, mappings: Int) {
        let parts = Parts(of: stubs)
        switch parts.all.count {
        case 0: return ("mappings: []\n", 0)
        case 1: return (parts.all[0].value.yamlText(isSpaced: true, comments: parts.all[0].comments), parts.mappings)
        default:
            // In a list the later one is tried first.
            var comments: [[String]: [String]] = [:]
            for (index, part) in parts.all.reversed().enumerated() {
                for (path, lines) in part.comments { comments[[String(index)] + path] = lines }
            }
            let list = JSONValue.array(parts.all.reversed().map(\.value))
            return (list.yamlText(isSpaced: true, comments: comments), parts.mappings)
        }
    }

    /// Objects of routes, and mappings, in order.
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

        /// The collection of records whose stubs come next.
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
                // Responses of one key stand together.
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
