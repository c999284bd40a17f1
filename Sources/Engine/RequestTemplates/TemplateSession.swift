package import SDHTTPTransport
import SDJSON
package import SDJournal
package import SDMatching
package import SDPlatform
package import SDRecords
package import SDStubModel
package import SDTemplating
package import Synchronization

/// A session as its templates see it.
package protocol TemplateSession: JournalOwner, CollectionOwner, StateOwner {
    var seed: UInt64 { get }
    var templates: TemplateOptions { get }
    /// The key that signs tokens.
    var signingKey: SigningKey { get }
    /// The session's own clock; nil for the system's.
    var clock: SessionClock? { get }
    /// A token setting of the global settings.
    func tokenSetting(_ name: String) -> String?
}

/// A key that is made on first use.
package final class SigningKey: Sendable {
    package let key = Mutex<RSAKey?>(nil)

    package init() {}
}

extension TemplateSession {
    /// The time of `now` in templates that are rendered later than the request: by the session's clock, in nanoseconds
    /// since 1970.
    package func laterTime(of request: Request) -> UInt64 {
        let now = SystemCalls.monotonicNanoseconds()
        let time = request.wallTime + (now > request.clockTime ? now - request.clockTime : 0)
        return clock?.time(at: time) ?? time
    }

    /// The environment of the templates that are rendered for a request.
    /// - Parameters:
    ///   - event: the event of the request; nil during matching.
    ///   - parameters: the parameters of the transformer.
    package func environment(
        for request: any TemplateRequest, _ views: RequestViews, _ pattern: CompiledPattern, event: ServeEvent?,
        parameters: TemplateValue = .map(TemplateMap()), response: ResponseModel.Answer? = nil, _ budget: WorkBudget
    ) -> RenderEnvironment {
        RequestEnvironment(
            self, request, views, pattern, event: event, parameters: parameters, response: response, budget)
    }
}
