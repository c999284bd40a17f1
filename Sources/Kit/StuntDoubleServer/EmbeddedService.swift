import SDBasics
import SDCommand
import SDFolders
import SDHTTPTransport
import SDPlatform
import SDServing
import StuntDoubleClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A daemon's service on its own threads in this process, until it is stopped or deinitialized. It leaves the process
/// untouched: no signal handlers, standard streams or limits, and only its own files.
final class EmbeddedService: ServerOwner {
    let url: URL
    /// The base URL for HTTPS; nil if it serves none.
    let httpsURL: URL?
    private let lines: LastLines
    private let service: MockService
    /// The temporary folder of a server without one; removed with this object.
    private let scratch: TemporaryMocks?

    /// Starts serving.
    /// - Throws: `MockServerError` for an unknown argument, a missing folder, an invalid stub file, or a port in use.
    init(mocks: String?, arguments: [String]) throws(MockServerError) {
        let scratch = try mocks == nil ? TemporaryMocks() : nil
        let lines = LastLines()
        do {
            let options = try Self.options(folder: mocks ?? scratch?.path ?? ".", arguments)
            if let invalid = options.invalidValue { throw MockServerError(invalid.message) }
            let service = MockService(
                options, template: try options.filenameTemplate.map(StubFileTemplate.init),
                log: Log(format: .text, threshold: options.verbose ? .debug : .info) { lines.add($0) },
                startedAt: .now)
            do {
                (url, httpsURL) = try Self.start(service)
            } catch {
                service.end()
                throw error
            }
            self.service = service
            self.scratch = scratch
            self.lines = lines
        } catch let error as MockServerError {
            throw error
        } catch let error as StubFileTemplateProblem {
            throw MockServerError("--filename-template: expected \(error.expected)")
        } catch {
            throw MockServerError("\(error)")
        }
    }

    private static func options(folder: String, _ arguments: [String]) throws -> ServeOptions {
        let parser = CommandLineParser(
            environment: SystemCalls.environment(prefixes: CommandLineParser.variablePrefixes),
            folderExists: SystemCalls.isFolder, fileExists: SystemCalls.exists)
        let invocation: Invocation
        do throws(CommandLineError) {
            invocation = try parser.parse(["serve", folder, "--port", "0"] + ServerDefaults.arguments + arguments)
        } catch {
            throw MockServerError(error.message)
        }
        guard case .serve(let options) = invocation else {
            throw MockServerError("\(arguments.joined(separator: " ")): nothing is served with these arguments")
        }
        return options
    }

    private static func start(_ service: MockService) throws -> (plain: URL, https: URL?) {
        let contents = try service.load()
        let server = try service.makeServer()
        let listeners = try service.listen(server)
        let urls = listeners.flatMap(\.urls)
        // The kit's own calls use plain HTTP.
        guard let url = urls.first(where: { $0.hasPrefix("http:") }).flatMap({ URL(string: $0) }) else {
            throw MockServerError("the server listens at no address")
        }
        try server.start()
        service.watch(contents, isAlone: false)
        return (url, urls.first { $0.hasPrefix("https:") }.flatMap { URL(string: $0) })
    }

    /// Stops it, and returns when its threads have ended.
    func stop() {
        service.end()
    }

    deinit {
        service.end()
    }

    var log: String { lines.text }

    func end(within time: Duration) -> String? { nil }
}

/// The last lines of a log.
private final class LastLines: Sendable {
    private static let most = 200

    private let lines = Lock<[String]>([])

    func add(_ line: String) {
        lines.withLock { lines in
            if lines.count == Self.most { lines.removeFirst() }
            lines.append(line)
        }
    }

    var text: String { lines.withLock { $0.joined() } }
}
