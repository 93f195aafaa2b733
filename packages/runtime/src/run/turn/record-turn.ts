// Writes one turn of a model to the journal, in one transaction.
import type { Usage } from '@tandem/contract/run'
import { isReadOnly, leavesOf } from '../../call/tool.ts'
import type { DeviceOnlyFields } from '../../journal/step.ts'
import type { Turn } from '../../model/turn.ts'
import type { OfferedTools } from '../../pipeline/registry.ts'
import type { ActiveRun } from '../active-run.ts'
import type { LoopPorts } from '../ports.ts'
import type { StreamedText } from './streamed-text.ts'

export interface TurnRecord {
  readonly turn: number
  readonly said: Turn
  readonly usage: Usage
  readonly times: Pick<DeviceOnlyFields, 'first_token_ms' | 'duration_ms'>
  readonly keeper: StreamedText
}

/** Recorded for calls of a tool that does not exist; the name that the model used stays on this device. */
const unknownTool = 'unknown.tool'

/** The response, its message and its calls: all of it or nothing. */
export async function recordTurn(ports: LoopPorts, activeRun: ActiveRun, offered: OfferedTools, record: TurnRecord): Promise<void> {
  const { store, journal } = ports
  const { turn, said, usage, times, keeper } = record
  const run = activeRun.run()
  // A turn that only reads can be repeated; anything else waits for the disk.
  const onlyAsksToLook = said.calls.length > 0 && (await Promise.all(said.calls.map(looks))).every(Boolean)
  const write = onlyAsksToLook ? store.relaxed : store.transaction
  write(() => {
    if (said.thinking !== '') {
      activeRun.append({ kind: 'thinking', thinking_id: keeper.thinking_id, text: said.thinking.slice(0, 65_536), complete: true })
    }
    activeRun.append(
      { kind: 'model.completed', turn, usage, finish_reason: said.finish_reason.slice(0, 500) },
      { ...times, ...refusalOf(said), ...providerOf(said, run.model) },
    )
    const text = said.text || said.refusal
    if (text !== '') {
      const { message_id } = keeper
      journal.messages.write({ message_id, conversation: run.conversation, run: run.no, role: 'assistant', author: 'agent', text })
      activeRun.append({ kind: 'message.completed', message_id })
    }
    for (const call of said.calls) recordCall(call)
    journal.dropStream(run.no)
  })

  async function looks({ name, arguments: args }: Turn['calls'][number]): Promise<boolean> {
    const tool = ports.registry.get(offered.named(name) ?? '')
    try {
      return tool !== undefined && isReadOnly(await tool.effects(JSON.parse(args || '{}'), { workspace: run.workspace }))
    } catch {
      // Invalid arguments: the model will be told.
      return false
    }
  }

  function recordCall({ wire_id, name, arguments: args, provider_fields }: Turn['calls'][number]) {
    const meant = offered.named(name)
    const kept = journal.wholes.keep(args)
    const file = kept.file_id ? { arguments_file_id: kept.file_id } : {}
    const call_id = store.newId()
    activeRun.append(
      { kind: 'tool.call', call_id, tool: meant ?? unknownTool, arguments: kept.text, ...file },
      {
        wire_id: activeRun.transcript.names(wire_id) ? call_id : wire_id,
        ...(isJson(args) ? {} : { malformed: true }),
        ...(meant ? {} : { tool: name.slice(0, 200) }),
        ...leavesOf(ports.registry.get(meant ?? '')),
        ...(provider_fields ? { provider_fields } : {}),
      },
    )
  }
}

function providerOf({ provider_fields, calls }: Turn, model: string): DeviceOnlyFields {
  if (provider_fields) return { provider: { model, fields: provider_fields } }
  return calls.some((call) => call.provider_fields) ? { provider: { model } } : {}
}

/** Part of the record: a run that is killed now must be refused after the restart as well. */
function refusalOf(said: Turn): DeviceOnlyFields {
  const refused = said.refusal !== '' || said.finish_reason === 'content_filter' || said.finish_reason === 'refusal'
  return refused && said.calls.length === 0 ? { refused: (said.refusal || said.text).slice(0, 2_000) } : {}
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.trim() === '' ? '{}' : text)
    return true
  } catch {
    return false
  }
}
