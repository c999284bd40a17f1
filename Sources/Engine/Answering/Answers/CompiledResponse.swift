package import SDHTTPMessages
package import SDHTTPTransport
import SDJSON
package import SDJournal
import SDMatching
package import SDRecords
import SDRequestTemplates
package import SDStubModel
import SDTemplating
import Synchronization

/// A compiled response definition. Each variant is rendered once, and shared by all requests of that variant.
package final class CompiledResponse: JournaledAnswer {
    /// Whether the response has a delay of its own.
    package let isDelayed: Bool
    /// The stub's own faults; nil for none.
    package let faults: FaultProgram?
    /// Whether faults or pauses are sampled for each answer.
    package let hasEffects: Bool
    /// Whether another server answers.
    package let isProxied: Bool
    /// Whether writing the definition, or the request pattern, blocks a loop for long.
    package let isLong: Bool
    private let content: Content
    private let gate: StoredHold?
    private let stored: StoredMapping
    /// The definition of one of the mapping's several responses; nil for its own response.
    private let replacement: StoredResponse?
    private let options: ResponseOptions
    /// The rendered variants, except the plain one of a constant response, which its stub has; valid for one version of
    /// the body file.
    private let others = Mutex(FormCache())

    private enum Content {
        /// The body is in the definition.
        case inline
        case file(String)
        case fault(Fault)
        /// A responder makes the response to each request.
        case code(any Responder)
    }

    private struct FormCache {
        /// The version of the body file; 0 for none.
        var version: UInt64 = 0
        var forms: [ResponseVariant: WireScript] = [:]
        /// The frames around bodies that code makes. An array, because there are few and each answer searches it.
        var frames: [(form: ResponseVariant, frame: ResponseFrame)] = []
        /// The body in the definition, shared by responses whose headers differ.
        var body: BodyBytes?
        /// The response that events share for that version of the body file.
        var served: ServedResponse?
    }

    /// Compiles the response of a mapping.
    /// - Parameters:
    ///   - definition: the response to compile, the mapping's own unless `isReplacement`.
    ///   - expectsLong: whether the request pattern is slow to write.
    ///   - responder: the code that makes the response; nil if the definition does.
    /// - Throws: if the definition's base64 is invalid.
    package init(
        _ stored: StoredMapping, definition: borrowing ResponseDefinition, isReplacement: Bool = false,
        expectsLong: Bool = false, responder: (any Responder)? = nil, options: ResponseOptions
    ) throws(ResponseProblem) {
        self.stored = stored
        replacement = isReplacement ? StoredResponse(copy definition) : nil
        self.options = options
        isDelayed = definition.fixedDelayMilliseconds != nil || definition.delayDistribution != nil
        faults = definition.faults.map { FaultProgram($0.rules) }
        // A waiting response may be replaced by one with its own effects.
        hasEffects = definition.faults != nil || definition.delays != nil || definition.hold != nil
        isProxied = definition.proxyBaseUrl != nil || responder is ProxyResponder
        isLong = expectsLong || definition.hasLongBody
        gate = definition.hold.map { StoredHold($0) }
        if let responder {
            content = .code(responder)
        } else if let proxy = ProxyResponder(definition, options) {
            content = .code(proxy)
        } else if definition.fault == nil, let contract = ContractResponder(definition, options.templating) {
            content = .code(contract)
        } else if definition.stream != nil, definition.statusTemplate != nil {
            throw ResponseProblem(field: "status", message: "the status of a stream cannot be a template")
        } else if definition.fault == nil, let stream = StreamResponse(definition, options.templating) {
            content = .code(stream)
        } else if let templated = TemplatedResponse(definition, options.templating) {
            content = .code(templated)
        } else if let fault = definition.fault {
            content = .fault(fault)
        } else if definition.ranges == true || definition.conditional == true {
            let body = try Self.ownBody(of: definition)
            content = .code(BodyResponse(body: body, file: definition.bodyFileName, definition))
        } else if definition.body == nil, definition.jsonBody == nil, definition.base64Body == nil,
            let path = definition.bodyFileName
        {
            content = .file(path)
        } else {
            content = .inline
            if definition.base64Body != nil { _ = try Self.inlineBody(of: definition) }
        }
    }

    /// The gate at which the response waits; nil for most responses.
    package var hold: GateHold? { gate?.hold }

    /// The definition, decoded at each access.
    package var definition: ResponseDefinition { replacement?.definition ?? stored.response }

    /// The stub's id and name for the headers that state them.
    private var identity: StubIdentity { StubIdentity(id: stored.id.lowercasedString, name: stored.name) }

    /// The body in the definition. By WireMock 3's precedence it is `body`, `jsonBody` or `base64Body`, and then a
    /// file; a fault has no body.
    /// - Throws: if the base64 is invalid.
    private static func inlineBody(of definition: ResponseDefinition) throws(ResponseProblem) -> [UInt8] {
        if let body = definition.body { return Array(body.utf8) }
        if let json = definition.jsonBody { return json.compactBytes }
        guard let base64 = definition.base64Body else { return [] }
        do {
            return try Base64.decode(base64)
        } catch {
            throw ResponseProblem(field: "base64Body", message: error.detail)
        }
    }

    /// The body in the definition; nil if it is a file.
    /// - Throws: if the base64 is invalid.
    private static func ownBody(of definition: borrowing ResponseDefinition) throws(ResponseProblem) -> [UInt8]? {
        let isInline =
            definition.body != nil || definition.jsonBody != nil || definition.base64Body != nil
            || definition.bodyFileName == nil
        return isInline ? try inlineBody(of: copy definition) : nil
    }

    /// The body, computed on demand, because it is rarely needed; the definition was checked before.
    private var inlineBody: [UInt8] { (try? Self.inlineBody(of: definition)) ?? [] }

    /// The body for responses with different headers, made once.
    private var sharedBody: BodyBytes {
        if let known = others.withLock({ $0.body }) { return known }
        let made = BodyBytes(inlineBody)
        return others.withLock { cache in
            let body = cache.body ?? made
            cache.body = body
            return body
        }
    }

    /// The constant response as events store it; made on demand, because the definition never changes.
    package var served: ServedResponse { served(definition, body: inlineBody, bodyLimit: .max) }

    /// The response with this body as events store it. With a fault, the body is the stub's, though it is not sent.
    package func served(_ definition: ResponseDefinition, body: [UInt8], bodyLimit: Int) -> ServedResponse {
        ServedResponse(
            status: definition.status, reason: definition.statusMessage, fields: identity.fields(definition),
            body: body, bodyLimit: bodyLimit, fault: definition.fault)
    }

    /// The response with a streamed body, as events store it.
    package func served(_ definition: ResponseDefinition, streamed: StreamedBody) -> ServedResponse {
        ServedResponse(
            status: definition.status, reason: definition.statusMessage, fields: identity.fields(definition),
            streamed: streamed)
    }

    private func served(_ definition: ResponseDefinition, _ file: BodyFile, bodyLimit: Int) -> ServedResponse {
        served(definition, [file.content], bodyLimit: bodyLimit)
    }

    /// The response with this content, as events store it.
    package func served(_ definition: ResponseDefinition, _ content: [BodyContent], bodyLimit: Int) -> ServedResponse {
        ServedResponse(
            status: definition.status, reason: definition.statusMessage, fields: identity.fields(definition),
            content: content, bodyLimit: bodyLimit)
    }

    /// A response as a script, and as events store it: nil for a constant response, see `served`.
    package typealias Rendered = (script: WireScript, served: ServedResponse?)

    /// The response in one variant.
    /// - Parameters:
    ///   - extraHeaders: headers for this response alone, such as those of CORS.
    ///   - bodyLimit: the largest number of body file bytes that events store.
    ///   - isOnLoop: whether there is only a loop's time.
    /// - Returns: nil if the time does not suffice.
    /// - Throws: if the body file cannot be served.
    /// - Precondition: no responder makes the response.
    package func rendered(
        _ form: ResponseVariant, extraHeaders: [(String, String)], files: any BodyFileSource, bodyLimit: Int,
        isOnLoop: Bool
    ) throws(BodyFileError) -> Rendered? {
        switch content {
        case .fault(let fault):
            return cached(form) { WireScript(fault: fault, form) }.map { ($0, nil) }
        case .inline where extraHeaders.isEmpty:
            return cached(form) {
                // Writing the text of a large document takes longer than sending it.
                if isOnLoop, isLong { return nil }
                return render(form, [.bytes(inlineBody)], isFile: false, [], isOnLoop: isOnLoop)
            }.map { ($0, nil) }
        case .inline:
            if isOnLoop, isLong, others.withLock({ $0.body == nil }) { return nil }
            return render(form, [.bytes(sharedBody)], isFile: false, extraHeaders, isOnLoop: isOnLoop)
                .map { ($0, nil) }
        case .file(let path):
            return rendered(form, try files.read(path), extraHeaders, bodyLimit: bodyLimit, isOnLoop: isOnLoop)
        case .code:
            preconditionFailure("a responder makes this response")
        }
    }

    /// The frame around the chunks of a streamed response.
    func streamFrame(
        _ definition: ResponseDefinition, _ form: ResponseVariant, extraHeaders: [(String, String)]
    ) -> StreamFrame {
        let own = identity.fields(definition)
        return ResponseRenderer(
            definition: definition, fields: own + CORS.headers(extraHeaders, besides: own), options: options,
            isFile: false
        ).streamFrame(form)
    }

    /// Whether bodies that code makes are compressed.
    /// - Parameter definition: the status and headers; nil for the stub's own.
    func isCompressed(_ definition: ResponseDefinition?, _ form: ResponseVariant) -> Bool {
        let definition = definition ?? self.definition
        return definition.fault == nil
            && ResponseRenderer(
                definition: definition, fields: identity.fields(definition), options: options, isFile: false
            ).frame(form).isCompressed
    }

    /// A response made by other code, with the stub's own headers, and as events store it.
    /// - Parameters:
    ///   - bodyLimit: the largest number of body bytes that events store.
    ///   - shared: what events share about this body; nil for a body of one request.
    package func rendered(
        _ definition: ResponseDefinition, _ content: [BodyContent], _ form: ResponseVariant, isFile: Bool,
        extraHeaders: [(String, String)], bodyLimit: Int, shared: SharedBody? = nil
    ) -> (script: WireScript, served: ServedResponse) {
        let (own, extraHeaders) = exposing(identity.fields(definition), extraHeaders)
        if let fault = definition.fault {
            let body = content.first.map { $0.prefix(bodyLimit) } ?? []
            let served = ServedResponse(
                status: definition.status, reason: definition.statusMessage, fields: own, body: body,
                bodyLimit: bodyLimit, fault: fault)
            return (WireScript(fault: fault, form), served)
        }
        func make() -> ServedResponse {
            ServedResponse(
                status: definition.status, reason: definition.statusMessage, fields: own, content: content,
                bodyLimit: bodyLimit)
        }
        let served = shared?.response(make) ?? make()
        let renderer = ResponseRenderer(
            definition: definition, fields: own + CORS.headers(extraHeaders, besides: own), options: options,
            isFile: isFile)
        return (renderer.render(form, content), served)
    }

    /// The headers of a collection's response and of CORS. If CORS exposes all fields, the collection's own list of
    /// exposed fields is dropped.
    private func exposing(
        _ own: [(String, String)], _ extra: [(String, String)]
    ) -> (own: [(String, String)], extra: [(String, String)]) {
        guard !extra.isEmpty, resource != nil,
            extra.contains(where: { $0.0 == CORS.exposed && ["", "*"].contains($0.1) })
        else { return (own, extra) }
        let all = extra.map { $0.0 == CORS.exposed ? (CORS.exposed, "") : $0 }
        let stubs = Set(definition.headers.map { $0.name.lowercased() })
        return (own.filter { $0.0 != CORS.exposed || stubs.contains($0.0.lowercased()) }, all)
    }

    /// The frame around a body that code makes, if nothing else of the definition changes; nil if the bytes depend on
    /// more than status, headers and body.
    func frame(_ form: ResponseVariant) -> ResponseFrame? {
        if let known = others.withLock({ $0.frames.first { $0.form == form }?.frame }) { return known }
        let definition = definition
        guard definition.ranges != true, definition.conditional != true, definition.fault == nil else { return nil }
        let fields = identity.fields(definition)
        let renderer = ResponseRenderer(definition: definition, fields: fields, options: options, isFile: false)
        let frame = ResponseFrame(definition, fields, renderer.frame(form))
        return others.withLock { cache in
            if let known = cache.frames.first(where: { $0.form == form })?.frame { return known }
            cache.frames.append((form, frame))
            return frame
        }
    }

    /// The response with this content: one script for each variant, or for each request if the file is too large for
    /// memory; and one object for the events of all variants.
    private func rendered(
        _ form: ResponseVariant, _ file: BodyFile, _ extraHeaders: [(String, String)], bodyLimit: Int, isOnLoop: Bool
    ) -> Rendered? {
        let isShared = extraHeaders.isEmpty && file.isInMemory
        let (knownScript, knownServed) = others.withLock { cache in
            cache.version == file.version ? (isShared ? cache.forms[form] : nil, cache.served) : (nil, nil)
        }
        if let knownScript, let knownServed { return (knownScript, knownServed) }
        let rendered = knownScript ?? render(form, [file.content], isFile: true, extraHeaders, isOnLoop: isOnLoop)
        guard let script = rendered else { return nil }
        let made = knownServed ?? served(definition, file, bodyLimit: bodyLimit)
        let served = others.withLock { cache in
            if cache.version != file.version { cache = FormCache(version: file.version) }
            if isShared { cache.forms[form] = script }
            let served = cache.served ?? made
            cache.served = served
            return served
        }
        return (script, served)
    }

    /// Drops the rendered variants of a body file.
    package func forgetRenderedFiles() {
        guard filePath != nil else { return }
        // Returned from the closure, so that it is freed outside the lock.
        _ = others.withLock { cache in
            defer { cache = FormCache() }
            return cache
        }
    }

    /// The code that makes the response; nil if the definition does.
    package var responder: (any Responder)? {
        if case .code(let responder) = content { responder } else { nil }
    }

    /// The collection of records that makes the response; nil for most responses.
    package var resource: Resource? {
        if case .code(let responder) = content { (responder as? ResourceResponder)?.resource } else { nil }
    }

    /// The templates with errors.
    /// - Parameter place: the path of the response in its mapping.
    func templateProblems(at place: [String]) -> [ServingProblem] {
        let problems: [(path: [String], error: TemplateError)?]
        switch responder {
        case let responder as TemplatedResponse: problems = responder.problems.map { ($0.path, $0.error) }
        case let responder as ResourceResponder: problems = [responder.problem.map { ($0.path, $0.error) }]
        case let responder as ContractResponder: problems = [responder.problem.map { ($0.path, $0.error) }]
        case let responder as ProxyResponder: problems = [responder.problem.map { ($0.path, $0.error) }]
        case let responder as StreamResponse: problems = [responder.problem.map { ($0.path, $0.error) }]
        default: return []
        }
        return problems.compactMap(\.self).map { path, error in
            ServingProblem(pointer: JSONPointer(place + path), message: "the template cannot be read: at \(error)")
        }
    }

    package var fault: Fault? {
        if case .fault(let fault) = content { fault } else { nil }
    }

    /// The body file that the response sends; nil if it sends none.
    package var filePath: String? {
        switch content {
        case .file(let path): path
        case .code(let responder): (responder as? BodyResponse)?.file
        case .inline, .fault: nil
        }
    }

    /// Whether the response is independent of body files, code and callers.
    var isConstant: Bool {
        if gate != nil { return false }
        switch content {
        case .inline, .fault: return true
        case .file, .code: return false
        }
    }

    /// - Parameter make: returns nil if the time does not suffice.
    private func cached(_ form: ResponseVariant, _ make: () -> WireScript?) -> WireScript? {
        // The stub itself caches a constant response.
        if form == [], isConstant { return make() }
        if let known = others.withLock({ $0.forms[form] }) { return known }
        guard let made = make() else { return nil }
        others.withLock { $0.forms[form] = made }
        return made
    }

    /// - Returns: nil if the loop's time does not suffice.
    private func render(
        _ form: ResponseVariant, _ body: [BodyContent], isFile: Bool, _ extraHeaders: [(String, String)], isOnLoop: Bool
    ) -> WireScript? {
        let definition = definition
        let own = identity.fields(definition)
        let renderer = ResponseRenderer(
            definition: definition, fields: own + CORS.headers(extraHeaders, besides: own), options: options,
            isFile: isFile)
        return isOnLoop ? renderer.renderOnLoop(form, body) : renderer.render(form, body)
    }
}

/// A gate in its own allocation, because most responses have none.
private final class StoredHold: Sendable {
    let hold: GateHold

    init(_ hold: GateHold) {
        self.hold = hold
    }
}
