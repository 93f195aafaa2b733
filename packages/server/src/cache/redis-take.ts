// `takeFromWindow` as one atomic script with the clock of Redis: the clock of this node does not matter.

/** KEYS[1] window; ARGV points, seconds, cost. Returns allowed (0/1), remaining, reset in whole seconds. Times in microseconds. */
export const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local points, span, cost = tonumber(ARGV[1]), ARGV[2] * 1000000, tonumber(ARGV[3])
local interval = span / points
local stored = tonumber(redis.call('GET', KEYS[1]) or now)
local start = math.min(math.max(stored, now), now + span)
local after = math.max(start + cost * interval, now)
local room = now + span - after
if room < -1 then
  if cost > 0 and start < stored then
    redis.call('SET', KEYS[1], string.format('%.3f', start), 'PX', math.ceil((start - now) / 1000) + 1)
  end
  local reset = cost > points and span or -room
  return {0, math.max(0, math.floor((now + span - start + 1) / interval)), math.ceil((reset - 1) / 1000000)}
end
if cost ~= 0 then
  redis.call('SET', KEYS[1], string.format('%.3f', after), 'PX', math.ceil((after - now) / 1000) + 1)
end
return {1, math.max(0, math.floor((room + 1) / interval)), math.max(0, math.ceil((after - now - 1) / 1000000))}
`
