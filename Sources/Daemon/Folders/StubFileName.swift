/// File names for saved stubs by WireMock's default template.
public enum StubFileName {
    /// Makes a name.
    /// - Parameters:
    ///   - name: the stub's name; nil and empty count as none.
    ///   - method: the stub's method, or `ANY`.
    ///   - url: the text of the stub's URL field; nil if it has none.
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
