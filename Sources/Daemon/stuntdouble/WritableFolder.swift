import SDAgentTools
import SDBasics
import SDPlatform

/// A folder to which files may be added.
struct WritableFolder {
    let path: String

    /// Writes a new file; if the name is taken, under the next free one.
    /// - Parameter name: its path below the folder.
    /// - Returns: the path of the file.
    func write(_ name: String, _ bytes: [UInt8]) throws(ToolProblem) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\0") }) else {
            throw ToolProblem("\(name) is no path below \(path)")
        }
        do throws(SystemError) {
            try SystemCalls.makeFolders(path)
            var folder = try SystemCalls.open(path, .folder)
            var place = path
            for part in parts.dropLast() {
                place += "/" + part
                try SystemCalls.makeFolder(place)
                folder = try SystemCalls.open(String(part), .folder, in: folder)
            }
            let last = String(parts[parts.count - 1])
            for number in 1...1_000 {
                let name = number == 1 ? last : Self.numbered(last, number)
                do throws(SystemError) {
                    let file = try SystemCalls.open(name, .createNew, in: folder)
                    try SystemCalls.writeAll(bytes, to: file.number)
                    return place + "/" + name
                } catch {
                    guard error.code == SystemCalls.fileExists else { throw error }
                }
            }
        } catch {
            throw ToolProblem("cannot write \(name): \(error.reason)", fix: "give --write a folder that can be written")
        }
        throw ToolProblem("there are too many files such as \(name) in \(path)", fix: "remove some")
    }

    private static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name)-\(number)" }
        return name[..<dot] + "-\(number)" + name[dot...]
    }
}
