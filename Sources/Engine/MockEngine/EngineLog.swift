public import SDJournal

/// A log of problems, requests that nothing answered among them. Called on the loop.
public protocol EngineLog: TroubleLog {
    /// No stub and no file answered a request.
    func missed(_ request: UnmatchedRequest)
}
