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

/// `stuntdouble check`: asks the real service and the stubs the same, and compares the answers.
enum CheckCommand {
    /// Runs the command.
    /// - Returns: the exit status: 0 if all stubs that could be compared are true, 1 if one is not, or none could be.
    static func run(_ options: CheckOptions) -> Int32 {
        for notice in options.notices { Console.note(notice) }
        guard SystemCalls.isFolder(options.root.path) else {
            Console.complain(
                "no such folder: \(options.root.path)", fix: "stuntdouble init \(shellWord(options.root.path))")
            return CommandLineError.exitCode
        }
        SystemCalls.ignoreBrokenPipes()
        let service = MockService(
            serveOptions(options), template: nil, log: Log(format: .text, threshold: .error), startedAt: .now)
        let (diagnostics, contents) = service.loader.loadAll(atOnce: false)
        let errors = diagnostics.filter { $0.severity == .error }
        guard errors.isEmpty else {
            Console.tell(errors)
            return 1
        }
        let stubs = service.session.references.sorted { Routes.precedes($0.reference, $1.reference) }
        if stubs.isEmpty {
            Console.complain(Complaint(noStubsIn: options.root, files: contents.files.count))
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
            Console.complain(error.description, fix: "stuntdouble doctor")
            return 1
        }
    }

    /// The stubs answer beside the command, at once, and call nobody.
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
