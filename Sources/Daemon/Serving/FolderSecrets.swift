package import SDCommand
import SDFolders
import SDJSON
import SDStubFiles

/// The names of secrets in `redact` under `defaults` of a folder's stub files, for commands that do not serve it.
/// Unreadable files are skipped.
package func redactedNames(in root: StubRoot) -> [String] {
    var names: [String] = []
    _ = StubFolder(root).read { file in
        guard let format = StubFile.Format(path: file.relativePath) else { return [String]() }
        return StubFile.read(file.bytes, format: format, path: file.path).redacted
    } consume: {
        for some in $0 { names += some }
    }
    return names
}
