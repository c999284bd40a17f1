import SDBasics
import SDHTTPMessages
import SDIndexing
package import SDJSON
package import SDMatching
package import SDPlatform
import SDStubModel
package import SDWireValues

/// One request for a resource. Nothing is changed until all expensive work is done, so that a call that runs out of
/// time can be repeated.
package struct ResourceCall {
    package let resource: Resource
    package let session: any CollectionOwner
    package let request: Request
    package var views: RequestViews
    package let budget: WorkBudget
    package let isOnLoop: Bool

    package init(
        resource: Resource, session: any CollectionOwner, request: Request, views: RequestViews, budget: WorkBudget,
        isOnLoop: Bool
    ) {
        self.resource = resource
        self.session = session
        self.request = request
        self.views = views
        self.budget = budget
        self.isOnLoop = isOnLoop
    }

    package var name: String { resource.definition.name }
    package var key: String { resource.definition.key }

    package static let work = WorkBudget.Work("collection", "of records")

    package mutating func reply() throws(ResourceFailure) -> ResourceReply {
        guard let match = resource.path.match(request.path) else {
            throw .refused(404, "Not Found", "the collection \(name) has nothing at this path")
        }
        let method = String(decoding: request.method, as: UTF8.self)
        let allowed =
            match.key == nil
            ? ["GET", "HEAD", "POST", "OPTIONS"] : ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]
        guard allowed.contains(method) else {
            var reply = ResourceReply.problem(
                405, "Method Not Allowed",
                "\(match.key == nil ? "a collection" : "a record") answers \(allowed.joined(separator: ", "))")
            reply.headers.append(("Allow", allowed.joined(separator: ", ")))
            throw .refused(reply)
        }
        if method == "OPTIONS" { return options(allowed) }
        // For a single record, other parameters are not read, so that a malformed one does no harm.
        let parameters = match.key == nil && method != "POST" ? try parameters() : (try? parameters()) ?? []
        let inclusions = method == "GET" || method == "HEAD" ? try inclusions(parameters) : []
        let view = try session.view(resource, with: inclusions.map(\.collection), mayRead: !isOnLoop)
        let owner = try owner(match, view)
        switch (method, match.key) {
        case ("POST", _): return try create(view, owner)
        case ("PUT", let key?):
            return try change(key, view, owner) { call, record throws(ResourceFailure) in
                try call.replacement(of: record, owner)
            }
        case ("PATCH", let key?):
            return try change(key, view, owner) { call, record throws(ResourceFailure) in
                try call.patched(record)
            }
        case ("DELETE", let key?):
            let dependents = try dependents(parameters)
            return dependents.isEmpty ? try remove(key, view, owner) : try remove(key, with: dependents, owner)
        case (_, let key?): return try read(key, view, owner, inclusions)
        case (_, nil): return try list(view, owner, parameters, inclusions)
        }
    }

    private func options(_ allowed: [String]) -> ResourceReply {
        var reply = ResourceReply(status: 204, headers: [("Allow", allowed.joined(separator: ", "))])
        if allowed.contains("PATCH") { reply.headers.append(("Accept-Patch", Self.patchTypes)) }
        return reply
    }

    static let patchTypes = "application/merge-patch+json, application/json-patch+json, application/json"

    // MARK: The parent

    /// The record that owns the records of a nested collection.
    package struct Owner: Sendable {
        /// The field with the owner's key.
        package let field: String
        package let key: String
        /// The key as JSON, with the type that it has in the owner's record.
        package let value: JSONValue
    }

    /// The owner that the path names; nil for a collection that is not nested.
    /// - Throws: 404 if there is no such record.
    private func owner(_ match: ResourcePath.Match, _ view: DataView) throws(ResourceFailure) -> Owner? {
        guard let field = resource.path.variables.last, let key = match.values.last else { return nil }
        var values = match.values[...]
        var value: JSONValue?
        for (parent, records) in view.parents {
            guard let key = values.popLast() else { break }
            guard let record = records[key], Self.belongs(record, to: values.last, parent.path.variables.last) else {
                throw .noRecord(key, in: parent.definition.name)
            }
            if value == nil { value = record.value[parent.definition.key] }
        }
        let number = Int(key).flatMap { String($0) == key ? JSONValue.number(JSONNumber($0)) : nil }
        return Owner(field: field, key: key, value: value ?? number ?? .string(key))
    }

    private static func belongs(_ record: Record, to key: String?, _ field: String?) -> Bool {
        guard let key, let field else { return true }
        return Record.key(record.value[field]) == key
    }

    func isMember(_ record: Record, _ owner: Owner?) -> Bool {
        Self.belongs(record, to: owner?.key, owner?.field)
    }

    package func found(_ key: String, _ records: RecordSet, _ owner: Owner?) throws(ResourceFailure) -> Record {
        guard let record = records[key], isMember(record, owner) else { throw .noRecord(key, in: name) }
        return record
    }

    // MARK: Reading

    private func read(
        _ key: String, _ view: DataView, _ owner: Owner?, _ inclusions: [Inclusion]
    ) throws(ResourceFailure) -> ResourceReply {
        let found = try found(key, view.records, owner)
        let record = try including(inclusions, in: [found], view).first ?? found
        if matches("if-none-match", record) {
            return ResourceReply(status: 304, headers: [("ETag", Self.tag(record.version))])
        }
        return Self.reply(200, record)
    }

    package static func reply(_ status: Int, _ record: Record) -> ResourceReply {
        var reply = ResourceReply.json(status, record.bytes)
        reply.headers.append(("ETag", tag(record.version)))
        return reply
    }

    private mutating func list(
        _ view: DataView, _ owner: Owner?, _ parameters: [(name: String, value: String)],
        _ inclusions: [Inclusion]
    ) throws(ResourceFailure) -> ResourceReply {
        let query: RecordQuery
        do throws(QueryProblem) {
            query = try RecordQuery(parameters)
        } catch {
            throw .refused(400, "Bad Request", "the query parameter \(error.parameter) is \(error.reason)")
        }
        var page: RecordPage
        do throws(RecordQuery.Spent) {
            page = try query.run(
                on: view.records, budget, where: owner == nil ? nil : { [self] in isMember($0, owner) })
        } catch {
            throw .late
        }
        page.records = try including(inclusions, in: page.records, view)
        let size = page.records.reduce(2) { $0 + $1.bytes.count + 1 }
        guard budget.tryReserve(size / 4, for: Self.work) else { throw .late }
        var tag = Fingerprint()
        for record in page.records {
            tag.add(record.version)
        }
        tag.add(UInt64(page.total))
        if let current = page.place?.current { tag.add(UInt64(current)) }
        var headers = [("ETag", Self.tag(tag.value)), ("X-Total-Count", String(page.total))]
        let links = page.place.map { pageLinks($0, parameters) } ?? ""
        if !links.isEmpty { headers.append(("Link", links)) }
        headers.append(("Access-Control-Expose-Headers", links.isEmpty ? "X-Total-Count" : "X-Total-Count, Link"))
        if EntityTags(request, "if-none-match")?.name(Self.tag(tag.value)) == true {
            return ResourceReply(status: 304, headers: headers)
        }
        var reply = ResourceReply.json(200, ResourceList.bytes(page, size: size))
        reply.headers += headers
        return reply
    }

    /// The query's parameters in order.
    /// - Throws: 400 for a malformed escape.
    private mutating func parameters() throws(ResourceFailure) -> [(name: String, value: String)] {
        guard let parameters = views.queryParameters() else {
            throw .refused(
                400, "Bad Request", "an escape in the query is broken: % and two hexadecimal digits are expected")
        }
        return parameters.map { (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self)) }
    }

    // MARK: Conditions

    package static func tag(_ version: UInt64) -> String { "\"" + String(version, radix: 16) + "\"" }

    package func matches(_ header: String, _ record: Record) -> Bool {
        EntityTags(request, header)?.name(Self.tag(record.version)) ?? false
    }

    /// Checks that the record has the version that the client means to change.
    /// - Throws: 412 if it has another version.
    func checkVersion(_ record: Record) throws(ResourceFailure) {
        guard let condition = EntityTags(request, "if-match") else { return }
        guard condition.name(Self.tag(record.version)) else {
            throw .refused(
                412, "Precondition Failed",
                "the record \(record.key) has changed: it is now version \(Self.tag(record.version))")
        }
    }

    // MARK: Locations

    /// The URL of the request's path, as the client sees it.
    package mutating func location() -> String {
        let destination = views.destination(of: request)
        let isUsual = destination.port == (destination.scheme == "https" ? 443 : 80)
        let host = destination.host + (isUsual ? "" : ":\(destination.port)")
        var path = String(decoding: request.target, as: UTF8.self)
        if let scheme = path.firstRange(ofText: "://") {
            path = path[scheme.upperBound...].firstIndex(of: "/").map { String(path[$0...]) } ?? "/"
        }
        path = String(path.prefix { $0 != "?" })
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return "\(destination.scheme)://\(host)" + path
    }

    /// The `Link` header to the other pages; empty for none.
    private mutating func pageLinks(_ place: RecordPage.Place, _ parameters: [(name: String, value: String)]) -> String
    {
        guard place.pages > 1, place.current <= place.pages else { return "" }
        let base = location()
        func link(_ page: Int, _ relation: String) -> String {
            var pairs = parameters.filter { $0.name != "_page" }.map { ResourceList.pair($0.name, $0.value) }
            let index = parameters.firstIndex { $0.name == "_page" } ?? pairs.count
            pairs.insert("_page=\(page)", at: min(index, pairs.count))
            return "<\(base)?\(pairs.joined(separator: "&"))>; rel=\"\(relation)\""
        }
        var links = [link(1, "first")]
        if let previous = place.previous { links.append(link(previous, "prev")) }
        if let next = place.next { links.append(link(next, "next")) }
        links.append(link(place.pages, "last"))
        return links.joined(separator: ", ")
    }
}
