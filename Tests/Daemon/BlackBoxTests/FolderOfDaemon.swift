import SDTestSupport

extension TemporaryFolder {
    /// Writes files, and starts the daemon for the folder without waiting for it to get ready.
    func startDaemon(with files: [String: String], outputsIn scratch: TemporaryFolder) throws -> ChildProcess {
        for (name, text) in files { try write(name, text) }
        return try ChildProcess(Daemon.binary, [path, "--port", "0"], outputsIn: scratch)
    }
}
