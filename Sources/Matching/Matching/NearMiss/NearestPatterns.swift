import SDBytes
import SDRegularExpressions

/// A search among many patterns for those nearest to a request.
///
/// The distances are those of `CompiledPattern.distance`. The data that bound most of them from below, the method and
/// the beginning or the sketch of the URL, are in flat arrays, so that of a thousand patterns only the few that can be
/// among the nearest are compared, the most promising first.
public struct NearestPatterns: Sendable {
    /// A pattern of `nearest`, by its index, with its distance.
    public typealias Near = (index: Int, distance: Double)

    private let patterns: [CompiledPattern]
    private var rows: [Row] = []
    /// The texts of all rows.
    private var text: [UInt8] = []

    /// The condition on the URL, and the other data that decide a distance. Plain numbers, so that reading a row counts
    /// no reference.
    private struct Row: Sendable {
        enum Kind: UInt8, Sendable {
            case any, url, path, template, urlPattern, pathPattern
        }

        let kind: Kind
        let methods: MethodSet
        /// Whether the pattern has conditions on the method and the URL only.
        let isPlain: Bool
        let looksAtOrigin: Bool
        let isASCII: Bool
        let sketch: PathSketch
        private let start: UInt32
        private let count: UInt32
        private let prefix: UInt32

        init(_ pattern: CompiledPattern, _ measure: URLTest.Measure, at start: Int) {
            kind =
                switch pattern.url {
                case .any: .any
                case .url: .url
                case .path: .path
                case .template: .template
                case .urlPattern: .urlPattern
                case .pathPattern: .pathPattern
                }
            methods = pattern.methods
            isPlain = pattern.conditions == nil
            looksAtOrigin = pattern.conditions?.all.looksAtOrigin ?? false
            isASCII = measure.text[...].isASCII
            sketch = PathSketch(measure.text[...])
            self.start = UInt32(start)
            count = UInt32(measure.text.count)
            prefix = UInt32(measure.prefixCount)
        }

        /// The range in `text` of the text from which distances are measured; for an expression, of the beginning of
        /// all its matches.
        var range: Range<Int> { Int(start)..<Int(start) + Int(count) }

        /// Whether the condition is on path and query, rather than on the path alone.
        var isOfURL: Bool { kind == .url || kind == .urlPattern }
        var isExact: Bool { kind == .url || kind == .path }
        var isExpression: Bool { kind == .urlPattern || kind == .pathPattern }

        /// Whether the subject begins with the beginning of all URLs that pass.
        func isPrefix(of subject: Span<UInt8>, in text: Span<UInt8>) -> Bool {
            let prefix = Int(prefix)
            guard prefix <= subject.count else { return false }
            let start = Int(start)
            for index in 0..<prefix where text[start &+ index] != subject[index] { return false }
            return true
        }

        func mayPass(_ subject: Span<UInt8>, isASCII: Bool, in text: Span<UInt8>) -> Bool {
            // An invalid character matches its replacement character.
            !isASCII || isPrefix(of: subject, in: text)
        }

        /// A lower bound of the URL's distance.
        func leastDistance(
            to subject: Span<UInt8>, _ sketch: PathSketch, isASCII: Bool, in text: Span<UInt8>
        ) -> Double {
            if !isExact, mayPass(subject, isASCII: isASCII, in: text) { return 0 }
            if isExpression { return 1 }
            guard isASCII, self.isASCII else { return 0 }
            let count = Int(count)
            let longer = max(count, subject.count)
            let edits = max(longer - min(count, subject.count), self.sketch.leastEdits(to: sketch))
            return edits == 0 ? 0 : Double(edits) / Double(longer)
        }
    }

    public init(_ patterns: [CompiledPattern]) {
        self.patterns = patterns
        rows.reserveCapacity(patterns.count)
        for pattern in patterns {
            let measure = pattern.url.measure
            rows.append(Row(pattern, measure, at: text.count))
            text += measure.text
        }
    }

    /// The patterns nearest to a request, the nearest first; of two with the same distance, the one that comes first
    /// here. Once the budget of
    /// `views` is spent, the nearest of those compared before.
    public func nearest(
        to request: some MatchableRequest, _ views: inout RequestViews, count: Int
    ) -> [Near] {
        let asked = Asked(request, views, methodsPass: methodsPass(request, views.methodBit))
        let least = leastDistances(asked)
        var found = Found(count: count)
        var trails = Trails()
        for index in Self.sorted(least) where found.wants(index, least[index]) {
            let distance =
                headDistance(index, asked, &views, &trails, found)
                ?? patterns[index].distance(request, &views, below: found.bound(index))
            views.attribute(to: patterns[index])
            if views.isSpent { break }
            if let distance, found.wants(index, distance) { found.add(index, distance) }
        }
        return found.nearest
    }

