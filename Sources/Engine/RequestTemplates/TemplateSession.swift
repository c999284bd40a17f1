package import SDHTTPTransport
import SDJSON
package import SDJournal
package import SDMatching
package import SDPlatform
package import SDRecords
package import SDStubModel
package import SDTemplating
package import Synchronization

/// The session of a request, as its templates see it.
package protocol TemplateSession: JournalKeeper, CollectionKeeper, StateKeeper {
    var seed: UInt64 { get }
    var templates: TemplateOptions { get }
    /// The key that tokens are signed with.
    var signingKey: SigningKey { get }
    /// What the session's clock shows; nil for the time of the system.
    var clock: SessionClock? { get }
    /// What the settings say about tokens.
    func tokenSetting(_ name: String) -> String?
}

/// A key that is made when it is first needed.
package final class SigningKey: Sendable {
    package let key = Mutex<RSAKey?>(nil)

    package init() {}
}

extension TemplateSession {
    /// The time that templates of a request call `now` when they are rendered later than it came: what the session's
    /// clock shows, in nanoseconds since 1970.
    package func laterTime(of request: Request) -> UInt64 {
        let now = SystemCalls.monotonicNanoseconds()
        let time = request.wallTime + (now > request.clockTime ? now - request.clockTime : 0)
        return clock?.time(at: time) ?? time
    }

    /// The environment of the templates that are rendered for a request.
    /// - Parameters:
    ///   - event: the event of the request; nil while it is matched.
    ///   - parameters: those of the transformer.
    package func environment(
        for request: any TemplateRequest, _ views: RequestViews, _ pattern: CompiledPattern, event: ServeEvent?,
        parameters: TemplateValue = .map(TemplateMap()), response: ResponseModel.Answer? = nil, _ budget: WorkBudget
    ) -> RenderEnvironment {
        RequestEnvironment(
            self, request, views, pattern, event: event, parameters: parameters, response: response, budget)
    }
}
