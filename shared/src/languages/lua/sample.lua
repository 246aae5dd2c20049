local M = {}
local log = require("telescope.log")
local LIMIT = 3

--- Opens it.
function M.open(opts) return 1 end
function M:close() end
M.toggle = function() end
local function helper(a)
  local inner = 1
end
local t = { key = function() end, value = 1 }
return M
