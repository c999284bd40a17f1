import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDOutgoingCalls
import SDPlatform
import SDRecords
import SDRequestTemplates
import SDStubModel
import SDTemplating
import Synchronization

/// A response with templates: its body, header values and status message, and its delay. They are parsed once, when the
/// stub is added.
final class TemplatedResponse: Responder {
    private let definition: ResponseDefinition
    private let parts: Parts
    /// The templates with errors, which prevent rendering.
    package let problems: [UnreadableTemplate]
    private let parameters: TemplateValue
    /// Whether the content of the body file is sent unrendered.
    private let isFileAsIs: Bool
    /// Whether the body is text that should be JSON.
    private let isJSONText: Bool
    /// The proof that the body is JSON for all ordinary values; nil if there is none, or it need not be JSON.
    private let bodyShape: JSONShape?
    /// The template of the body, if nothing else is rendered; nil otherwise.
    private let onlyBody: Template?
    /// Whether a body that is not JSON was logged.
    private let hasReportedJSON = Atomic(false)
    /// The helpers whose failures were logged; each once, because requests repeat it.
    private let reportedHelpers = Mutex<Set<String>>([])
    /// Whether it recently used up a loop's time.
    private let allowance = LoopAllowance()
    /// The template of the last body file that was read.
    private let file = Mutex<FileTemplate?>(nil)

    /// The template in one version of a body file.
    private struct FileTemplate {
        let version: UInt64
        let template: Result<Template, UnreadableTemplate>
        let shape: JSONShape?
        /// Charges a large template.
        let charge: MemoryCharge?
    }

    /// The templates of a definition.
    private struct Parts {
        var body: Template?
        var bodyFileName: Template?
        var headers = HeaderTemplates()
        var status: Template?
        var statusMessage: Template?
        var delay: Template?

        /// Whether the status or headers are made for each request.
        var changesHead: Bool { !headers.isEmpty || status != nil || statusMessage != nil }

        /// Whether rendering gives the definition itself.
        var isConstant: Bool {
            bodyFileName == nil && body?.isPlain ?? true && !changesHead && delay == nil
        }
    }

    /// The reason why a response cannot be rendered.
    private struct Failure: Error {
        let text: String
        /// Whether the loop's time was exceeded.
        var isLate = false
    }

    /// Compiles a definition; nil for one without templates.
    package init?(_ definition: borrowing ResponseDefinition, _ mode: TemplatingMode) {
        let isTemplate = definition.fault == nil && mode.applies(to: definition)
        guard isTemplate || definition.fixedDelayTemplate != nil || definition.statusTemplate != nil else { return nil }
        self.definition = copy definition
        parameters = ResponseModel.parameters(definition.transformerParameters)
        isFileAsIs =
            !isTemplate || definition.transformerParameters?["disableBodyFileTemplating"]?.boolValue == true
        isJSONText = isTemplate && definition.jsonBody == nil && definition.statesJSON
        (parts, problems) = Self.parts(of: definition, isTemplate: isTemplate)
        bodyShape = isJSONText ? parts.body.flatMap { JSONShape($0) } : nil
        let isPlain =
            problems.isEmpty && !parts.changesHead && parts.delay == nil && definition.ranges != true
            && definition.conditional != true
        onlyBody = isPlain ? parts.body : nil
        if problems.isEmpty, parts.isConstant { return nil }
    }

    /// - Parameter isTemplate: false if only the status or the delay is a template.
    private static func parts(
        of definition: borrowing ResponseDefinition, isTemplate: Bool
    ) -> (Parts, [UnreadableTemplate]) {
        var parts = Parts()
        var problems: [UnreadableTemplate] = []
        func template(_ text: String, at field: String) -> Template? {
            do throws(TemplateError) {
                return try Template(text)
            } catch {
                problems.append(UnreadableTemplate(path: [field], error: error))
                return nil
            }
        }
        func text(_ text: String, at field: String) -> Template? {
            isTemplate ? template(text, at: field) : Template(plain: text)
        }
        parts.delay = definition.fixedDelayTemplate.flatMap { template($0, at: "fixedDelayMilliseconds") }
        parts.status = definition.statusTemplate.flatMap { template($0, at: "status") }
        if let body = definition.body {
            parts.body = text(body, at: "body")
        } else if let json = definition.jsonBody {
            do throws(TemplateError) {
                parts.body =
                    isTemplate
                    ? try Template(json: json, keepsTypes: definition.keepsTypes) : Template(plain: json.compactText)
            } catch {
                problems.append(UnreadableTemplate(path: ["jsonBody"] + error.path, error: error))
            }
        } else if definition.base64Body != nil {
            // Sent unrendered.
        } else if let name = definition.bodyFileName {
            parts.bodyFileName = text(name, at: "bodyFileName")
        }
        guard isTemplate else { return (parts, problems) }
        if let message = definition.statusMessage, let template = template(message, at: "statusMessage"),
            !template.isPlain
        {
            parts.statusMessage = template
        }
        do throws(UnreadableTemplate) {
            parts.headers = try HeaderTemplates(definition)
        } catch {
            problems.append(error)
        }
        return (parts, problems)
    }

