public import SDMatching
import SDPlatform
public import SDStubModel

extension CompiledPattern {
    /// The number of conditions that a request fails.
    func differences(_ request: some MatchableRequest, _ views: inout RequestViews) -> Int {
        defer { views.attribute(to: self) }
        if conditions == nil { return (method.passes(request, views.methodBit) ? 0 : 1) + (url.passes(&views) ? 0 : 1) }
        var evaluator = PatternEvaluator(request: request, pattern: self, counts: true)
        _ = evaluator.evaluate(&views)
        return evaluator.differences
    }

    /// Evaluates every condition, even after one that fails.
    /// - Parameter source: the pattern from which this one was compiled.
    public func evaluate(
        _ request: some MatchableRequest, _ views: inout RequestViews, of source: RequestPattern,
        _ detail: PatternEvaluation.Detail = []
    ) -> PatternEvaluation {
        // A report has exact distances, whatever the search for its stubs has spent.
        views.edits = EditDistance.Allowance()
        var evaluator = PatternEvaluator(
            request: request, pattern: self, source: source, describes: detail.contains(.differences))
        var evaluation = evaluator.evaluate(&views)
        evaluation.pattern = source
        defer { views.attribute(to: self) }
        if detail.contains(.notes) { evaluation.notes = notes(request, &views) }
        return evaluation
    }

    /// The matchers' notes in this match, without earlier ones.
    private func notes(_ request: some MatchableRequest, _ views: inout RequestViews) -> [MatchNote] {
        let kept = views.notes
        defer { views.notes = kept }
        views.notes = []
        _ = matches(request, &views)
        return views.notes
    }

    /// The request's distance from this pattern by WireMock's measure, from 0 for a match to 1. The same as that of
    /// `evaluate`, without a report's details.
    ///
    /// - Parameter bound: returns nil as soon as the distance is certain not to be below this.
    public func distance(
        _ request: some MatchableRequest, _ views: inout RequestViews, below bound: Double
    ) -> Double? {
        distance(request, &views, from: ComparedURL(request, views), below: bound)
    }

    /// - Parameter url: the request's URL.
    func distance(
        _ request: some MatchableRequest, _ views: inout RequestViews, from url: borrowing ComparedURL,
        below bound: Double
    ) -> Double? {
        let methodDistance = method.passes(request, views.methodBit) ? 0.0 : 3
        guard (methodDistance + 10 * self.url.minDistance(url)) / 39 < bound else { return nil }
        defer { views.attribute(to: self) }
        // Most patterns differ by method and URL.
        if !(conditions?.all.looksAtOrigin ?? false) {
            let distance = (methodDistance + 10 * self.url.distance(&views, url)) / 39
            if distance > 0 { return distance < bound ? distance : nil }
        }
        var evaluator = PatternEvaluator(request: request, pattern: self)
        let distance = evaluator.evaluate(&views).distance
        return distance < bound ? distance : nil
    }
}

/// Evaluates the conditions of one pattern in order.
private struct PatternEvaluator<Request: MatchableRequest> {
    let request: Request
    let pattern: CompiledPattern
    /// The pattern with the expected values, recorded with the tested ones. If nil, only the distance is computed, and
    /// nothing further is read of a request whose head does not match.
    let source: RequestPattern?
    /// Whether failed conditions list their differences.
    let describes: Bool
    /// Whether failed conditions are counted, so that all are tested.
    let counts: Bool
    private(set) var differences = 0
    private var result = PatternEvaluation()
    private var passes = true

    init(
        request: Request, pattern: CompiledPattern, source: RequestPattern? = nil, describes: Bool = false,
        counts: Bool = false
    ) {
        self.counts = counts
        self.request = request
        self.pattern = pattern
        self.source = source
        self.describes = describes
    }

    mutating func evaluate(_ views: inout RequestViews) -> PatternEvaluation {
        var sum = 0.0
        if let conditions = pattern.conditions?.all { sum += origin(conditions, &views) }
        let methodDistance = pattern.method.passes(request, views.methodBit) ? 0.0 : 1.0
        add(.method, methodDistance, shown(request.method))
        sum += 3 * methodDistance
        let url = pattern.url
        let lacksURL = url.restricts && request.omissions.contains(.url)
        let urlDistance = lacksURL ? 1 : url.distance(&views)
        add(.url, urlDistance, passes: url.passes(&views), lacksURL ? [] : shown(views.url))
        sum += 10 * urlDistance
        let headPasses = passes
        guard let conditions = pattern.conditions?.all, headPasses || source != nil || counts else {
            result.distance = passes ? 0 : sum / 39
            return result
        }

        var parts = 0.0
        parts += headers(conditions, &views)
        parts += pathParameters(conditions, &views)
        parts += query(conditions, &views)
        parts += form(conditions, &views)
        parts += cookies(conditions, &views)
        parts += certificate(conditions, &views)
        parts += body(conditions, &views)
        parts += multipart(conditions, &views)
        let standard = headPasses ? (sum + parts) / 46 : sum / 39
        let standardPasses = passes
        let customDistance = conditions.custom.map { custom($0, &views) } ?? 0
        result.distance = standardPasses ? customDistance / 2 : standard
        return result
    }

