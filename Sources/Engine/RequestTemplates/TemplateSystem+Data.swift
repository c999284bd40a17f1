import SDJSON
import SDRecords
import SDTemplating

/// The helper that reads the records of collections.
extension TemplateSystem {
    /// `{{data 'users' 1 'name'}}`: a field of the record with this key; without a field the record, and without a key
    /// the list of all. `default` if there is none.
    /// - Throws: `RenderError.outOfTime` if the budget does not suffice for the records.
    func dataValue(_ call: ServerCall) throws(RenderError) -> TemplateValue {
        let missing = call.option("default") ?? .text("")
        guard !call.parameters.isEmpty else {
            return call.error("data needs a collection, and may have a key and a field: data 'users' 1 'name'")
        }
        let name = call.parameter(0).text
        let records: RecordSet
        do throws(CollectionRefusal) {
            records = try session.records(of: name)
        } catch {
            switch error {
            case .unknown(_, let nearest):
                let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
                return call.error("no stub serves a collection \(name)\(hint)")
            case .unavailable(let reason): return call.error(reason)
            default: return missing
            }
        }
        guard call.parameters.count > 1 else {
            guard call.tryReserve(nanoseconds: 50 * records.count) else { throw .outOfTime }
            return .json(.array(records.all.map { .object($0.value) }))
        }
        guard let record = records[call.parameter(1).text] else { return missing }
        guard call.parameters.count > 2 else { return .json(.object(record.value)) }
        switch record.value(at: call.parameter(2).text) {
        case nil, .null: return missing
        case .array(let elements)?: return .json(.array(elements))
        case .object(let object)?: return .json(.object(object))
        case let value?: return TemplateValue(value)
        }
    }
}
