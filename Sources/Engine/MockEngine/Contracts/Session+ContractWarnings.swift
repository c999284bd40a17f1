import SDContracts
import SDOpenAPI
package import SDStubModel

extension Session {
    /// Returns warnings about parts of the documents that have no effect, such as examples that their schemas reject.
    /// Files are named by their path from the folder. Slow.
    package func contractWarnings() -> [(file: String, problems: [ModelProblem])] {
        var warnings: [String: [ModelProblem]] = [:]
        for file in contractFiles.sorted() {
            for contract in loaded.contracts.contracts(of: file) {
                let own = contract.path(namedBy: file)
                let folder = own.lastIndex(of: "/").map { String(own[...$0]) } ?? ""
                let documents = contract.contract.description.documents.documents
                for warning in contract.contract.warnings() {
                    let path = warning.document == 0 ? own : folder + documents[warning.document].name
                    if warnings[path]?.contains(warning.problem) != true {
                        warnings[path, default: []].append(warning.problem)
                    }
                }
            }
        }
        return warnings.sorted { $0.key < $1.key }.map { (file: $0.key, problems: $0.value) }
    }
}

extension ServedContract {
    /// The path of the document's file from the folder.
    /// - Parameter file: the stub file that is the document, or names it.
    func path(namedBy file: String) -> String {
        guard settings.file != file, let slash = file.lastIndex(of: "/") else { return settings.file }
        return file[...slash] + settings.file
    }
}
