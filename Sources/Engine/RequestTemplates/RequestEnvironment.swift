import SDJournal
import SDMatching
import SDPlatform
import SDTemplating

/// The environment of the templates of one response. Common values are read from the request itself; models are made
/// when a template needs more.
final class RequestEnvironment: RenderEnvironment {
    private let session: any TemplateSession
    private let request: any TemplateRequest
    // Used only by the thread that renders, like the environment itself.
    @exclusivity(unchecked) private var views: RequestViews
    private let pattern: CompiledPattern
    private let sequence: UInt64?
    private let parameters: TemplateValue
    private let response: ResponseModel.Answer?

    /// - Parameters:
    ///   - event: the event of the request; nil during matching.
    ///   - parameters: the parameters of the transformer.
    ///   - response: nil until it is made.
    init(
        _ session: any TemplateSession, _ request: any TemplateRequest, _ views: RequestViews,
        _ pattern: CompiledPattern,
        event: ServeEvent?, parameters: TemplateValue, response: ResponseModel.Answer?, _ budget: WorkBudget
    ) {
        self.session = session
        self.request = request
        self.views = views
        self.pattern = pattern
        sequence = event?.sequence
        self.parameters = parameters
        self.response = response
        super.init(model: nil, budget: budget, system: nil)
    }

    override func makeModel() -> any TemplateObject {
        let request = RequestModel(request, views, pattern, ids: session.eventIDs, sequence: sequence, budget)
        return ResponseModel(request, parameters: parameters, response: response)
    }

    override func makeSystem() -> any RenderSystem {
        TemplateSystem(session, sequence: sequence, wallTime: views.wallTime)
    }

    override func write(_ value: DirectValue, to output: inout [UInt8]) -> Bool {
        switch value {
        case .header(let name):
            guard let value = request.firstHeaderValue(name) else { return false }
            Self.write(value, to: &output)
        case .query(let name):
            guard request.query != nil,
                let parameter = views.queryParameters()?.first(where: { $0.name.elementsEqual(name) })
            else { return false }
            Self.write(parameter.value, to: &output)
        case .pathVariable(let name):
            guard let value = pattern.pathVariableBytes(name, &views) else { return false }
            Self.write(value, to: &output)
        case .method: Self.write(request.method, to: &output)
        case .url: Self.write(request.url, to: &output)
        case .now: Self.writeNow(views.wallTime, to: &output)
        case .uuid: writeUUID(to: &output)
        }
        return true
    }

    /// Writes a text of the request, with replacement characters for bytes that are not UTF-8.
    private static func write(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        if text.isASCII { output += text } else { output.append(contentsOf: RequestModel.text(text).utf8) }
    }
}

extension TemplateRequest {
    /// The value of the first header of that name, which is in lower-case ASCII.
    fileprivate func firstHeaderValue(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        var first: ArraySlice<UInt8>?
        forEachHeaderValue(name) { value in
            first = value
            return false
        }
        return first
    }
}
