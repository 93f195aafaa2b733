// Which folder a new conversation starts with. A pure rule: the folders were checked before.
import { join } from 'node:path'

export interface FolderFacts {
  /** The folder the runtime was started in, if it can be used; null for Tandem's own program. */
  readonly started: string | null
  readonly started_at: number
  /** Folders that exist, last used first. */
  readonly recent: readonly { readonly path: string; readonly used_at: number }[]
  readonly userHome: string
}

/** The name of the folder that is suggested if no folder was used yet. */
const suggested = 'Tandem'

/** The last used folder; the folder the runtime was started in comes first until another one is used. Never a whole home folder or disk. */
export function defaultFolder({ started, started_at, recent, userHome }: FolderFacts): string {
  const isTooWide = (folder: string) => folder === userHome || folder === '/'
  const last = recent.find(({ path }) => !isTooWide(path))
  if (last && last.used_at >= started_at) return last.path
  if (started !== null && !isTooWide(started)) return started
  return last?.path ?? join(userHome, suggested)
}
