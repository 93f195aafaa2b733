// What has arrived for runs and is not part of their journals yet. A run gets it at its next turn, in the order it was sent.
import type { Message } from '@tandem/contract/run'
import type { Store } from '../../store/store.ts'

export type InboxItem =
  | {
      readonly kind: 'user'
      readonly message_id: string
      /** Null for a message of an earlier version, which is written already. */
      readonly text: string | null
      readonly attachments: Message['attachments']
      readonly queued_at: number
    }
  | {
      readonly kind: 'member'
      readonly team_message_id: string
      readonly from_run_id: string
      /** False for a message to all members. */
      readonly is_direct: boolean
      readonly topic: string | null
      readonly text: string
    }

export interface Inbox {
  add(run_id: string, item: InboxItem, key?: string): void
  /** The message that was written with this key. */
  written(run_id: string, key: string): string | undefined
  /** Oldest first. */
  waiting(run_id: string): readonly (InboxItem & { readonly no: number })[]
  delivered(no: number): void
  /** The runs for which a message of the user waits. */
  waitedFor(): readonly string[]
  /** To another run. Writing it again with its key to the first one still writes nothing. */
  move(item: InboxItem & { readonly no: number }, run_id: string): void
  /** Of a message that waits. */
  edit(no: number, text: string): void
  remove(no: number): void
}

interface InboxRow {
  readonly no: number
  readonly kind: 'user' | 'direct' | 'all'
  readonly id: string
  readonly from_run_id: string | null
  readonly topic: string | null
  readonly text: string | null
  readonly attachments: string | null
  readonly queued_at: number | null
}

export function openInbox({ sql, kept }: Store): Inbox {
  const waiting = kept<ReturnType<Inbox['waiting']>>('run_inbox')

  function delivered(no: number): void {
    sql.run`UPDATE run_inbox SET delivered = 1, text = NULL, attachments = NULL WHERE no = ${no}`
  }

  function add(run_id: string, item: InboxItem, key?: string): void {
    if (item.kind === 'user')
      sql.run`
        INSERT INTO run_inbox (run_id, kind, id, text, attachments, queued_at, key)
        VALUES (${run_id}, 'user', ${item.message_id}, ${item.text}, ${JSON.stringify(item.attachments)}, ${item.queued_at}, ${key ?? null})`
    else
      sql.run`
        INSERT INTO run_inbox (run_id, kind, id, from_run_id, topic, text)
        VALUES (${run_id}, ${item.is_direct ? 'direct' : 'all'}, ${item.team_message_id}, ${item.from_run_id}, ${item.topic}, ${item.text})`
  }

  return {
    add,
    delivered,
    waitedFor: () =>
      sql.all<{ run_id: string }>`
        SELECT run_id FROM run_inbox WHERE delivered = 0 AND kind = 'user' GROUP BY run_id ORDER BY min(no)`.map(({ run_id }) => run_id),
    move(item, run_id) {
      delivered(item.no)
      add(run_id, item)
    },
    written: (run_id, key) => sql.get<{ id: string }>`SELECT id FROM run_inbox WHERE run_id = ${run_id} AND key = ${key}`?.id,
    waiting: (run_id) =>
      waiting.get(run_id, () =>
        sql.all<InboxRow>`SELECT * FROM run_inbox WHERE run_id = ${run_id} AND delivered = 0 ORDER BY no`.map(toItem),
      ),
    edit(no, text) {
      sql.run`UPDATE run_inbox SET text = ${text} WHERE no = ${no}`
    },
    remove(no) {
      sql.run`DELETE FROM run_inbox WHERE no = ${no}`
    },
  }
}

function toItem({ no, kind, id, from_run_id, topic, text, attachments, queued_at }: InboxRow): InboxItem & { readonly no: number } {
  if (kind === 'user') return { no, kind, message_id: id, text, attachments: JSON.parse(attachments ?? '[]'), queued_at: queued_at ?? 0 }
  return {
    no,
    kind: 'member',
    team_message_id: id,
    from_run_id: from_run_id ?? '',
    is_direct: kind === 'direct',
    topic,
    text: text ?? '',
  }
}