    // MARK: - Answering

    package func respond(to decision: inout Decision, _ answer: consuming Answer) {
        // Created first if needed, so that the copy of the views spends it too.
        let budget = decision.views.budget
        let (views, event, request) = (decision.views, decision.event, decision.request)
        let wallTime = views.wallTime
        let session = answer.session
        let isOnLoop = budget.limit < session.journaling.matchBudget
        if isOnLoop, allowance.limit(at: request.clockTime) == LoopAllowance.short {
            return respondLater(request, event, wallTime, answer)
        }
        do throws(Failure) {
            if let onlyBody {
                let (body, warning) = try renderBody(onlyBody, request, views, event, answer.pattern, session, budget)
                return answer.send(body: body, warning: warning)
            }
            let rendered = try render(request, views, event, answer.pattern, session, budget)
            rendered.addTag()
            event.addDelay(session.scaled(rendered.delay))
            if let file = rendered.file {
                answer.send(rendered.definition ?? definition, file)
            } else if let definition = rendered.definition {
                answer.send(definition, body: rendered.body, warning: rendered.warning)
            } else {
                answer.send(body: rendered.body, warning: rendered.warning)
            }
        } catch {
            guard error.isLate, isOnLoop else { return answer.fail(error.text) }
            session.loopAllowance.wasSpent()
            allowance.wasSpent()
            respondLater(request, event, wallTime, answer)
        }
    }

    /// Renders on another thread, within the request's whole budget.
    private func respondLater(
        _ request: Request, _ event: ServeEvent, _ wallTime: UInt64, _ answer: consuming Answer
    ) {
        let session = answer.session
        let late = answer.deferredAnswer()
        session.matching.add { [self] in
            let budget = session.newBudget
            var views = RequestViews(request, budget: budget)
            views.wallTime = wallTime
            do throws(Failure) {
                let rendered = try render(request, views, event, late.pattern, session, budget)
                rendered.addTag()
                event.addDelay(session.scaled(rendered.delay))
                if let file = rendered.file {
                    late.send(rendered.definition ?? definition, file)
                } else {
                    late.send(rendered.definition, body: rendered.body, warning: rendered.warning)
                }
            } catch {
                late.fail(error.text)
            }
        }
    }

    /// A rendered response, with the delay before its first byte in nanoseconds.
    private final class Rendered {
        /// Status and headers; nil for the stub's own.
        var definition: ResponseDefinition?
        var body: [UInt8] = []
        /// A body file that is too large for memory, sent unrendered; nil for any other body.
        var file: BodyContent?
        /// The tag of that file.
        var fileTag: String?
        var delay: UInt64 = 0
        /// What is wrong with the body; nil for nothing.
        var warning: String?

        /// Adds a tag if conditions apply to the response and it has no validator.
        func addTag() {
            guard let definition, definition.lacksValidator else { return }
            self.definition?.add(tag: fileTag ?? definition.tag(of: body))
        }
    }

    /// Renders the body of a response that renders nothing else.
    /// - Returns: the body, and what is wrong with it.
    private func renderBody(
        _ template: Template, _ request: Request, _ views: RequestViews, _ event: ServeEvent,
        _ pattern: CompiledPattern, _ session: any AnsweringSession, _ budget: WorkBudget
    ) throws(Failure) -> (body: [UInt8], warning: String?) {
        let environment = session.environment(
            for: request, views, pattern, event: event, parameters: parameters, budget)
        defer {
            if let failure = environment.failure, !budget.isSpent { tell(failure, in: bodyField, of: event, session) }
        }
        let body: [UInt8]
        do throws(RenderError) {
            body = try template.render(environment)
            // A part of the request that could not be decoded in time looks empty to the template.
            if budget.isSpent { throw .outOfTime }
        } catch {
            throw Failure(text: error.text(of: event.stubReference, budget), isLate: budget.isSpent)
        }
        return (body, isJSONText ? warning(onJSON: body, bodyShape, of: event, session) : nil)
    }

