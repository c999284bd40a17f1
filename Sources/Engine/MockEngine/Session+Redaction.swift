import SDJournal
package import SDSecrets

extension Session {
    /// Takes the names of secrets that a file gives; none if it gives none, or is gone.
    public func replaceRedacted(_ names: [String], of file: String) { options.redactions.replace(names, of: file) }

    /// The files that give names of secrets.
    public var redactingFiles: [String] { options.redactions.fileNames }

    /// The names of secrets in recordings: those that always are, and what options and stub files add.
    package var secretNames: SecretNames { options.redactions.names }
}
