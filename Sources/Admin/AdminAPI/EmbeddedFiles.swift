private import SDCResources
import SDPlatform

/// The files of `CResources`, embedded in the binary: the admin API's document and the page.
enum EmbeddedFiles {
    static func file(named name: String) -> EmbeddedFile? { all[name] }

    private static let all: [String: EmbeddedFile] = {
        var count = 0
        let files = UnsafeBufferPointer(start: rs_files(&count), count: count)
        let named = files.map {
            EmbeddedFile(name: $0.name, bytes: UnsafeBufferPointer(start: $0.bytes, count: $0.length))
        }
        return Dictionary(named.map { ($0.name, $0) }) { first, _ in first }
    }()
}
