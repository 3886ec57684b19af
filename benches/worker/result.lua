-- Prints one line of what the scripts for wrk count in `whole` and `other`.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

-- The line has the complete answers, the others, the socket errors, the µs of the run, and p50 and
-- p99 in µs.
function done(summary, latency, requests)
  local whole, other = 0, 0
  for _, thread in ipairs(threads) do
    whole = whole + thread:get("whole")
    other = other + thread:get("other")
  end
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("result %d %d %d %d %d %d", whole, other, failed, summary.duration,
    latency:percentile(50), latency:percentile(99)))
end
