// Plain bubblewrap, for machines on which the proxy of the full sandbox cannot run: the same files, and no network at all.
import { existsSync } from 'node:fs'
import type { Backend, WrapRequest } from './backend.ts'
import { unlessOrphaned } from './life-pipe.ts'
import { mountArguments } from './mounts.ts'

/** Folders with sockets of other programs (docker, the session bus, X): a process can connect to a socket even in a read-only folder. */
const sockets = ['/run', '/tmp', '/var/tmp']

export function bubblewrapBackend(): Backend {
  return {
    name: 'bubblewrap',
    wrap: async (job) => ({
      argv: ['bwrap', ...bubblewrapArguments(job), '--', ...unlessOrphaned(job.argv)],
      env: {},
      release: () => undefined,
    }),
    stop: async () => undefined,
  }
}

/** Without `--cap-drop ALL`, root could remount everything writable from inside. */
export function bubblewrapArguments({ reach, cwd }: Pick<WrapRequest, 'reach' | 'cwd'>): string[] {
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...mountArguments({ reach, cwd, covered: sockets.filter((folder) => existsSync(folder)) }),
  ]
}
