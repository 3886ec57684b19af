-- For wrk: POSTs, and counts the answers that are as long as they must be for all their ids.
-- Arguments: the bytes of such an answer's body.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  wrk.method = "POST"
  bytes = tonumber(args[1])
  whole = 0
  short = 0
end

function response(status, headers, body)
  if status == 200 and #body == bytes then
    whole = whole + 1
  else
    short = short + 1
  end
end

-- One line: answers that are whole, others, errors of the socket, us of the run, p50 and p99 in us.
function done(summary, latency, requests)
  local whole, short = 0, 0
  for _, thread in ipairs(threads) do
    whole = whole + thread:get("whole")
    short = short + thread:get("short")
  end
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("result %d %d %d %d %d %d", whole, short, failed, summary.duration,
    latency:percentile(50), latency:percentile(99)))
end
