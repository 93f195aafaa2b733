// The folders that a user can choose for a conversation. These commands are the user's own: agents cannot call them.
import { mkdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { systemErrorText } from '@tandem/contract/system-error'
import { timestamp } from '../../clock/clock.ts'
import type { CommandTable } from '../../feature/command-table.ts'
import { pageOf, positionOf } from '../../feature/cursor.ts'
import { invalidField } from '../../feature/outcome.ts'
import type { Workspaces } from '../../feature/workspaces.ts'
import type { Journal } from '../../journal/journal.ts'
import { programFolder } from '../../path/program-folder.ts'
import { defaultFolder } from './default-folder.ts'
import { compareNames, describeFolder, folderState, listFolders } from './folder-listing.ts'
import { offeredFolders } from './used-folders.ts'

export interface FolderPorts {
  readonly journal: Pick<Journal, 'conversations'>
  readonly workspaces: Workspaces
  /** Tandem's own folder: the copies of members in it are not folders of the user. */
  readonly home: string
  readonly user_home: string
  readonly started_at: number
}

const mostRecent = 20

export function folderHandlers({ journal, workspaces, home, user_home, started_at }: FolderPorts): CommandTable {
  return {
    async workspace_recent() {
      const used = offeredFolders(journal.conversations.folders(mostRecent * 3), { home, program: programFolder() })
      const states = await Promise.all(used.map(async ({ path }) => await folderState(path)))
      const started = workspaces.started()
      const path = defaultFolder({
        started: started !== null && workspaces.check(started).ok ? started : null,
        started_at,
        recent: used.filter((_one, at) => states[at] === 'available'),
        userHome: user_home,
      })
      const items = used.map(({ path, used_at, conversations }, at) => ({
        ...{ path, used_at: timestamp(used_at), conversations },
        state: states[at] ?? 'missing',
      }))
      const isThere = (await folderState(path)) !== 'missing'
      const suggestion = { path, state: isThere ? ('available' as const) : ('new' as const) }
      return { ok: true, value: { items: items.slice(0, mostRecent), default: suggestion, home: user_home } }
    },
    async workspace_browse({ path = '~', hidden = false, starts_with = '', ...paging }) {
      const from = positionOf('workspace_browse', paging, ['string'])
      if (!from.ok) return from
      const folder = workspaces.check(path, 'path')
      if (!folder.ok) return folder
      try {
        const { folders, ...rest } = await listFolders(folder.value, { hidden, starts_with })
        const [after] = from.value ?? []
        const left = after === undefined ? folders : folders.filter(({ name }) => compareNames(name, String(after)) > 0)
        // By name, so that the next page begins at the same place if this folder is deleted meanwhile.
        const { items: shown, next_cursor } = pageOf('workspace_browse', left, ({ name }) => [name], paging)
        const items = await Promise.all(shown.map(async (entry) => await describeFolder(folder.value, entry)))
        const parent = dirname(folder.value)
        return { ok: true, value: { path: folder.value, parent: parent === folder.value ? null : parent, items, next_cursor, ...rest } }
      } catch (error) {
        return invalidField(
          'path',
          `cannot be read: ${systemErrorText(error)}`,
          `the folder ${path} cannot be read: ${systemErrorText(error)}`,
        )
      }
    },
    workspace_check({ workspace }) {
      const checked = workspaces.check(workspace)
      return checked.ok ? { ok: true, value: { workspace: checked.value } } : checked
    },
    workspace_make_folder({ workspace }) {
      const path = workspaces.expand(workspace)
      const above = workspaces.check(dirname(path))
      if (!above.ok)
        return { ...above, fields: [{ field: 'workspace', message: `cannot be created: ${dirname(path)} is not a usable folder` }] }
      try {
        mkdirSync(path)
      } catch (error) {
        const problem = `cannot be created: ${systemErrorText(error)}`
        return invalidField('workspace', problem, `the folder ${path} ${problem}`)
      }
      const made = workspaces.check(path)
      return made.ok ? { ok: true, value: { workspace: made.value, name: basename(made.value) } } : made
    },
  }
}
