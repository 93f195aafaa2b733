// What a run has changed in its folder, according to its recovery points.
import { relative, sep } from 'node:path'
import type { PathChange } from '@tandem/contract/team'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { Journal } from '../journal/journal.ts'

const mostPaths = 10_000
const mostPoints = 1_000

export async function changedPaths(
  checkpoints: Pick<Checkpoints, 'list' | 'changes'>,
  journal: Pick<Journal, 'run'>,
  run_id: string,
): Promise<readonly { readonly path: string; readonly change: PathChange }[]> {
  const workspace = journal.run(run_id)?.workspace ?? ''
  const found = new Set<string>()
  let cursor: string | undefined
  let seen = 0
  do {
    const { items, next_cursor } = checkpoints.list(run_id, null, cursor === undefined ? {} : { cursor })
    for (const { checkpoint_id } of items) {
      const changes = await checkpoints.changes(checkpoint_id, mostPaths)
      for (const path of changes?.paths ?? []) found.add(relative(workspace, path).split(sep).join('/'))
    }
    seen += items.length
    cursor = next_cursor ?? undefined
  } while (cursor !== undefined && seen < mostPoints)
  return [...found].sort().map((path) => ({ path, change: 'edited' as const }))
}
