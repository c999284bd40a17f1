public import SDJSON

/// Something said in each field of a response definition.
public enum ResponseSamples {
    public static let byField: [String: JSONValue] = [
        "status": 201, "statusMessage": "Fine", "body": "text", "jsonBody": ["a": [1]], "base64Body": "YQ==",
        "bodyFileName": "a.txt", "headers": ["A": "1", "B": ["2", "3"]],
        "additionalProxyRequestHeaders": ["A": "1"], "removeProxyRequestHeaders": ["A"], "fixedDelayMilliseconds": 4,
        "delayDistribution": ["type": "uniform", "lower": 1, "upper": 2],
        "chunkedDribbleDelay": ["numberOfChunks": 2, "totalDuration": 5], "proxyBaseUrl": "http://localhost:1",
        "proxyUrlPrefixToRemove": "/x", "proxyHttp2": true,
        "delays": ["firstByte": "20ms", "perChunk": ["uniform": ["1ms", "2ms"]]],
        "fault": "EMPTY_RESPONSE", "transformers": ["response-template"],
        "transformerParameters": ["a": 1], "template": false, "fromConfiguredStub": false,
        "hold": ["gate": "g", "timeout": "30s", "onTimeout": 504],
        "stream": ["events": [["after": "10ms", "id": "1", "data": ["a": 1]], ["hold": "g"]], "repeat": "forever"],
        "early": [103, ["status": 102, "headers": ["A": "1"]]], "trailers": ["A": "1"], "ranges": true,
        "conditional": true,
        "fallThrough": false, "openapi": ["operation": "listPets", "code": 404],
    ]
}
