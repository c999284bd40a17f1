/// A file or folder whose name is not UTF-8. JSON cannot name it, so it is not used.
public struct ForeignName: Sendable, Hashable {
    enum Kind: Sendable {
        case stubFile, stubFolder, bodyFile, bodyFolder
    }

    /// The path, with the bytes of the name that are not ASCII written `\xE9`.
    public var path: String
    private let kind: Kind

    /// The consequence for the file or folder, in words for its author.
    public var message: String {
        let consequence =
            switch kind {
            case .stubFile: "its stubs are not read"
            case .stubFolder: "no stubs are read from this folder"
            case .bodyFile: "no response can use this file"
            case .bodyFolder: "no response can use the files in this folder"
            }
        return "the name is not UTF-8, so \(consequence)"
    }

    init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    init(path: String, _ other: ForeignName) {
        self.init(path: path, kind: other.kind)
    }
}
