// A name for a process that no later process gets: its number, when it began, and some random digits.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The name to remember a running process by. */
export function nameOf(pid) {
  return [pid, startOf(pid) ?? '', randomBytes(6).toString('hex')].join('-')
}

export function pidOf(name) {
  return Number(name.split('-')[0])
}

/** Whether the name tells when its process began. Without that, another process with the same number looks the same. */
export function isExact(name) {
  return name.split('-')[1] !== ''
}

/** Whether the process of this name still runs; false for anything that is no such name. */
export function isRunning(name) {
  const [, number, began] = /^(\d+)-(\w*)-\w+$/.exec(name) ?? []
  // This process asks only about others, so without a start its own number is one that was used before: containers repeat them.
  if (number === undefined || (Number(number) === process.pid && began === '')) return false
  const now = startOf(Number(number))
  return now !== undefined && (began === '' || now === '' || now === began)
}

/** When a process began; empty if the system does not tell, undefined if the process has ended. */
function startOf(pid) {
  if (!exists(pid)) return undefined
  if (process.platform === 'win32') return ''
  const facts = factsOf(pid)
  if (facts) return /^[ZX]$/.test(facts.state) ? undefined : facts.began
  // The time zone and the language would change how the same moment is written.
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

/** From Linux's `/proc`. A killed process that its parent has not collected yet still has a number there, in state Z. */
function factsOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program is in brackets and may contain spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], began: fields[19] }
  } catch {
    // Not Linux, or not visible to this user.
    return undefined
  }
}
