// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

/// The names of the members of the dialect's objects, in the order of its table.
package enum DialectNames {
    package static let fault: [String] = ["status", "kind", "neverAnswer", "delay", "cutAfter", "corrupt", "wrongLength", "duplicateHeader", "garbagePrefix", "dropTrailers", "bandwidth", "slice", "stall", "slowClose", "then", "probability", "first", "between", "quota", "concurrency"]
    /// What other tools call them.
    package static let faultAliases: [String: String] = ["code": "status", "statusCode": "status", "httpStatus": "status", "reset": "kind", "reset_peer": "kind", "type": "kind", "fault": "kind", "timeout": "neverAnswer", "latency": "delay", "fixedDelay": "delay", "fixedDelayMilliseconds": "delay", "truncate": "cutAfter", "cut": "cutAfter", "limitData": "cutAfter", "limit_data": "cutAfter", "contentLength": "wrongLength", "garbage": "garbagePrefix", "noTrailers": "dropTrailers", "omitTrailers": "dropTrailers", "rate": "bandwidth", "throttle": "bandwidth", "slicer": "slice", "slow_close": "slowClose", "end": "then", "resetStream": "then", "goAway": "then", "toxicity": "probability", "percentage": "probability", "chance": "probability", "times": "first", "failFirst": "first", "window": "between", "after": "between", "rateLimit": "quota"]
    package static let chunkOfCut: [String] = ["chunk"]
    package static let corruption: [String] = ["byte", "rate"]
    package static let duplicatedHeader: [String] = ["name", "value"]
    package static let slice: [String] = ["size", "gap"]
    package static let stall: [String] = ["after", "for"]
    package static let streamEnd: [String] = ["resetStream", "goAway", "lastStream"]
    package static let firstRequests: [String] = ["count", "perHeader"]
    /// What other tools call them.
    package static let firstRequestsAliases: [String: String] = ["per": "perHeader", "header": "perHeader"]
    package static let quota: [String] = ["limit", "per"]
    /// What other tools call them.
    package static let quotaAliases: [String: String] = ["requests": "limit", "max": "limit", "count": "limit", "window": "per", "period": "per"]
    package static let sessionFault: [String] = ["status", "kind", "neverAnswer", "delay", "cutAfter", "corrupt", "wrongLength", "duplicateHeader", "garbagePrefix", "dropTrailers", "bandwidth", "slice", "stall", "slowClose", "then", "probability", "first", "between", "quota", "concurrency", "readSlowly", "neverRead", "id", "name", "request", "messages", "serverName", "refuseNext", "listener", "tls", "http2", "route"]
    /// What other tools call them.
    package static let sessionFaultAliases: [String: String] = ["code": "status", "statusCode": "status", "httpStatus": "status", "reset": "kind", "reset_peer": "kind", "type": "kind", "fault": "kind", "timeout": "neverAnswer", "latency": "delay", "fixedDelay": "delay", "fixedDelayMilliseconds": "delay", "truncate": "cutAfter", "cut": "cutAfter", "limitData": "cutAfter", "limit_data": "cutAfter", "contentLength": "wrongLength", "garbage": "garbagePrefix", "noTrailers": "dropTrailers", "omitTrailers": "dropTrailers", "rate": "bandwidth", "throttle": "bandwidth", "slicer": "slice", "slow_close": "slowClose", "end": "then", "resetStream": "then", "goAway": "then", "toxicity": "probability", "percentage": "probability", "chance": "probability", "times": "first", "failFirst": "first", "window": "between", "after": "between", "rateLimit": "quota", "stalledWindow": "neverRead", "zeroWindow": "neverRead", "noWindowUpdate": "neverRead", "message": "messages", "webSocket": "messages", "websocket": "messages", "drop": "messages", "duplicate": "messages", "reorder": "messages", "invalidFrame": "messages", "noCloseFrame": "messages", "sni": "serverName", "host": "serverName", "certificate": "tls", "ssl": "tls", "h2": "http2"]
    package static let messageFault: [String] = ["message", "drop", "delay", "reorder", "duplicate", "corrupt", "cutAfter", "invalidFrame", "noCloseFrame", "reset", "hang", "probability", "first", "between"]
    /// What other tools call them.
    package static let messageFaultAliases: [String: String] = ["lose": "drop", "latency": "delay", "swap": "reorder", "repeat": "duplicate", "twice": "duplicate", "truncate": "cutAfter", "cut": "cutAfter", "frame": "invalidFrame", "protocolError": "invalidFrame", "abort": "noCloseFrame", "fin": "noCloseFrame", "rst": "reset", "neverAnswer": "hang", "stall": "hang", "toxicity": "probability", "percentage": "probability", "chance": "probability", "times": "first", "window": "between", "after": "between"]
    package static let fragmentOfCut: [String] = ["fragment"]
    package static let collection: [String] = ["mappings", "meta", "uuid", "cors"]
    package static let mapping: [String] = ["id", "uuid", "name", "request", "response", "persistent", "priority", "scenarioName", "requiredScenarioState", "newScenarioState", "metadata", "postServeActions", "serveEventListeners", "insertionIndex", "times", "timesLeft", "ttl", "enabled", "responses", "onEnd", "select", "per", "resource", "cors"]
    /// Those that WireMock does not have.
    package static let mappingAdditions: Set<String> = ["times", "ttl", "enabled", "responses", "onEnd", "select", "per", "resource", "cors"]
    package static let action: [String] = ["name", "parameters"]
    package static let listener: [String] = ["name", "requestPhases", "parameters"]
    package static let request: [String] = ["scheme", "host", "port", "clientIp", "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate", "method", "headers", "pathParameters", "queryParameters", "formParameters", "cookies", "basicAuth", "basicAuthCredentials", "bodyPatterns", "customMatcher", "multipartPatterns", "clientCertificate"]
    /// Those that WireMock does not have.
    package static let requestAdditions: Set<String> = ["clientCertificate"]
    package static let methodSet: [String] = ["oneOf", "noneOf"]
    package static let basicAuth: [String] = ["username", "password"]
    package static let customMatcher: [String] = ["name", "parameters"]
    package static let clientCertificate: [String] = ["subject", "issuer", "serialNumber", "fingerprint", "notBefore", "notAfter", "alternativeNames", "pem"]
    /// What other tools call them.
    package static let clientCertificateAliases: [String: String] = ["cn": "subject", "CN": "subject", "commonName": "subject", "subjectDN": "subject", "issuerDN": "issuer", "serial": "serialNumber", "sha256": "fingerprint", "thumbprint": "fingerprint", "validFrom": "notBefore", "validTo": "notAfter", "san": "alternativeNames", "sans": "alternativeNames", "subjectAlternativeNames": "alternativeNames", "certificate": "pem"]
    package static let multipartPattern: [String] = ["name", "fileName", "matchingType", "headers", "bodyPatterns"]
    package static let response: [String] = ["status", "statusMessage", "body", "jsonBody", "base64Body", "bodyFileName", "headers", "additionalProxyRequestHeaders", "removeProxyRequestHeaders", "fixedDelayMilliseconds", "delayDistribution", "chunkedDribbleDelay", "proxyBaseUrl", "proxyUrlPrefixToRemove", "proxyHttp2", "delays", "fault", "transformers", "transformerParameters", "template", "fromConfiguredStub", "hold", "stream", "openapi", "early", "trailers", "ranges", "conditional", "fallThrough"]
    /// Those that WireMock does not have.
    package static let responseAdditions: Set<String> = ["proxyHttp2", "delays", "template", "hold", "stream", "openapi", "early", "trailers", "ranges", "conditional", "fallThrough"]
    package static let weighedResponse: [String] = ["status", "statusMessage", "body", "jsonBody", "base64Body", "bodyFileName", "headers", "additionalProxyRequestHeaders", "removeProxyRequestHeaders", "fixedDelayMilliseconds", "delayDistribution", "chunkedDribbleDelay", "proxyBaseUrl", "proxyUrlPrefixToRemove", "proxyHttp2", "delays", "fault", "transformers", "transformerParameters", "template", "fromConfiguredStub", "hold", "stream", "openapi", "early", "trailers", "ranges", "conditional", "fallThrough", "weight"]
    package static let chunkedDribbleDelay: [String] = ["numberOfChunks", "totalDuration"]
    package static let delays: [String] = ["firstByte", "perChunk"]
    /// What other tools call them.
    package static let delaysAliases: [String: String] = ["first": "firstByte", "chunk": "perChunk"]
    package static let fixed: [String] = ["type", "milliseconds"]
    package static let typedUniform: [String] = ["type", "lower", "upper"]
    package static let typedLognormal: [String] = ["type", "median", "sigma", "maxValue"]
    package static let typedGaussian: [String] = ["type", "mean", "standardDeviation", "maxValue"]
    package static let typedExponential: [String] = ["type", "mean", "maxValue"]
    package static let uniform: [String] = ["uniform"]
    package static let lognormal: [String] = ["median", "sigma", "max"]
    package static let gaussian: [String] = ["gaussian", "max"]
    package static let exponential: [String] = ["exponential", "max"]
    package static let holdOptions: [String] = ["gate", "timeout", "onTimeout"]
    /// What other tools call them.
    package static let holdOptionsAliases: [String: String] = ["name": "gate", "ttl": "timeout", "after": "timeout", "then": "onTimeout"]
    package static let streamOptions: [String] = ["name", "events", "repeat"]
    /// What other tools call them.
    package static let streamOptionsAliases: [String: String] = ["channel": "name", "topic": "name", "items": "events", "chunks": "events", "data": "events", "times": "repeat", "rounds": "repeat", "loop": "repeat"]
    package static let serverEvent: [String] = ["comment", "event", "id", "retry", "data"]
    /// What other tools call them.
    package static let serverEventAliases: [String: String] = ["type": "event", "name": "event", "json": "data", "body": "data", "text": "data"]
    package static let event: [String] = ["after", "comment", "event", "id", "retry", "data", "chunk", "base64", "hold"]
    /// What other tools call them.
    package static let eventAliases: [String: String] = ["delay": "after", "wait": "after", "gap": "after", "type": "event", "name": "event", "json": "data", "body": "data", "text": "data", "raw": "chunk", "bytes": "base64", "gate": "hold"]
    package static let earlyResponse: [String] = ["status", "headers"]
    /// What other tools call them.
    package static let earlyResponseAliases: [String: String] = ["code": "status", "header": "headers", "link": "headers", "Link": "headers"]
    package static let corsPolicy: [String] = ["origins", "credentials", "expose"]
    package static let resource: [String] = ["name", "path", "key", "data", "schema", "cascade", "write"]
    package static let contractAnswer: [String] = ["operation", "document", "code", "example", "answers"]
    /// What other tools call them.
    package static let contractAnswerAliases: [String: String] = ["operationId": "operation", "id": "operation", "file": "document", "spec": "document", "status": "code"]
    package static let pathOperand: [String] = ["expression"]
    package static let fileOperand: [String] = ["file"]
    package static let matcher: [String] = ["equalTo", "contains", "doesNotContain", "matches", "doesNotMatch", "binaryEqualTo", "equalToJson", "matchesJsonPath", "matchesJsonSchema", "equalToXml", "matchesXPath", "before", "after", "equalToDateTime", "equalToNumber", "greaterThanNumber", "greaterThanEqualNumber", "lessThanNumber", "lessThanEqualNumber", "absent", "anything", "and", "or", "not", "matchesPathTemplate", "hasExactly", "includes", "startsWith", "endsWith", "glob", "count", "matchesJwt", "matchesGraphql", "caseInsensitive", "ignoreArrayOrder", "ignoreExtraElements", "nullsEqualMissing", "schemaVersion", "enablePlaceholders", "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex", "exemptedComparisons", "ignoreOrderOfSameNode", "namespaceAwareness", "xPathNamespaces", "actualFormat", "truncateExpected", "truncateActual", "applyTruncationLast", "expectedOffset", "expectedOffsetUnit"]
    /// Those that WireMock does not have.
    package static let matcherAdditions: Set<String> = ["startsWith", "endsWith", "glob", "count", "matchesJwt", "matchesGraphql"]
    package static let count: [String] = ["exactly", "atLeast", "atMost"]
    package static let jwt: [String] = ["claims", "header"]
    package static let graphql: [String] = ["operationName", "query", "variables"]
    /// What other tools call them.
    package static let graphqlAliases: [String: String] = ["operation": "operationName", "name": "operationName", "mutation": "query"]
    package static let messageCollection: [String] = ["messageMappings", "meta"]
    package static let messageStub: [String] = ["id", "name", "priority", "trigger", "actions", "metadata", "sequence", "onEnd", "per", "scenarioName", "requiredScenarioState", "newScenarioState", "insertionIndex", "uuid"]
    /// Those that WireMock does not have.
    package static let messageStubAdditions: Set<String> = ["sequence", "onEnd", "per", "scenarioName", "requiredScenarioState", "newScenarioState"]
    package static let onMessage: [String] = ["type", "channel", "message"]
    package static let onStub: [String] = ["type", "stubId"]
    package static let onRequest: [String] = ["type", "requestPattern"]
    package static let onOpen: [String] = ["type", "channel", "protocols", "closeAfter"]
    package static let onInterval: [String] = ["type", "every", "channel"]
    package static let channelClose: [String] = ["messages", "time", "code", "reason"]
    package static let messagePattern: [String] = ["channel", "body"]
    package static let webSocketPattern: [String] = ["type", "initiatingRequestPattern"]
    package static let fixedChannelPattern: [String] = ["type", "channelProvider", "channelName"]
    package static let messageAction: [String] = ["type", "message", "channelTarget", "transformers", "transformerParameters", "delay", "gap", "hold", "fault", "code", "reason"]
    /// Those that WireMock does not have.
    package static let messageActionAdditions: Set<String> = ["delay", "gap", "hold", "fault", "code", "reason"]
    package static let messageDefinition: [String] = ["body"]
    package static let messageContent: [String] = ["data", "base64Data", "filePath", "dataStore", "dataRef", "format", "charset", "compression", "encoding", "compact"]
    package static let originatingTarget: [String] = ["type"]
    package static let initiatedTarget: [String] = ["type", "channelType", "requestPattern"]
    package static let fixedTarget: [String] = ["type", "providerName", "channelName"]
    package static let roomTarget: [String] = ["type", "room", "others"]
    package static let recordSpec: [String] = ["targetBaseUrl", "filters", "captureHeaders", "requestBodyPattern", "requestBodyPatternFactory", "extractBodyCriteria", "outputFormat", "persist", "repeatsAsScenarios", "transformers", "transformerParameters"]
    package static let recordFilters: [String] = ["scheme", "host", "port", "clientIp", "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate", "method", "headers", "pathParameters", "queryParameters", "formParameters", "cookies", "basicAuth", "basicAuthCredentials", "bodyPatterns", "customMatcher", "multipartPatterns", "clientCertificate", "ids", "allowNonProxied"]
    package static let capturedHeader: [String] = ["caseInsensitive"]
    package static let recordedBody: [String] = ["matcher", "ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive"]
    package static let bodyThresholds: [String] = ["textSizeThreshold", "binarySizeThreshold"]
    package static let routeResponse: [String] = ["when", "name", "priority", "status", "statusMessage", "headers", "body", "json", "base64", "file", "fallThrough", "template", "delay", "dribble", "fault", "metadata", "scenario", "capture", "cors", "webhook", "webhooks", "hold", "stream", "openapi", "early", "trailers", "ranges", "conditional", "proxy", "times", "ttl", "enabled", "sequence", "onEnd", "select", "per", "id"]
    /// Those that are read as members of `mapping`.
    package static let routeResponseOfMapping: [String] = ["priority", "metadata", "times", "ttl", "enabled", "onEnd", "select", "per", "id"]
    /// Those that are read as members of `response`.
    package static let routeResponseOfResponse: [String] = ["fallThrough", "fault", "hold", "stream", "openapi", "early", "ranges", "conditional"]
    /// What other tools call them.
    package static let routeResponseAliases: [String: String] = ["request": "when", "if": "when", "match": "when", "statusCode": "status", "code": "status", "reason": "statusMessage", "header": "headers", "text": "body", "content": "body", "jsonBody": "json", "base64Body": "base64", "bodyFileName": "file", "optional": "fallThrough", "ifMissing": "fallThrough", "passThrough": "fallThrough", "templated": "template", "templating": "template", "transformers": "template", "fixedDelayMilliseconds": "delay", "delayDistribution": "delay", "chunkedDribbleDelay": "dribble", "scenarioName": "scenario", "state": "scenario", "requiredScenarioState": "scenario", "newScenarioState": "scenario", "serveEventListeners": "capture", "recordState": "capture", "remember": "capture", "callback": "webhook", "postServeActions": "webhook", "notify": "webhook", "callbacks": "webhooks", "gate": "hold", "wait": "hold", "sse": "stream", "events": "stream", "chunks": "stream", "earlyHints": "early", "hints": "early", "informational": "early", "trailer": "trailers", "range": "ranges", "acceptRanges": "ranges", "etag": "conditional", "notModified": "conditional", "proxyBaseUrl": "proxy", "forward": "proxy", "proxyTo": "proxy", "proxyPass": "proxy", "limit": "times", "count": "times", "expires": "ttl", "responses": "sequence", "uuid": "id"]
    package static let routeEntry: [String] = ["status", "statusMessage", "headers", "body", "json", "base64", "file", "template", "delay", "dribble", "fault", "hold", "stream", "openapi", "early", "trailers", "ranges", "conditional", "proxy", "weight"]
    /// What other tools call them.
    package static let routeEntryAliases: [String: String] = ["statusCode": "status", "code": "status", "reason": "statusMessage", "header": "headers", "text": "body", "content": "body", "jsonBody": "json", "base64Body": "base64", "bodyFileName": "file", "templated": "template", "templating": "template", "transformers": "template", "fixedDelayMilliseconds": "delay", "delayDistribution": "delay", "chunkedDribbleDelay": "dribble", "gate": "hold", "wait": "hold", "sse": "stream", "events": "stream", "chunks": "stream", "earlyHints": "early", "hints": "early", "informational": "early", "trailer": "trailers", "range": "ranges", "acceptRanges": "ranges", "etag": "conditional", "notModified": "conditional", "proxyBaseUrl": "proxy", "forward": "proxy", "proxyTo": "proxy", "proxyPass": "proxy"]
    package static let routeSequence: [String] = ["onEnd", "select", "per", "responses"]
    /// What other tools call them.
    package static let routeSequenceAliases: [String: String] = ["key": "per", "by": "per", "for": "per", "sequence": "responses"]
    package static let routeResource: [String] = ["data", "key", "schema", "collection", "cascade", "write", "when", "name", "priority", "headers", "template", "delay", "dribble", "fault", "metadata", "scenario", "capture", "cors", "webhook", "webhooks", "hold", "early", "trailers", "ranges", "proxy", "times", "ttl", "enabled"]
    /// What other tools call them.
    package static let routeResourceAliases: [String: String] = ["file": "data", "json": "data", "body": "data", "records": "data", "items": "data", "seed": "data", "id": "key", "idField": "key", "primaryKey": "key", "jsonSchema": "schema", "resource": "collection", "table": "collection", "dependents": "cascade", "onDelete": "cascade", "save": "write", "writeBack": "write", "persistent": "write", "request": "when", "if": "when", "match": "when", "header": "headers", "templated": "template", "templating": "template", "transformers": "template", "fixedDelayMilliseconds": "delay", "delayDistribution": "delay", "chunkedDribbleDelay": "dribble", "scenarioName": "scenario", "state": "scenario", "requiredScenarioState": "scenario", "newScenarioState": "scenario", "serveEventListeners": "capture", "recordState": "capture", "remember": "capture", "callback": "webhook", "postServeActions": "webhook", "notify": "webhook", "callbacks": "webhooks", "gate": "hold", "wait": "hold", "earlyHints": "early", "hints": "early", "informational": "early", "trailer": "trailers", "range": "ranges", "acceptRanges": "ranges", "proxyBaseUrl": "proxy", "forward": "proxy", "proxyTo": "proxy", "proxyPass": "proxy", "limit": "times", "count": "times", "expires": "ttl"]
    package static let contractDocument: [String] = ["file", "prefix", "validate", "answers", "items", "callbacks"]
    /// What other tools call them.
    package static let contractDocumentAliases: [String: String] = ["document": "file", "spec": "file", "path": "file", "basePath": "prefix", "base": "prefix", "check": "validate", "validation": "validate", "listLength": "items", "length": "items"]
    package static let defaults: [String] = ["basePath", "headers", "delay", "conditional", "fallThrough", "cors", "redact"]
    /// What other tools call them.
    package static let defaultsAliases: [String: String] = ["base": "basePath", "path": "basePath", "prefix": "basePath", "url": "basePath", "urlPrefix": "basePath", "header": "headers", "responseHeaders": "headers", "fixedDelayMilliseconds": "delay", "latency": "delay", "redactNames": "redact", "redacted": "redact", "secrets": "redact"]
    package static let dribble: [String] = ["chunks", "over"]
    package static let scenario: [String] = ["name", "from", "to"]
    /// What other tools call them.
    package static let scenarioAliases: [String: String] = ["scenarioName": "name", "scenario": "name", "requiredScenarioState": "from", "requiredState": "from", "required": "from", "state": "from", "in": "from", "when": "from", "if": "from", "newScenarioState": "to", "newState": "to", "new": "to", "next": "to", "then": "to", "set": "to"]
    package static let proxy: [String] = ["to", "removePrefix", "headers", "removeHeaders", "rewriteHost", "http2"]
    /// What other tools call them.
    package static let proxyAliases: [String: String] = ["url": "to", "target": "to", "proxyBaseUrl": "to", "baseUrl": "to", "base": "to", "proxyUrlPrefixToRemove": "removePrefix", "prefix": "removePrefix", "stripPrefix": "removePrefix", "additionalProxyRequestHeaders": "headers", "addHeaders": "headers", "header": "headers", "removeProxyRequestHeaders": "removeHeaders", "without": "removeHeaders", "hostRewrite": "rewriteHost", "proxyHttp2": "http2", "h2": "http2", "h2c": "http2", "grpc": "http2"]
    package static let webhookParameters: [String] = ["method", "url", "headers", "body", "base64Body", "jsonBody", "bodyFileName", "multipart", "delay", "retry", "hmac"]
    package static let webhook: [String] = ["method", "url", "headers", "body", "base64Body", "jsonBody", "bodyFileName", "multipart", "delay", "retry", "hmac", "json", "base64", "file"]
    package static let webhookPart: [String] = ["name", "fileName", "contentType", "body", "base64Body", "jsonBody", "bodyFileName"]
    package static let retry: [String] = ["times", "backoff"]
    package static let hmac: [String] = ["secret", "algorithm", "header", "format", "prefix"]
    package static let when: [String] = ["method", "scheme", "host", "port", "clientIp", "headers", "query", "form", "path", "cookies", "basicAuth", "body", "json", "jsonPath", "jsonSchema", "xml", "xPath", "multipart", "graphql", "jwt", "custom", "clientCertificate"]
    /// What other tools call them.
    package static let whenAliases: [String: String] = ["ip": "clientIp", "client": "clientIp", "header": "headers", "queryParameters": "query", "params": "query", "formParameters": "form", "pathParameters": "path", "pathParams": "path", "cookie": "cookies", "auth": "basicAuth", "basicAuthCredentials": "basicAuth", "bodyPatterns": "body", "equalToJson": "json", "jsonBody": "json", "matchesJsonPath": "jsonPath", "matchesJsonSchema": "jsonSchema", "schema": "jsonSchema", "equalToXml": "xml", "matchesXPath": "xPath", "xpath": "xPath", "multipartPatterns": "multipart", "parts": "multipart", "matchesGraphql": "graphql", "matchesJwt": "jwt", "customMatcher": "custom", "certificate": "clientCertificate", "clientCert": "clientCertificate", "cert": "clientCertificate"]
    package static let routeBasicAuth: [String] = ["username", "password"]
    /// What other tools call them.
    package static let routeBasicAuthAliases: [String: String] = ["user": "username", "name": "username", "login": "username", "pass": "password"]
    package static let routeCertificate: [String] = ["subject", "issuer", "serialNumber", "fingerprint", "notBefore", "notAfter", "alternativeNames", "pem"]
    /// What other tools call them.
    package static let routeCertificateAliases: [String: String] = ["cn": "subject", "CN": "subject", "commonName": "subject", "subjectDN": "subject", "issuerDN": "issuer", "serial": "serialNumber", "sha256": "fingerprint", "thumbprint": "fingerprint", "validFrom": "notBefore", "validTo": "notAfter", "san": "alternativeNames", "sans": "alternativeNames", "subjectAlternativeNames": "alternativeNames", "certificate": "pem"]
    package static let part: [String] = ["name", "file", "every", "headers", "body", "json", "jsonPath", "jsonSchema", "xml", "xPath"]
    /// What other tools call them.
    package static let partAliases: [String: String] = ["fileName": "file", "filename": "file", "matchingType": "every", "all": "every", "header": "headers", "bodyPatterns": "body", "equalToJson": "json", "jsonBody": "json", "matchesJsonPath": "jsonPath", "matchesJsonSchema": "jsonSchema", "schema": "jsonSchema", "equalToXml": "xml", "matchesXPath": "xPath", "xpath": "xPath"]
    package static let webSocket: [String] = ["when", "name", "priority", "protocol", "onOpen", "on", "every", "close", "metadata"]
    /// What other tools call them.
    package static let webSocketAliases: [String: String] = ["request": "when", "if": "when", "match": "when", "protocols": "protocol", "subprotocol": "protocol", "subprotocols": "protocol", "open": "onOpen", "onConnect": "onOpen", "connect": "onOpen", "opened": "onOpen", "greeting": "onOpen", "onMessage": "on", "messages": "on", "message": "on", "answers": "on", "interval": "every", "onInterval": "every", "closeAfter": "close", "onClose": "close"]
    package static let whenOpened: [String] = ["scheme", "host", "port", "clientIp", "headers", "query", "path", "cookies", "basicAuth", "jwt", "custom", "clientCertificate"]
    /// What other tools call them.
    package static let whenOpenedAliases: [String: String] = ["ip": "clientIp", "client": "clientIp", "header": "headers", "queryParameters": "query", "params": "query", "pathParameters": "path", "pathParams": "path", "cookie": "cookies", "auth": "basicAuth", "basicAuthCredentials": "basicAuth", "matchesJwt": "jwt", "customMatcher": "custom", "certificate": "clientCertificate", "clientCert": "clientCertificate", "cert": "clientCertificate"]
    package static let messageStep: [String] = ["send", "echo", "close", "to", "delay", "gap", "hold", "fault", "do"]
    /// What other tools call them.
    package static let messageStepAliases: [String: String] = ["message": "send", "reply": "send", "respond": "send", "say": "send", "text": "send", "target": "to", "channelTarget": "to", "then": "do", "steps": "do", "actions": "do"]
    package static let messageAnswer: [String] = ["when", "name", "priority", "sequence", "onEnd", "per", "scenario", "send", "echo", "close", "to", "delay", "gap", "hold", "fault", "do"]
    /// What other tools call them.
    package static let messageAnswerAliases: [String: String] = ["if": "when", "match": "when", "responses": "sequence", "message": "send", "reply": "send", "respond": "send", "say": "send", "text": "send", "target": "to", "channelTarget": "to", "then": "do", "steps": "do", "actions": "do"]
    package static let whenSaid: [String] = ["text", "json", "jsonPath", "jsonSchema", "xml", "xPath", "binary"]
    /// What other tools call them.
    package static let whenSaidAliases: [String: String] = ["body": "text", "equalTo": "text", "equalToJson": "json", "jsonBody": "json", "matchesJsonPath": "jsonPath", "matchesJsonSchema": "jsonSchema", "schema": "jsonSchema", "equalToXml": "xml", "matchesXPath": "xPath", "xpath": "xPath", "base64": "binary", "binaryEqualTo": "binary", "bytes": "binary"]
    package static let routeContent: [String] = ["text", "json", "base64", "file"]
    /// What other tools call them.
    package static let routeContentAliases: [String: String] = ["body": "text", "data": "text", "jsonBody": "json", "base64Data": "base64", "binary": "base64", "bytes": "base64", "filePath": "file", "bodyFileName": "file"]
    package static let closing: [String] = ["code", "reason"]
    package static let closeAfter: [String] = ["after", "code", "reason"]
    /// What other tools call them.
    package static let closeAfterAliases: [String: String] = ["messages": "after", "time": "after", "in": "after"]
    package static let routeRoom: [String] = ["room", "others"]
    package static let settings: [String] = ["fixedDelay", "delayDistribution", "extended", "proxyPassThrough", "clock", "delays", "timeScale", "passThrough", "openapiValidate"]
    /// Those that WireMock does not have.
    package static let settingsAdditions: Set<String> = ["clock", "delays", "timeScale", "passThrough", "openapiValidate"]
    package static let clock: [String] = ["frozen", "offset", "from", "rate"]
    package static let invalidFramesAliases: [String: String] = ["rsv": "reservedBits", "invalidUTF8": "utf8", "encoding": "utf8"]
    package static let tlsFaultsAliases: [String: String] = ["untrusted": "untrustedAuthority", "untrustedRoot": "untrustedAuthority", "untrustedCA": "untrustedAuthority", "unknownCA": "untrustedAuthority", "badHost": "wrongHost", "hostnameMismatch": "wrongHost", "rst": "reset", "timeout": "stall", "hang": "stall", "incompleteChain": "missingIntermediate", "noIntermediate": "missingIntermediate", "tls1.0": "oldVersion", "tls1.1": "oldVersion"]
    package static let http2FaultsAliases: [String: String] = ["settings": "noSettings"]
    package static let cutEndsAliases: [String: String] = ["close": "fin", "reset": "rst", "truncate": "cut", "stall": "hang", "forever": "hang", "timeout": "hang"]
    package static let cutEnds: [String] = ["fin", "rst", "cut", "hang", "garbage"]
    package static let http2Errors: [String] = ["NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED"]
    package static let endsAliases: [String: String] = ["repeat": "repeatLast", "last": "repeatLast", "stay": "repeatLast", "stop": "repeatLast", "keep": "repeatLast", "restart": "loop", "cycle": "loop", "again": "loop", "first": "loop", "404": "notFound", "none": "notFound"]
    package static let methods: [String] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "ANY"]
    package static let messageEndsAliases: [String: String] = ["repeat": "repeatLast", "last": "repeatLast", "stay": "repeatLast", "keep": "repeatLast", "end": "stop", "none": "stop", "pass": "stop"]
    package static let algorithms: [String] = ["sha1", "sha256", "sha384", "sha512"]
}
