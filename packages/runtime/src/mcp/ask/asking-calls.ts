// Calls during which a server asks the user. The run is paused, as for any question; the request of the server stays open in this process
// until the answer. If the process ends before that, the call has ended with it, and the answer reaches nobody: the model is told.
import type { CallToolResult, ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import type { QuestionAnswer, QuestionPrompt } from '@tandem/contract/run'
import { ToolFailure } from '../../call/failure.ts'
import type { CallIds } from '../../call/scope.ts'
import { type Wait, type WaitEnd, Waiting } from '../../call/wait.ts'
import type { Clock } from '../../clock/clock.ts'
import type { McpOutcome } from '../failure.ts'
import { mcpLimits } from '../limits.ts'
import { answerOf, type ElicitedField, type ElicitedValue, elicitedFields, questionFor } from './elicited-fields.ts'

export interface AskingCalls {
  /** Makes a call: its outcome, or a wait for an answer of the user. */
  make<Output>(call: AskingCall<Output>): Promise<Output | Waiting>
  /** The user has answered: the call goes on. */
  resumed(wait: Wait, end: WaitEnd): Promise<unknown>
  /** Nobody waits for the answer any more. */
  abandoned(wait: Wait): void
}

export interface AskingCall<Output> {
  readonly ids: CallIds
  readonly server_name: string
  readonly tool: string
  readonly seconds: number
  /** Of the call before it waits. */
  readonly signal: AbortSignal
  start(signal: AbortSignal, ask: (params: ElicitRequestFormParams) => Promise<ElicitResult>): Promise<McpOutcome<CallToolResult>>
  finish(outcome: McpOutcome<CallToolResult>): Promise<Output>
  log(line: string): void
}

export interface AskingPorts {
  readonly clock: Clock
  newId(): string
  /** In the transaction that records the wait. */
  ask(ids: CallIds, question: QuestionPrompt): void
  withdraw(question_id: string): void
}

interface Elicitation {
  readonly message: string
  readonly fields: readonly ElicitedField[]
  readonly values: Record<string, ElicitedValue>
  at: number
  tries: number
  problem: string | null
  reply(result: ElicitResult): void
}

interface OpenCall {
  readonly call: AskingCall<unknown>
  readonly stop: AbortController
  readonly outcome: Promise<McpOutcome<CallToolResult>>
  current: Elicitation | null
}

export function openAskingCalls({ clock, newId, ask, withdraw }: AskingPorts): AskingCalls {
  const waiting = new Map<string, OpenCall>()

  /** Until it ends or asks. */
  async function follow(open: OpenCall, asked: () => Promise<Elicitation>): Promise<unknown> {
    const next = open.current ?? (await Promise.race([open.outcome.then(() => null), asked()]))
    if (!next) return open.call.finish(await open.outcome)
    open.current = next
    const question_id = newId()
    const { ids, server_name, tool } = open.call
    const field = next.fields[next.at] ?? null
    const prompt = questionFor(
      { question_id, call_id: ids.call_id },
      { server_name, tool, message: next.message, field, problem: next.problem },
    )
    waiting.set(question_id, open)
    nextOf.set(open, asked)
    return new Waiting({ for: 'question', id: question_id }, () => ask(ids, prompt))
  }

  const nextOf = new WeakMap<OpenCall, () => Promise<Elicitation>>()

  return {
    async make<Output>(call: AskingCall<Output>) {
      const stop = new AbortController()
      const cancel = () => stop.abort(call.signal.reason)
      call.signal.addEventListener('abort', cancel, { once: true })
      const arrivals = queue<Elicitation>()
      let asked = 0
      const outcome = call.start(stop.signal, async (params) => {
        asked += 1
        const fields = elicitedFields(params.requestedSchema)
        const refusal = asked > mcpLimits.questions_per_call ? `it asked more than ${mcpLimits.questions_per_call} times` : fields
        if (typeof refusal === 'string' || typeof fields === 'string') {
          call.log(`a question of the server was declined: ${refusal}`)
          return { action: 'decline' }
        }
        return new Promise((reply) => arrivals.put({ message: params.message, fields, values: {}, at: 0, tries: 0, problem: null, reply }))
      })
      const open: OpenCall = { call, stop, outcome, current: null }
      try {
        return (await follow(open, arrivals.take)) as Output | Waiting
      } finally {
        call.signal.removeEventListener('abort', cancel)
      }
    },
    async resumed({ id }, end) {
      const open = waiting.get(id)
      waiting.delete(id)
      const asked = open && nextOf.get(open)
      if (!open?.current || !asked) {
        throw new ToolFailure('call_lost', 'Tandem was restarted while the server waited for this answer, so the call has ended', {
          remedy: 'Call the tool again if it is still needed.',
          recoverability: 'retryable',
        })
      }
      const answer = end.outcome === 'completed' ? (end.value as QuestionAnswer) : null
      const reply = answer ? replyAfter(open.current, answer) : { action: 'cancel' as const }
      if (reply) {
        open.current.reply(reply)
        open.current = null
      }
      // The time that the user needed does not count.
      const cancelTimer = clock.after(open.call.seconds * 1_000, () => open.stop.abort(new Error('it exceeded its time limit')))
      try {
        return await follow(open, asked)
      } finally {
        cancelTimer()
      }
    },
    abandoned({ id }) {
      const open = waiting.get(id)
      waiting.delete(id)
      withdraw(id)
      open?.current?.reply({ action: 'cancel' })
      open?.stop.abort(new Error('the run no longer waits'))
    },
  }
}

/** The reply to the server; null if there is another question for the user first. */
function replyAfter(elicitation: Elicitation, answer: QuestionAnswer): ElicitResult | null {
  const field = elicitation.fields[elicitation.at] ?? null
  const given = answerOf(field, answer)
  elicitation.problem = null
  switch (given.action) {
    case 'decline':
    case 'cancel':
      return { action: given.action }
    case 'again':
      elicitation.tries += 1
      elicitation.problem = given.problem
      return elicitation.tries >= mcpLimits.answer_tries ? { action: 'cancel' } : null
    case 'value':
      if (field) elicitation.values[field.name] = given.value
      break
    case 'skip':
      break
  }
  elicitation.at += 1
  elicitation.tries = 0
  if (elicitation.at < elicitation.fields.length) return null
  const content = Object.fromEntries(
    Object.entries(elicitation.values).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]),
  )
  return { action: 'accept', content: content as NonNullable<ElicitResult['content']> }
}

function queue<Item>() {
  const items: Item[] = []
  let arrived = Promise.withResolvers<void>()
  return {
    put(item: Item) {
      items.push(item)
      arrived.resolve()
    },
    async take(): Promise<Item> {
      for (;;) {
        const item = items.shift()
        if (item !== undefined) return item
        arrived = Promise.withResolvers()
        await arrived.promise
      }
    },
  }
}
