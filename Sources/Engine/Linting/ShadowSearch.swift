import SDJSON
import SDStubModel

/// Finds stubs that never answer, because a stub with precedence accepts all of their requests.
///
/// Only certain cases are reported: the stub's methods, URLs and conditions must each be within those of the other.
/// Stubs are filed by URL and condition, and each is compared only with stubs filed where a covering one can be. Each
/// is compared with at most `maxComparisons` others, so that the total time stays linear; further cases are not found.
struct ShadowSearch {
    static let maxComparisons = 100

    /// The compared properties of a stub.
    private struct Scope {
        let stub: any LintedStub
        let methods: MethodScope
        let url: URLScope
        /// The numbers of the conditions, ascending.
        let conditions: [Int]

        /// Whether every request is accepted.
        var isFallback: Bool {
            guard case .open(let start) = url.kind, conditions.isEmpty, methods == MethodScope(.any) else {
                return false
            }
            return start.isEmpty || start == [UInt8(ascii: "/")]
        }

        func covers(_ other: Scope) -> Bool {
            methods.covers(other.methods) && conditions.allSatisfy(other.conditions.contains)
                && url.covers(other.url)
        }
    }

    /// The key under which a stub is filed: its URL, and one of its conditions.
    private struct Bucket: Hashable {
        let place: Int
        /// The condition; nil for a stub without conditions.
        let condition: Int?
    }

    /// Distinguishes kinds of URL conditions whose texts may have the same bytes.
    private enum Tag: UInt8 {
        case url, path, expression, pathExpression, template, open, expressionByPrefix
    }

    private var names = ConditionNames()
    private var places: [[UInt8]: Int] = [:]
    /// The lengths of the filed texts by tag, ascending.
    private var lengths: [Tag: [Int]] = [:]
    private var buckets: [Bucket: [Int]] = [:]
    /// The filed scopes.
    private var scopes: [Scope] = []
    /// The stubs of other files that each fallback hides, in order of precedence.
    private var hidden: [(fallback: any LintedStub, stubs: [any LintedStub])] = []

    private init() {}

    /// Finds shadowed stubs.
    /// - Parameters:
    ///   - stubs: the stubs in order of precedence.
    ///   - goesOn: called before each stub; false ends the search.
    static func findings(in stubs: [any LintedStub], while goesOn: () -> Bool = { true }) -> [StubFinding] {
        var search = ShadowSearch()
        var found: [StubFinding] = []
        for stub in stubs {
            guard goesOn() else { break }
            if let finding = search.take(stub) { found.append(finding) }
        }
        return found + search.hidden.map(fallback)
    }

    /// The finding for all stubs that a fallback hides.
    private static func fallback(_ fallback: any LintedStub, hiding stubs: [any LintedStub]) -> StubFinding {
        let files = Set(stubs.compactMap(\.file)).sorted()
        let named = files.prefix(3).joined(separator: ", ") + (files.count > 3 ? ", …" : "")
        let lowest = stubs.map(\.priority).max() ?? StubMapping.defaultPriority
        return StubFinding(
            .fallbackHidesFiles, of: fallback.reference, at: JSONPointer(["request"]),
            "this matches every request, and is tried before \(stubs.count == 1 ? "a stub" : "\(stubs.count) stubs") "
                + "of \(files.count == 1 ? "another file" : "\(files.count) other files"): \(named)",
            expected: "a priority that comes after theirs, such as \"priority\": \(max(10, lowest + 1))",
            isAboutName: true)
    }

    private mutating func hide(_ stub: any LintedStub, behind fallback: any LintedStub) {
        if let index = hidden.firstIndex(where: { $0.fallback === fallback }) {
            hidden[index].stubs.append(stub)
        } else {
            hidden.append((fallback, [stub]))
        }
    }

