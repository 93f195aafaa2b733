// Members that a restore has withdrawn and that no one has resumed since: until then they hold no paths, no place in the team and no share.
import type { Journal } from '../journal/journal.ts'
import type { MemberRecord } from './record/member.ts'
import type { MemberRows } from './record/member-rows.ts'

export interface SetAsidePorts {
  readonly journal: Pick<Journal, 'run'>
  readonly rows: Pick<MemberRows, 'get'>
}

/** The member itself and those above it, without the first run. */
export function withAbove(rows: SetAsidePorts['rows'], run_id: string): readonly MemberRecord[] {
  const member = rows.get(run_id)
  return member ? [member, ...withAbove(rows, member.parent_run_id)] : []
}

/** One that is still being paused works on, so it counts. */
export function isSetAside({ journal, rows }: SetAsidePorts, { run_id }: Pick<MemberRecord, 'run_id'>): boolean {
  return journal.run(run_id)?.state === 'paused' && withAbove(rows, run_id).some(({ is_set_aside }) => is_set_aside)
}
