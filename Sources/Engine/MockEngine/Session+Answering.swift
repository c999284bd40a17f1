package import SDAnswering
import SDCapture
import SDJSON
import SDJournal
package import SDOutgoingCalls
package import SDPlatform
package import SDRequestTemplates
package import SDStubModel
package import SDUpstream
import Synchronization

extension Session: AnsweringSession {
    package var seed: UInt64 { options.seed }
    package var templates: TemplateOptions { options.templates }
    package var signingKey: SigningKey { shared.signingKey }
    package var clock: SessionClock? { state.withLock { $0.settings.clock } }
    package var responseOptions: ResponseOptions { options.response }
    package var matching: WorkQueue { shared.matching }
    package var expensiveWork: WorkQueue { shared.expensiveWork }
    package var loopAllowance: LoopAllowance { shared.loopAllowance }
    package var upstream: Upstream { shared.upstream }
    package var passedID: String? { options.label }
    package var webhooks: WebhookQueue { shared.webhooks }
    package var recorder: (any ExchangeRecorder)? { recordings.recorder }

    package func tokenSetting(_ name: String) -> String? {
        state.withLock { $0.settings.extended?["jwt"]?[name]?.stringValue }
    }

    package func keepJournalsWithinLimit() { journalQuota.keepWithinLimit() }

    package func warned(_ message: String, of stub: StubReference) { trouble?.warned(message, of: stub) }

    package func sendsPage(of stub: @autoclosure () -> StubReference) {
        guard options.warnsOfPages, !shared.hasWarnedOfPages.exchange(true, ordering: .relaxed) else { return }
        warned(
            "sends on a page of another server: its scripts may call the admin API, whose origin they share. --admin-token "
                + "TOKEN asks them for a credential, --admin-port PORT gives the admin API an origin of its own",
            of: stub())
    }

    package func noticed(_ message: String, of stub: StubReference) { trouble?.noticed(message, of: stub) }
}
