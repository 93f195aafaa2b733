// Only one command at a time sets up this clone. The lock is a folder with one file per process that works under it: the command, and
// the npm it started, which may outlive it. The lock is free once none of them runs, however they ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { log } from './log.js'
import { root } from './paths.js'
import { hasStartTime, isRunning, pidOf, processNameOf } from './process-name.js'

const pause_ms = 100
const gate = fileURLToPath(new URL('./deferred-script.js', import.meta.url))

/**
 * Runs `work` while no other process of this clone does. It gets `run(script, args)`, which runs a Node script under the same lock, so that
 * the next command waits for the script even if this process is killed.
 */
export async function withLock(work, command, folder = join(root, '.cache', 'setup-lock')) {
  const name = processNameOf(process.pid)
  await take(folder, name, command)
  try {
    removeLeftovers(folder)
    await work((script, args) => runRecorded(folder, command, script, args))
  } finally {
    rmSync(join(folder, name), { force: true })
    findRunning(folder)
  }
}

/** A folder replaces an empty or missing one, but never one with files: if several try, one succeeds. */
async function take(folder, name, command) {
  const arriving = `${folder}.${name}`
  mkdirSync(arriving, { recursive: true })
  writeFileSync(join(arriving, name), command)
  for (let reported; !replaces(arriving, folder); await sleep(pause_ms)) {
    const holders = findRunning(folder)
    if (holders.length === 0 || holders.some((holder) => holder.name === reported)) continue
    reported = holders[0].name
    const remedy = hasStartTime(reported) ? '' : `. If there is no such process, delete ${folder}`
    log(`waiting for ${holders[0].command} (process ${pidOf(reported)}) to finish setting up this clone${remedy}`)
  }
}

function replaces(arriving, folder) {
  try {
    renameSync(arriving, folder)
    return true
  } catch (error) {
    const taken = process.platform === 'win32' ? ['EPERM', 'EACCES', 'EEXIST'] : ['ENOTEMPTY', 'EEXIST']
    if (taken.includes(error.code)) return false
    throw error
  }
}

/** The processes that hold the lock. Files of ended processes are deleted; names are used only once, so no other process is affected. */
function findRunning(folder) {
  const holders = []
  for (const name of unlessGone(() => readdirSync(folder)) ?? []) {
    if (!isRunning(name)) rmSync(join(folder, name), { force: true })
    else holders.push({ name, command: unlessGone(() => readFileSync(join(folder, name), 'utf8')) ?? 'another command' })
  }
  // Windows never replaces a folder, so an empty one is deleted.
  if (holders.length === 0) unlessGone(() => rmdirSync(folder))
  return holders
}

/** Undefined if another process was faster. */
function unlessGone(act) {
  try {
    return act()
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) return undefined
    throw error
  }
}

/** Left by commands that were killed while they waited. */
function removeLeftovers(folder) {
  const prefix = `${basename(folder)}.`
  for (const entry of readdirSync(dirname(folder)).filter((entry) => entry.startsWith(prefix))) {
    if (!isRunning(entry.slice(prefix.length))) rmSync(join(dirname(folder), entry), { recursive: true, force: true })
  }
}

/** The script begins when its process is in the lock, and not at all if this process is killed before that. */
async function runRecorded(folder, command, script, args) {
  const child = spawn(process.execPath, [gate, script, ...args], { cwd: root, stdio: ['pipe', 2, 2] })
  const ended = once(child, 'exit')
  if (child.pid !== undefined) {
    writeFileSync(join(folder, processNameOf(child.pid)), `the installation started by ${command}`)
    child.stdin.on('error', () => undefined) // It has already ended: its exit code shows why.
    child.stdin.end('begin')
  }
  const [code, signal] = await ended
  return { code, signal }
}
