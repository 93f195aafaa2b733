// Mounting without privileges: user namespaces let every user have their own mounts, which end with the process.
import { spawnSync } from 'node:child_process'

/** Runs a Node program that may mount; returns its JSON output. If mounting is not permitted, the test fails. */
export function runWithMounts(...args: readonly string[]): unknown {
  const probe = spawnSync('unshare', ['-Urm', 'true'], { encoding: 'utf8' })
  if (probe.status !== 0) {
    const why = (probe.error?.message ?? probe.stderr).trim()
    throw new Error(`this test mounts a small disk, and this machine lets nobody do so (unshare -Urm: ${why}): allow user namespaces`)
  }
  const ended = spawnSync('unshare', ['-Urm', process.execPath, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (ended.error) throw ended.error
  if (ended.status !== 0) throw new Error(`it ended with ${ended.status ?? ended.signal}: ${ended.stderr}`)
  return JSON.parse(ended.stdout)
}
