import SDCapture
import SDRecording
import Testing

@Suite struct RecordedExchangeTests {
    @Test func whatIsNotKnownIsNotSaid() {
        let exchange = RecordedExchange(method: "GET", url: "http://a/b", target: "/b", status: 200)
        #expect(exchange.chunks.isEmpty && exchange.latency == 0 && exchange.missingBytes == 0)
    }
}
