-- Asks for every path of a file in turn. All requests are rendered before the load starts.
--
-- wrk ... -s requests.lua URL -- PATHS_FILE
-- The last line printed is `RESULT` with: requests, microseconds, requests without an answer, answers with a status of 400
-- or above, p50 and p99 in microseconds.

local requests = {}
local count = 0
local current = 0

function init(args)
    for path in io.lines(args[1]) do
        count = count + 1
        requests[count] = wrk.format("GET", path)
    end
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
