/// Name lookup.
extension Renderer {
    func value(at path: TemplatePath) -> TemplateValue {
        // Outside of all blocks, names are members of the model first.
        if innerScopes == 0, path.start == .name, path.segments.count > 1,
            let value = environment.model.value(atPath: path.segments)
        {
            return value
        }
        return value(at: path, from: scopes.count - 1) ?? .null
    }

    private func value(at path: TemplatePath, from place: Int) -> TemplateValue? {
        switch path.start {
        case .name: return lookup(path.segments[...], from: place)
        case .data(let parents):
            guard place >= parents else { return nil }
            if path.segments.first == "root" { return member(path.segments.dropFirst(), of: root) }
            return dataLookup(path.segments[...], from: place - parents)
        case .this:
            let scope = scopes[place]
            if path.segments.isEmpty {
                return scope.isHidden && place > 0 ? value(at: path, from: place - 1) : scope.value
            }
            return member(path.segments[...], of: scope.value) ?? local(path.segments[...], in: scope)
        case .parent(let count):
            guard place >= count else { return nil }
            if path.segments.isEmpty { return scopes[place - count].value }
            return lookup(path.segments[...], from: place - count)
        }
    }

    /// Looks up a name: in a scope, first a member of its value, then one of its own names, then a stored value; then
    /// the same in the enclosing scope. In a scope of block parameters, enclosing scopes come first.
    private func lookup(_ segments: ArraySlice<String>, from place: Int) -> TemplateValue? {
        guard place >= 0 else { return nil }
        let scope = scopes[place]
        if scope.asksOuterFirst, let found = lookup(segments, from: place - 1) { return found }
        if scope.namesFirst, let found = local(segments, in: scope), !found.isNull { return found }
        if let found = member(segments, of: scope.value), !found.isNull { return found }
        if let found = local(segments, in: scope), !found.isNull { return found }
        if !stored.isEmpty, let name = segments.first, let kept = stored[name],
            let found = member(segments.dropFirst(), of: kept),
            !found.isNull
        {
            return found
        }
        return scope.asksOuterFirst ? nil : lookup(segments, from: place - 1)
    }

    private func dataLookup(_ segments: ArraySlice<String>, from place: Int) -> TemplateValue? {
        guard let name = segments.first else { return nil }
        for scope in scopes[...place].reversed() {
            if let found = local(["@" + name] + segments.dropFirst(), in: scope) { return found }
        }
        return lookup(segments, from: place)
    }

    private func local(_ segments: ArraySlice<String>, in scope: Scope) -> TemplateValue? {
        guard let name = segments.first, let found = scope.locals.last(where: { $0.name == name }) else { return nil }
        return member(segments.dropFirst(), of: found.value)
    }

    private func member(_ segments: ArraySlice<String>, of value: TemplateValue) -> TemplateValue? {
        var value = value
        for segment in segments {
            guard environment.tryReserveMember(segment, of: value),
                let next = segment == "this" ? value : value.member(segment)
            else { return nil }
            value = next
        }
        return value
    }
}
