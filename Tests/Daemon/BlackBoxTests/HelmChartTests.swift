import SDTestSupport
import Testing

/// The chart in `packaging/helm`, rendered by Helm's own library and judged by `Tests/Helm/render.py`.
@Suite struct HelmChartTests {
    private static let python = ClientSuite.python(that: "import helm_python, kubernetes_validate, yaml")

    @Test(.enabled(if: python != nil, "there is no helm_python: `.ci/deps ci` installs what renders the chart"))
    func rendersWhatKubernetesAllows() throws {
        let scratch = try TemporaryFolder()
        let judge = try ChildProcess(
            #require(Self.python), ["-B", PackageFiles.root + "/Tests/Helm/render.py"], outputsIn: scratch)
        let ending = judge.wait(milliseconds: 300_000)
        #expect(ending == .exited(0), "\(judge.output.suffix(4_000))\n\(judge.errors.suffix(4_000))")
    }
}
