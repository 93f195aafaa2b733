// The file system of a command as arguments of bubblewrap. Later mounts cover earlier ones.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInside } from '../../path/inside.ts'
import type { FileAccess } from './file-access.ts'

export interface MountRequest {
  readonly reach: FileAccess
  readonly cwd: string
  /** Further folders and files that it cannot see; what it may see or write in them is shown nevertheless. */
  readonly covered: readonly string[]
}

export function mountArguments({ reach: { frozen: named, ...reach }, cwd, covered: further }: MountRequest): string[] {
  // Bubblewrap follows links: the folders that must stay in place are those above the target. A target that cannot be written anyway gets no
  // mount: a command could have planted a link to a hidden folder, and the mount would show it.
  const frozen = [...new Set(named.map(real))].filter((path) => reach.writable.some((root) => isInside(path, root)))
  const covered = [...further, ...reach.hidden]
  const seen = [...reach.shown, ...reach.writable].filter((folder) => covered.some((cover) => isInside(folder, cover)))
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...covered.flatMap(cover),
    ...(covered.some((cover) => isInside(cwd, cover)) && !seen.some((folder) => isInside(cwd, folder)) ? ['--ro-bind', cwd, cwd] : []),
    ...seen.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...reach.writable.flatMap((folder) => ['--bind', folder, folder]),
    ...pinsOf(reach.writable, frozen).flatMap((folder) => ['--bind', folder, folder]),
    ...frozen.flatMap((path) => ['--ro-bind', path, path]),
    // Hidden folders inside a writable one must be covered again.
    ...reach.hidden.filter((folder) => reach.writable.some((one) => folder !== one && isInside(folder, one))).flatMap(cover),
    ...reach.writable
      .filter((folder) => reach.hidden.some((hidden) => reach.writable.some((one) => isInside(hidden, one)) && isInside(folder, hidden)))
      .flatMap((folder) => ['--bind', folder, folder]),
    // And what a command may see in those must be shown again.
    ...reach.shown
      .filter((path) => reach.hidden.some((hidden) => reach.writable.some((one) => isInside(hidden, one)) && isInside(path, hidden)))
      .flatMap((path) => ['--ro-bind', path, path]),
    ...kernelFiles(),
    ...['--chdir', cwd],
  ]
}

/** Only root may write these, and a user namespace does not change that: `/proc/sys` asks whether the caller is root of the machine. */
const rootOnly = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'asound', 'mtrr', 'dynamic_debug'].map(
  (name) => `/proc/${name}`,
)

/** For root, kernel files are read-only. For other users, a mount over them would only prevent mounting a fresh `/proc` inside. */
function kernelFiles(): string[] {
  return process.geteuid?.() === 0 ? rootOnly.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]) : []
}

/**
 * The folders that contain frozen paths. They are mounted on themselves so that they cannot be renamed: otherwise a command could move one
 * away, with the mounts in it, and create another with the same name.
 */
function pinsOf(writable: readonly string[], frozen: readonly string[]): string[] {
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

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It was removed in the meantime: bubblewrap refuses to start the command.
    return path
  }
}
