import SDPlatform
package import SDRegularExpressions
public import SDStubModel

/// A request pattern compiled for matching: names folded, expressions compiled, templates split.
///
/// Immutable and shared by all threads. Unsupported parts of a pattern are rejected at compile time, never silently
/// ignored.
public final class CompiledPattern: Sendable {
    /// A superset of the methods that can match, for a fast first test.
    public let methods: MethodSet
    /// The place where an index files the stub.
    public let place: URLBucket

    /// Whether the URL and `methods` decide alone.
    public let isDecidedByURL: Bool

    package let method: MethodTest
    package let url: URLTest
    /// All other conditions. Nil if there are none, as in most stubs, to save their memory.
    package let conditions: SharedConditions?

    package final class SharedConditions: Sendable {
        package let all: RequestConditions
        let schemaWarnings: [SchemaWarning]

        init(_ all: RequestConditions, schemaWarnings: [SchemaWarning]) {
            self.all = all
            self.schemaWarnings = schemaWarnings
        }
    }

    /// Warnings about its JSON Schemas, in the order of the pattern's fields.
    public var schemaWarnings: [SchemaWarning] { conditions?.schemaWarnings ?? [] }

    /// Compiles a pattern. `pointer` is its JSON pointer in its document.
    /// - Parameter files: reads a file below `__files`; nothing matches a missing one (nil).
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
            if !conditions.isEmpty { shared = SharedConditions(conditions, schemaWarnings: compiler.schemaWarnings) }
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

    /// Whether the request satisfies all conditions except the URL; for an index that found the stub by its exact URL.
    public func matchesAtItsURL(_ request: some MatchableRequest, _ views: inout RequestViews) -> Bool {
        guard method.passes(request, views.methodBit) else { return false }
        guard let conditions else { return true }
        return counted(conditions.all.pass(request, url, &views), &views)
    }

    /// Whether it names methods among those that share a bit.
    public var namesMethods: Bool { method.namesMethods }

    /// Whether any condition needs the body.
    public var readsBody: Bool { conditions?.all.readsBody ?? false }

    /// Whether the request satisfies all conditions except those on the body; for a request of which only the start of
    /// the body is known.
    public func matchesApartFromBody(_ request: some MatchableRequest, _ views: inout RequestViews) -> Bool {
        guard method.passes(request, views.methodBit) else { return false }
        let others = conditions?.all.withoutBody
        return counted(url.passes(&views) && (others?.pass(request, url, &views) ?? true), &views)
    }

    /// Whether it has a condition on the host, and the host satisfies it.
    public func namesHost(_ host: ArraySlice<UInt8>) -> Bool {
        guard let test = conditions?.all.host else { return false }
        var views = RequestViews(now: 0, WorkBudget(limit: WorkBudget.standardLimit))
        return test.passes(MatchValue(host), &views)
    }

    /// Whether the request's URL satisfies its condition, whatever the others.
    public func matchesURL(_ views: inout RequestViews) -> Bool { counted(url.passes(&views), &views) }

    /// The verdict if it counts. Once the budget is exhausted nothing matches, whatever an abandoned matcher returned.
    private func counted(_ passes: Bool, _ views: inout RequestViews) -> Bool {
        views.attribute(to: self)
        return passes && !views.isSpent
    }

    /// The undecoded values of a `urlPathTemplate`'s variables and wildcards in a matching path, in template order. A
    /// repeated name has an entry for each occurrence; the last one counts.
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

    /// Whether any URL fails the test.
    package var restricts: Bool {
        if case .any = self { false } else { true }
    }

    var place: URLBucket {
        switch self {
        case .any: return .anywhere
        case .url(let url): return .url(url[...])
        case .path(let path): return .path(path[...])
        case .urlPattern(let regex), .pathPattern(let regex): return Self.place(PathShape(prefix: regex.literalPrefix))
        case .template(let template): return Self.place(PathShape(template))
        }
    }

    private static func place(_ shape: PathShape) -> URLBucket {
        shape.steps.isEmpty && shape.isOpen ? .anywhere : .shape(shape)
    }
}
