import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDRequestTemplates
import SDTemplating

/// The environment of a webhook's templates: WireMock's `originalRequest` and `parameters`; our additions are
/// `response`, also called `originalResponse`, and `path` for the variables of the stub's path.
final class WebhookEnvironment: RenderEnvironment {
    private let exchange: EndedExchange
    private let parameters: TemplateValue
    private let place: Int
    private let wallTime: UInt64

    /// - Parameter place: the number of the webhook in its stub, from 1: each samples its own random numbers.
    init(_ exchange: EndedExchange, _ webhook: Webhook, place: Int, _ budget: WorkBudget) {
        self.exchange = exchange
        parameters = webhook.values
        self.place = place
        wallTime = exchange.session.laterTime(of: exchange.request)
        super.init(model: nil, budget: budget, system: nil)
    }

    override func makeModel() -> any TemplateObject {
        var views = RequestViews(exchange.request, budget: budget)
        views.wallTime = wallTime
        let request = RequestModel(
            exchange.request, views, exchange.pattern, ids: exchange.session.eventIDs,
            sequence: exchange.event.sequence, budget)
        return WebhookModel(request, parameters, exchange)
    }

    override func makeSystem() -> any RenderSystem {
        TemplateSystem(exchange.session, sequence: exchange.event.sequence, place: place << 32, wallTime: wallTime)
    }
}

/// `@unchecked Sendable`: used only by the thread that renders.
private final class WebhookModel: TemplateObject, @unchecked Sendable {
    private let request: RequestModel
    private let parameters: TemplateValue
    private let exchange: EndedExchange
    /// Made on demand, because it may be long.
    private lazy var response = exchange.answer.map { AnswerModel($0, request) }

    init(_ request: RequestModel, _ parameters: TemplateValue, _ exchange: EndedExchange) {
        self.request = request
        self.parameters = parameters
        self.exchange = exchange
    }

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "originalRequest": .object(request)
        case "parameters": parameters
        case "path": request.pathVariables
        case "response", "originalResponse": response.map { .object($0) }
        default: nil
        }
    }

    var members: [(key: String, value: TemplateValue)]? {
        [("originalRequest", .object(request)), ("parameters", parameters)]
    }

    var text: String { "{originalRequest=\(request.text), parameters=\(parameters.text)}" }
}

extension EndedExchange {
    /// The response for templates, without its content coding; nil for a fault, which has none.
    fileprivate var answer: ResponseModel.Answer? {
        guard let response = event.response, response.fault == nil else { return nil }
        var body = response.body
        if let sent = responseBody {
            body = sent.bytes
            if sent.header("Content-Encoding") == "gzip" {
                body = (try? decompressed(body[...], limit: 64 << 20)) ?? body
            }
        }
        return ResponseModel.Answer(status: response.status, fields: response.fields, body: body)
    }
}