    /// Whether each pattern accepts the request's method; nil for a method with a bit of its own, which is enough to
    /// tell.
    private func methodsPass(_ request: some MatchableRequest, _ bit: MethodSet) -> [Bool]? {
        bit == .other ? patterns.map { $0.method.passes(request, bit) } : nil
    }

    /// The indices in about the order of their values, which are at most a third; indices with about the same value
    /// keep their order.
    private static func sorted(_ values: [Double]) -> [Int] {
        let last = 63
        let places = values.map { min(Int($0 * 3 * Double(last)), last) }
        var starts = [Int](repeating: 0, count: last + 2)
        for place in places { starts[place + 1] += 1 }
        for place in 1...last + 1 { starts[place] += starts[place - 1] }
        var sorted = [Int](repeating: 0, count: values.count)
        for (index, place) in places.enumerated() {
            sorted[starts[place]] = index
            starts[place] += 1
        }
        return sorted
    }

    // MARK: - Distances

    /// The weighted distance of a pattern whose method or URL does not pass, if no conditions come before them.
    private static func distance(method: Double, url: Double) -> Double { (3 * method + 10 * url) / 39 }

    /// A lower bound of the distance of each pattern, at almost no cost.
    private func leastDistances(_ asked: Asked) -> [Double] {
        var distances: [Double] = []
        distances.reserveCapacity(rows.count)
        let rows = rows.span
        let text = text.span
        let urlSpan = asked.url.text.span
        let pathSpan = asked.path.text.span
        let (urlSketch, pathSketch) = (asked.url.sketch, asked.path.sketch)
        let (isURLASCII, isPathASCII) = (asked.url.isASCII, asked.path.isASCII)
        for index in rows.indices {
            let row = rows[index]
            let method = asked.passesMethod(row.methods, index) ? 0.0 : 1.0
            let url =
                if row.kind == .any {
                    0.0
                } else if asked.lacksURL {
                    1.0
                } else if row.isOfURL {
                    row.leastDistance(to: urlSpan, urlSketch, isASCII: isURLASCII, in: text)
                } else {
                    row.leastDistance(to: pathSpan, pathSketch, isASCII: isPathASCII, in: text)
                }
            distances.append(Self.distance(method: method, url: url))
        }
        return distances
    }

    /// The distance of a pattern that is decided by method and URL or, for a pattern too far to be among the nearest,
    /// any distance that is too far. Nil if further conditions must be evaluated.
    private func headDistance(
        _ index: Int, _ asked: borrowing Asked, _ views: inout RequestViews, _ trails: inout Trails,
        _ found: borrowing Found
    ) -> Double? {
        let row = rows[index]
        if row.looksAtOrigin { return nil }
        let method = asked.passesMethod(row.methods, index) ? 0.0 : 1.0
        if row.kind == .any || (!asked.lacksURL && urlPasses(row, index, asked, &views)) {
            if method == 0 { return row.isPlain ? 0 : nil }
            return Self.distance(method: method, url: 0)
        }
        if asked.lacksURL || row.isExpression { return Self.distance(method: method, url: 1) }
        let url: Double
        if let probe = row.isOfURL ? asked.url.probe : asked.path.probe, row.isASCII, !row.range.isEmpty {
            let length = Double(max(row.range.count, probe.count))
            let most = found.mostEdits(passesMethod: method == 0, length: length)
            let edits = trails.edits(row.kind, of: probe, to: row.range, in: text.span, atMost: most)
            if edits > most { return .infinity }
            url = Double(edits) / length
        } else {
            url = views.editDistance(text[row.range], row.isOfURL ? asked.url.text : asked.path.text)
        }
        return Self.distance(method: method, url: url)
    }

    private func urlPasses(
        _ row: Row, _ index: Int, _ asked: borrowing Asked, _ views: inout RequestViews
    ) -> Bool {
        let isOfURL = row.isOfURL
        let subject = isOfURL ? asked.url.text.span : asked.path.text.span
        if row.isExact { return row.range.count == subject.count && row.isPrefix(of: subject, in: text.span) }
        let isASCII = isOfURL ? asked.url.isASCII : asked.path.isASCII
        return row.mayPass(subject, isASCII: isASCII, in: text.span) && patterns[index].url.passes(&views)
    }

