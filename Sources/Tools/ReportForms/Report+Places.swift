public import SDReports
import SDStubModel

extension Report {
    /// Prefixes stub files with the folder, which the other formats do themselves.
    public mutating func placeStubs() {
        guard let folder, !folder.isEmpty, folder != "." else { return }
        for index in unmatched.indices { unmatched[index].nearest?.stub.move(into: folder) }
        for index in failed.indices { failed[index].stub?.move(into: folder) }
        for index in used.indices { used[index].stub.move(into: folder) }
        for index in unused.indices { unused[index].move(into: folder) }
        for index in unmet.indices { unmet[index].stub?.move(into: folder) }
        for index in faults.indices { faults[index].stub?.move(into: folder) }
        for index in asked.indices { asked[index].stub?.move(into: folder) }
        for index in aborted.indices { aborted[index].stub?.move(into: folder) }
        for index in open.indices { open[index].stub?.move(into: folder) }
        for index in slow.indices { slow[index].stub?.move(into: folder) }
        for index in slowest.indices { slowest[index].stub?.move(into: folder) }
        for index in webhooks.indices { webhooks[index].stub?.move(into: folder) }
        for index in strays.indices { strays[index].stub?.move(into: folder) }
    }

    /// The path of a stub's file, including the folder.
    public func path(of file: String) -> String {
        guard let folder, !folder.isEmpty, folder != "." else { return file }
        return Self.path(of: file, in: folder)
    }

    fileprivate static func path(of file: String, in folder: String) -> String {
        if file.hasPrefix("/") { return file }
        return folder.hasSuffix("/") ? folder + file : "\(folder)/\(file)"
    }
}

extension StubReference {
    fileprivate mutating func move(into folder: String) {
        self = StubReference(
            id: id, name: name, file: file.map { Report.path(of: $0, in: folder) }, line: line, key: key)
    }
}
