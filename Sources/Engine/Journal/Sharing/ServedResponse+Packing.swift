import SDStubModel
package import SDWireValues

extension ServedResponse {
    package func pack(to writer: inout PackedWriter) {
        writer.add(count: status)
        writer.add(optional: reason)
        writer.add(count: fields.count)
        for field in fields {
            writer.add(field.name)
            writer.add(field.value)
        }
        let body = body
        writer.add(body)
        writer.add(count: max(wholeBody ?? 0, body.count))
        writer.add(optional: fault?.rawValue)
        writer.add(optional: failure)
        writer.add(optional: warning)
        writer.add(byte: isStreamed ? 1 : 0)
    }

    package convenience init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        let status = try reader.count(upTo: 999)
        let reason = try reader.optionalText()
        var fields: [(name: String, value: String)] = []
        for _ in 0..<(try reader.count()) { fields.append((name: try reader.text(), value: try reader.text())) }
        let body = try reader.array()
        let count = try reader.count(upTo: 1 << 62)
        guard count >= body.count else { throw .init("a body is longer than it is said to be") }
        var fault: Fault?
        if let name = try reader.optionalText() {
            guard let known = Fault(rawValue: name) else { throw .init("a fault is unknown") }
            fault = known
        }
        let (failure, warning) = (try reader.optionalText(), try reader.optionalText())
        let isStreamed = try reader.flag()
        self.init(
            packed: status, reason, fields, kept: body, of: count, fault: fault, failure: failure, warning: warning,
            isStreamed: isStreamed)
    }
}
