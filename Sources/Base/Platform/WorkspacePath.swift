/// A folder from which others name files, such as the one that a job has checked out.
public struct Workspace: Sendable {
    private let roots: [String]
    private let working: String

    /// - Parameter path: the whole path of the folder; nil for that of the job in which the process runs, as GitHub says it.
    /// - Returns: nil if there is none.
    public init?(_ path: String? = nil) {
        guard let working = SystemCalls.workingFolder,
            let path = path ?? SystemCalls.environmentVariable("GITHUB_WORKSPACE"), path.hasPrefix("/")
        else { return nil }
        self.working = working
        // The folder may be named by a link, and the files too.
        roots = [path, (try? SystemCalls.resolve(path)) ?? path].map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    }

    /// The path of a file from the folder on; as it is, if the file lies outside of it.
    /// - Parameter path: a whole path, or one from the working folder on.
    public func path(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : path == "." ? working : "\(working)/\(path)"
        guard let root = roots.first(where: { (whole + "/").hasPrefix($0) }) else { return path }
        return String(whole.dropFirst(root.count))
    }
}