    /// The tested values, as texts.
    private func shown(_ values: ArraySlice<UInt8>...) -> [String] { shown(values) }

    private func shown(_ values: [ArraySlice<UInt8>]) -> [String] {
        source != nil ? values.prefix(TextPreview.maxValues).map { TextPreview.text($0) } : []
    }

    /// Adds a condition. `passes` is called if the distance is 0; a condition with a larger distance fails.
    private mutating func add(
        _ attribute: PatternEvaluation.Attribute, at index: Int = 0, _ distance: Double,
        passes: @autoclosure () -> Bool = true, _ actual: [String]
    ) {
        let passes = distance == 0 && passes()
        if !passes {
            self.passes = false
            differences += 1
        }
        guard let source else { return }
        result.conditions.append(
            .init(attribute, index, of: source, passes: passes, distance: distance, actual: actual))
    }

    // MARK: - Phase one, without method and URL

    private mutating func origin(_ conditions: RequestConditions, _ views: inout RequestViews) -> Double {
        var sum = 0.0
        guard conditions.looksAtOrigin else { return sum }
        let origin = views.content(of: request).origin(of: request)
        let isKnown = !request.omissions.contains(.origin)
        if let host = conditions.host {
            let value = isKnown ? MatchValue(origin.host) : nil
            let distance = host.distance(value, &views)
            add(.host, distance, passes: host.passes(value, &views), isKnown ? shown(origin.host) : [])
            sum += 10 * distance
        }
        if conditions.port != nil {
            let distance = isKnown && conditions.portPasses(origin) ? 0.0 : 1.0
            add(.port, distance, isKnown ? [String(origin.port)] : [])
            sum += 10 * distance
        }
        if let client = conditions.clientIP {
            let value = MatchValue(origin.client)
            let distance = client.distance(value, &views)
            add(.clientIP, distance, passes: client.passes(value, &views), shown(origin.client))
            sum += 3 * distance
        }
        if conditions.scheme != nil {
            let distance = isKnown && conditions.schemePasses(origin) ? 0.0 : 1.0
            add(.scheme, distance, isKnown ? shown(origin.scheme[...]) : [])
            sum += 3 * distance
        }
        return sum
    }

    // MARK: - Phase two: each the mean of its conditions

    private mutating func headers(_ conditions: RequestConditions, _ views: inout RequestViews) -> Double {
        var distances: [Double] = []
        for header in conditions.headers {
            var values: [ArraySlice<UInt8>] = []
            request.forEachHeaderText(header.name) {
                values.append($0)
                return true
            }
            distances.append(multiValue(.header, at: header.index, header.test, values, &views))
        }
        if let basicAuth = conditions.basicAuth {
            var credentials: [ArraySlice<UInt8>] = []
            request.forEachHeaderValue(BasicAuthTest.header) {
                credentials.append($0)
                return true
            }
            let distance = basicAuth.distance(credentials, &views)
            let passes = basicAuth.passes(request)
            add(.basicAuth, distance, passes: passes, shown(credentials))
            distances.append(distance)
        }
        return mean(distances)
    }

    private mutating func multiValue(
        _ attribute: PatternEvaluation.Attribute, at index: Int, _ test: MultiValueTest,
        _ values: [ArraySlice<UInt8>], _ views: inout RequestViews
    ) -> Double {
        let distance = test.distance(values, &views)
        add(attribute, at: index, distance, passes: test.passes(values, &views), shown(values))
        if describes, let last = result.conditions.indices.last, !result.conditions[last].passes {
            result.conditions[last].differences = test.differences(values, &views)
        }
        return distance
    }

    private mutating func pathParameters(_ conditions: RequestConditions, _ views: inout RequestViews) -> Double {
        guard !conditions.pathParameters.isEmpty, case .template(let template) = pattern.url,
            let captures = template.captures(of: views.path, views.budget)
        else { return 0 }
        var distances: [Double] = []
        for (index, parameter) in conditions.pathParameters.enumerated() {
            let capture = parameter.capture.map { captures[$0] }
            let value = capture.map { MatchValue($0) }
            let distance = parameter.test.distance(value, &views)
            let actual = capture.map { shown($0) } ?? []
            add(.pathParameter, at: index, distance, passes: parameter.test.passes(value, &views), actual)
            distances.append(distance)
        }
        return mean(distances)
    }

    private mutating func query(_ conditions: RequestConditions, _ views: inout RequestViews) -> Double {
        guard !conditions.queryParameters.isEmpty else { return 0 }
        guard let parameters = views.queryParameters() else {
            for index in conditions.queryParameters.indices { add(.queryParameter, at: index, 1, []) }
            return 1
        }
        var distances: [Double] = []
        for (index, field) in conditions.queryParameters.enumerated() {
            let values = parameters.values(of: field.name)
            distances.append(multiValue(.queryParameter, at: index, field.test, values, &views))
        }
        return mean(distances)
    }

