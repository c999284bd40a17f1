import SDBasics
import SDChecking
import SDCommand
import SDFolders
import SDHTTPTransport
import SDMockEngine
import SDPlatform
import SDServing
import SDStubFiles
import SDStubModel
import SDUpstream

/// `stuntdouble check`: sends the same requests to the real service and the stubs, and compares the answers.
enum CheckCommand {
    /// Runs the command.
    /// - Returns: the exit status of `CheckReport.print()`, or 1 if nothing could be compared.
    static func run(_ options: CheckOptions) -> Int32 {
        guard SystemCalls.isFolder(options.root.path) else {
            Console.error(
                "no such folder: \(options.root.path)", fix: "stuntdouble init \(shellWord(options.root.path))")
            return CommandLineError.exitCode
        }
        SystemCalls.ignoreBrokenPipes()
        let service = MockService(
            serveOptions(options), template: nil, log: Log(format: .text, threshold: .error), startedAt: .now)
        let (diagnostics, contents) = service.loader.loadAll(atOnce: false)
        let errors = diagnostics.filter { $0.severity == .error }
        guard errors.isEmpty else {
            Console.print(errors)
            return 1
        }
        let stubs = service.session.references.sorted { Routes.precedes($0.reference, $1.reference) }
        if stubs.isEmpty {
            Console.error(ConsoleError(noStubsIn: options.root, files: contents.files.count))
            return 1
        }
        do throws(TransportError) {
            let server = try service.makeServer()
            guard let mock = try service.listen(server).flatMap(\.urls).first else { return 1 }
            let run = CheckRun(options, stubs, mock: mock, on: server.loop()) { service.stop("done", isAwaited: false) }
            server.loop().perform { run.begin() }
            try server.run()
            service.stopWatching()
            return CheckReport(options, run.results).print()
        } catch {
            Console.error(error.description, fix: "stuntdouble doctor")
            return 1
        }
    }

    /// Options for stubs that answer inside this process, without delays and without calls to other servers.
    private static func serveOptions(_ options: CheckOptions) -> ServeOptions {
        var serve = options.serve
        serve.root = options.root
        serve.port = 0
        serve.watch = false
        serve.timeScale = 0
        serve.callsOthers = false
        return serve
    }
}
