public import SDJSON
public import SDOpenAPI
public import SDPlatform
import SDStubModel

extension Contract {
    /// A value that is valid against a schema, such as one for a parameter of a request; nil if none was found.
    /// - Parameters:
    ///   - name: the purpose of the value, which may determine its content.
    ///   - turn: 0 for the document's example, if any; other numbers give other values.
    public func sample(
        of schema: APISchema, named name: String, turn: Int = 0, budget: WorkBudget = WorkBudget()
    ) -> JSONValue? {
        var wishes = AnswerPreferences()
        if turn > 0 { wishes.source = .made }
        var maker = ValueMaker(self, wishes: wishes, echoes: Echoes(), isRequest: true, budget: budget)
        do throws(ContractRefusal) {
            return try maker.value(
                of: schema, name: name, seed: ValueLocation.mixed(UInt64(turn), name), item: turn == 0 ? nil : turn)
        } catch {
            return nil
        }
    }
}
