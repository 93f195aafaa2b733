// Scripts for Redis, each atomic and with the clock of Redis: the clock of this node does not matter.

/** `takeFromWindow` (window.ts) in Lua: allowed (0/1), remaining, reset in whole seconds. Times in microseconds. */
const takeFunction = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function take(key, points, seconds, cost)
  local span = seconds * 1000000
  local interval = span / points
  local stored = tonumber(redis.call('GET', key) or now)
  local start = math.min(math.max(stored, now), now + span)
  local after = math.max(start + cost * interval, now)
  local room = now + span - after
  if room < -1 then
    if cost > 0 and start < stored then
      redis.call('SET', key, string.format('%.3f', start), 'PX', math.ceil((start - now) / 1000) + 1)
    end
    local reset = cost > points and span or -room
    return {0, math.max(0, math.floor((now + span - start + 1) / interval)), math.ceil((reset - 1) / 1000000)}
  end
  if cost ~= 0 then
    redis.call('SET', key, string.format('%.3f', after), 'PX', math.ceil((after - now) / 1000) + 1)
  end
  return {1, math.max(0, math.floor((room + 1) / interval)), math.max(0, math.ceil((after - now - 1) / 1000000))}
end
`

/** KEYS[1] window; ARGV points, seconds, cost. */
export const takeScript = `${takeFunction}
return take(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]))
`

/**
 * KEYS windows, then perhaps a key to read; ARGV points and seconds of each window. Takes one from each window, in order, up to the first
 * that refuses. Returns the results of the windows, and the value ('' if there is none).
 */
export const admitScript = `${takeFunction}
local results = {}
local windows = #ARGV / 2
for index = 1, windows do
  local result = take(KEYS[index], tonumber(ARGV[2 * index - 1]), tonumber(ARGV[2 * index]), 1)
  results[index] = result
  if result[1] == 0 then return {results, ''} end
end
return {results, #KEYS > windows and redis.call('GET', KEYS[windows + 1]) or ''}
`

/**
 * KEYS windows, then perhaps an entry; ARGV the number of windows, points, seconds and cost of each, then the value of the entry and its
 * milliseconds. Takes from each window, in order, up to the first that refuses; if all allow, adds the entry. Returns the results of the
 * windows, and whether the entry was added.
 */
export const enterScript = `${takeFunction}
local results = {}
local windows = tonumber(ARGV[1])
for index = 1, windows do
  local at = 3 * index - 1
  local result = take(KEYS[index], tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]))
  results[index] = result
  if result[1] == 0 then return {results, 0} end
end
if #KEYS == windows then return {results, 0} end
local last = 3 * windows + 2
return {results, redis.call('SET', KEYS[#KEYS], ARGV[last], 'PX', ARGV[last + 1], 'NX') and 1 or 0}
`

/**
 * KEYS perhaps a window, then perhaps an entry; ARGV points, seconds and cost of the window if there is one, then the value of the entry.
 * Takes as much of the cost as the window has, and deletes the entry if it still has this value.
 */
export const leaveScript = `${takeFunction}
local values = #ARGV % 3
if #ARGV >= 3 then
  local points, seconds, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local result = take(KEYS[1], points, seconds, cost)
  if result[1] == 0 and result[2] > 0 then take(KEYS[1], points, seconds, math.min(cost, result[2])) end
end
if values == 1 and redis.call('GET', KEYS[#KEYS]) == ARGV[#ARGV] then redis.call('DEL', KEYS[#KEYS]) end
return 0
`

/** From a key and an argument on: as `announceScript` says. */
const announceFunction = `
local function announce(key, arg)
  local result = take(KEYS[key], tonumber(ARGV[arg]), tonumber(ARGV[arg + 1]), 1)
  if result[1] == 0 then return {result, 0, 0} end
  local old = redis.call('SET', KEYS[key + 1], ARGV[arg + 2], 'PX', ARGV[arg + 3], 'GET')
  local due = redis.call('SET', KEYS[key + 2], '1', 'PX', ARGV[arg + 4], 'NX')
  return {result, old and 0 or 1, due and 1 or 0}
end
`

/**
 * KEYS window, value, mark; ARGV points, seconds, value, its milliseconds, milliseconds of the mark. If the window allows it, sets the value
 * and adds the mark. Returns the result of the window, whether there was no value, and whether there was no mark.
 */
export const announceScript = `${takeFunction}${announceFunction}
return announce(1, 1)
`

/**
 * KEYS those of the announcement, the key of the proof, then windows; ARGV those of the announcement, the numbers that the proof is above and
 * at most, then points and seconds of each window. Like `admitScript`; if all windows allow and the proof holds, also like `announceScript`,
 * whose results it returns then.
 */
export const admitAndAnnounceScript = `${takeFunction}${announceFunction}
local results = {}
for index = 5, #KEYS do
  local at = 2 * index - 2
  local result = take(KEYS[index], tonumber(ARGV[at]), tonumber(ARGV[at + 1]), 1)
  results[index - 4] = result
  if result[1] == 0 then return {results, ''} end
end
local value = redis.call('GET', KEYS[4]) or ''
local proof = tonumber(value)
if not proof or proof <= tonumber(ARGV[6]) or proof > tonumber(ARGV[7]) then return {results, value} end
return {results, value, announce(1, 1)}
`

/** KEYS[1]; ARGV value, milliseconds, the value that is never replaced. */
export const replaceScript = `
if redis.call('GET', KEYS[1]) == ARGV[3] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`
