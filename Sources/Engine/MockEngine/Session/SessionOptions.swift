import Platform

/// What a session is made with.
public struct SessionOptions: Sendable {
    /// Keep serve events; false for `--no-request-journal`.
    public var keepsJournal = true
    /// `--max-request-journal-entries`.
    public var journalEvents = 10_000
    /// The journal's bytes: requests with their bodies, and the body files that were sent.
    public var journalBytes = 64 * 1024 * 1024
    /// The number of bytes that are kept of a request's body, and of a response's that its stub does not hold.
    public var journalBodyLimit = 1024 * 1024
    /// What the log, HAR and curl do not show; nil shows all.
    public var redaction: Redaction?
    /// Bodies of responses are shown up to this size: `--logged-response-body-size-limit`.
    public var loggedResponseBodyLimit = Int.max
    public var response = ResponseOptions()
    /// Answer preflights, and allow any origin on stub responses: `--enable-stub-cors`.
    public var stubCORS = false
    /// Names the session in the log; nil for the first.
    public var label: String?
    /// Feeds delays; the same seed gives the same delays.
    public var seed: UInt64 = 0
    /// Milliseconds that only go forward: what times to live are measured by.
    public var clock: @Sendable () -> Int64 = SystemCalls.monotonicMilliseconds
    /// How many loops ask it.
    public var workers = 1

    public init() {}
}
