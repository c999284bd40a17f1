import SDBasics
import SDHTTPMessages
package import SDJSON
import SDPlatform
import SDRequestTemplates
import SDStubModel
import SDTemplating

/// A webhook of a stub. Its templates are parsed once, when the stub is added.
package struct Webhook: Sendable {
    /// The webhook as written, for the parts without templates.
    let parameters: WebhookParameters
    /// All parameters, as templates see them.
    let values: TemplateValue
    private let parts: Result<Parts, WebhookProblem>
    /// Whether its templates read the bodies of the exchange.
    package let readsBodies: Bool
    /// Whether making it needs a file, a signature, a content coding or parts, which are too slow for a loop.
    let isSlow: Bool

    private struct Parts: Sendable {
        var method, url: Template
        var headers: [(name: String, values: [Template])] = []
        var body: Content = .none
        var secret: Template?
    }

    private indirect enum Content: Sendable {
        case none
        case template(Template)
        case bytes([UInt8])
        case file(Template)
        case multipart([(part: WebhookParameters.Part, content: Content)])
    }

    package init(_ json: JSONValue?) {
        var reader = ModelReader()
        let parameters = WebhookParameters(json, &reader)
        self.parameters = parameters
        isSlow =
            parameters.body.isSlow || parameters.signature != nil
            || parameters.headers.contains { $0.name.lowercased() == "content-encoding" }
        values = ResponseModel.parameters(json?.objectValue)
        // A textual search, because a template can reach a body in many ways.
        let text = json?.compactText ?? ""
        readsBodies = text.contains(text: "{{") && ["ody", "parts", "response"].contains { text.contains(text: $0) }
        if let problem = reader.problems.first {
            parts = .failure(WebhookProblem(problem.detail ?? problem.description))
            return
        }
        do throws(WebhookProblem) {
            parts = .success(try Self.parts(parameters))
        } catch {
            parts = .failure(error)
        }
    }

    private static func parts(_ parameters: WebhookParameters) throws(WebhookProblem) -> Parts {
        var parts = Parts(method: try template(parameters.method), url: try template(parameters.url))
        for header in parameters.headers {
            var values: [Template] = []
            for value in header.values { values.append(try template(value)) }
            parts.headers.append((header.name, values))
        }
        parts.body = try content(parameters.body)
        parts.secret = try parameters.signature.map { signature throws(WebhookProblem) in try template(signature.secret)
        }
        return parts
    }

    private static func template(_ text: String) throws(WebhookProblem) -> Template {
        do throws(TemplateError) {
            return try Template(text)
        } catch {
            throw WebhookProblem("the template cannot be read: at \(error)")
        }
    }

    private static func content(_ body: WebhookParameters.Body) throws(WebhookProblem) -> Content {
        switch body {
        case .none: return .none
        case .bytes(let bytes): return .bytes(bytes)
        case .text(let text): return .template(try template(text))
        case .file(let name): return .file(try template(name))
        case .json(let json):
            do throws(TemplateError) {
                return .template(try Template(json: json, keepsTypes: true))
            } catch {
                throw WebhookProblem("the template cannot be read: at \(error)")
            }
        case .parts(let parts):
            var contents: [(part: WebhookParameters.Part, content: Content)] = []
            for part in parts { contents.append((part, try content(part.body))) }
            return .multipart(contents)
        }
    }

    // MARK: - Rendering

    /// The request for one exchange.
    /// - Throws: why there is none.
    func request(
        _ environment: RenderEnvironment, _ files: any BodyFileSource
    ) throws(WebhookProblem) -> WebhookRequest {
        let parts: Parts
        switch self.parts {
        case .success(let readable): parts = readable
        case .failure(let problem): throw problem
        }
        let url = try Self.text(parts.url, environment)
        var request = WebhookRequest(method: try Self.text(parts.method, environment), url: url)
        for (name, values) in parts.headers {
            for value in values { request.headers.append((name, try Self.text(value, environment))) }
        }
        do throws(WebhookProblem) {
            try WebhookURL.check(url)
        } catch {
            let found = url.trimmingBlanks.isEmpty ? "nothing" : "that"
            let note = parts.url.isPlain ? "" : "; the template of its URL, \(parameters.url), has come to \(found)"
            throw WebhookProblem(error.text, note: note)
        }
        request.body = try Self.bytes(parts.body, environment, files)
        if case .multipart(let contents) = parts.body {
            request.addMultipart(
                try contents.map { content throws(WebhookProblem) in
                    (content.part, try Self.bytes(content.content, environment, files) ?? [])
                })
        }
        if case .json = parameters.body { request.addContentType("application/json") }
        if !request.hasEntity { request.body = nil }
        if let signature = parameters.signature, let secret = parts.secret {
            try request.sign(signature, Self.text(secret, environment))
        }
        request.encode()
        return request
    }

    private static func text(
        _ template: Template, _ environment: RenderEnvironment
    ) throws(WebhookProblem) -> String {
        String(decoding: try rendered(template, environment), as: UTF8.self)
    }

    private static func rendered(
        _ template: Template, _ environment: RenderEnvironment
    ) throws(WebhookProblem) -> [UInt8] {
        do throws(RenderError) {
            let text = try template.render(environment)
            // A part of the request that could not be decoded in time looks empty to the template.
            if environment.budget.isSpent { throw .outOfTime }
            return text
        } catch {
            throw WebhookProblem(error.text(of: nil, environment.budget), isLate: environment.budget.isSpent)
        }
    }

    private static func bytes(
        _ content: Content, _ environment: RenderEnvironment, _ files: any BodyFileSource
    ) throws(WebhookProblem) -> [UInt8]? {
        switch content {
        case .none, .multipart: return nil
        case .bytes(let bytes): return bytes
        case .template(let template): return try rendered(template, environment)
        case .file(let name):
            let name = try text(name, environment)
            do throws(BodyFileError) {
                let content = try files.read(name).content
                return content.prefix(content.count)
            } catch {
                throw WebhookProblem("the body file \(error.path) cannot be read: \(error.reason)")
            }
        }
    }
}

/// The reason why a webhook cannot be made for a request, as a clause.
struct WebhookProblem: Error {
    let text: String
    /// Whether the loop's time was exceeded.
    let isLate: Bool
    /// The text after the message, which is WireMock's, in the log and reports.
    let note: String

    init(_ text: String, isLate: Bool = false, note: String = "") {
        self.text = text
        self.isLate = isLate
        self.note = note
    }
}