    private mutating func form(_ conditions: RequestConditions, _ views: inout RequestViews) -> Double {
        guard !conditions.formParameters.isEmpty else { return 0 }
        let form = views.content(of: request).form
        var distances: [Double] = []
        let work = WorkBudget.Work("matchers", "of \(form.count) fields")
        for (index, field) in conditions.formParameters.enumerated() {
            guard views.budget.spend(form.count, for: work) else { break }
            distances.append(multiValue(.formParameter, at: index, field.test, form.values(of: field.name), &views))
        }
        return mean(distances)
    }

    private mutating func cookies(_ conditions: RequestConditions, _ views: inout RequestViews) -> Double {
        guard !conditions.cookies.isEmpty else { return 0 }
        let cookies = views.content(of: request).cookies(of: request)
        var distances: [Double] = []
        for (index, cookie) in conditions.cookies.enumerated() {
            let values = cookies.values(of: cookie.name)
            if values.isEmpty {
                let distance = cookie.test.isAbsent ? 0.0 : 1.0
                add(.cookie, at: index, distance, [])
                distances.append(distance)
            } else {
                distances.append(multiValue(.cookie, at: index, .any(cookie.test), values, &views))
            }
        }
        return mean(distances)
    }

    private mutating func certificate(_ conditions: RequestConditions, _ views: inout RequestViews) -> Double {
        guard !conditions.certificate.isEmpty else { return 0 }
        var distances: [Double] = []
        for (index, condition) in conditions.certificate.enumerated() {
            let values = request.certificateValues(condition.field).map { Array($0.utf8)[...] }
            distances.append(multiValue(.certificate, at: index, condition.test, values, &views))
        }
        return mean(distances)
    }

    private mutating func body(_ conditions: RequestConditions, _ views: inout RequestViews) -> Double {
        guard !conditions.body.isEmpty, !request.omissions.contains(.body) else { return 0 }
        let value = views.content(of: request).body.map { MatchValue($0) }
        let seen = bodies(conditions.body, value, of: source ?? RequestPattern(), &views)
        if !seen.allSatisfy(\.passes) { passes = false }
        differences += seen.count { !$0.passes }
        if source != nil { result.conditions += seen }
        return mean(seen.map(\.distance))
    }

    private func bodies(
        _ tests: [ValueTest], _ value: MatchValue?, of source: RequestPattern, _ views: inout RequestViews
    ) -> [PatternEvaluation.Condition] {
        var seen: [PatternEvaluation.Condition] = []
        for (index, test) in tests.enumerated() {
            let distance = test.distance(value, &views)
            let actual = self.source == nil ? [] : value.map { test.texts(in: $0, &views) } ?? []
            let passes = distance == 0 && test.passes(value, &views)
            seen.append(
                .init(
                    .body, index, of: source, passes: passes, distance: distance, actual: actual,
                    differences: describes && !passes ? test.differences(value, &views) : []))
        }
        return seen
    }

    private mutating func multipart(_ conditions: RequestConditions, _ views: inout RequestViews) -> Double {
        guard !conditions.multipart.isEmpty else { return 0 }
        let content = views.content(of: request)
        result.isMultipart = content.isMultipart
        var distances: [Double] = []
        for (index, test) in conditions.multipart.enumerated() {
            let distance = test.passes(content, &views) ? 0.0 : 1.0
            add(.multipart, at: index, distance, [])
            distances.append(distance)
            guard let source, source.multipartPatterns.indices.contains(index) else { continue }
            let own = RequestPattern(of: source.multipartPatterns[index])
            for part in content.parts { result.parts.append(evaluate(part, index, test, own, &views)) }
        }
        return mean(distances)
    }

    private func evaluate(
        _ part: BodyPart, _ index: Int, _ test: MultipartTest, _ source: RequestPattern, _ views: inout RequestViews
    ) -> PatternEvaluation.Part {
        var headers: [PatternEvaluation.Condition] = []
        for (place, header) in test.headers.enumerated() {
            let values = part.headers.filter { $0.name == header.name }.map(\.value)
            let passes = header.test.passes(&views) { part.forEachHeaderValue(header.name, $0) }
            let distance = header.test.distance(values, &views)
            headers.append(
                .init(.header, place, of: source, passes: passes, distance: distance, actual: shown(values)))
        }
        let name = part.dispositionParameter("name").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return PatternEvaluation.Part(
            pattern: index, name: name, headers: headers,
            bodies: bodies(test.body, MatchValue(part.document), of: source, &views))
    }

    private mutating func custom(_ test: CustomTest, _ views: inout RequestViews) -> Double {
        let distance = test.passes(views.content(of: request), &views) ? 0.0 : 1.0
        add(.customMatcher, distance, [])
        return distance
    }
}

extension MultiValueTest {
    fileprivate func passes(_ values: [ArraySlice<UInt8>], _ views: inout RequestViews) -> Bool {
        passes(&views) { body in
            for value in values where !body(value) { return }
        }
    }
}

extension [QueryParameter] {
    fileprivate func values(of name: [UInt8]) -> [ArraySlice<UInt8>] {
        filter { $0.name.equals(name[...]) }.map(\.value)
    }
}
