import SDJSON

/// The line that a daemon prints when it is ready.
struct ReadyLine: Sendable {
    let port: Int
    /// The port for HTTPS, possibly the same; nil if HTTPS is off.
    let httpsPort: Int?

    /// Parses a line; nil for any other line.
    init?(_ line: [UInt8]) {
        guard let json = try? JSONValue(parsing: line), json["event"] == "ready", let port = json["port"]?.intValue
        else { return nil }
        self.port = port
        httpsPort = json["httpsPort"]?.intValue
    }
}

#if os(macOS) || os(Linux)
    import SDBasics

    /// A daemon started by this process. It ends with this object and with this process, even if that is killed.
    final class LaunchedDaemon: ServerOwner {
        /// The time for a daemon to become ready.
        private static let patience = Duration.seconds(30)
        /// The time for a program that failed to start to print its last lines and end.
        private static let grace = Duration.seconds(2)

        let port: Int
        /// The port for HTTPS, possibly the same; nil if HTTPS is off.
        let httpsPort: Int?
        let child: ChildProgram
        private let output: DaemonOutput
        private let errors: DaemonOutput
        /// Fulfilled with how the process ended.
        private let ending: Promise<String>
        private let input: Lock<Int32?>
        private let folder: TemporaryMocks?

        /// Starts the daemon and waits until it is ready.
        /// - Throws: `MockServerError` if the program cannot be launched, or with its output if it does not become
        ///   ready.
        init(binary: String, mocks: String?, arguments: [String]) async throws {
            let folder = try mocks == nil ? TemporaryMocks() : nil
            let options = ["--port", "0", "--log-format", "json", "--exit-with-parent"]
            let child: ChildProgram
            do throws(SocketError) {
                child = try ChildCalls.spawn(
                    binary, [mocks ?? folder?.path ?? "."] + options + ServerDefaults.arguments + arguments)
            } catch {
                throw MockServerError("cannot launch \(binary): \(ChildCalls.words(for: error))")
            }
            self.child = child
            self.folder = folder
            let ending = Promise<String>()
            self.ending = ending
            input = Lock(child.input)
            _ = SocketCalls.startThread { ending.fulfil(ChildCalls.waitForEnd(child.identifier)) }
            errors = try DaemonOutput(child.errors)
            let output = try DaemonOutput(child.output, readyUntil: .now + Self.patience)
            self.output = output
            // A child process of the daemon may keep the output open.
            ending.then { _ in _ = KitThreads.after(Self.grace) { output.readyLine.fulfil(nil) } }
            guard let ready = await output.readyLine.value else {
                let how = await Self.endOfUnready(output, ending)
                ChildCalls.killChild(child.identifier)
                let printed = await Self.lastWords(output, errors)
                throw MockServerError(
                    "\(binary) \(how)" + (printed.isEmpty ? "; it printed nothing" : "; it printed:\n\(printed)"))
            }
            (port, httpsPort) = (ready.port, ready.httpsPort)
        }

        deinit {
            closeInput()
        }

        var log: String { Self.printed(output, errors) }

        func end(within time: Duration) async -> String? {
            guard let end = await ending.value(within: time) else { return nil }
            _ = await Self.lastWords(output, errors)
            return end
        }

        /// Closes its standard input, and kills it if it does not end in time. Its log is complete on return.
        func stop() async {
            closeInput()
            let (ending, child) = (ending, child)
            let killer = KitThreads.after(.seconds(10)) {
                if ending.known == nil { ChildCalls.killChild(child.identifier) }
            }
            _ = await ending.value
            killer.cancel()
            _ = await Self.lastWords(output, errors)
        }

        private func closeInput() {
            let descriptor = input.withLock { input in
                defer { input = nil }
                return input
            }
            if let descriptor { SocketCalls.closeDescriptor(descriptor) }
        }

        // MARK: What it leaves

        /// Describes a program that was not ready in time, or closed its output before.
        private static func endOfUnready(_ output: DaemonOutput, _ ending: Promise<String>) async -> String {
            guard output.end.known != nil || ending.known != nil else { return "was not ready within \(patience)" }
            guard let end = await ending.value(within: grace) else { return "closed its output before it was ready" }
            return "ended at once: \(end)"
        }

        /// The output of a program that has ended. A child process of it may keep its outputs open; that is not waited
        /// for.
        private static func lastWords(_ output: DaemonOutput, _ errors: DaemonOutput) async -> String {
            _ = await output.end.value(within: grace)
            _ = await errors.end.value(within: grace)
            return printed(output, errors)
        }

        /// Its standard output without the ready line, and its log.
        private static func printed(_ output: DaemonOutput, _ errors: DaemonOutput) -> String {
            let lines = output.text.split(separator: "\n").filter { ReadyLine(Array($0.utf8)) == nil }
            let texts = [lines.joined(separator: "\n"), errors.text].map(LogText.plain)
            return texts.filter { !$0.isEmpty }.joined(separator: "\n")
        }
    }
#endif
