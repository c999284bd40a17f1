import SDStubModel

/// Encodes lists.
enum ResourceList {
    /// A list of records, or for a page in json-server 1's format an object around it.
    /// - Parameter size: the approximate number of bytes.
    package static func bytes(_ page: RecordPage, size: Int) -> [UInt8] {
        guard let place = page.place, place.isWrapped else { return bytes(page.records, size: size) }
        func text(_ number: Int?) -> String { number.map { String($0) } ?? "null" }
        var bytes = Array(
            ("{\"first\":1,\"prev\":\(text(place.previous)),\"next\":\(text(place.next)),\"last\":\(place.pages),"
                + "\"pages\":\(place.pages),\"items\":\(page.total),\"data\":").utf8)
        bytes.reserveCapacity(bytes.count + size + 1)
        bytes += self.bytes(page.records, size: size)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    package static func bytes(_ records: [Record], size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        bytes.append(UInt8(ascii: "["))
        for (index, record) in records.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += record.bytes
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// A parameter of a query, escaped.
    package static func pair(_ name: String, _ value: String) -> String {
        URLEscaping.component(name) + "=" + URLEscaping.component(value)
    }
}
