// The members of teams that this device runs.
import type { MemberResult } from '@tandem/contract/tool/output'
import type { Store } from '../../store/store.ts'
import type { MemberRecord } from './member.ts'

export interface Raise {
  readonly tokens: number
  readonly turns: number
  readonly seconds: number
}

export interface MemberRows {
  add(member: MemberRecord): void
  get(run_id: string): MemberRecord | undefined
  /** All members of a team except its first run, in the order they started. */
  ofTeam(root_run_id: string): readonly MemberRecord[]
  startedBy(parent_run_id: string): readonly MemberRecord[]
  /** Those that have not ended, of all teams. */
  open(): readonly MemberRecord[]
  /** Who delegated to whom, and how it ended. */
  delegations(): readonly { readonly from_agent_id: string; readonly to_agent_id: string; readonly state: string }[]
  setShare(run_id: string, share: MemberRecord['share']): void
  /** Its share is no longer the most it may spend. */
  letGrow(run_id: string): void
  withdraw(run_id: string, is_withdrawn: boolean): void
  /** A withdrawn member is resumed, or will be. */
  readmit(run_id: string): void
  /** False if it had ended before. */
  end(run_id: string, result: MemberResult): boolean
  raised(root_run_id: string): Raise
  raise(root_run_id: string, more: Raise): void
}

interface MemberRow
  extends Omit<MemberRecord, 'claims' | 'share' | 'share_is_fixed' | 'is_awaited' | 'is_withdrawn' | 'is_set_aside' | 'result'> {
  readonly claims: string
  readonly share_tokens: number
  readonly share_turns: number
  readonly share_is_fixed: number
  readonly is_awaited: number
  /** 2: withdrawn, and resumed since. */
  readonly is_withdrawn: number
  readonly result: string | null
}

const nothing: Raise = { tokens: 0, turns: 0, seconds: 0 }

export function openMemberRows({ sql, kept }: Store): MemberRows {
  // Each step of a run asks several times for its team, and most runs have none.
  const members = kept<MemberRecord | undefined>('team_members')
  const teams = kept<readonly MemberRecord[]>('team_members')
  const started = kept<readonly MemberRecord[]>('team_members')
  const raises = kept<Raise>('team_raises')
  function stored(run_id: string): MemberRecord | undefined {
    const row = sql.get<MemberRow>`SELECT * FROM team_members WHERE run_id = ${run_id}`
    return row && toRecord(row)
  }
  return {
    add({ run_id, parent_run_id, root_run_id, call_id, depth, title, role, task_sha256, workspace, claims, started_in, ...member }) {
      const { share, share_is_fixed, output_schema, is_awaited } = member
      sql.run`
        INSERT INTO team_members (run_id, parent_run_id, root_run_id, call_id, depth, title, role, task_sha256, workspace, claims, started_in,
          share_tokens, share_turns, share_is_fixed, output_schema, is_awaited)
        VALUES (${run_id}, ${parent_run_id}, ${root_run_id}, ${call_id}, ${depth}, ${title}, ${role}, ${task_sha256}, ${workspace},
          ${JSON.stringify(claims)}, ${started_in}, ${share.tokens}, ${share.turns}, ${share_is_fixed ? 1 : 0}, ${output_schema},
          ${is_awaited ? 1 : 0})`
    },
    get: (run_id) => members.get(run_id, () => stored(run_id)),
    ofTeam: (root_run_id) =>
      teams.get(root_run_id, () =>
        sql.all<MemberRow>`SELECT * FROM team_members WHERE root_run_id = ${root_run_id} ORDER BY rowid`.map(toRecord),
      ),
    startedBy: (parent_run_id) =>
      started.get(parent_run_id, () =>
        sql.all<MemberRow>`SELECT * FROM team_members WHERE parent_run_id = ${parent_run_id} ORDER BY rowid`.map(toRecord),
      ),
    open: () => sql.all<MemberRow>`SELECT * FROM team_members WHERE result IS NULL ORDER BY rowid`.map(toRecord),
    delegations: () =>
      sql.all<{ from_agent_id: string; to_agent_id: string; state: string }>`
        SELECT p.agent_id AS from_agent_id, r.agent_id AS to_agent_id, r.state FROM team_members m
        JOIN runs r ON r.run_id = m.run_id JOIN runs p ON p.run_id = m.parent_run_id`,
    setShare(run_id, { tokens, turns }) {
      sql.run`UPDATE team_members SET share_tokens = ${tokens}, share_turns = ${turns} WHERE run_id = ${run_id}`
    },
    letGrow(run_id) {
      sql.run`UPDATE team_members SET share_is_fixed = 0 WHERE run_id = ${run_id}`
    },
    withdraw(run_id, is_withdrawn) {
      sql.run`UPDATE team_members SET is_withdrawn = ${is_withdrawn ? 1 : 0} WHERE run_id = ${run_id}`
    },
    readmit(run_id) {
      sql.run`UPDATE team_members SET is_withdrawn = 2 WHERE run_id = ${run_id} AND is_withdrawn = 1`
    },
    end(run_id, result) {
      const { changes } = sql.run`
        UPDATE team_members SET result = ${JSON.stringify(result)} WHERE run_id = ${run_id} AND result IS NULL`
      return Number(changes) === 1
    },
    raised: (root_run_id) =>
      raises.get(
        root_run_id,
        () => sql.get<Raise>`SELECT tokens, turns, seconds FROM team_raises WHERE root_run_id = ${root_run_id}` ?? nothing,
      ),
    raise(root_run_id, { tokens, turns, seconds }) {
      sql.run`
        INSERT INTO team_raises (root_run_id, tokens, turns, seconds) VALUES (${root_run_id}, ${tokens}, ${turns}, ${seconds})
        ON CONFLICT (root_run_id) DO UPDATE SET tokens = tokens + excluded.tokens, turns = turns + excluded.turns,
          seconds = seconds + excluded.seconds`
    },
  }
}

function toRecord({
  claims,
  share_tokens,
  share_turns,
  share_is_fixed,
  is_awaited,
  is_withdrawn,
  result,
  ...row
}: MemberRow): MemberRecord {
  return {
    ...row,
    claims: JSON.parse(claims),
    share: { tokens: share_tokens, turns: share_turns },
    share_is_fixed: share_is_fixed === 1,
    is_awaited: is_awaited === 1,
    is_withdrawn: is_withdrawn !== 0,
    is_set_aside: is_withdrawn === 1,
    result: result === null ? null : JSON.parse(result),
  }
}
