import SDAnswering
import SDChannels
import SDJournal
public import SDStubModel

/// Warnings about calls that are valid but probably not intended.
extension Session {
    /// The subject of a warning.
    public enum WarningSubject: Sendable {
        /// A stub that a call adds or edits.
        case stub(StubMapping)
        /// A call, by its method and path.
        case call(String)
    }

    /// Logs warnings.
    public func advise(_ texts: [String], on subject: WarningSubject) {
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

    /// Logs, once for each stub, that a client asked for a WebSocket and got the stub's response.
    func noteUpgrade(_ event: ServeEvent) {
        guard let stub = event.matched, !stub.isProxied, !stub.mapping.isForUpgrades else { return }
        trouble?.advised(
            "\(stub.reference.text()): a client asks for WebSocket (`Upgrade: websocket`), and gets this response")
    }
}
