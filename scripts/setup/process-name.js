// A name for a process that no later process gets: its pid, its start time, and some random digits.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The name to remember a running process by. */
export function processNameOf(pid) {
  return [pid, startOf(pid) ?? '', randomBytes(6).toString('hex')].join('-')
}

export function pidOf(name) {
  return Number(name.split('-')[0])
}

/** Whether the name contains the start time. Without it, another process with the same pid looks the same. */
export function hasStartTime(name) {
  return name.split('-')[1] !== ''
}

/** Whether the process of this name still runs; false for anything that is not such a name. */
export function isRunning(name) {
  const [, number, began] = /^(\d+)-(\w*)-\w+$/.exec(name) ?? []
  // This process asks only about others, so without a start time its own pid is a reused one: containers repeat them.
  if (number === undefined || (Number(number) === process.pid && began === '')) return false
  const now = startOf(Number(number))
  return now !== undefined && (began === '' || now === '' || now === began)
}

/** The start time of a process; empty if the system does not report it, undefined if the process has ended. */
function startOf(pid) {
  if (!exists(pid)) return undefined
  if (process.platform === 'win32') return ''
  const facts = factsOf(pid)
  if (facts) return /^[ZX]$/.test(facts.state) ? undefined : facts.began
  // The time zone and the language would change the format of the same time.
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC0' },
  })
  return (stdout ?? '').replaceAll(/\W/g, '')
}

function exists(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process cannot be signalled, but it runs.
    return error.code === 'EPERM'
  }
}

/** From Linux's `/proc`. A killed process that its parent has not reaped yet still has a pid there, in state Z. */
function factsOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in parentheses and may contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], began: fields[19] }
  } catch {
    // Not Linux, or not visible to this user.
    return undefined
  }
}
