package import SDExplaining
package import SDJournal
import SDReports

extension Report.Nearest {
    init(_ miss: NearMiss, _ redaction: Redaction?) {
        let evaluation = redaction.redacted(miss.evaluation)
        let change = SmallestChange(of: evaluation, state: miss.ineligibility)
        let conditions = evaluation.conditions.map { condition in
            Report.Condition(
                name: condition.title, expected: SmallestChange.cut(condition.wanted),
                actual: condition.found.map(SmallestChange.cut), passes: condition.passes)
        }
        self.init(
            stub: miss.reference, distance: miss.distance, differences: change.differences, change: change.sentence,
            conditions: conditions, isFar: change.isFar)
    }
}

extension NearMiss {
    func change(_ redaction: Redaction?) -> SmallestChange {
        SmallestChange(of: redaction.redacted(evaluation), state: ineligibility)
    }

    /// The smallest change with which the stub would answer, as a sentence.
    package func smallestChange(_ redaction: Redaction?) -> String { change(redaction).sentence }
}
