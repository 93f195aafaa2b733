import { createHash } from 'node:crypto'
import type { Run } from './run.ts'

/** The lines of a file. Conversations are assigned here, since they depend on the order of the runs. */
export function records(prefix: string, runs: Run[]): string[] {
  const width = String(runs.length).length
  const conversations = new Map<string, { id: string; runs: number }>()
  return runs.map((run, index) => {
    const id = `${prefix}${String(index + 1).padStart(width, '0')}`
    const place = `${run.agent} ${run.workspace}`
    const open = conversations.get(place)
    // A third of the runs continue the last conversation of the agent in the project, as long as it is short.
    const conversation =
      open && open.runs < 4 && hash(`${id} ${place}`).charCodeAt(0) % 3 === 0
        ? open
        : { id: `conv_${hash(`${prefix} ${id} ${place}`)}`, runs: 0 }
    conversation.runs += 1
    conversations.set(place, conversation)
    return JSON.stringify(recordOf(id, conversation.id, run))
  })
}

function recordOf(id: string, conversation: string, run: Run) {
  const messages = []
  const calls = []
  const restores = []
  const steps: (string | null)[] = []
  const constraintMessages = []
  const ids = new Map<object, string>()
  for (const [position, event] of run.events.entries()) {
    if (event.what === 'message') {
      messages.push({ position, author: event.author, text: event.text })
      if (event.constraint) constraintMessages.push({ position, constraint: event.constraint })
    } else if (event.what === 'call') {
      const { step, proposed, reason, ...made } = event.call
      const callId = `call_${hash(`${id} ${position}`)}`
      ids.set(event.call, callId)
      steps.push(step ?? null)
      calls.push({
        position,
        call_id: callId,
        tool: made.tool,
        arguments: made.arguments,
        ...(proposed ? { proposed } : {}),
        state: made.state,
        ...(reason ? { reason } : {}),
        output: made.output,
        duration_ms: made.duration_ms,
      })
    } else {
      const target = ids.get(event.to)
      if (!target) throw new Error(`${id} restores to a call that is not in it`)
      restores.push({ position, call_id: target })
    }
  }
  return {
    id,
    started_at: new Date(run.at).toISOString(),
    language: run.language,
    agent: run.agent,
    conversation,
    workspace: run.workspace,
    messages,
    calls,
    end: run.end,
    restores,
    edited_files: run.edited_files,
    routine: run.routine,
    constraints: run.constraints,
    remediations: run.remediations,
    poison: run.poison,
    planted: {
      part: run.part,
      variant: run.variant,
      missing: run.missing,
      steps,
      constraint_messages: constraintMessages,
      near_miss: run.near_miss,
      decoy: run.decoy,
    },
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10)
