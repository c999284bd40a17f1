import SDMatching
import SDPlatform
import SDTestData

// SDBudgetSearch FIRST COUNT: looks for a request that takes more than twice its budget of processor time, among COUNT
// random ones with the seeds from FIRST. It is a program of its own because the runtime of tests takes a backtrace for
// every error that is thrown, which would be counted.
//
// Prints each request found, a line each, and what the longest took. Exit status 1 if there is one, or if no case was
// costly.

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard arguments.count == 2 else {
    print("usage: SDBudgetSearch FIRST-SEED COUNT")
    SystemCalls.exit(2)
}
SystemCalls.exit(BudgetSearch(first: arguments[0], count: arguments[1]).run() ? 0 : 1)
