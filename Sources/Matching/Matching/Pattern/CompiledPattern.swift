import Bytes
import RegularExpressions
public import StubModel

/// A request pattern made ready for matching: names folded, expressions compiled, templates cut.
///
/// Immutable and shared by all threads. What of a request pattern is not served is refused when it is compiled, never
/// silently ignored.
public final class CompiledPattern: Sendable {
    /// Every method that can match is in here; a cheap first look.
    public let methods: MethodSet
    /// Where an index files the stub.
    public let place: URLPlace

    /// The URL and `methods` alone decide: nothing else of the pattern need be looked at.
    public let isDecidedByURL: Bool

    let method: MethodTest
    let url: URLTest
    /// All other conditions; nil where there are none, as with most stubs, which shall not carry their weight.
    let conditions: SharedConditions?

    final class SharedConditions: Sendable {
        let all: RequestConditions
        let schemaRemarks: [SchemaRemark]

        init(_ all: RequestConditions, schemaRemarks: [SchemaRemark]) {
            self.all = all
            self.schemaRemarks = schemaRemarks
        }
    }

    /// What is odd about its JSON Schemas, in the order of the pattern's fields.
    public var schemaRemarks: [SchemaRemark] { conditions?.schemaRemarks ?? [] }

    /// Throws all that is wrong at once. `pointer` is the JSON pointer of the pattern in its document.
    public init(_ pattern: RequestPattern, at pointer: String = "/request") throws(PatternProblems) {
        var compiler = PatternCompiler()
        let place = PatternPlace(pointer: pointer)
        method = MethodTest(pattern.method)
        methods = method.methods
        url = compiler.url(pattern.url, at: place)
        self.place = url.place
        let conditions = compiler.conditions(pattern, url, at: place)
        self.conditions =
            conditions.isEmpty ? nil : SharedConditions(conditions, schemaRemarks: compiler.schemaRemarks)
        isDecidedByURL =
            conditions.isEmpty && (methods == .all && pattern.method == .any || !methods.contains(.other))
        if !compiler.problems.isEmpty { throw PatternProblems(problems: compiler.problems) }
    }

    /// Whether the request fulfils every condition.
    public func matches(_ request: some MatchableRequest, _ views: inout RequestViews) -> Bool {
        method.passes(request, views.methodBit) && url.passes(&views)
            && (conditions?.all.pass(request, url, &views) ?? true)
    }

    /// The conditions without the URL, for an index that has found the stub by its exact URL.
    public func matchesAtItsURL(_ request: some MatchableRequest, _ views: inout RequestViews) -> Bool {
        method.passes(request, views.methodBit) && (conditions?.all.pass(request, url, &views) ?? true)
    }

    /// What a `urlPathTemplate`'s variables and wildcards stand for in a path that matches, undecoded, in the order of the
    /// template. A name that comes twice has two entries; the later one counts.
    public func pathCaptures(_ path: ArraySlice<UInt8>) -> [(name: String, value: ArraySlice<UInt8>)] {
        guard case .template(let template) = url, let values = template.captures(of: path) else { return [] }
        return zip(template.names, values).map { ($0, $1) }
    }
}

/// A compiled URL condition.
enum URLTest: Sendable {
    case any
    case url([UInt8])
    case path([UInt8])
    case urlPattern(JavaRegex)
    case pathPattern(JavaRegex)
    case template(PathTemplate)

    func passes(_ views: inout RequestViews) -> Bool {
        switch self {
        case .any: true
        case .url(let expected): views.url.equals(expected[...])
        case .path(let expected): views.path.equals(expected[...])
        case .urlPattern(let regex): views.match(regex, views.url)
        case .pathPattern(let regex): views.match(regex, views.path)
        case .template(let template): template.matches(views.path)
        }
    }

    /// Some URL does not pass.
    var restricts: Bool {
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
