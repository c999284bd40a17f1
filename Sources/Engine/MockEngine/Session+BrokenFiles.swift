import SDPlatform

/// The stub files with errors: a stub in one of them may be the one that a request was meant for.
extension Session {
    /// Sets the function that lists them, each with its first error: `mocks/users.yaml:3:5: …`.
    public func nameBrokenFiles(_ list: @escaping @Sendable () -> [String]) { shared.brokenFiles.set(list) }

    /// The broken files whose stubs this session would serve.
    package var brokenFiles: [String] {
        guard parent != nil || options.label == nil else { return [] }
        return shared.brokenFiles() ?? []
    }

    /// The hint about them for an unmatched request, without a full stop; nil if there are none.
    package var brokenFilesAdvice: String? {
        let files = brokenFiles
        guard !files.isEmpty else { return nil }
        let more = files.count > 3 ? "; and \(files.count - 3) more" : ""
        return "It may be meant for a stub file that has errors: " + files.prefix(3).joined(separator: "; ") + more
    }
}
