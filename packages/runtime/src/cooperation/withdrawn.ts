// Members that a run started after the point to which it is restored, and what undoes their changes.
import type { WithdrawnMember } from '@tandem/contract/team'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { currentSteps } from '../journal/current-steps.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournaledStep } from '../journal/recorded-step.ts'
import type { MemberRecord } from './record/member.ts'
import type { MemberRows } from './record/member-rows.ts'

export interface WithdrawnPorts {
  readonly journal: Pick<Journal, 'run' | 'steps'>
  readonly rows: Pick<MemberRows, 'startedBy'>
  readonly checkpoints: Pick<Checkpoints, 'list'>
  /** What a member has changed. */
  changesOf(member: MemberRecord): Promise<readonly unknown[]>
}

interface Below {
  readonly member: MemberRecord
  /** Whether it works in the folder of the run, and not in a copy or below a member that does. */
  readonly is_here: boolean
}

/** The members whose start is among these steps of their run. */
export function startedIn(steps: readonly JournaledStep[]): ReadonlySet<string> {
  return new Set(currentSteps(steps).flatMap(({ step }) => (step.kind === 'child.started' ? [step.child_run_id] : [])))
}

/** Those that a restore to a cursor would withdraw, with everything that they started, in the order they started. */
export async function withdrawnBy(ports: WithdrawnPorts, run_id: string, cursor_seq: number): Promise<readonly WithdrawnMember[]> {
  const { journal, rows, checkpoints, changesOf } = ports
  const started = rows.startedBy(run_id).filter(({ is_withdrawn }) => !is_withdrawn)
  if (started.length === 0) return []
  const standing = startedIn(journal.steps(run_id).filter(({ step }) => step.seq <= cursor_seq))
  const withdrawn = started.filter((member) => !standing.has(member.run_id)).flatMap((member) => withBelow(rows, member, true))
  const found: WithdrawnMember[] = []
  for (const { member, is_here } of withdrawn) {
    const run = journal.run(member.run_id)
    if (!run) continue
    const { run_id: id, title, workspace, result } = member
    const changed_paths = result ? result.changed.length + result.more_changed : (await changesOf(member)).length
    const checkpoint_id = is_here ? firstPoint(checkpoints, id) : null
    found.push({ run_id: id, title, state: run.state, workspace, changed_paths, checkpoint_id })
  }
  return found
}

function withBelow(rows: WithdrawnPorts['rows'], member: MemberRecord, above_is_here: boolean): readonly Below[] {
  const is_here = above_is_here && member.workspace === 'shared'
  return [{ member, is_here }, ...rows.startedBy(member.run_id).flatMap((below) => withBelow(rows, below, is_here))]
}

/** Null if it has none, or if the contents were deleted. */
function firstPoint(checkpoints: WithdrawnPorts['checkpoints'], run_id: string): string | null {
  for (let cursor: string | undefined; ; ) {
    const { items, next_cursor } = checkpoints.list(run_id, null, { limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    const oldest = items.at(-1)
    if (next_cursor === null) return oldest?.contents_deleted_at === null ? oldest.checkpoint_id : null
    cursor = next_cursor
  }
}
