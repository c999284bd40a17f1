package import SDAdminAPI
import SDBasics
import SDCertificates
import SDCommand
import SDFolders
package import SDHTTPTransport
import SDJSON
package import SDMockEngine
import SDPlatform
package import SDReports
import SDRouting
import SDStubFiles
import Synchronization

/// The service for the admin API.
extension MockService: DaemonControl {
    package func reloadFiles() {
        loader.reload()
    }

    package func shutDown() {
        // The answer to this call must be sent first; draining allows that.
        server?.post { [self] in stop("requested through the admin API") }
    }

    package func after(nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        server?.loop().after(nanoseconds: nanoseconds, work) ?? .dropped
    }

    package func openEndpoint(
        _ ports: SessionPorts, tag: UInt64, worker: Int
    ) throws(EndpointProblem) -> any SessionEndpoint {
        guard let server else { throw EndpointProblem(isTaken: false, message: "the daemon is not running yet") }
        let takesBoth = options.portSecurity == .auto
        if ports.https != nil {
            do throws(CertificateProblems) {
                try identities.ready()
            } catch {
                var problem = EndpointProblem(isTaken: false, message: "HTTPS cannot be served: \(error)")
                problem.isOfHTTPS = true
                throw problem
            }
        }
        let place = SessionListeners.Place(
            server: server, addresses: options.bindAddresses, tag: tag, worker: worker, resting: portCooldown)
        return try SessionListeners(
            at: place, ports, plain: takesBoth ? security(acceptsPlain: true) : nil,
            secured: ports.https == nil ? nil : security(acceptsPlain: false))
    }

    package var listeningAt: [String] { addresses.withLock { $0 } }

    package var adminAt: [String] {
        let own = adminListeners.withLock { $0 }
        return own.isEmpty ? listeningAt : own.flatMap(\.urls)
    }

    /// The admin API's own port; nil without one.
    package var adminPort: Int? { adminListeners.withLock { $0.first?.port } }

    package var authorityCertificate: [UInt8]? { identities.authorityCertificate }

    package var stubFolder: String? { loader.folder.path.belowWorkingFolder }

    package var folderAccess: FolderAccess? {
        let folder = loader.folder
        return FolderAccess(path: folder.path.belowWorkingFolder, obstacle: folder.obstacleToSaving)
    }

    package var isWatching: Bool { selfWrites.isWatching }

    package var fileProblems: [Report.FileProblem] {
        loader.problems
    }

    package var clients: (open: Int, accepted: UInt64) { server?.clients ?? (0, 0) }

    package var uptimeMilliseconds: Int { Int(clamping: startedAt.elapsedNanoseconds / 1_000_000) }
}

extension MockService: ServerLog {
    package func refused(status: Int, reason: String, peer: String) {
        if options.logsRequests { log.info("refused a request from \(peer) with \(status): \(reason)") }
    }

    package func trouble(_ text: String) {
        log.repeated(.warning, cause: text, text)
    }

    package func failedHandshake(_ text: String, serverName: String?) {
        // Clients choose these names.
        log.repeated(.warning, cause: text, text + (serverName.map { ", for \($0)" } ?? ""))
    }
}
