import SDBasics
package import SDCapture
import SDJSON
package import SDMatching
package import SDStubModel

/// The stubs that WireMock makes of exchanges.
package struct RecordedStubs: Sendable {
    /// A body too large for its stub.
    package struct BodyFile: Sendable, Equatable {
        /// The path below `__files`.
        package let name: String
        package let bytes: [UInt8]
    }

    /// The stubs, the last exchange first, as WireMock answers. The stub of the first exchange is tried first.
    package internal(set) var mappings: [StubMapping] = []
    package internal(set) var bodyFiles: [BodyFile] = []
    /// The saved forms of stubs that contain secrets.
    package internal(set) var saved: [StubMapping.ID: StubMapping] = [:]
    /// The index of the exchange from which each stub answers.
    private(set) var sources: [StubMapping.ID: Int] = [:]
    /// Warnings about differences from the recorded traffic; no trailing full stop.
    package private(set) var warnings: [String] = []

    /// Makes the stubs.
    /// - Parameters:
    ///   - exchanges: in chronological order.
    ///   - filter: the compiled pattern of `spec`; nil if the exchanges are filtered already.
    package init(of exchanges: [RecordedExchange], _ spec: RecordSpec, filter: CompiledPattern? = nil) {
        var variants = RecordedVariants()
        self.init(of: exchanges, spec, filter: filter, &variants)
    }

    /// - Parameter variants: the variants of other stubs that are served together with these.
    init(
        of exchanges: [RecordedExchange], _ spec: RecordSpec, filter: CompiledPattern? = nil,
        _ variants: inout RecordedVariants
    ) {
        var occurrences: [RequestPattern: Int] = [:]
        var conditional = 0
        for (index, exchange) in exchanges.enumerated() {
            let request = RecordedRequest(exchange)
            if let filter, !request.matches(filter) { continue }
            guard !exchange.isBroken else {
                let reason = exchange.failure ?? "its answer is not whole"
                warnings.append("\(exchange.method) \(exchange.target) is not kept: \(reason)")
                continue
            }
            let usual = request.pattern(spec)
            var pattern = variants.apart(usual, exchange)
            let isWhole = pattern.url != usual.url
            if let names = spec.secretNames { pattern = pattern.withoutSecrets(names) }
            if spec.secretNames != nil || RequestPattern.hasOddBytes(exchange.target) { pattern.expandPath() }
            let occurrence = spec.repeatsAsScenarios ? occurrences[pattern, default: 0] + 1 : 1
            occurrences[pattern] = occurrence
            var stub = StubMapping(
                id: Self.id(pattern, occurrence), name: RecordedName.stub(path: exchange.path),
                request: pattern, response: exchange.response)
            if spec.persists { stub.persistent = true }
            stub.priority = Self.priority(
                isEarly: isWhole || pattern.host != nil, places: spec.secretNames == nil ? 0 : pattern.openPathPlaces)
            if spec.secretNames != nil { stub.response.keepOwn(of: exchange) }
            if RecordedCondition.matchers(exchange).isEmpty == false { conditional += 1 }
            mappings.append(stub)
            sources[stub.id] = index
            note(exchange)
        }
        mappings.reverse()
        if spec.repeatsAsScenarios {
            putRepeatsInScenarios(occurrences)
        } else {
            // The last exchange of a pattern counts.
            var seen: Set<RequestPattern> = []
            mappings.removeAll { !seen.insert($0.request).inserted }
        }
        preferConditions(spec)
        if spec.secretNames != nil { rankOpenPlaces() }
        if let warning = RecordedCondition.warning(conditional) { warnings.append(warning) }
        if let sizes = spec.extraction {
            for index in mappings.indices {
                if let file = Self.extractBody(of: &mappings[index], above: sizes) { bodyFiles.append(file) }
            }
        }
    }

    /// Makes stubs with conditions precede those for the same URL without.
    private mutating func preferConditions(_ spec: RecordSpec) {
        var plain: Set<RequestPattern> = []
        for stub in mappings where !stub.request.hasRecordedConditions { plain.insert(stub.request) }
        for index in mappings.indices where mappings[index].request.hasRecordedConditions {
            if plain.contains(mappings[index].request.withoutRecordedConditions) {
                mappings[index].priority = Self.priority(
                    isEarly: true, places: spec.secretNames == nil ? 0 : mappings[index].request.openPathPlaces)
            }
        }
    }

    /// Among stubs of one method and URL, places those with any value somewhere after those with specific values, and
    /// before those with fewer conditions.
    private mutating func rankOpenPlaces() {
        func key(_ request: RequestPattern) -> RequestPattern {
            RequestPattern(method: request.method, url: request.url)
        }
        let requests = mappings.map(\.request)
        let open = Set(requests.filter { $0.openPlaces > $0.openPathPlaces }.map(key))
        guard !open.isEmpty else { return }
        var most: [RequestPattern: Int] = [:]
        for request in requests { most[key(request), default: 0] = max(most[key(request)] ?? 0, request.conditions) }
        for index in mappings.indices where open.contains(key(mappings[index].request)) {
            let behind = (most[key(mappings[index].request)] ?? 0) - mappings[index].request.conditions
            if behind > 0 {
                mappings[index].priority = (mappings[index].priority ?? StubMapping.defaultPriority) + behind
            }
        }
    }

    /// The priority: 4 if it must be tried early, before the default of 5. Each place that matches any value adds 2, so
    /// that the stub is tried later.
    static func priority(isEarly: Bool, places: Int = 0) -> Int? {
        places == 0 ? (isEarly ? 4 : nil) : (isEarly ? 4 : StubMapping.defaultPriority) + 2 * places
    }

    /// The id of a stub, derived from the request, so that recording again replaces the stub.
    private static func id(_ pattern: RequestPattern, _ occurrence: Int) -> StubMapping.ID {
        StubMapping.id(hashing: "recorded \(occurrence) \(pattern.json.compactText)")
    }

    /// The stubs without those that `reason` rejects; each reason becomes a warning.
    package func keeping(_ reason: (StubMapping) -> String?) -> RecordedStubs {
        var kept = self
        kept.mappings = mappings.filter { stub in
            guard let reason = reason(stub) else { return true }
            let method = if case .exactly(let method) = stub.request.method { method } else { "ANY" }
            kept.warnings.append("\(method) \(stub.request.recordedPath) is not kept: \(reason)")
            return false
        }
        guard kept.mappings.count < mappings.count else { return self }
        let names = Set(kept.mappings.compactMap(\.response.bodyFileName))
        kept.bodyFiles.removeAll { !names.contains($0.name) }
        return kept
    }

    package mutating func add(warning: String) { warnings.append(warning) }

    /// Moves the body of a file back into its stubs.
    package mutating func putBack(_ file: BodyFile, _ warning: String) {
        for index in mappings.indices where mappings[index].response.bodyFileName == file.name {
            mappings[index].response.bodyFileName = nil
            mappings[index].response.base64Body = Base64.encode(file.bytes)
        }
        warnings.append(warning)
    }

    private mutating func note(_ exchange: RecordedExchange) {
        let name = "\(exchange.method) \(exchange.target)"
        if exchange.missingBytes > 0 {
            warnings.append(
                "the last \(exchange.missingBytes) bytes of the answer to \(name) are missing: the body was too long "
                    + "for the journal")
        }
        if exchange.missingRequestBytes > 0 {
            warnings.append("the body of \(name) was too long for the journal, and any body matches")
        }
    }

    /// Chains the stubs of equal requests in scenarios, in chronological order.
    private mutating func putRepeatsInScenarios(_ occurrences: [RequestPattern: Int]) {
        var numbers: [RequestPattern: Int] = [:]
        var left = occurrences
        for index in mappings.indices {
            let pattern = mappings[index].request
            guard let count = occurrences[pattern], count > 1 else { continue }
            let number = numbers[pattern] ?? numbers.count + 1
            numbers[pattern] = number
            let place = left[pattern] ?? 1
            left[pattern] = place - 1
            let scenario = "scenario-\(number)-\(RecordedName.scenario(path: pattern.recordedPath))"
            mappings[index].scenarioName = scenario
            mappings[index].requiredScenarioState = place == 1 ? "Started" : "\(scenario)-\(place)"
            if place < count { mappings[index].newScenarioState = "\(scenario)-\(place + 1)" }
        }
    }

    /// Moves a large body out of its stub.
    static func extractBody(
        of stub: inout StubMapping, above sizes: RecordSpec.Thresholds
    ) -> BodyFile? {
        let contentType = stub.response.headers.first { $0.name.lowercased() == "content-type" }?.values.first
        let type = RecordedType(contentType)
        let bytes: [UInt8]
        if let text = stub.response.body {
            bytes = Array(text.utf8)
        } else if let encoded = stub.response.base64Body, let decoded = try? Base64.decode(encoded) {
            bytes = decoded
        } else {
            return nil
        }
        let isLarge =
            type.isText
            ? (stub.response.body?.utf16.count ?? bytes.count) > sizes.text
            : bytes.count > sizes.binary
        guard isLarge else { return nil }
        let path = stub.request.recordedPath
        let method = if case .exactly(let method) = stub.request.method { method } else { "ANY" }
        let name = RecordedName.bodyFile(
            name: stub.name ?? "", method: method, url: path, id: stub.idText,
            extension: type.fileExtension(path: path, body: bytes))
        stub.response.body = nil
        stub.response.base64Body = nil
        stub.response.bodyFileName = name
        return BodyFile(name: name, bytes: bytes)
    }
}