    private var bodyField: String { definition.body == nil ? "jsonBody" : "body" }

    /// A preview of the response, without an event: helpers that change something, or read the journal or records,
    /// fail.
    /// - Returns: nil if it cannot be rendered so, or its body is a file too large for memory.
    func preview(
        _ request: any TemplateRequest, _ views: RequestViews, _ pattern: CompiledPattern,
        _ session: any AnsweringSession, _ budget: WorkBudget
    ) -> (definition: ResponseDefinition, body: [UInt8])? {
        guard let rendered = try? render(request, views, nil, pattern, session, budget), rendered.file == nil else {
            return nil
        }
        return (rendered.definition ?? definition, rendered.body)
    }

    /// - Parameter event: nil for a preview.
    private func render(
        _ request: any TemplateRequest, _ views: RequestViews, _ event: ServeEvent?, _ pattern: CompiledPattern,
        _ session: any AnsweringSession, _ budget: WorkBudget
    ) throws(Failure) -> Rendered {
        if let problem = problems.first { throw Self.failure(problem) }
        let environment = session.environment(
            for: request, views, pattern, event: event, parameters: parameters, budget)
        func failure(_ error: RenderError) -> Failure {
            Failure(text: error.text(of: event?.stubReference, budget), isLate: budget.isSpent)
        }
        var failedField: String?
        func rendered(_ template: Template, _ field: String) throws(Failure) -> [UInt8] {
            defer { if environment.failure != nil, failedField == nil { failedField = field } }
            let text: [UInt8]
            do throws(RenderError) {
                text = try template.render(environment)
            } catch {
                throw failure(error)
            }
            // A part of the request that could not be decoded in time looks empty to the template.
            if budget.isSpent { throw failure(.outOfTime) }
            return text
        }
        let response = Rendered()
        // A failure is logged even if a later part fails, but not if rendering is repeated with more time.
        defer {
            if !budget.isSpent, let failure = environment.failure {
                tell(failure, in: failedField ?? "headers", of: event, session)
            }
        }
        func text(_ template: Template, _ field: String) throws(Failure) -> String {
            String(decoding: try rendered(template, field), as: UTF8.self)
        }
        if parts.changesHead || definition.ranges == true || definition.conditional == true {
            var definition = definition
            do throws(RenderError) {
                try parts.headers.render(into: &definition, environment)
            } catch {
                throw failure(error)
            }
            if let status = parts.status { definition.status = try Self.status(try text(status, "status")) }
            if let message = parts.statusMessage { definition.statusMessage = try text(message, "statusMessage") }
            response.definition = definition
        }
        if let delay = parts.delay { response.delay = try Self.delay(try text(delay, "delay")) }
        func renderBody(_ template: Template, _ shape: JSONShape?, _ field: String) throws(Failure) {
            response.body = try rendered(template, field)
            if isJSONText { response.warning = warning(onJSON: response.body, shape, of: event, session) }
        }
        if let body = parts.body {
            try renderBody(body, bodyShape, bodyField)
            return response
        }
        guard let name = parts.bodyFileName else {
            response.body = inlineBody
            return response
        }
        let path = try text(name, "bodyFileName")
        let file: BodyFile
        do throws(BodyFileError) {
            file = try session.files.read(path)
        } catch {
            throw Failure(text: "the body file \(error.path) cannot be served: \(error.reason)")
        }
        if !isFileAsIs {
            guard let (template, shape) = try template(of: file, path, session.memory, budget) else {
                throw failure(.outOfTime)
            }
            try renderBody(template, shape, path)
        } else if file.isInMemory {
            response.body = file.content.prefix(.max)
        } else {
            response.file = file.content
            response.fileTag = definition.tag(of: file)
        }
        return response
    }

    /// - Throws: `Failure` for a text that is not a response status.
    private static func status(_ text: String) throws(Failure) -> Int {
        guard let status = Int(text.trimmingBlanks), (200...999).contains(status) else {
            throw Failure(text: "the status is no number from 200 to 999: \"\(text)\"")
        }
        return status
    }

