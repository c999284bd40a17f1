import SDBasics
package import SDHTTPMessages
package import SDHTTPTransport
package import SDIndexing
package import SDJSON
package import SDJournal
package import SDMatching
import SDOpenAPI
package import SDRecords
package import SDRequestTemplates
package import SDStubModel
package import Synchronization

/// A compiled stub. Immutable except for its counters, once it is in a set: an edit makes a new one.
package final class CompiledStub: JournaledStub, @unchecked Sendable {
    // Fields that every request reads or writes come first, to share cache lines.

    /// The response in the most common variant. Written once, by the thread that changed `plainState` from `unmade` to
    /// `making`; read only by threads that saw `made`.
    private nonisolated(unsafe) var plain: WireScript?
    /// The number of requests that the stub has answered, including dropped events.
    package let matches = Atomic<Int>(0)
    package let response: CompiledResponse
    private let plainState = Atomic(PlainState.unmade)
    /// Whether the response has a delay of its own.
    package let isDelayed: Bool
    /// Whether faults or pauses are sampled for each answer.
    package let hasEffects: Bool
    /// Whether another server answers.
    package let isProxied: Bool
    package let isShapeExact: Bool
    /// Whether it also answers HEAD if no other stub does.
    package let answersHead: Bool
    /// The times of the first and the last request that the stub answered, in nanoseconds since 1970; 0 if there was
    /// none.
    private let firstHit = Atomic<UInt64>(0)
    private let lastHit = Atomic<UInt64>(0)
    package let pattern: CompiledPattern

    package let status: Int
    package let priority: Int
    // Sequence number and file are written once more after `init`, by `placed`: before the stub is in any set, while
    // only one thread has it.

    /// The number in the order of insertion: the highest wins among stubs of one priority. 0 before it is assigned.
    package private(set) nonisolated(unsafe) var sequence: UInt64
    /// The file that the stub was read from, relative to its folder; nil for a stub of the admin API.
    package private(set) nonisolated(unsafe) var file: String?
    /// The line on which the stub begins in its file, from 1; 0 if unknown.
    private let fileLine: UInt32
    package let id: StubMapping.ID
    /// The conditions for answering, besides the pattern; nil for most stubs.
    package let lifecycle: StubLifecycle?
    private let stored: StoredMapping
    /// The listeners of its answers; nil for none, as for most stubs.
    package let listeners: StubListeners?
    /// The number of `matches` at the last reset of the report.
    private let reported = Atomic<Int>(0)
    /// Whether it uses state or collections: 0 until determined, then 1 for no and 2 for yes.
    fileprivate let dataUse = Atomic<UInt8>(0)

    /// Compiles a mapping.
    /// - Parameters:
    ///   - line: the line in the file, from 1; nil if unknown.
    ///   - responder: the code that makes the response; nil if the mapping does.
    ///   - others: listeners in addition to those of the mapping.
    ///   - files: the files that the request's matchers name.
    /// - Throws: every part of the mapping that is not supported.
    package init(
        _ mapping: borrowing StubMapping, sequence: UInt64, file: String?, line: Int? = nil,
        responder: (any Responder)? = nil, listeners others: [any ServeListener] = [], options: ResponseOptions,
        files: (any BodyFileSource)? = nil
    ) throws(StubRefusal) {
        let stored = StoredMapping(mapping)
        var problems: [ServingProblem] = []
        var compiled: CompiledPattern?
        do throws(PatternProblems) {
            compiled = try Self.pattern(of: mapping, files)
        } catch {
            problems += error.problems.map { ServingProblem($0) }
        }
        // All problems of a stub are reported at once.
        var condition: StateCondition?
        var listeners: StubListeners?
        do throws(StubRefusal) {
            condition = try StateCondition.read(mapping)
        } catch .unserved(_, let found) {
            problems += found
        }
        do throws(StubRefusal) {
            listeners = try StubListeners(mapping, and: others)
        } catch .unserved(_, let found) {
            problems += found
        }
        self.listeners = listeners
        var responder = responder
        if responder == nil, mapping.response.fault == nil, let resource = mapping.resource {
            do throws(DeclaredCollection.StubProblems) {
                responder = try ResourceResponder(resource, mapping.response, options.templating)
            } catch {
                problems += error.problems
            }
        }
        let response: CompiledResponse?
        do throws(ResponseProblem) {
            response = try CompiledResponse(
                stored, definition: mapping.response, expectsLong: mapping.request.hasLongBody, responder: responder,
                options: options)
        } catch {
            // The first of several responses is reported below.
            if mapping.responses == nil { problems.append(ServingProblem(error, at: ["response"])) }
            response = nil
        }
        var responses: SequencedResponses?
        // If the pattern is invalid, a placeholder lets the responses be checked all the same.
        if let sequence = mapping.responses, !sequence.entries.isEmpty,
            let pattern = try? compiled ?? CompiledPattern(RequestPattern())
        {
            do throws(StubRefusal) {
                let key = try SequenceValueKey(sequence.per, of: mapping.id)
                responses = try SequencedResponses(sequence, key) { definition, index throws(StubRefusal) in
                    try CompiledStub(response: definition, at: index, stored, pattern, listeners, options)
                }
            } catch .unserved(_, let found) {
                problems += found
            }
        }
        guard problems.isEmpty, let compiled, let response else {
            // Templates with errors do not refuse a stub, but are reported with the other problems.
            problems += Self.templateProblems(mapping.responses == nil ? response : nil, responses)
            throw .unserved(mapping.id, problems)
        }
        let isConditional = StubLifecycle.isNeeded(by: mapping)
        id = mapping.id
        lifecycle =
            isConditional
            ? StubLifecycle(
                isEnabled: mapping.enabled ?? true, responses: responses, condition: condition,
                file: FileCondition(mapping.response, options.templating)) : nil
        self.stored = stored
        pattern = compiled
        isShapeExact = mapping.request.url.isTemplateOfWholeSegments
        answersHead = mapping.answersHead
        self.response = response
        status = mapping.response.status
        isDelayed = response.isDelayed
        hasEffects = response.hasEffects
        isProxied = response.isProxied
        priority = mapping.priority ?? StubMapping.defaultPriority
        self.sequence = sequence
        self.file = file
        fileLine = UInt32(clamping: line ?? 0)
    }

    /// Compiles the request pattern, without its conditions on the session's state, which belong to the lifecycle.
    /// - Throws: what cannot be compiled.
    private static func pattern(
        of mapping: borrowing StubMapping, _ files: (any BodyFileSource)?
    ) throws(PatternProblems) -> CompiledPattern {
        let content: (String) -> [UInt8]? = { name in (try? files?.read(name))?.content.prefix(.max) }
        guard StateCondition.isMeant(by: mapping.request.customMatcher) else {
            return try CompiledPattern(mapping.request, files: content)
        }
        var request = mapping.request
        request.customMatcher = nil
        return try CompiledPattern(request, files: content)
    }

    /// Compiles one of a stub's several responses. It has the stub's id, and is never in an index.
    /// - Parameter index: the index in the mapping's list; nil for none.
    /// - Throws: why the response cannot be served.
    private init(
        response definition: ResponseDefinition, at index: Int?, _ stored: StoredMapping, _ pattern: CompiledPattern,
        _ listeners: StubListeners?, _ options: ResponseOptions
    ) throws(StubRefusal) {
        self.listeners = listeners
        do throws(ResponseProblem) {
            response = try CompiledResponse(
                stored, definition: definition, isReplacement: true, options: options)
        } catch {
            throw .unserved(stored.id, [ServingProblem(error, at: ["responses", String(index ?? 0)])])
        }
        id = stored.id
        lifecycle = nil
        self.stored = stored
        self.pattern = pattern
        isShapeExact = false
        answersHead = false
        status = definition.status
        isDelayed = response.isDelayed
        hasEffects = response.hasEffects
        isProxied = response.isProxied
        priority = StubMapping.defaultPriority
        sequence = 0
        file = nil
        fileLine = 0
    }

    /// A copy of the stub with another response; it is never in an index, and has its own counter.
    /// - Throws: why the response cannot be served.
    func replacingResponse(
        by definition: ResponseDefinition, _ options: ResponseOptions
    ) throws(StubRefusal) -> CompiledStub {
        try CompiledStub(response: definition, at: nil, stored, pattern, listeners, options)
    }

    /// Makes the same stub with another position or file, sharing the counter.
    /// - Parameter line: the new line, from 1; nil for the same line.
    package convenience init(_ other: CompiledStub, sequence: UInt64, file: String?, line: Int? = nil) {
        let fileLine = line.map { UInt32(clamping: $0) } ?? (file == other.file ? other.fileLine : 0)
        self.init(other, sequence: sequence, file: file, fileLine: fileLine, lifecycle: other.lifecycle)
    }

    /// Drops the rendered variants of responses with body files.
    package func forgetRenderedFiles() {
        response.forgetRenderedFiles()
        for stub in lifecycle?.responses?.stubs ?? [] { stub.response.forgetRenderedFiles() }
    }

    /// The stub at a position: itself if it is there or in no set yet, otherwise a copy that shares the counter. Called
    /// by the thread that changes the stubs.
    package func placed(at sequence: UInt64, file: String?) -> CompiledStub {
        guard isUnplaced else {
            return self.sequence == sequence && self.file == file
                ? self : CompiledStub(self, sequence: sequence, file: file, line: line)
        }
        self.sequence = sequence
        self.file = file
        return self
    }

    /// Whether it has no position yet, and so is in no set.
    private var isUnplaced: Bool { sequence == 0 }

    /// Makes the same stub with other conditions.
    package convenience init(_ other: CompiledStub, lifecycle: StubLifecycle?) {
        self.init(other, sequence: other.sequence, file: other.file, fileLine: other.fileLine, lifecycle: lifecycle)
    }

    private init(_ other: CompiledStub, sequence: UInt64, file: String?, fileLine: UInt32, lifecycle: StubLifecycle?) {
        id = other.id
        self.lifecycle = lifecycle
        stored = other.stored
        listeners = other.listeners
        pattern = other.pattern
        isShapeExact = other.isShapeExact
        answersHead = other.answersHead
        response = other.response
        status = other.status
        isDelayed = other.isDelayed
        hasEffects = other.hasEffects
        isProxied = other.isProxied
        priority = other.priority
        self.sequence = sequence
        self.file = file
        self.fileLine = fileLine
        super.init()
        hits = other.hits
    }

    /// Counts a request that the stub answers. Called under the session's lock.
    package func countHit(at time: UInt64) {
        matches.add(1, ordering: .relaxed)
        if firstHit.load(ordering: .relaxed) == 0 { firstHit.store(time, ordering: .relaxed) }
        lastHit.store(time, ordering: .relaxed)
    }

    /// Counts a request that another replica answered; later requests may be counted already. Called under the
    /// session's lock.
    package func countHit(elsewhereAt time: UInt64) {
        var hits = hits
        hits.add(elsewhereAt: time)
        self.hits = hits
    }

    /// The hit count. Set under the session's lock.
    package var hits: HitCount {
        get {
            HitCount(
                matches: matches.load(ordering: .relaxed), first: firstHit.load(ordering: .relaxed),
                last: lastHit.load(ordering: .relaxed), reported: reported.load(ordering: .relaxed))
        }
        set {
            matches.store(newValue.matches, ordering: .relaxed)
            firstHit.store(newValue.first, ordering: .relaxed)
            lastHit.store(newValue.last, ordering: .relaxed)
            reported.store(newValue.reported, ordering: .relaxed)
        }
    }

    package var name: String? { stored.name }

    /// Whether writing the mapping blocks a loop for long.
    package var isLong: Bool { response.isLong || lifecycle?.responses?.stubs.contains { $0.response.isLong } ?? false }

    /// Whether a set of stubs records it separately.
    package var isNotable: Bool { lifecycle != nil || resource != nil || isLong }

    /// Whether the stub was generated for an operation of an OpenAPI document.
    package var isOfContract: Bool {
        priority == ServedDescription.priority && (response.responder as? ContractResponder)?.isOfDocument == true
    }

    /// The collection of records that it serves; nil for most stubs.
    package var resource: Resource? { response.resource }

    package var metadata: JSONObject? { stored.metadata }

    /// The CORS policy of its answers; nil if it states none.
    package var cors: CORSPolicy? { stored.cors }

    /// The line on which the stub begins in its file, from 1; nil if unknown.
    package var line: Int? { fileLine == 0 ? nil : Int(fileLine) }

    /// The original mapping, decoded on demand.
    package override var mapping: StubMapping { stored.mapping }
    package override var reference: StubReference { StubReference(self) }
    package override var stubID: StubMapping.ID { id }
    package override var readsBodies: Bool { listeners?.readsBodies ?? false }
    package override var answerStatus: Int { status }
    package override var answerID: ObjectIdentifier { ObjectIdentifier(response) }
    package override var answer: any JournaledAnswer { response }

    /// The mapping with its remaining `times`.
    package var currentMapping: StubMapping {
        var mapping = stored.mapping
        if mapping.times != nil { mapping.timesLeft = lifecycle?.use?.timesLeft }
        return mapping
    }

    /// The approximate size in memory, including the rendered response, in bytes. Writes the mapping to measure it.
    package var byteCount: Int {
        let mapping = mapping
        // A JSON body is stored as a tree, besides its text.
        let timesText = mapping.response.jsonBody == nil ? 2 : 10
        return Self.minSize + timesText * mapping.json().compactBytes.count
    }

    /// The approximate size of a small stub and its source document, in bytes.
    package static let minSize = 4 << 10

    private enum PlainState: UInt8, AtomicRepresentable {
        case unmade, making, made
    }

    /// The templates with errors in its responses.
    package var templateProblems: [ServingProblem] {
        let responses = lifecycle?.responses
        return Self.templateProblems(responses == nil ? response : nil, responses)
    }

    private static func templateProblems(
        _ response: CompiledResponse?, _ responses: SequencedResponses?
    ) -> [ServingProblem] {
        (response?.templateProblems(at: ["response"]) ?? [])
            + (responses?.stubs ?? []).enumerated().flatMap {
                $1.response.templateProblems(at: ["responses", String($0)])
            }
    }

    /// The response in the most common variant; nil for another variant, and if it is not rendered yet or not constant.
    /// - Parameter form: evaluated only if there is such a response.
    package func plainScript(_ form: @autoclosure () -> ResponseVariant) -> WireScript? {
        plainState.load(ordering: .acquiring) == .made && form() == [] ? plain : nil
    }

    /// The response in one variant.
    /// - Parameters:
    ///   - extraHeaders: headers for this response alone, such as those of CORS.
    ///   - bodyLimit: the largest number of body file bytes that events store.
    ///   - isOnLoop: whether there is only a loop's time.
    /// - Returns: nil if the time does not suffice.
    /// - Throws: if the body file cannot be served.
    package func rendered(
        _ form: ResponseVariant, extraHeaders: [(String, String)], files: any BodyFileSource, bodyLimit: Int,
        isOnLoop: Bool
    ) throws(BodyFileError) -> CompiledResponse.Rendered? {
        let rendered = try response.rendered(
            form, extraHeaders: extraHeaders, files: files, bodyLimit: bodyLimit, isOnLoop: isOnLoop)
        if let rendered, form == [], extraHeaders.isEmpty, response.isConstant, listeners == nil {
            keep(rendered.script)
        }
        return rendered
    }

    /// Stores a rendered response; if two threads render at once, the first one wins.
    private func keep(_ script: WireScript) {
        let (isOurs, _) = plainState.compareExchange(expected: .unmade, desired: .making, ordering: .relaxed)
        guard isOurs else { return }
        plain = script
        plainState.store(.made, ordering: .releasing)
    }
}

