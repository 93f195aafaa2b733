// Files that a run wrote and the user changed by hand afterwards: their contents differ from how the checkpoints of the run recorded them.
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { EditedFile } from './rule/behavior.ts'
import { readArguments, textsIn } from './rule/call-shape.ts'

export interface EditedFilesPorts {
  readonly journal: Pick<Journal, 'steps'>
  readonly checkpoints: Pick<Checkpoints, 'list' | 'preview' | 'hasTarget'>
}

const [mostPoints, mostFiles, mostSteps] = [200, 20, 2_000]

/** Empty if a command of the later run could have changed them. */
export async function editedFilesOf(
  { journal, checkpoints }: EditedFilesPorts,
  earlier: RunRecord,
  run: RunRecord,
): Promise<readonly EditedFile[]> {
  const pointsOf = ({ run_id }: RunRecord) => checkpoints.list(run_id, null, { limit: mostPoints }).items
  const first = pointsOf(earlier).findLast(({ contents_deleted_at }) => contents_deleted_at === null)
  if (!first || pointsOf(run).some(({ tool }) => tool === null || !tool.startsWith('fs.'))) return []
  const preview = await checkpoints.preview(first.checkpoint_id, { limit: mostFiles, diffs: true, change: 'conflict' })
  if (preview.outcome === 'failed') return []
  const written = new Set(linesWritten(journal, earlier))
  return preview.entries.items.flatMap((entry): readonly EditedFile[] => {
    if (entry.change !== 'conflict' || entry.diff?.kind !== 'text' || checkpoints.hasTarget(run.run_id, entry.path, 0)) return []
    // A line with `-` is there now and was not there before the run.
    const now = entry.diff.hunks.split('\n').flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : []))
    const added = now.filter((line) => line.trim() !== '' && !written.has(line.trim()))
    return added.length === 0 ? [] : [{ path: entry.path, added }]
  })
}

function linesWritten(journal: Pick<Journal, 'steps'>, { run_id }: RunRecord): readonly string[] {
  return journal
    .steps(run_id, { limit: mostSteps })
    .flatMap(({ step }) => (step.kind === 'tool.call' ? textsIn(readArguments(step.arguments)) : []))
    .flatMap((text) => text.split('\n').map((line) => line.trim()))
}
