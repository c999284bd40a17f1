/// The options of `stuntdouble convert`.
public struct ConvertOptions: Sendable, Equatable {
    /// The files and folders, in the order of the command line.
    public var paths: [String] = []
    /// The folder that is written to; nil prints.
    public var folder: String?
    /// The form that is written; nil for the one that a file does not have.
    public var format: RecordOptions.Format?
    /// Whether files that are there already are replaced.
    public var overwrites = false
    /// Whether ids that files give are kept.
    public var keepsIDs = true
    /// Whether every response is a template, unless it says otherwise.
    public var areTemplates = false
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble convert` alone.
    static let convert: [Option] = [
        .flag(
            "force", \.convert.overwrites, .recording, commands: [.convert],
            "Replace files that are there already and differ."),
        .flag(
            "no-ids", \.convert.keepsIDs, sets: false, .recording, commands: [.convert],
            "Leave out the ids that mappings have; each stub gets one of its file and place."),
    ]
}

extension CommandLineParser {
    func convert(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> ConvertOptions {
        if operands.isEmpty { throw .missingArgument(command: .convert) }
        var options = settings.convert
        options.paths = operands
        options.folder = settings.record.folder
        options.areTemplates = settings.serve.globalTemplating
        if settings.format != nil { options.format = try format(settings, RecordOptions.Format.yaml) }
        if let folder = options.folder, !folderExists(folder), fileExists(folder) { throw .fileForFolder(folder) }
        // A file is meant; a folder may have such a name, but only if it is there.
        if let folder = options.folder, !folderExists(folder), StubRoot.isStubFile(folder) {
            if operands.count == 1, StubRoot.isStubFile(operands[0]) {
                throw .fileForOutput(folder)
            }
            let parent = folder.lastIndex(of: "/").map { String(folder[..<$0]) }
            throw .invalidValue(
                .option("--to"), found: folder, expected: "a folder, in which files are named as those that are read",
                nearest: parent ?? "converted")
        }
        options.notices = notices
        return options
    }
}