extension RecordedExchange {
    /// The path of the target, not decoded.
    var path: String { String(target.prefix { $0 != "?" }) }
}

extension RequestPattern {
    /// Whether there are conditions besides method, URL and query.
    fileprivate var hasRecordedConditions: Bool { self != withoutRecordedConditions }

    fileprivate var withoutRecordedConditions: RequestPattern {
        var pattern = RequestPattern(method: method, url: url)
        pattern.queryParameters = queryParameters
        return pattern
    }

    /// The path of a recorded pattern, not decoded.
    fileprivate var recordedPath: String {
        let text =
            switch url {
            case .url(let text), .urlPath(let text): text
            case .urlPattern(let text), .urlPathPattern(let text): RecordedPath.text(ofExpression: text)
            default: ""
            }
        return String(text.prefix { $0 != "?" })
    }

    /// Whether a URL has bytes that are not UTF-8. An expression matches them as U+FFFD.
    static func hasOddBytes(_ url: String) -> Bool { url.unicodeScalars.contains("\u{FFFD}") }

    /// Turns a path into an expression: if people would take it for a template, such as `/users/:id`, one that matches
    /// exactly this path; if it contains a secret, one that matches any value there.
    mutating func expandPath() {
        func isMisleading(_ text: String) -> Bool {
            let path = text.prefix { $0 != "?" }
            let hasSigns = path.contains { "{}[]()*|<>".contains($0) } && path != "*" || path.contains(text: "/:")
            return hasSigns || Self.hasOddBytes(text) || text.isRedacted
        }
        switch url {
        case .url(let text) where isMisleading(text):
            url = .urlPattern(RecordedPath.expression(text, "[^/?]*", "[^&]*"))
        case .urlPath(let text) where isMisleading(text):
            url = .urlPathPattern(RecordedPath.expression(text, "[^/]*", "[^/]*"))
        default: return
        }
    }
}
