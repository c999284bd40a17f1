import SDHTTPTransport
import SDUpstream

extension Upstream {
    private static let identityField = Array(hopHeader.lowercased().utf8)

    /// Whether this process sent the request; proxying it might loop forever.
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
