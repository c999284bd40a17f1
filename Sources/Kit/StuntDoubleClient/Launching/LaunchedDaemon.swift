import SDJSON

#if os(macOS) || os(Linux)
    import SDBasics

    /// A daemon that this process has started. It ends with this value, and with this process, however that ends.
    final class LaunchedDaemon: ServerOwner {
        /// The time within which a daemon has to be ready.
        private static let patience = Duration.seconds(30)

        let port: Int
        /// The port for HTTPS, which may be the same; nil if it serves none.
        let httpsPort: Int?
        let child: ChildProgram
        private let errors: DaemonOutput
        /// Comes with the way in which it ended.
        private let ending: Promise<String>
        private let input: Lock<Int32?>
        private let folder: TemporaryMocks?

        /// Starts the daemon and waits until it is ready.
        /// - Throws: `MockServerError` if the program cannot be launched, or with its log if it does not get ready.
        init(binary: String, mocks: String?, arguments: [String]) async throws {
            let folder = try mocks == nil ? TemporaryMocks() : nil
            let options = ["--port", "0", "--log-format", "json", "--exit-with-parent"]
            let child: ChildProgram
            do throws(SocketError) {
                child = try ChildCalls.spawn(
                    binary, [mocks ?? folder?.path ?? "."] + options + ServerDefaults.arguments + arguments)
            } catch {
                throw MockServerError("cannot launch \(binary): \(error)")
            }
            self.child = child
            self.folder = folder
            let ending = Promise<String>()
            self.ending = ending
            input = Lock(child.input)
            _ = SocketCalls.startThread { ending.fulfil(ChildCalls.waitForEnd(child.identifier)) }
            errors = try DaemonOutput(child.errors)
            let output = try DaemonOutput(child.output, firstLineUntil: .now + Self.patience)
            guard let line = await output.firstLine.value, let ports = Self.ports(line) else {
                var how = "it was not ready within \(Self.patience)"
                if output.end.known != nil {
                    how = await ending.value
                    await errors.end.value
                } else {
                    ChildCalls.killChild(child.identifier)
                }
                let log = LogText.plain(errors.text)
                throw MockServerError("\(binary) did not get ready: \(how)\n\(log.isEmpty ? "its log is empty" : log)")
            }
            (port, httpsPort) = ports
        }

        deinit {
            closeInput()
        }

        var log: String { LogText.plain(errors.text) }

        /// Ends it by closing its standard input, and kills it if it does not end in time. Its log is whole then.
        func stop() async {
            closeInput()
            let (ending, child) = (ending, child)
            let killer = KitThreads.after(.seconds(10)) {
                if ending.known == nil { ChildCalls.killChild(child.identifier) }
            }
            _ = await ending.value
            killer.cancel()
            await errors.end.value
        }

        private func closeInput() {
            let descriptor = input.withLock { input in
                defer { input = nil }
                return input
            }
            if let descriptor { SocketCalls.closeDescriptor(descriptor) }
        }

        private static func ports(_ line: String) -> (plain: Int, https: Int?)? {
            guard let ready = try? JSONValue(parsing: line), ready["event"] == "ready" else { return nil }
            return ready["port"]?.intValue.map { ($0, ready["httpsPort"]?.intValue) }
        }
    }
#endif