extension ServingProblem {
    fileprivate init(_ problem: ResponseProblem, at place: [String]) {
        self.init(
            pointer: JSONPointer(place + [problem.field]), message: "`\(problem.field)` \(problem.message)",
            kind: .invalid(detail: problem.message))
    }
}

extension CompiledStub: IndexedStub {}

extension StubReference {
    package init(_ stub: CompiledStub) {
        let mapping = stub.mapping
        self.init(
            id: mapping.id, name: mapping.name, file: stub.file, line: stub.line, key: mapping.request.routeKey)
    }
}

extension ServeEvent {
    /// The stub whose response was chosen.
    package var matched: CompiledStub? { matchedStub.map { unsafeDowncast($0, to: CompiledStub.self) } }
}

extension CompiledStub {
    package var order: StubOrder { StubOrder(priority: priority, sequence: sequence) }
}

extension CompiledStub {
    /// Whether its answers may read or change the session's state or a collection. A textual check, which may be true
    /// without need.
    /// - Parameter mode: which responses are templates.
    package func usesData(_ mode: TemplatingMode) -> Bool {
        let known = dataUse.load(ordering: .relaxed)
        if known != 0 { return known == 2 }
        let mapping = mapping
        var uses = mapping.resource != nil
        if !uses {
            let responses = [mapping.response] + (mapping.responses?.entries.map(\.response) ?? [])
            let text = String(decoding: JSONValue.object(mapping.members).compactBytes, as: UTF8.self)
            uses =
                ["recordState", "deleteState", "state-matcher"].contains { text.contains(text: $0) }
                || Self.callsData(text)
                // The content of the file may change at any time.
                || responses.contains { $0.bodyFileName != nil && mode.applies(to: $0) }
        }
        dataUse.store(uses ? 2 : 1, ordering: .relaxed)
        return uses
    }

    /// Whether a template in a text seems to call a helper for state or collections.
    private static func callsData(_ text: String) -> Bool {
        var rest = text[...]
        while let begin = rest.firstRange(ofText: "{{") {
            rest = rest[begin.upperBound...]
            let end = rest.firstRange(ofText: "}}")?.lowerBound ?? rest.endIndex
            if ["state", "counter", "data "].contains(where: { rest[..<end].contains(text: $0) }) { return true }
            rest = rest[end...]
        }
        return false
    }
}
