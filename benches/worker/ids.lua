-- A script for wrk that sends POSTs, and counts the answers that are long enough for all their ids.
-- Its argument is the length of such an answer's body, in bytes.

package.path = "benches/worker/?.lua;" .. package.path
require("result")

function init(args)
  wrk.method = "POST"
  bytes = tonumber(args[1])
  whole = 0
  other = 0
end

function response(status, headers, body)
  if status == 200 and #body == bytes then
    whole = whole + 1
  else
    other = other + 1
  end
end
