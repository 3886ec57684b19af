-- The script of wrk. Its argument is the length of an answer with all its ids, in bytes, or an
-- operation of holders: `renew` for nodes that are held, `lease` to acquire and release, or `mix` for
-- six renewals per acquired lease. It counts complete answers in `whole` and the others in `other`.

local NODES = 65536
local EPOCH_MS = 1514764800000

local acquired = {}
local steps = { renew = { "renew" }, lease = { "acquire", "release" } }
steps.mix = { "renew", "renew", "renew", "acquire", "renew", "renew", "renew", "release" }
local step = 0
local made = 0
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  wrk.method = "POST"
  whole = 0
  other = 0
  bytes = tonumber(args[1])
  math.randomseed(os.time())
  if not bytes then request = request_of(steps[args[1]]) end
end

local bodies = {
  renew = function(now_ms)
    -- The node must not be one that was free at first.
    local node = math.random(0, NODES / 8 - 1) * 8 + math.random(1, 7)
    return string.format(
      '{"renew":{"token":"f%04x%027x","incarnation":1,"node":%d,"tick":%d,"now_ms":%d}}',
      node * 40503 % NODES, node, node, now_ms - EPOCH_MS, now_ms)
  end,
  acquire = function(now_ms)
    made = made + 1
    return string.format('{"acquire":{"token":"a%015x%08x%08x","now_ms":%d}}',
      made, math.random(0, 2 ^ 31 - 1), os.time(), now_ms)
  end,
  release = function(now_ms)
    local lease = table.remove(acquired)
    if not lease then return nil end
    return string.format(
      '{"release":{"token":"%s","incarnation":1,"node":%d,"until_tick":%d}}',
      lease.token, lease.node, lease.from)
  end,
}

function request_of(all)
  return function()
    local now_ms = os.time() * 1000
    step = step % #all + 1
    -- If there is no grant to release yet, acquire another lease.
    local body = bodies[all[step]](now_ms) or bodies.acquire(now_ms)
    return wrk.format(nil, nil, nil, body)
  end
end

local function is_whole(body)
  if bytes then return #body == bytes end
  local token, node, from =
    body:match('^{"granted":{"token":"(%x+)".-"node":(%d+),"from_tick":(%d+)')
  if token then
    table.insert(acquired, { token = token, node = node, from = from })
  end
  return token or body:match('^{"re[nl]e[wa]s?ed"') or body == "{}"
end

function response(status, headers, body)
  if status == 200 and is_whole(body) then
    whole = whole + 1
  else
    other = other + 1
  end
end

-- Prints the complete answers, the others, the socket errors, the µs of the run, and p50 and p99 in
-- µs.
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
