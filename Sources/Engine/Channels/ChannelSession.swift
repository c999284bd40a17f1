package import SDHTTPMessages
package import SDHTTPTransport
package import SDJournal
package import SDPlatform
package import SDRequestTemplates
package import SDStubModel
package import SDWebSocket

/// A session as its channels see it.
package protocol ChannelSession: TemplateSession {
    var channels: Channels { get }
    var bodyFiles: any BodyFileSource { get }
    /// Whether texts of messages are templates by default.
    var rendersMessages: Bool { get }
    /// The processor time that a message may currently take on a loop, in nanoseconds.
    var loopLimit: UInt64 { get }
    /// The threads for slower work.
    var matchingThreads: WorkQueue { get }
    /// The thread for calls that search the journal, one after another.
    var heavyWork: WorkQueue { get }

    /// The factor of all delays.
    var timeScale: Double { get }
    /// The session's faults of messages, in the order in which they act.
    var messageFaults: [CompiledMessageFault] { get }

    /// Samples the effects on an outgoing message: its delays, and which of these faults act.
    func sampleDelivery(_ delays: [DelayDistribution], _ faults: [CompiledMessageFault]) -> SampledDelivery
    /// Holds a message at a gate.
    /// - Parameter pass: called once when the wait ends; never if it is cancelled.
    /// - Returns: the wait, to cancel it; nil if the gate is open.
    func wait(
        _ message: HeldMessage, at gate: GateHold, _ pass: @escaping @Sendable (MessageVerdict) -> Void
    ) -> (any MessageHold)?
    /// Whether a scenario is in a state.
    /// - Parameter waits: whether to wait for the session's lock.
    /// - Returns: nil if the lock is busy and `waits` is false.
    func isScenario(_ name: String, in state: String, waits: Bool) -> Bool?
    /// Moves a scenario.
    /// - Parameter old: the required state; nil for any.
    /// - Returns: whether the scenario was in that state; nil if the lock is busy and `waits` is false.
    func moveScenario(_ name: String, from old: String?, to new: String, waits: Bool) -> Bool?

    /// Records that a message used up its time on a loop.
    func spentLoopLimit()
    /// Records a message from a client that no message stub answered.
    func noteUnanswered(_ message: WebSocketMessage, on request: Request)
    /// Logs the end of a WebSocket, which has no event in the journal.
    func noteEnd(of opening: Request, _ end: WebSocketEnd)
    /// Logs a message stub that could not act as defined.
    func noteMessageTrouble(_ text: String)
}

/// The options of channels.
public struct ChannelOptions: Sendable {
    /// The idle time after which a WebSocket is closed, in milliseconds; 0 for no limit: `--websocket-idle-timeout`.
    public var idleTimeout = 300_000
    /// The largest accepted text message in bytes; 0 for no limit: `--websocket-max-text-message-size`.
    public var textLimit = 10 << 20
    /// The largest accepted binary message in bytes; 0 for no limit: `--websocket-max-binary-message-size`.
    public var binaryLimit = 10 << 20

    public init() {}
}
