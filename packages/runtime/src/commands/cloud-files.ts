import type { CloudFile } from '@tandem/contract/command'
import type { StoredFile } from '@tandem/contract/file'
import { toFailedOutcome, toOutcome } from '../feature/cloud-outcome.ts'
import type { CommandTable } from '../feature/command-table.ts'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { FileOutcome, UserFiles } from '../sync/user-files.ts'

export interface CloudFileFeature {
  service(): Promise<UserFiles>
}

export function cloudFileHandlers({ service }: CloudFileFeature): CommandTable {
  return {
    async cloud_file_list({ kind = 'own', ...query }) {
      const answer = await (await service()).list(query)
      return toOutcome(answer, ({ items, next_cursor }) => ({ items: items.map(shown).filter((file) => file.kind === kind), next_cursor }))
    },
    cloud_file_add: async ({ path }) => done(await (await service()).add(path), (file) => ({ file: shown(file) })),
    cloud_file_save: async ({ file_id, folder }) => done(await (await service()).save(file_id, folder), (path) => ({ path })),
    cloud_file_remove: async ({ file_id }) => toOutcome(await (await service()).remove(file_id), () => ({ file_id })),
  }
}

function done<Body, Value>(outcome: FileOutcome<Body>, tell: (body: Body) => Value): Outcome<Value> {
  if (outcome.kind === 'ok') return { ok: true, value: tell(outcome.body) }
  return outcome.kind === 'unfit' ? invalidField(outcome.field, outcome.problem, outcome.message) : toFailedOutcome(outcome)
}

/** A file whose name is an id is the rest of a long text, which the runtime itself uploaded. */
function shown(file: StoredFile): CloudFile {
  return { ...file, kind: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]+$/.test(file.name) ? 'text' : 'own' }
}
