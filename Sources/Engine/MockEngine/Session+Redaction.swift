import SDJournal
package import SDSecrets

extension Session {
    /// Replaces the names of secrets that a file declares; an empty list if the file was removed.
    public func replaceRedacted(_ names: [String], of file: String) { options.redactions.replace(names, of: file) }

    /// The files that declare names of secrets.
    public var redactingFiles: [String] { options.redactions.fileNames }

    /// The names of secrets in recordings: the built-in ones, and those that options and stub files add.
    package var secretNames: SecretNames { options.redactions.names }
}
