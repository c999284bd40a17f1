/// A folder to which reported paths are relative, such as the checkout of a CI job.
public struct Workspace: Sendable {
    private let roots: [String]
    private let working: String

    /// - Parameter path: the folder's absolute path; nil for the workspace of the GitHub job in which the process runs.
    /// - Returns: nil if there is none.
    public init?(_ path: String? = nil) {
        guard let working = SystemCalls.workingFolder,
            let path = path ?? SystemCalls.environmentVariable("GITHUB_WORKSPACE"), path.hasPrefix("/")
        else { return nil }
        self.working = working
        // The folder and the files may be named through links.
        roots = [path, (try? SystemCalls.resolve(path)) ?? path].map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    }

    /// The path relative to the folder; unchanged if the file is outside of it.
    /// - Parameter path: an absolute path, or one relative to the working folder.
    public func path(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : path == "." ? working : "\(working)/\(path)"
        guard let root = roots.first(where: { (whole + "/").hasPrefix($0) }) else { return path }
        return String(whole.dropFirst(root.count))
    }
}
