import SDPlatform

/// The stub files that have errors: a stub in one of them may be what a request was meant for.
extension Session {
    /// Takes who lists them, each with its first error: `mocks/users.yaml:3:5: …`.
    public func nameBrokenFiles(_ list: @escaping @Sendable () -> [String]) { shared.brokenFiles.set(list) }

    /// Those whose stubs it would serve.
    package var brokenFiles: [String] {
        guard parent != nil || options.label == nil else { return [] }
        return shared.brokenFiles() ?? []
    }

    /// What is said of them to a request that nothing answers, without a full stop; nil if there are none.
    package var brokenFilesAdvice: String? {
        let files = brokenFiles
        guard !files.isEmpty else { return nil }
        let more = files.count > 3 ? "; and \(files.count - 3) more" : ""
        return "It may be meant for a stub file that has errors: " + files.prefix(3).joined(separator: "; ") + more
    }
}
