-- Sends requests in turn. All of them are ready before the load starts.
--
-- wrk ... -s requests.lua URL -- paths FILE    asks for every path of the file, one a line
-- wrk ... -s requests.lua URL -- exact FILE    sends the file's requests byte for byte, each preceded by its length on a
--                                              line of its own
-- The last line printed is `RESULT` with: requests, microseconds, requests without an answer, answers with a status of 400
-- or above, p50 and p99 in microseconds.

local requests = {}
local count = 0
local current = 0

local function add(request)
    count = count + 1
    requests[count] = request
end

local readers = {}

function readers.paths(file)
    for path in file:lines() do
        add(wrk.format("GET", path))
    end
end

function readers.exact(file)
    while true do
        local length = file:read("*n")
        if not length then break end
        file:read(1)
        add(file:read(length))
    end
end

function init(args)
    local file = assert(io.open(args[2], "rb"))
    assert(readers[args[1]], "the first argument is paths or exact")(file)
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
