import SDBudget
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
import SDTemplating
import Synchronization

/// The server as the helpers of a template see it, for one response.
final class TemplateSystem: RenderSystem {
    let session: Session
    private let seed: UInt64
    private var generator: SeededGenerator?
    let wallTime: UInt64
    /// The number of the request in its session; nil while it is matched.
    let sequence: UInt64?

    /// - Parameters:
    ///   - sequence: the number of the request in its session: the same requests draw the same numbers, whatever order
    ///     their responses are made in.
    ///   - place: the place in the answer, for one that is rendered in pieces.
    ///   - wallTime: the time of the request, in nanoseconds since 1970.
    init(_ session: Session, sequence: UInt64?, place: Int = 0, wallTime: UInt64) {
        self.session = session
        self.sequence = sequence
        seed =
            session.options.seed ^ (sequence ?? 0) &* 0x9E37_79B9_7F4A_7C15
            ^ UInt64(truncatingIfNeeded: place) &* 0xD1B5_4A32_D192_ED03
        self.wallTime = wallTime
    }

    func random() -> UInt64 {
        var generator = generator ?? SeededGenerator(seed: seed)
        defer { self.generator = generator }
        return generator.next()
    }

    var hostName: String { session.options.templates.hostName }

    func systemValue(_ key: String, isProperty: Bool) -> SystemValue {
        let templates = session.options.templates
        guard templates.permits(key) else { return .denied }
        guard !isProperty, let value = templates.environmentVariable(key) else { return .missing }
        return .value(value)
    }

    func value(of call: ServerCall) throws(RenderError) -> TemplateValue {
        // The others take the session's lock, which may be held while a request is matched.
        guard sequence != nil || call.name == "state" || call.name == "hmac" else {
            throw RenderError("\(call.name) cannot be used while a request is matched")
        }
        return switch call.name {
        case "state": try stateValue(call)
        case "counter": try count(call)
        case "data": try dataValue(call)
        case "journal": try journalValue(call)
        case "jwt": try token(call)
        case "jwks": try keySet(call)
        case "hmac": try authenticationCode(call)
        default: throw RenderError("could not find helper: '\(call.name)'")
        }
    }
}

extension Session {
    /// The time that templates of a request call `now` when they are rendered later than it came: what the session's
    /// clock shows, in nanoseconds since 1970.
    func laterTime(of request: Request) -> UInt64 {
        let now = SystemCalls.monotonicNanoseconds()
        let time = request.wallTime + (now > request.clockTime ? now - request.clockTime : 0)
        return state.withLock { $0.settings.clock }?.time(at: time) ?? time
    }

    /// The environment of the templates that are rendered for a request.
    /// - Parameters:
    ///   - event: the event of the request; nil while it is matched.
    ///   - parameters: those of the transformer.
    func environment(
        for request: any TemplateRequest, _ views: RequestViews, _ pattern: CompiledPattern, event: ServeEvent?,
        parameters: TemplateValue = .map(TemplateMap()), response: ResponseModel.Answer? = nil, _ budget: WorkBudget
    ) -> RenderEnvironment {
        RequestEnvironment(
            self, request, views, pattern, event: event, parameters: parameters, response: response, budget)
    }
}
