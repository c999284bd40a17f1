internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension MockRouting {
    /// Routes `URLSession.shared` as well until the routing ends, for code that does not accept a session.
    ///
    /// It is process-wide: only one routing at a time can have it, so give tests that need it the trait `.serialized`.
    /// On Linux, call this before the process makes its first session of any kind. Its requests for other hosts are
    /// loaded as usual, because other tests may have sent them.
    /// - Throws: `MockServerError` if another routing has it, or if it cannot be routed any more.
    public func routeSharedSession() throws {
        guard SharedRoutedProtocol.isRegistered else {
            throw MockServerError(
                """
                Foundation on this system routes `URLSession.shared` only if that is said before the first session of the \
                process is made: give the code under test a session, `routing.makeSession()`
                """)
        }
        guard RoutingTable.shared.takeShared(addEntry()) else {
            throw MockServerError(
                """
                another test routes `URLSession.shared`, of which the process has one: give such tests the trait \
                `.serialized`, or the code under test a session, `routing.makeSession()`
                """)
        }
    }
}

/// The protocol of `URLSession.shared`.
final class SharedRoutedProtocol: RoutedProtocol {
    override class var number: Int { RoutingTable.shared.sharedNumber ?? 0 }

    override class func canInit(with request: URLRequest) -> Bool {
        guard let number = RoutingTable.shared.sharedNumber else { return false }
        return RoutingTable.shared.entry(number)?.core.takes(request, isShared: true) == true
    }

    /// Whether `URLSession.shared` uses this protocol.
    static let isRegistered: Bool = {
        guard URLProtocol.registerClass(SharedRoutedProtocol.self) else { return false }
        #if canImport(FoundationNetworking)
            let classes = URLSession.shared.configuration.protocolClasses ?? []
            return classes.contains { $0 == SharedRoutedProtocol.self }
        #else
            return true
        #endif
    }()
}