    // MARK: - Searching

    /// The data of the request that each pattern is compared with.
    private struct Asked {
        let methodBit: MethodSet
        let methodsPass: [Bool]?
        /// Whether nothing is known of the request's URL.
        let lacksURL: Bool
        let url: Subject
        let path: Subject

        init(_ request: some MatchableRequest, _ views: RequestViews, methodsPass: [Bool]?) {
            methodBit = views.methodBit
            self.methodsPass = methodsPass
            lacksURL = request.omissions.contains(.url)
            url = Subject(views.url)
            path = views.hasQuery ? Subject(views.path) : url
        }

        func passesMethod(_ methods: MethodSet, _ index: Int) -> Bool {
            methods.contains(methodBit) && (methodsPass?[index] ?? true)
        }
    }

    /// The URL or the path of a request.
    private struct Subject {
        let text: ArraySlice<UInt8>
        let isASCII: Bool
        let sketch: PathSketch
        /// The probe; nil for a text that is long or not ASCII.
        let probe: EditProbe?

        init(_ text: ArraySlice<UInt8>) {
            self.text = text
            isASCII = text.isASCII
            sketch = PathSketch(text)
            probe = EditProbe(text)
        }
    }

    /// The texts that the request was last compared with, one of each kind: texts of one kind are the most alike.
    private struct Trails {
        private var url = EditProbe.Trail()
        private var path = EditProbe.Trail()
        private var template = EditProbe.Trail()

        mutating func edits(
            _ kind: Row.Kind, of probe: EditProbe, to range: Range<Int>, in text: Span<UInt8>, atMost most: Int
        ) -> Int {
            switch kind {
            case .url: url.edits(of: probe, to: range, in: text, atMost: most)
            case .template: template.edits(of: probe, to: range, in: text, atMost: most)
            case .any, .path, .urlPattern, .pathPattern: path.edits(of: probe, to: range, in: text, atMost: most)
            }
        }
    }

    /// The nearest patterns so far.
    private struct Found {
        private let count: Int
        private(set) var nearest: [Near] = []
        /// The last of the nearest, once there are as many as are wanted.
        private var worst: Near?
        /// The largest distance of a URL with which its pattern may still be among the nearest, if the method passes
        /// and if it does not.
        private var mostOfURL = (passing: Double.infinity, failing: Double.infinity)

        init(count: Int) {
            self.count = count
        }

        /// Whether a pattern at this distance would be one of the nearest.
        func wants(_ index: Int, _ distance: Double) -> Bool {
            guard let worst else { return count > 0 }
            return distance < worst.distance || (distance == worst.distance && index < worst.index)
        }

        /// The distance that a pattern must be below.
        func bound(_ index: Int) -> Double {
            guard let worst else { return .infinity }
            return index < worst.index ? worst.distance.nextUp : worst.distance
        }

        /// The number of edits in a URL with which its pattern is still among the nearest, or a little more.
        func mostEdits(passesMethod: Bool, length: Double) -> Int {
            guard worst != nil else { return .max }
            return Int((passesMethod ? mostOfURL.passing : mostOfURL.failing) * length) + 1
        }

        mutating func add(_ index: Int, _ distance: Double) {
            let place =
                nearest.firstIndex { $0.distance > distance || ($0.distance == distance && $0.index > index) }
                ?? nearest.count
            nearest.insert((index, distance), at: place)
            if nearest.count > count { nearest.removeLast() }
            worst = nearest.count < count ? nil : nearest.last
            if let worst { mostOfURL = (worst.distance * 39 / 10, (worst.distance * 39 - 3) / 10) }
        }
    }
}

extension URLTest {
    /// The text by which the distance from a condition is measured.
    typealias Measure = (text: [UInt8], prefixCount: Int)

    fileprivate var measure: Measure {
        switch self {
        case .any: return ([], 0)
        case .url(let text), .path(let text): return (text, text.count)
        case .urlPattern(let regex), .pathPattern(let regex):
            return (regex.literalPrefix, regex.literalPrefix.count)
        case .template(let template):
            guard case .literal(let literal) = template.tokens.first else { return (template.sample, 0) }
            return (template.sample, literal.count)
        }
    }
}
