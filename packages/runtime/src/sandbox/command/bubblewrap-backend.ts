// Plain bubblewrap, for machines on which the proxy of the full sandbox cannot run: the same files, and no network at all.
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInside } from '../../path/inside.ts'
import type { Backend, WrapRequest } from './backend.ts'

/** Folders with sockets of other programs (docker, the session bus, X): a process can connect to a socket even in a read-only folder. */
const sockets = ['/run', '/tmp', '/var/tmp']

/** Started instead of `bwrap` by every backend; it finds `bwrap` on PATH. */
export const bubblewrapProgram = fileURLToPath(new URL('./bubblewrap.sh', import.meta.url))

export function bubblewrapBackend(): Backend {
  return {
    name: 'bubblewrap',
    wrap: async (job) => ({ argv: [bubblewrapProgram, ...bubblewrapArguments(job), '--', ...job.argv], release: () => undefined }),
    stop: async () => undefined,
  }
}

/** Later mounts cover earlier ones. Without `--cap-drop ALL`, root could remount everything writable from inside. */
export function bubblewrapArguments({ reach, cwd }: Pick<WrapRequest, 'reach' | 'cwd'>): string[] {
  const covered = [...sockets.filter((folder) => existsSync(folder)), ...reach.hidden]
  const seen = [...reach.shown, ...reach.writable].filter((folder) => covered.some((cover) => isInside(folder, cover)))
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...covered.flatMap(cover),
    ...(covered.some((cover) => isInside(cwd, cover)) && !seen.some((folder) => isInside(cwd, folder)) ? ['--ro-bind', cwd, cwd] : []),
    ...seen.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...reach.writable.flatMap((folder) => ['--bind', folder, folder]),
    ...pinsOf(reach).flatMap((folder) => ['--bind', folder, folder]),
    ...reach.frozen.flatMap((path) => ['--ro-bind', path, path]),
    // Hidden folders inside a writable one must be covered again.
    ...reach.hidden.filter((folder) => reach.writable.some((one) => folder !== one && isInside(folder, one))).flatMap(cover),
    ...reach.writable
      .filter((folder) => reach.hidden.some((hidden) => reach.writable.some((one) => isInside(hidden, one)) && isInside(folder, hidden)))
      .flatMap((folder) => ['--bind', folder, folder]),
    // And what a command may see in those must be shown again.
    ...reach.shown
      .filter((path) => reach.hidden.some((hidden) => reach.writable.some((one) => isInside(hidden, one)) && isInside(path, hidden)))
      .flatMap((path) => ['--ro-bind', path, path]),
    ...['--chdir', cwd],
  ]
}

/**
 * The folders that contain frozen paths. They are mounted on themselves so that they cannot be renamed: otherwise a command could move one
 * away, with the mounts in it, and create another with the same name.
 */
function pinsOf({ writable, frozen }: WrapRequest['reach']): string[] {
  const pins = frozen.flatMap((path) =>
    foldersAbove(path).filter((folder) => writable.some((root) => folder !== root && isInside(folder, root))),
  )
  // Outermost first: a later mount would cover an earlier one below it.
  return [...new Set(pins)].sort((one, other) => one.length - other.length)
}

function foldersAbove(path: string): string[] {
  const above = dirname(path)
  return above === path ? [] : [above, ...foldersAbove(above)]
}

/** Only a file can be mounted over a file. */
function cover(path: string): string[] {
  return statSync(path).isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]
}
