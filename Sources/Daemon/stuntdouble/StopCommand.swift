import SDCommand
import SDJSON
import SDPlatform
import SDServing

/// `stuntdouble stop`: ends a daemon.
enum StopCommand {
    private static let pause: Int32 = 20

    /// Runs the command.
    /// - Returns: the exit status: 0 if the daemon has ended, or there was none; 1 if it does not end in time; 2 if the
    ///   server there is not a daemon that can be stopped.
    static func run(_ options: StopOptions) -> Int32 {
        let start = SystemCalls.monotonicMilliseconds()
        let seen = ServerProbe(options.target)
        guard let server = seen.server, seen.isUp || !isClosed(server) else {
            return Console.print(
                ["url": .string(seen.place), "stopped": false, "found": .string(seen.text)],
                else: "nothing to stop at \(seen.place): \(seen.text)\n")
        }
        var client = AdminClient(server: server, credentials: options.adminBasicAuth, token: options.adminToken)
        client.idleSeconds = max(1, min(client.idleSeconds, Int(options.timeout.milliseconds) / 1_000))
        do throws(AdminClientProblem) {
            try shutDown(client)
        } catch {
            return error.report()
        }
        while !isClosed(server) {
            guard SystemCalls.monotonicMilliseconds() - start < Int64(options.timeout.milliseconds) else {
                Console.error(
                    "\(server.text) is to end, and still accepts connections",
                    fix: "send its process SIGTERM twice, which ends it at once")
                return 1
            }
            SystemCalls.pause(milliseconds: pause)
        }
        let time = SystemCalls.monotonicMilliseconds() - start
        return Console.print(
            ["url": .string(server.text), "stopped": true, "milliseconds": .number(JSONNumber(Int(time)))],
            else: "stopped \(server.text)\n")
    }

    /// Asks the daemon to shut down, at the admin API's own port if another one was named.
    private static func shutDown(_ client: AdminClient) throws(AdminClientProblem) {
        do throws(AdminClientProblem) {
            _ = try client.ask("POST", "/shutdown")
        } catch {
            guard var other = client.following(error) else { throw error }
            other.idleSeconds = client.idleSeconds
            _ = try other.ask("POST", "/shutdown")
        }
    }

    private static func isClosed(_ server: ServerURL) -> Bool {
        !SystemCalls.accepts(host: server.host, port: server.port)
    }
}
