/// A file, folder or link in a served folder that cannot be used, and the reason.
public struct UnusedName: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A name that is not UTF-8 and so cannot be written in JSON.
        case stubFile, stubFolder, bodyFile, bodyFolder
        /// A dangling link, with its text.
        case danglingLink(to: String)
        /// A link to an enclosing folder, or to itself.
        case circularLink
        /// A pipe, socket or device with the name of a stub file.
        case noFile
    }

    /// The path; bytes of the name that are not ASCII are written `\xE9`.
    public var path: String
    private let kind: Kind

    /// The reason and the consequence, for the user.
    public var message: String {
        let notUTF8 = "the name is not UTF-8, so "
        return switch kind {
        case .stubFile: notUTF8 + "its stubs are not read"
        case .stubFolder: notUTF8 + "no stubs are read from this folder"
        case .bodyFile: notUTF8 + "no response can use this file"
        case .bodyFolder: notUTF8 + "no response can use the files in this folder"
        case .danglingLink(let target):
            "a link to \(target), which does not exist, so no stubs are read through it; they are once it exists"
        case .circularLink: "a link to a folder in which it is, or to itself, so no stubs are read through it"
        case .noFile:
            "a pipe, a socket or a device, so no stubs are read from it; expected a file, or a link to one"
        }
    }

    init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    init(path: String, _ other: UnusedName) {
        self.init(path: path, kind: other.kind)
    }
}
