// The conversation of a first message, which exists before its run starts. If the run is refused, nothing of the attempt stays.
import type { Conversation } from '@tandem/contract/command'
import type { CallError, CallResult, Channel } from '../connection/channel.ts'

export interface FirstChoices {
  /** Empty for those that the runtime chooses. */
  readonly agent_id: string
  readonly workspace: string
}

export interface FirstConversation {
  /** A new conversation, or the one of an attempt with the same choices whose answer was lost. */
  create(choices: FirstChoices, title: string): Promise<CallResult<{ readonly conversation: Conversation; readonly isReused: boolean }>>
  /** Its run was not started. */
  failed({ code }: Pick<CallError, 'code'>): Promise<void>
}

export function openFirstConversation(channel: Pick<Channel, 'call'>): FirstConversation {
  let kept: { readonly choices: FirstChoices; readonly conversation: Conversation } | null = null

  async function discard(): Promise<void> {
    if (!kept) return
    const { conversation_id } = kept.conversation
    kept = null
    // After a lost connection, its run may have started.
    const runs = await channel.call('agent_run_list', { conversation_id, limit: 1 })
    if (runs.ok && runs.value.items.length === 0) await channel.call('conversation_delete', { conversation_ids: [conversation_id] })
  }

  return {
    async create(choices, title) {
      const { agent_id, workspace } = choices
      if (kept && kept.choices.agent_id === agent_id && kept.choices.workspace === workspace)
        return { ok: true, value: { conversation: kept.conversation, isReused: true } }
      await discard()
      const params = { title, ...(agent_id === '' ? {} : { agent_id }), ...(workspace === '' ? {} : { workspace }) }
      const answer = await channel.call('conversation_create', params)
      if (!answer.ok) return answer
      kept = { choices, conversation: answer.value.conversation }
      return { ok: true, value: { conversation: kept.conversation, isReused: false } }
    },
    async failed({ code }) {
      if (code !== 'disconnected') await discard()
    },
  }
}
