import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDRequestTemplates
import SDStubModel
import SDTemplating
import SDWebSocket

/// The environment of a message's templates: WireMock's `message`, `request` and `parameters`.
final class MessageEnvironment: RenderEnvironment {
    private let session: any ChannelSession
    private let message: WebSocketMessage?
    private let request: Request?
    private let pattern: CompiledPattern?
    private let parameters: TemplateValue
    private let sequence: UInt64
    private let wallTime: UInt64

    /// - Parameters:
    ///   - message: the message that is answered; nil if a request is.
    ///   - request: the request that opened the channel or triggered the stub; nil for a fixed channel.
    ///   - sequence: the number of the message in its session.
    init(
        _ session: any ChannelSession, _ message: WebSocketMessage?, _ request: Request?, _ pattern: CompiledPattern?,
        parameters: TemplateValue, sequence: UInt64, wallTime: UInt64, _ budget: WorkBudget
    ) {
        self.session = session
        self.message = message
        self.request = request
        self.pattern = pattern
        self.parameters = parameters
        self.sequence = sequence
        self.wallTime = wallTime
        super.init(model: nil, budget: budget, system: nil)
    }

    override func makeModel() -> any TemplateObject {
        // Captures values instead of `self`, which retains the model.
        MessageModel(message, parameters) { [request, pattern, budget, wallTime, session] in
            guard let request, let pattern = pattern ?? Self.any else { return nil }
            var views = RequestViews(request, budget: budget)
            views.wallTime = wallTime
            return RequestModel(request, views, pattern, ids: session.eventIDs, sequence: nil, budget)
        }
    }

    override func makeSystem() -> any RenderSystem {
        TemplateSystem(session, sequence: sequence, wallTime: wallTime)
    }

    private static let any = try? CompiledPattern(.init())
}

/// `@unchecked Sendable`: used only by the thread that renders.
private final class MessageModel: TemplateObject, @unchecked Sendable {
    private let message: WebSocketMessage?
    private let parameters: TemplateValue
    /// Made on demand, because few templates use it.
    private lazy var request = makeRequest()
    private let makeRequest: () -> RequestModel?

    init(_ message: WebSocketMessage?, _ parameters: TemplateValue, request: @escaping () -> RequestModel?) {
        self.message = message
        self.parameters = parameters
        makeRequest = request
    }

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "message": message.map { .object(MessageText($0)) }
        case "request": request.map { .object($0) }
        case "parameters": parameters
        case "path": request?.pathVariables
        default: nil
        }
    }

    var members: [(key: String, value: TemplateValue)]? {
        let all: [(key: String, value: TemplateValue?)] = [
            ("request", request.map { .object($0) }), ("message", message.map { .object(MessageText($0)) }),
            ("parameters", message == nil ? parameters : nil),
        ]
        return all.compactMap { one in one.value.map { (one.key, $0) } }
    }

    var text: String {
        "{" + (members ?? []).map { "\($0.key)=\($0.value.text)" }.joined(separator: ", ") + "}"
    }
}

/// `message`.
private struct MessageText: TemplateObject {
    private let message: WebSocketMessage

    init(_ message: WebSocketMessage) { self.message = message }

    func member(_ name: String) -> TemplateValue? { name == "body" ? .text(message.text) : nil }

    var text: String {
        "com.github.tomakehurst.wiremock.extension.responsetemplating.MessageTemplateTransformer$MessageTemplateModel@0"
    }
}
