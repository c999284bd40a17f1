/// What the run used of contracts.
extension Report {
    /// A kind of what a contract does not allow.
    public struct ContractViolation: Sendable {
        /// The name of the document.
        public var contract: String
        /// The operation, such as `GET /pets/{petId}`.
        public var operation: String
        /// `request` or `answer`.
        public var side: String
        /// Where, what was expected and what was found.
        public var text: String
        /// How often.
        public var count: Int
        /// The test whose session it was in; nil for the session of the report.
        public var test: Test?

        public init(
            contract: String, operation: String, side: String, text: String, count: Int, test: Test? = nil
        ) {
            self.contract = contract
            self.operation = operation
            self.side = side
            self.text = text
            self.count = count
            self.test = test
        }
    }

    /// What was used of a contract.
    public struct ContractCoverage: Sendable {
        /// The name of the document.
        public var name: String
        /// Its operations, in the order of the document.
        public var operations: [Operation]

        /// What was used of an operation.
        public struct Operation: Sendable {
            /// The operation, such as `GET /pets/{petId}`.
            public var key: String
            /// How many requests were for it.
            public var count: Int
            /// The statuses that it declares, such as `404`, `5XX` and `default`, with the number of answers.
            public var statuses: [(status: String, count: Int)]
            /// The statuses that were answered and that it does not declare.
            public var undeclared: [Int]
            /// The parameters, such as `query limit`, and whether a request had them.
            public var parameters: [(name: String, isUsed: Bool)]
            /// How many requests and answers the contract did not allow.
            public var violations: Int

            public init(
                key: String, count: Int, statuses: [(status: String, count: Int)], undeclared: [Int],
                parameters: [(name: String, isUsed: Bool)], violations: Int
            ) {
                self.key = key
                self.count = count
                self.statuses = statuses
                self.undeclared = undeclared
                self.parameters = parameters
                self.violations = violations
            }
        }

        public init(name: String, operations: [Operation]) {
            self.name = name
            self.operations = operations
        }

        /// The number of operations that requests were for.
        public var usedOperations: Int { operations.count { $0.count > 0 } }
        /// The numbers of declared statuses, and of those that were answered.
        public var statuses: (used: Int, all: Int) {
            operations.reduce((0, 0)) { ($0.0 + $1.statuses.count { $0.count > 0 }, $0.1 + $1.statuses.count) }
        }
        /// The numbers of parameters, and of those that requests had.
        public var parameters: (used: Int, all: Int) {
            operations.reduce((0, 0)) { ($0.0 + $1.parameters.count { $0.isUsed }, $0.1 + $1.parameters.count) }
        }
        /// The operations that no request was for.
        public var unused: [Operation] { operations.filter { $0.count == 0 } }
    }
}

extension Report.ContractViolation: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        contract = shown(contract)
        operation = shown(operation)
        text = shown(text)
        test?.change(shown)
    }
}

extension Report.ContractCoverage: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        name = shown(name)
        for index in operations.indices {
            operations[index].key = shown(operations[index].key)
            for place in operations[index].parameters.indices {
                operations[index].parameters[place].name = shown(operations[index].parameters[place].name)
            }
        }
    }

    var rest: Int { operations.count * 100 }
}