    private mutating func take(_ stub: any LintedStub) -> StubFinding? {
        let mapping = stub.mapping
        let request = mapping.request
        let scope = Scope(
            stub: stub, methods: MethodScope(request.method), url: URLScope(request.url),
            conditions: names.conditions(of: mapping))
        // A stub that can never match has another finding.
        guard !scope.methods.isEmpty, scope.url.isPossible else { return nil }
        guard mapping.enabled ?? true else { return nil }
        if let winner = winner(over: scope) {
            guard winner.isFallback, winner.stub.file != stub.file, !scope.isFallback else {
                if stub.isOfContract { return nil }
                return Self.finding(scope, winner)
            }
            hide(stub, behind: winner.stub)
            return nil
        }
        // A stub that may stop answering does not shadow later ones.
        if mapping.times == nil, mapping.ttlMilliseconds == nil, mapping.response.fallThrough != true { file(scope) }
        return nil
    }

    private static func finding(_ loser: Scope, _ winner: Scope) -> StubFinding {
        let samePriority = winner.stub.priority == loser.stub.priority
        let isSame = samePriority && loser.covers(winner)
        return StubFinding(
            isSame ? .samePattern : .shadowed, of: loser.stub.reference, at: JSONPointer(["request"]),
            isSame
                ? "never reached: it has the same request pattern as"
                : "never reached: all of its requests are matched first by",
            other: (winner.stub.reference, samePriority ? .newer : .priority(winner.stub.priority)))
    }

    // MARK: - Filing

    private mutating func file(_ scope: Scope) {
        let index = scopes.count
        scopes.append(scope)
        // The condition with the highest number is usually shared by the fewest stubs.
        let condition = scope.conditions.last
        for (tag, text) in filingPlaces(of: scope.url) {
            buckets[Bucket(place: place(tag, text), condition: condition), default: []].append(index)
        }
    }

    private func filingPlaces(of url: URLScope) -> [(Tag, [UInt8])] {
        switch url.kind {
        case .open(let start): [(.open, start)]
        case .url(let text): [(.url, text)]
        case .path(let text): [(.path, text)]
        case .template: [(.template, url.prefix)]
        case .expression(let text, let isOfPath):
            [(isOfPath ? .pathExpression : .expression, text), (.expressionByPrefix, url.prefix)]
        }
    }

    private mutating func place(_ tag: Tag, _ text: [UInt8]) -> Int {
        let key = [tag.rawValue] + text
        if let known = places[key] { return known }
        noteLength(text.count, of: tag)
        let next = places.count
        places[key] = next
        return next
    }

    private mutating func noteLength(_ length: Int, of tag: Tag) {
        // Whole URLs are looked up directly.
        guard [.template, .open, .expressionByPrefix].contains(tag) else { return }
        var known = lengths[tag] ?? []
        guard !known.contains(length) else { return }
        known.insert(length, at: known.firstIndex { $0 > length } ?? known.count)
        lengths[tag] = known
    }

    // MARK: - Searching

    private func winner(over scope: Scope) -> Scope? {
        var compared = 0
        for place in placesToLook(for: scope.url) {
            for condition in scope.conditions.map(Optional.some) + [nil] {
                for index in buckets[Bucket(place: place, condition: condition)] ?? [] {
                    if scopes[index].covers(scope) { return scopes[index] }
                    compared += 1
                    if compared >= Self.maxComparisons { return nil }
                }
            }
        }
        return nil
    }

    /// The indices of all stubs that may cover these URLs, likeliest first.
    private func placesToLook(for url: URLScope) -> [Int] {
        var found: [Int] = []
        func look(_ tag: Tag, _ text: some Sequence<UInt8>) {
            if let place = places[[tag.rawValue] + text] { found.append(place) }
        }
        func lookAtPrefixes(_ tag: Tag, of text: some Collection<UInt8>) {
            for length in lengths[tag] ?? [] where length <= text.count { look(tag, text.prefix(length)) }
        }
        switch url.kind {
        case .open: break
        case .url(let text):
            look(.url, text)
            look(.path, URLScope.path(of: text))
            lookAtPrefixes(.template, of: text)
        case .path(let text):
            look(.path, text)
            lookAtPrefixes(.template, of: text)
        case .template: lookAtPrefixes(.template, of: url.prefix)
        case .expression(let text, let isOfPath): look(isOfPath ? .pathExpression : .expression, text)
        }
        lookAtPrefixes(.open, of: url.prefix)
        switch url.kind {
        case .url(let text), .path(let text): lookAtPrefixes(.expressionByPrefix, of: text)
        default: break
        }
        return found
    }
}
