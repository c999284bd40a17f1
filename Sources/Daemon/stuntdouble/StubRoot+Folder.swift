import Command
import Folders
import Platform

extension StubFolder {
    init(_ root: StubRoot) {
        self.init(path: root.path, isMappingsOnly: root.layout != .free)
    }
}

extension StubRoot {
    /// The places in which stubs were searched, and why there are none, such as `looked in mocks (no such folder) and
    /// mappings (no such folder)`.
    /// - Parameter files: the number of stub files.
    func emptiness(files: Int) -> String {
        // If no folder was named, the usual one was tried first.
        let places = (self == .fallback ? [StubRoot.usual.path] : []) + StubFolder(self).placesOfStubs
        let looked = places.map { place in
            guard SystemCalls.isFolder(place) else { return "\(place) (no such folder)" }
            return files == 0
                ? "\(place) (no stub file)" : "\(place) (no stub in \(files == 1 ? "1 file" : "\(files) files"))"
        }
        return "looked in " + looked.joined(separator: " and ")
    }
}
