package import SDStubModel

extension ResourceDefinition {
    /// The URL patterns of a collection: its path, the paths of its records, and its path with a trailing slash, unless
    /// it is only a slash.
    package var urls: [URLPattern] {
        let base = path == "/" ? "" : path
        let taken = URLPattern.variables(of: base)
        var variable = key.filter { !"{}/?*.;".contains($0) }
        while variable.isEmpty || taken.contains(variable) { variable += "_" }
        func whole(_ path: String) -> URLPattern { path.contains("{") ? .urlPathTemplate(path) : .urlPath(path) }
        return [whole(path), .urlPathTemplate(base + "/{" + variable + "}")] + (base.isEmpty ? [] : [whole(base + "/")])
    }
}
