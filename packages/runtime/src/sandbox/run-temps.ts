// A temp folder for each run, outside Tandem's own, for its tools and commands. It is removed with the run; outputs are moved to the home.
import { copyFileSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export interface RunTempFolders {
  /** Created on first use. */
  of(run_id: string): string
  /** Where output that was too long for a record is written, so that the tools of the run can read it. */
  outputs(run_id: string): string
  /** Moves the outputs of an ended run to the home, and removes the rest. */
  end(run_id: string): void
  /** Removes the folders of runs that have ended or are unknown. */
  sweep(isOver: (run_id: string) => boolean): void
  /** Removes the root if no run is paused. */
  close(): void
}

export function openRunTemps(home: string, tmp: string, device_id: string): RunTempFolders {
  let root: string | null = null
  const wanted = tempsRoot(tmp, device_id)

  /** The same after a restart, so that a paused run finds its files; a folder that other users can access is not trusted. */
  function ours(): string {
    if (root !== null) return root
    mkdirSync(wanted, { recursive: true, mode: 0o700 })
    root = realpathSync(isOursAlone(wanted) ? wanted : mkdtempSync(join(tmp, 'tandem-')))
    return root
  }

  function of(run_id: string): string {
    const folder = join(ours(), run_id)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  function end(run_id: string): void {
    const folder = join(ours(), run_id)
    const kept = join(folder, 'outputs')
    for (const name of listed(kept)) {
      mkdirSync(join(home, 'outputs'), { recursive: true, mode: 0o700 })
      move(join(kept, name), join(home, 'outputs', name))
    }
    rmSync(folder, { recursive: true, force: true })
  }

  return {
    of,
    outputs: (run_id) => join(of(run_id), 'outputs'),
    end,
    sweep(isOver) {
      for (const run_id of listed(wanted)) if (isOver(run_id)) end(run_id)
    },
    close() {
      if (root !== null && listed(root).length === 0) rmSync(root, { recursive: true, force: true })
      root = null
    },
  }
}

/** Where the runs of a device have their folders, unless another user has taken that name. */
export function tempsRoot(tmp: string, device_id: string): string {
  return join(tmp, `tandem-${device_id}`)
}

function isOursAlone(folder: string): boolean {
  const facts = lstatSync(folder)
  return (
    facts.isDirectory() && facts.uid === (process.getuid?.() ?? facts.uid) && (process.platform === 'win32' || (facts.mode & 0o077) === 0)
  )
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Copies if the target is on another file system. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    copyFileSync(from, to)
  }
}
