import type { Store } from '../../store/store.ts'

export interface TeamMessageRecord {
  readonly no: number
  readonly team_message_id: string
  readonly root_run_id: string
  readonly from_run_id: string
  readonly to_run_id: string | null
  readonly topic: string | null
  readonly text: string
  readonly sent_at: number
}

export interface TeamMessageRows {
  add(message: Omit<TeamMessageRecord, 'no' | 'sent_at'>): void
  /** Oldest first. */
  ofTeam(root_run_id: string, page: { readonly after: number; readonly limit: number }): readonly TeamMessageRecord[]
  /** The latest findings on topics, oldest first. */
  findings(root_run_id: string, limit: number): readonly TeamMessageRecord[]
  sentBy(run_id: string): number
}

export function openTeamMessageRows({ sql, clock }: Store): TeamMessageRows {
  return {
    add({ team_message_id, root_run_id, from_run_id, to_run_id, topic, text }) {
      sql.run`
        INSERT INTO team_messages (team_message_id, root_run_id, from_run_id, to_run_id, topic, text, sent_at)
        VALUES (${team_message_id}, ${root_run_id}, ${from_run_id}, ${to_run_id}, ${topic}, ${text}, ${clock.now()})`
    },
    ofTeam: (root_run_id, { after, limit }) =>
      sql.all<TeamMessageRecord>`SELECT * FROM team_messages WHERE root_run_id = ${root_run_id} AND no > ${after} ORDER BY no LIMIT ${limit}`,
    findings: (root_run_id, limit) =>
      sql.all<TeamMessageRecord>`
        SELECT * FROM team_messages WHERE root_run_id = ${root_run_id} AND topic IS NOT NULL ORDER BY no DESC LIMIT ${limit}`.toReversed(),
    sentBy: (run_id) => sql.get<{ sent: number }>`SELECT count(*) AS sent FROM team_messages WHERE from_run_id = ${run_id}`?.sent ?? 0,
  }
}
