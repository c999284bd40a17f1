public import SDJSON
public import SDJSONSchema
public import SDOpenAPI
public import SDPlatform

extension Contract {
    /// The violations of a request, at most 100; empty if it conforms. They do not count once the budget is exhausted.
    public func violations(
        in request: ContractRequest, of operation: APIOperation, budget: WorkBudget = WorkBudget()
    ) -> [Violation] {
        var check = ContractCheck(self, operation, .request, budget)
        check.checkSecurity(request)
        check.checkParameters(request)
        check.checkBody(request)
        return check.violations
    }

    /// The violations of an answer, at most 100; empty if it conforms. They do not count once the budget is exhausted.
    public func violations(
        in answer: ContractAnswer, to operation: APIOperation, budget: WorkBudget = WorkBudget()
    ) -> [Violation] {
        var check = ContractCheck(self, operation, .response, budget)
        check.check(answer)
        return check.violations
    }

    /// Whether a value satisfies a schema; false once the budget is exhausted.
    public func isValid(
        _ value: JSONValue, schema: APISchema, direction: Direction, budget: WorkBudget = WorkBudget()
    ) -> Bool {
        schemas.validate(value, at: schema.place.inSchemas, direction, budget)
    }

    /// The violations of a value, at most `most`.
    public func problems(
        of value: JSONValue, schema: APISchema, direction: Direction, most: Int = 20, budget: WorkBudget = WorkBudget()
    ) -> [SchemaError] {
        schemas.errors(in: value, at: schema.place.inSchemas, direction, most: most, budget)
    }
}
