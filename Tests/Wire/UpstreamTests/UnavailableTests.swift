import SDUpstream
import Testing

@Suite struct UnavailableTests {
    @Test func libcurlIsThere() {
        #expect(Upstream.unavailable == nil)
    }
}
