public import SDJSON
public import SDJSONSchema
public import SDOpenAPI
public import SDPlatform

extension Contract {
    /// The ways in which a request is not as its operation has it, at most a hundred; empty if it is. They do not
    /// count once the budget is spent.
    public func violations(
        in request: ContractRequest, of operation: APIOperation, budget: WorkBudget = WorkBudget()
    ) -> [Violation] {
        var check = ContractCheck(self, operation, .request, budget)
        check.checkSecurity(request)
        check.checkParameters(request)
        check.checkBody(request)
        return check.violations
    }

    /// The ways in which an answer is not as its operation has it, at most a hundred; empty if it is. They do not
    /// count once the budget is spent.
    public func violations(
        in answer: ContractAnswer, to operation: APIOperation, budget: WorkBudget = WorkBudget()
    ) -> [Violation] {
        var check = ContractCheck(self, operation, .response, budget)
        check.check(answer)
        return check.violations
    }

    /// Whether a value satisfies a schema; false once the budget is spent.
    public func isValid(
        _ value: JSONValue, schema: APISchema, direction: Direction, budget: WorkBudget = WorkBudget()
    ) -> Bool {
        schemas.validate(value, at: schema.place.inSchemas, direction, budget)
    }

    /// The ways in which a value does not satisfy a schema, at most `most`.
    public func problems(
        of value: JSONValue, schema: APISchema, direction: Direction, most: Int = 20, budget: WorkBudget = WorkBudget()
    ) -> [SchemaError] {
        schemas.errors(in: value, at: schema.place.inSchemas, direction, most: most, budget)
    }
}
