import SDAgentTools
import SDBasics
import SDCommand
import SDJSON
import SDPlatform

/// `stuntdouble mcp`: tools for agents (MCP), one JSON-RPC message per line on standard input and output.
enum AgentCommand {
    /// Runs until the input ends.
    /// - Returns: the exit status: 0, or 125 without a mock server.
    static func run(_ options: AgentOptions, startedAt: MonotonicInstant) -> Int32 {
        for notice in options.serve.notices { Console.info(notice) }
        if let server = options.server {
            return serve(
                AdminClient(server: server, options.serve), ToolContext(options, url: server.text))
        }
        do throws(RunProblem) {
            var serve = options.serve
            serve.exitWithParent = false
            serve.notices = []
            let daemon = try RunDaemon.get(serve, isShared: false, logFile: options.logFile, startedAt: startedAt)
            for line in RunLog.messages(in: daemon.startLog, of: ["warning", "error"]) { Console.info(line) }
            let listeners = daemon.ready["listeners"]?.arrayValue ?? []
            let urls = listeners.compactMap { $0["url"]?.stringValue }.map(RunMock.reachable)
            guard let url = urls.first(where: { $0.hasPrefix("http:") }), let server = ServerURL(url) else {
                daemon.leave()
                throw RunProblem(message: "the mock server has no HTTP address", fix: "leave out --disable-http")
            }
            Console.info("the mock server answers at \(url)")
            let client = AdminClient(server: server, options.serve)
            let status = Self.serve(client, ToolContext(options, url: url))
            daemon.leave()
            return status
        } catch {
            Console.error(error.message, fix: error.fix)
            return error.status
        }
    }

    private static func serve(_ client: AdminClient, _ context: ToolContext) -> Int32 {
        SystemCalls.ignoreBrokenPipes()
        var client = client
        // Longer than any tool waits.
        client.idleSeconds = 180
        client.countsAsUse = true
        AgentLines(AgentServer(context), asking: client).run()
        return 0
    }
}

extension ToolContext {
    fileprivate init(_ options: AgentOptions, url: String) {
        self.init(version: Manual.version, url: url)
        guard let folder = options.writeFolder else { return }
        write = { path, bytes throws(ToolProblem) in try WritableFolder(path: folder).write(path, bytes) }
    }
}

extension AdminClient: AdminCaller {
    func ask(_ question: AdminQuestion, _ then: @escaping @Sendable (Result<AdminReply, ToolProblem>) -> Void) {
        do throws(AdminClientProblem) {
            let answer: Answer
            if let refusal = try refusal(of: question.session) {
                answer = refusal
            } else {
                answer = try exchange(
                    question.method, prefix(question.session) + question.target, body: question.body,
                    contentType: question.contentType)
            }
            then(.success(AdminReply(status: answer.status, body: answer.body)))
        } catch {
            then(.failure(ToolProblem(error.message, fix: error.fix)))
        }
    }

    /// The error for naming a session when the address is that of a session: only its child sessions are known there.
    /// Nil if the session may be named.
    private func refusal(of session: String?) throws(AdminClientProblem) -> Answer? {
        guard let session, server.path.firstRange(ofText: Self.sessions) != nil else { return nil }
        let found = try exchange("GET", server.path + "/__admin/sessions/" + session, body: nil)
        return found.status == 200 ? nil : found
    }

    /// The path prefix of a call: the address's, with the named session instead of the address's own.
    private func prefix(_ session: String?) -> Substring {
        guard session != nil, let place = server.path.firstRange(ofText: Self.sessions) else { return server.path[...] }
        return server.path[..<place.lowerBound]
    }

    private static let sessions = "/__session/"
}
