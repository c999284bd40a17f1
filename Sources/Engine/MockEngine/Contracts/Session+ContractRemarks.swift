import SDContracts
import SDOpenAPI
package import SDStubModel

extension Session {
    /// What in its documents cannot do what it is for, such as examples that their schemas do not allow: warnings by the
    /// path of the file from the folder. That takes a while.
    package func contractRemarks() -> [(file: String, problems: [ModelProblem])] {
        var remarks: [String: [ModelProblem]] = [:]
        for file in contractFiles.sorted() {
            for contract in loaded.contracts.contracts(of: file) {
                let own = contract.path(namedBy: file)
                let folder = own.lastIndex(of: "/").map { String(own[...$0]) } ?? ""
                let documents = contract.contract.description.documents.documents
                for remark in contract.contract.remarks() {
                    let path = remark.document == 0 ? own : folder + documents[remark.document].name
                    if remarks[path]?.contains(remark.problem) != true {
                        remarks[path, default: []].append(remark.problem)
                    }
                }
            }
        }
        return remarks.sorted { $0.key < $1.key }.map { (file: $0.key, problems: $0.value) }
    }
}

extension ServedContract {
    /// The path of its file from the folder.
    /// - Parameter file: the stub file that is the document, or names it.
    func path(namedBy file: String) -> String {
        guard settings.file != file, let slash = file.lastIndex(of: "/") else { return settings.file }
        return file[...slash] + settings.file
    }
}
