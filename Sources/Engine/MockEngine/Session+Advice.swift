import SDAnswering
import SDJournal
public import SDStubModel

/// Warnings about what is valid in a call and hardly meant.
extension Session {
    /// The subject of a warning.
    public enum Advised: Sendable {
        /// A stub that a call adds or edits.
        case stub(StubMapping)
        /// A call, by its method and path.
        case call(String)
    }

    /// Logs warnings.
    public func advise(_ texts: [String], on subject: Advised) {
        guard let trouble else { return }
        let name =
            switch subject {
            case .stub(let mapping):
                StubReference(
                    id: mapping.id, name: mapping.name, file: nil, line: nil, key: mapping.request.routeKey
                ).text()
            case .call(let name): name
            }
        for text in texts { trouble.advised("\(name): \(text)") }
    }

    /// Logs, once for each stub, that a client which asked for WebSocket gets the stub's response.
    func noteUpgrade(_ event: ServeEvent) {
        guard let stub = event.matched, !stub.isProxied else { return }
        trouble?.advised(
            "\(stub.reference.text()): a client asks for WebSocket (`Upgrade: websocket`), which is not served yet, "
                + "and gets this response")
    }
}
