// Sends a message of the user: to the open run of its conversation, or as the start of a new one.
import type { Attachment, LocalRun } from '@tandem/contract/command'
import { isTerminalRunState } from '@tandem/contract/run'
import type { SandboxMode } from '@tandem/contract/tool'
import type { CallResult, Channel } from '../connection/channel.ts'

export interface NewMessage {
  readonly text: string
  readonly attachments?: Attachment[]
  /** Sending it again with the same key writes it once. */
  readonly key: string
}

/** Only a new run has these. */
export interface NewRunOptions {
  readonly workspace?: string
  readonly model?: string
  readonly sandbox_mode?: SandboxMode
}

type Place = Pick<LocalRun, 'run_id' | 'conversation_id'>

/** The run that has the message. */
export type SentTo = CallResult<Place>

interface MessagePlace {
  readonly conversation_id: string
  /** The run that the window knows as open. */
  readonly open: Place | null
  readonly device_id: string | null
}

/** A run may end, or another one start elsewhere, in this moment: the message is then sent the other way, once. */
export async function sendMessage(
  channel: Pick<Channel, 'call'>,
  { conversation_id, open, device_id }: MessagePlace,
  { text, attachments, key }: NewMessage,
  options: NewRunOptions = {},
): Promise<SentTo> {
  const message = { text, key, ...(attachments ? { attachments } : {}) }

  async function add(to: Place): Promise<SentTo> {
    const answer = await channel.call('agent_run_add_message', { run_id: to.run_id, ...message })
    return answer.ok ? { ok: true, value: to } : answer
  }

  async function start(): Promise<SentTo> {
    const answer = await channel.call('agent_run_start', { conversation_id, ...options, ...message })
    return answer.ok ? { ok: true, value: answer.value.run } : answer
  }

  if (open) {
    const added = await add(open)
    if (added.ok || added.error.code !== 'transition_refused') return added
    const now = await channel.call('agent_run_get', { run_id: open.run_id })
    return now.ok && isTerminalRunState(now.value.run.state) ? await start() : added
  }
  const started = await start()
  if (started.ok || started.error.code !== 'run_busy') return started
  const runs = await channel.call('agent_run_list', { conversation_id, limit: 10 })
  const busy = runs.ok ? runs.value.items.find((run) => !isTerminalRunState(run.state) && run.device_id === device_id) : undefined
  return busy ? await add(busy) : started
}
