-- Sends the requests of a file in turn, byte for byte. Each is preceded by its length on a line of its own.
--
-- wrk ... -s exact.lua URL -- REQUESTS_FILE
-- The last line printed is that of requests.lua.

local requests = {}
local count = 0
local current = 0

function init(args)
    local file = assert(io.open(args[1], "rb"))
    while true do
        local length = file:read("*n")
        if not length then break end
        file:read(1)
        count = count + 1
        requests[count] = file:read(length)
    end
    file:close()
end

function request()
    current = current % count + 1
    return requests[current]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format("RESULT %d %d %d %d %d %d\n", summary.requests, summary.duration,
        errors.connect + errors.read + errors.write + errors.timeout, errors.status,
        latency:percentile(50), latency:percentile(99)))
end