    /// Parses a delay: a number of milliseconds or a duration with a unit. Returns nanoseconds.
    /// - Throws: `Failure` if it is neither.
    private static func delay(_ text: String) throws(Failure) -> UInt64 {
        let number = Double(text.trimmingBlanks).flatMap { $0.isFinite ? $0 : nil }
        guard let milliseconds = DurationText.milliseconds(text).map(Double.init) ?? number else {
            throw Failure(
                text: "the delay is neither a number of milliseconds nor a duration such as 120ms: \"\(text)\"")
        }
        return UInt64(max(0, min(milliseconds, 86_400_000)) * 1_000_000)
    }

    /// The largest body that is checked for JSON, in bytes.
    private static let maxChecked = 256 << 10

    /// What is wrong with a body that should be JSON; nil for nothing. Logged the first time.
    private func warning(
        onJSON body: [UInt8], _ shape: JSONShape?, of event: ServeEvent?, _ session: any AnsweringSession
    ) -> String? {
        if let shape, shape.proves(body) { return nil }
        guard !body.isEmpty, body.count <= Self.maxChecked, JSONTape(body[...]) == nil else { return nil }
        do throws(JSONSyntaxError) {
            _ = try JSONValue(parsing: body)
            return nil
        } catch {
            let warning = "the rendered body is not the JSON that its Content-Type says: \(error)"
            if let stub = event?.stubReference, !hasReportedJSON.exchange(true, ordering: .relaxed) {
                session.warned(warning, of: stub)
            }
            return warning
        }
    }

    /// Logs a helper that failed.
    private func tell(
        _ failure: HelperFailure, in field: String, of event: ServeEvent?, _ session: any AnsweringSession
    ) {
        guard let stub = event?.stubReference, reportedHelpers.withLock({ $0.insert(failure.helper).inserted }) else {
            return
        }
        let document = field == "jsonBody" ? definition.jsonBody : nil
        session.warned(failure.text(in: field, of: document), of: stub)
    }

    private var inlineBody: [UInt8] { definition.base64Body.flatMap { try? Base64.decode($0) } ?? [] }

    /// The template in a body file, which is read only if the file has changed; nil if the time does not suffice.
    /// - Throws: if it cannot be read.
    private func template(
        of content: BodyFile, _ path: String, _ memory: MemoryLedger, _ budget: WorkBudget
    ) throws(Failure) -> (Template, JSONShape?)? {
        let known = file.withLock { known in
            known.flatMap { $0.version == content.version ? ($0.template, $0.shape) : nil }
        }
        let template: Result<Template, UnreadableTemplate>
        let shape: JSONShape?
        if let known {
            (template, shape) = known
        } else {
            let size = content.content.count
            let work = WorkBudget.Work("template in the body file", path)
            guard budget.tryReserve(Self.readingOfByte * size, for: work) else { return nil }
            do throws(TemplateError) {
                template = .success(try Template(content.content.prefix(.max)))
            } catch {
                template = .failure(UnreadableTemplate(path: ["bodyFileName"], error: error))
            }
            shape = isJSONText && size <= Self.maxChecked ? (try? template.get()).flatMap { JSONShape($0) } : nil
            let charge = size < MemoryCharge.least ? nil : MemoryCharge(size, to: memory.account(.bodies))
            file.withLock {
                $0 = FileTemplate(version: content.version, template: template, shape: shape, charge: charge)
            }
        }
        switch template {
        case .success(let template): return (template, shape)
        case .failure(let problem): throw Self.failure(problem)
        }
    }

    /// The approximate time to parse a byte of a template, in nanoseconds.
    private static let readingOfByte = 10

    private static func failure(_ problem: UnreadableTemplate) -> Failure {
        Failure(text: "the template in `\(problem.path.joined(separator: "."))` cannot be read: \(problem.error)")
    }
}

extension ResponseDefinition {
    /// Whether a header says that the body is JSON.
    fileprivate var statesJSON: Bool {
        headers.contains { header in
            header.name.lowercased() == "content-type"
                && header.values.contains { value in
                    let type = value.prefix { $0 != ";" }.lowercased()
                    return type.hasSuffix("/json") || type.hasSuffix("+json")
                }
        }
    }
}
