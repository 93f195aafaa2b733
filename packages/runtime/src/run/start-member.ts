// Starts a member of a team, in the transaction of the call that starts it.
import type { SandboxMode } from '@tandem/contract/tool'
import type { NewMember } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { LoopPorts } from './ports.ts'
import { settingsBeforeFirstRun } from './titles.ts'

export interface MemberStart extends NewMember {
  readonly agent_id: string
  readonly title: string
  /** Its first message. */
  readonly text: string
  readonly model: string
  readonly sandbox_mode: SandboxMode
  readonly workspace: string
}

/** In a hidden conversation of its own. */
export function startMember({ store, journal }: Pick<LoopPorts, 'store' | 'journal'>, start: MemberStart): RunRecord {
  const { agent_id, title, text, model, sandbox_mode, workspace, ...member } = start
  return store.transaction(() => {
    const { conversation_id, no } = journal.conversations.create({ agent_id, title, workspace })
    journal.conversations.hide(conversation_id, true)
    const message_id = journal.messages.write({ conversation: no, run: null, role: 'user', author: 'agent', text, attachments: [] })
    const run = journal.start({ conversation: no, agent_id, title, model, sandbox_mode, message_id, member })
    const conversation = journal.conversations.get(conversation_id)
    if (conversation) for (const step of settingsBeforeFirstRun(conversation, run)) journal.append(run.run_id, step)
    return run
  })
}
