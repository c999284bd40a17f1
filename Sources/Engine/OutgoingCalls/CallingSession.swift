import SDBasics
package import SDJournal
package import SDPlatform
package import SDRequestTemplates
package import SDStubModel
package import SDUpstream

/// The session of a request, as what calls other servers for it sees it.
package protocol CallingSession: TemplateSession {
    /// The threads for what takes too long for a loop.
    var matching: WorkQueue { get }
    /// The processor time that requests may take on loops.
    var loopAllowance: LoopAllowance { get }
    /// Calls to other servers.
    var upstream: Upstream { get }
    /// The webhooks of the process that have not ended.
    var webhooks: WebhookQueue { get }
    /// What became of the session's own webhooks.
    var webhookLedger: WebhookLedger { get }
    /// The id that calls to other servers carry, so that they lead back to this session; nil for the daemon's own.
    var passedID: String? { get }
    /// The part of each wait that is waited.
    var timeScale: Double { get }
    /// The number of bytes that are kept of a response's body.
    var keptBodyLimit: Int { get }

    func warned(_ message: String, of stub: StubReference)
    /// Tells what is no trouble.
    func noticed(_ message: String, of stub: StubReference)
}

extension CallingSession {
    /// The part of a delay that is waited, in nanoseconds.
    package func scaled(_ delay: UInt64) -> UInt64 {
        let scale = timeScale
        return scale == 1 ? delay : UInt64(clamped: Double(delay) * scale)
    }
}
