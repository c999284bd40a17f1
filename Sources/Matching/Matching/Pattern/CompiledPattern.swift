import SDPlatform
package import SDRegularExpressions
public import SDStubModel

/// A request pattern compiled for matching: names folded, expressions compiled, templates split.
///
/// Immutable and shared by all threads. Unsupported parts of a pattern are refused when it is compiled, never silently
/// ignored.
public final class CompiledPattern: Sendable {
    /// A superset of the methods that can match, for a quick first test.
    public let methods: MethodSet
    /// The place where an index files the stub.
    public let place: URLPlace

    /// Whether the URL and `methods` decide alone, so that nothing else needs to be tested.
    public let isDecidedByURL: Bool

    package let method: MethodTest
    package let url: URLTest
    /// All other conditions. Nil if there are none, as in most stubs, to save their memory.
    package let conditions: SharedConditions?

    package final class SharedConditions: Sendable {
        package let all: RequestConditions
        let schemaRemarks: [SchemaRemark]

        init(_ all: RequestConditions, schemaRemarks: [SchemaRemark]) {
            self.all = all
            self.schemaRemarks = schemaRemarks
        }
    }

    /// Remarks on its JSON Schemas, in the order of the pattern's fields.
    public var schemaRemarks: [SchemaRemark] { conditions?.schemaRemarks ?? [] }

    /// Compiles a pattern. `pointer` is its JSON pointer in its document.
    /// - Parameter files: the content of a file below `__files`; nil for none, which nothing matches.
    /// - Throws: all problems at once.
    public init(
        _ pattern: borrowing RequestPattern, at pointer: String = "/request",
        files: @escaping (String) -> [UInt8]? = { _ in nil }
    ) throws(PatternProblems) {
        var compiler = PatternCompiler(files: files)
        let place = PatternPlace(pointer: pointer)
        method = MethodTest(pattern.method)
        methods = method.methods
        url = compiler.url(pattern.url, at: place)
        self.place = url.place
        var shared: SharedConditions?
        if pattern.hasConditions {
            let conditions = compiler.conditions(pattern, url, at: place)
            if !conditions.isEmpty { shared = SharedConditions(conditions, schemaRemarks: compiler.schemaRemarks) }
        }
        conditions = shared
        isDecidedByURL =
            shared == nil && (methods == .all && pattern.method == .any || !methods.contains(.other))
        if !compiler.problems.isEmpty { throw PatternProblems(problems: compiler.problems) }
    }

    /// Whether the request satisfies every condition.
    public func matches(_ request: some MatchableRequest, _ views: inout RequestViews) -> Bool {
        guard method.passes(request, views.methodBit) else { return false }
        return counted(url.passes(&views) && (conditions?.all.pass(request, url, &views) ?? true), &views)
    }

    /// Whether the request satisfies the conditions apart from the URL, for an index that found the stub by its exact
    /// URL.
    public func matchesAtItsURL(_ request: some MatchableRequest, _ views: inout RequestViews) -> Bool {
        guard method.passes(request, views.methodBit) else { return false }
        guard let conditions else { return true }
        return counted(conditions.all.pass(request, url, &views), &views)
    }

    /// Whether methods are named that it accepts, of those that share a bit.
    public var namesMethods: Bool { method.namesMethods }

    /// Whether anything is asked of the body.
    public var readsBody: Bool { conditions?.all.readsBody ?? false }

    /// Whether the request satisfies every condition but those on its body, for one of which only the beginning of the
    /// body is known.
    public func matchesApartFromBody(_ request: some MatchableRequest, _ views: inout RequestViews) -> Bool {
        guard method.passes(request, views.methodBit) else { return false }
        let others = conditions?.all.withoutBody
        return counted(url.passes(&views) && (others?.pass(request, url, &views) ?? true), &views)
    }

    /// Whether there is a condition on the host, which this one satisfies.
    public func namesHost(_ host: ArraySlice<UInt8>) -> Bool {
        guard let test = conditions?.all.host else { return false }
        var views = RequestViews(now: 0, WorkBudget(limit: WorkBudget.standardLimit))
        return test.passes(MatchValue(host), &views)
    }

    /// Whether the request's URL satisfies its condition, whatever else is asked.
    public func matchesURL(_ views: inout RequestViews) -> Bool { counted(url.passes(&views), &views) }

    /// The verdict if it counts. Once the budget is spent nothing matches, whatever an abandoned matcher has said.
    private func counted(_ passes: Bool, _ views: inout RequestViews) -> Bool {
        views.attribute(to: self)
        return passes && !views.isSpent
    }

    /// The undecoded values of a `urlPathTemplate`'s variables and wildcards in a path that matches, in the order of
    /// the template. A repeated name has an entry for each occurrence; the last one counts.
    public func pathCaptures(_ path: ArraySlice<UInt8>) -> [(name: String, value: ArraySlice<UInt8>)] {
        guard case .template(let template) = url, let values = template.captures(of: path) else { return [] }
        return zip(template.names, values).map { ($0, $1) }
    }
}

/// A compiled URL condition.
package enum URLTest: Sendable {
    case any
    case url([UInt8])
    case path([UInt8])
    case urlPattern(JavaRegex)
    case pathPattern(JavaRegex)
    case template(PathTemplate)

    package func passes(_ views: inout RequestViews) -> Bool {
        switch self {
        case .any: true
        case .url(let expected): views.url.equals(expected[...])
        case .path(let expected): views.path.equals(expected[...])
        case .urlPattern(let regex): views.match(regex, views.url)
        case .pathPattern(let regex): views.match(regex, views.path)
        case .template(let template): template.matches(views.path, views.budget)
        }
    }

    /// Whether there is a URL that does not pass.
    package var restricts: Bool {
        if case .any = self { false } else { true }
    }

    var place: URLPlace {
        switch self {
        case .any: return .anywhere
        case .url(let url): return .url(url[...])
        case .path(let path): return .path(path[...])
        case .urlPattern(let regex), .pathPattern(let regex): return Self.place(PathShape(prefix: regex.literalPrefix))
        case .template(let template): return Self.place(PathShape(template))
        }
    }

    private static func place(_ shape: PathShape) -> URLPlace {
        shape.steps.isEmpty && shape.isOpen ? .anywhere : .shape(shape)
    }
}
