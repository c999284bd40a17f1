/// The options of `stuntdouble convert`.
public struct ConvertOptions: Sendable, Equatable {
    /// The files and folders, in the order of the command line.
    public var paths: [String] = []
    /// The output folder; nil prints.
    public var folder: String?
    /// The output format; nil for the opposite of the input's.
    public var format: RecordOptions.Format?
    /// Whether existing files are replaced.
    public var overwrites = false
    /// Whether ids in files are kept.
    public var keepsIDs = true
    /// Whether every response is a template unless it says otherwise.
    public var areTemplates = false

    public init() {}
}

extension OptionTable {
    /// The options that only `stuntdouble convert` has.
    static let convert: [Option] = [
        .flag(
            "force", \.convert.overwrites, .recording, commands: [.convert],
            "Replace existing files that differ."),
        .flag(
            "no-ids", \.convert.keepsIDs, sets: false, .recording, commands: [.convert],
            "Leave out the ids of mappings; each stub gets one from its file and position."),
    ]
}

extension CommandLineParser {
    func convert(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> ConvertOptions {
        if operands.isEmpty { throw .missingArgument(command: .convert) }
        var options = settings.convert
        options.paths = operands
        options.folder = settings.record.folder
        options.areTemplates = settings.serve.globalTemplating
        if settings.format != nil { options.format = try format(settings, RecordOptions.Format.yaml) }
        if let folder = options.folder, !folderExists(folder), fileExists(folder) { throw .fileForFolder(folder) }
        // Probably a file is meant; a folder with such a name counts only if it exists.
        if let folder = options.folder, !folderExists(folder), StubRoot.isStubFile(folder) {
            if operands.count == 1, StubRoot.isStubFile(operands[0]) {
                throw .fileForOutput(folder)
            }
            let parent = folder.lastIndex(of: "/").map { String(folder[..<$0]) }
            throw .invalidValue(
                .option("--to"), found: folder, expected: "a folder, in which files are named as those that are read",
                nearest: parent ?? "converted")
        }
        return options
    }
}
