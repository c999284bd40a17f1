import Budget
import HTTPMessages
import HTTPTransport
import JSON
import Matching
import Platform
import StubModel
import Synchronization
import Templating

/// A response whose body and header values are templates, which are read once, when the stub is added.
final class TemplatedResponse: Responder {
    private let definition: ResponseDefinition
    private let parts: Result<Parts, Unreadable>
    /// The template of the body file that was read last.
    private let file = Mutex<(version: UInt64, template: Result<Template, Unreadable>)?>(nil)

    /// The templates of a definition.
    private struct Parts {
        var body: Template?
        var bodyFileName: Template?
        var headers: [(name: String, values: [Template])]

        /// Whether rendering gives the definition itself.
        func isConstant(_ definition: borrowing ResponseDefinition) -> Bool {
            guard bodyFileName == nil, body?.isPlain ?? true else { return false }
            return headers.allSatisfy { $0.values.allSatisfy(\.isPlain) }
        }
    }

    /// A template that cannot be read, and the field that has it.
    struct Unreadable: Error {
        let field: String
        let error: TemplateError
    }

    /// Why a response cannot be rendered.
    private struct Failure: Error {
        let text: String
        /// Whether the loop had no more time for it.
        var isLate = false
    }

    /// Nil for a definition without templates.
    init?(_ definition: borrowing ResponseDefinition, _ mode: TemplatingMode) {
        guard definition.fault == nil, mode.applies(to: definition) else { return nil }
        self.definition = copy definition
        parts = Self.parts(of: definition)
        if case .success(let parts) = parts, parts.isConstant(definition) { return nil }
    }

    /// The template that cannot be read; nil if all can.
    var problem: Unreadable? {
        if case .failure(let problem) = parts { problem } else { nil }
    }

    private static func parts(of definition: borrowing ResponseDefinition) -> Result<Parts, Unreadable> {
        do throws(Unreadable) {
            var parts = Parts(headers: [])
            if let body = definition.body {
                parts.body = try template(body, of: "body")
            } else if let json = definition.jsonBody {
                parts.body = try template(json.compactText, of: "jsonBody")
            } else if definition.base64Body != nil {
                // Sent as it is.
            } else if let name = definition.bodyFileName {
                parts.bodyFileName = try template(name, of: "bodyFileName")
            }
            for header in definition.headers {
                var values: [Template] = []
                for value in header.values { values.append(try template(value, of: "headers")) }
                parts.headers.append((header.name, values))
            }
            return .success(parts)
        } catch {
            return .failure(error)
        }
    }

    private static func template(_ text: String, of field: String) throws(Unreadable) -> Template {
        do {
            return try Template(text)
        } catch {
            throw Unreadable(field: field, error: error)
        }
    }

    // MARK: - Answering

    func respond(to decision: inout Decision, _ answer: consuming Answer) {
        let (views, event, request) = (decision.views, decision.event, decision.request)
        let session = answer.session
        let budget = decision.views.budget
        do throws(Failure) {
            let (definition, body) = try render(request, views, event, answer.pattern, session, budget)
            answer.send(definition, body: body)
        } catch {
            guard error.isLate, budget.limit < session.options.matchBudget else { return answer.fail(error.text) }
            let late = answer.later()
            session.shared.matching.add { [self] in
                let budget = session.newBudget
                let views = RequestViews(request, budget: budget)
                do throws(Failure) {
                    let (definition, body) = try render(request, views, event, late.pattern, session, budget)
                    late.send(definition, body: body)
                } catch {
                    late.fail(error.text)
                }
            }
        }
    }

    private func render(
        _ request: Request, _ views: RequestViews, _ event: ServeEvent, _ pattern: CompiledPattern,
        _ session: Session, _ budget: WorkBudget
    ) throws(Failure) -> (ResponseDefinition, [UInt8]) {
        let parts: Parts
        switch self.parts {
        case .success(let readable): parts = readable
        case .failure(let problem): throw Self.failure(problem)
        }
        let model = ResponseModel(
            RequestModel(request, views, pattern, id: session.eventIDs.text(event.sequence)),
            parameters: definition.transformerParameters)
        let environment = RenderEnvironment(
            model: model, budget: budget,
            system: TemplateSystem(session, seed: event.sequence, wallTime: request.wallTime))
        func rendered(_ template: Template) throws(Failure) -> [UInt8] {
            do throws(RenderError) {
                return try template.render(environment)
            } catch {
                throw Failure(text: error.message, isLate: budget.isSpent)
            }
        }
        var definition = definition
        for (place, header) in parts.headers.enumerated() {
            var values: [String] = []
            for value in header.values { values.append(String(decoding: try rendered(value), as: UTF8.self)) }
            definition.headers[place].values = values
        }
        if let body = parts.body { return (definition, try rendered(body)) }
        guard let name = parts.bodyFileName else { return (definition, inlineBody) }
        let path = String(decoding: try rendered(name), as: UTF8.self)
        let found: (version: UInt64, bytes: [UInt8])
        do throws(BodyFileError) {
            let file = try session.files.read(path)
            let bytes = file.content.prefix(.max)
            if isFileAsIs { return (definition, bytes) }
            found = (file.version, bytes)
        } catch {
            throw Failure(text: "the body file \(error.path) cannot be served: \(error.reason)")
        }
        return (definition, try rendered(try template(of: found.version, found.bytes)))
    }

    private var inlineBody: [UInt8] { definition.base64Body.flatMap { try? Base64.decode($0) } ?? [] }

    private var isFileAsIs: Bool {
        definition.transformerParameters?["disableBodyFileTemplating"]?.boolValue == true
    }

    private func template(of version: UInt64, _ bytes: [UInt8]) throws(Failure) -> Template {
        let known = file.withLock { $0?.version == version ? $0?.template : nil }
        let template: Result<Template, Unreadable>
        if let known {
            template = known
        } else {
            do throws(TemplateError) {
                template = .success(try Template(bytes))
            } catch {
                template = .failure(Unreadable(field: "bodyFileName", error: error))
            }
            file.withLock { $0 = (version, template) }
        }
        switch template {
        case .success(let template): return template
        case .failure(let problem): throw Self.failure(problem)
        }
    }

    private static func failure(_ problem: Unreadable) -> Failure {
        Failure(text: "the template in `\(problem.field)` cannot be read: \(problem.error)")
    }
}

/// Which responses are templates: WireMock's `--global-response-templating` and `--disable-response-templating`.
public enum TemplatingMode: Sendable {
    /// Those that name the transformer `response-template`.
    case local
    case global
    case off

    func applies(to definition: borrowing ResponseDefinition) -> Bool {
        switch self {
        case .local: definition.transformers.contains("response-template")
        case .global: true
        case .off: false
        }
    }
}

/// What the helpers of a template need of the server, for one response.
private final class TemplateSystem: RenderSystem {
    private let session: Session
    private var generator: SeededGenerator
    let wallTime: UInt64

    /// - Parameter seed: the number of the request in its session: the same requests draw the same numbers, whatever
    ///   order their responses are made in.
    init(_ session: Session, seed: UInt64, wallTime: UInt64) {
        self.session = session
        generator = SeededGenerator(seed: session.options.seed ^ seed &* 0x9E37_79B9_7F4A_7C15)
        self.wallTime = wallTime
    }

    func random() -> UInt64 { generator.next() }

    var hostName: String { session.options.templates.hostName }

    func systemValue(_ key: String, isProperty: Bool) -> SystemValue {
        let templates = session.options.templates
        guard templates.permits(key) else { return .denied }
        guard !isProperty, let value = templates.environment[key] else { return .missing }
        return .value(value)
    }
}
