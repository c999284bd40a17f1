import SDHTTPTransport
import SDUpstream

extension Upstream {
    private static let identityField = Array(hopHeader.lowercased().utf8)

    /// Whether the request was sent by this process: sent on, it might come back without end.
    func hasSent(_ request: Request) -> Bool {
        guard !settings.identity.isEmpty else { return false }
        var isOwn = false
        request.forEachHeaderValue(Self.identityField) { value in
            isOwn = value.elementsEqual(settings.identity.utf8)
            return !isOwn
        }
        return isOwn
    }
}
