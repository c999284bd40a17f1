import SDBasics
package import SDJournal
package import SDPlatform
package import SDRequestTemplates
package import SDStubModel
package import SDUpstream

/// A session as the code that calls other servers sees it.
package protocol CallingSession: TemplateSession {
    /// The threads for work that is too slow for a loop.
    var matching: WorkQueue { get }
    /// The processor time that requests may take on loops.
    var loopAllowance: LoopAllowance { get }
    /// Calls to other servers.
    var upstream: Upstream { get }
    /// The webhooks of the process that have not ended.
    var webhooks: WebhookQueue { get }
    /// The results of the session's own webhooks.
    var webhookLedger: WebhookCounters { get }
    /// The id that calls to other servers carry, so that they lead back to this session; nil for the default session.
    var passedID: String? { get }
    /// The factor of all delays.
    var timeScale: Double { get }
    /// The largest number of stored bytes of a response's body.
    var keptBodyLimit: Int { get }

    func warned(_ message: String, of stub: StubReference)
    /// Logs that an earlier problem is over.
    func noticed(_ message: String, of stub: StubReference)
}

extension CallingSession {
    /// A delay scaled by `timeScale`, in nanoseconds.
    package func scaled(_ delay: UInt64) -> UInt64 {
        let scale = timeScale
        return scale == 1 ? delay : UInt64(clamped: Double(delay) * scale)
    }
}
