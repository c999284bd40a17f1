/// Names of files for saved stubs, by WireMock's default template.
public enum StubFileName {
    /// - Parameters:
    ///   - name: the stub's name; nil and empty count as none.
    ///   - method: the stub's method, `ANY` included.
    ///   - url: the text of whichever of the five URL fields the stub uses; nil if it uses none.
    ///   - id: the stub's id in lower case.
    public static func make(name: String?, method: String, url: String?, id: String) -> String {
        StubFileTemplate.usual.fileName { field in
            switch field {
            case .name: name ?? ""
            case .method: method
            case .url: url ?? "always"
            case .id: id
            }
        }
    }
}
