import SDJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder of a recording: one file of stubs, which is replaced as a whole.
struct RecordingFolder {
    private static let fileName = "recorded.json"

    let path: String

    /// - Parameter name: a whole path, or one beside the calling file.
    init(_ name: String, near filePath: String) {
        let folder = filePath.lastIndex(of: "/").map { filePath[..<$0] } ?? "."
        path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
    }

    /// Whether the folder has no stub files, recorded or not.
    var isEmpty: Bool { (try? MocksContents(of: path).stubFiles.isEmpty) ?? true }

    /// Writes stubs in WireMock's JSON.
    /// - Throws: `MockServerError` if the file cannot be written.
    func write(_ mappings: [JSONValue]) throws(MockServerError) {
        let file = "\(path)/\(Self.fileName)"
        let document: JSONValue = ["mappings": .array(mappings.map(Self.readable))]
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data((document.prettyText + "\n").utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw MockServerError("\(file) cannot be written: \(error)")
        }
    }

    /// A stub without its second id, and with a JSON body as JSON where that is sent as it was.
    private static func readable(_ mapping: JSONValue) -> JSONValue {
        guard var stub = mapping.objectValue else { return mapping }
        stub["uuid"] = nil
        if var response = stub["response"]?.objectValue, let body = response["body"]?.stringValue,
            let json = try? JSONValue(parsing: body), json.objectValue != nil || json.arrayValue != nil,
            json.compactText == body
        {
            response["body"] = nil
            response["jsonBody"] = json
            stub["response"] = .object(response)
        }
        return .object(stub)
    }
}
