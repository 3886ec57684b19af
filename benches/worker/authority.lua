-- A script for wrk that sends the requests of holders. Its argument is `renew` for nodes that are
-- held, `lease` to acquire and release, or `mix` for six renewals per acquired lease.

package.path = "benches/worker/?.lua;" .. package.path
require("result")

local NODES = 65536
local EPOCH_MS = 1514764800000

local acquired = {}
local steps = { renew = { "renew" }, lease = { "acquire", "release" } }
steps.mix = { "renew", "renew", "renew", "acquire", "renew", "renew", "renew", "release" }
local step = 0
local made = 0

function init(args)
  wrk.method = "POST"
  operation = args[1]
  whole = 0
  other = 0
  math.randomseed(os.time())
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

function request()
  local now_ms = os.time() * 1000
  local all = steps[operation]
  step = step % #all + 1
  -- Nothing can be released before the first grants have come.
  local body = bodies[all[step]](now_ms) or bodies.acquire(now_ms)
  return wrk.format(nil, nil, nil, body)
end

function response(status, headers, body)
  local token, node, from =
    body:match('^{"granted":{"token":"(%x+)".-"node":(%d+),"from_tick":(%d+)')
  if token then
    table.insert(acquired, { token = token, node = node, from = from })
  end
  if status == 200 and (token or body:match('^{"re[nl]e[wa]s?ed"') or body == "{}") then
    whole = whole + 1
  else
    other = other + 1
  end
end
