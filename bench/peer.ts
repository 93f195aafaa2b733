// A peer is installed into a temporary folder for one run; it is never a dependency of ours.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Peer {
  readonly folder: string
  remove(): void
}

/** `only-listed`: what they expect next to them is not added. Npm takes very long to work that out for some peers. */
export function installPeer(
  dependencies: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string>> = {},
  extent: 'complete' | 'only-listed' = 'complete',
): Peer {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-peer-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }))
  const options = [
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    ...(extent === 'complete' ? [] : ['--legacy-peer-deps']),
  ]
  const { status, stderr } = spawnSync('npm', ['install', ...options], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${Object.keys(dependencies).join(', ')} could not be installed: ${stderr}`)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
