// A place to mount things in without being anybody special: user namespaces let every user have mounts of their own, gone with the process.
import { spawnSync } from 'node:child_process'

const probe = spawnSync('unshare', ['-Urm', 'true'])

/** Null where it works; otherwise why tests that need it are skipped. */
export const noMounts: string | null =
  probe.status === 0 ? null : `this machine lets nobody mount a small disk (unshare -Urm: ${probe.error?.message ?? probe.stderr})`

/** Runs a Node program where it may mount; gives back what it says as JSON. */
export function amongMounts(...args: readonly string[]): unknown {
  const ended = spawnSync('unshare', ['-Urm', process.execPath, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (ended.error) throw ended.error
  if (ended.status !== 0) throw new Error(`it ended with ${ended.status ?? ended.signal}: ${ended.stderr}`)
  return JSON.parse(ended.stdout)
}
