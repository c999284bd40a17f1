import SDAnswering
public import SDLinting
public import SDMatching
import SDRequestTemplates
public import SDStubModel
import SDStubs
import Synchronization

extension Session {
    /// Whether the responses of all stubs are templates, unless they say otherwise.
    var areTemplates: Bool { options.response.templating == .global }

    /// What is told of a stub that a call adds: what is valid in it and hardly meant, and the templates that cannot be
    /// read, for which requests get a 500.
    public func warnings(about mapping: StubMapping) -> [ModelProblem] {
        let found =
            StubLint.findings(in: mapping, isTemplate: areTemplates).map(\.problem) + contractProblems(of: mapping)
        // Not by `compile`, which notes what a session's stubs have: this one may be refused yet.
        guard StubLint.hasTemplates(mapping, isTemplate: areTemplates),
            let stub = try? CompiledStub(mapping, sequence: 0, file: nil, options: options.response)
        else { return found }
        return found + stub.templateProblems.map { ModelProblem(pointer: $0.pointer, message: $0.message) }
    }

    /// What cannot be served of a stub that is not added, templates that cannot be read included.
    public func problems(of mapping: StubMapping) -> [ServingProblem] {
        do throws(StubRefusal) {
            return try CompiledStub(mapping, sequence: 0, file: nil, options: options.response, files: files)
                .templateProblems
        } catch .unserved(_, let problems) {
            return problems
        } catch {
            return []
        }
    }

    /// The findings about the stubs: first those about single stubs, then those about pairs, each in the order in which
    /// the stubs are tried. The time is proportional to the number of stubs.
    /// - Parameter bodyFileNames: all names under `__files`, for suggesting the one that a misspelt name means.
    public func findings(bodyFileNames: [String] = []) -> [StubFinding] {
        StubFinding.findings(
            in: allStubs, areTemplates: areTemplates, files: files, bodyFileNames: bodyFileNames)
    }
}
