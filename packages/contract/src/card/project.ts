// Projects run steps to cards. Every device with the same steps shows the same cards, whatever order the steps arrived in.
import { isPauseReason, type RunState, type RunStep } from '../run/index.ts'
import { displayedOutcome } from '../tool/index.ts'
import type { Card } from './schema.ts'

type StepOf<Kind extends RunStep['kind']> = Extract<RunStep, { kind: Kind }>
type CardOf<Kind extends Card['kind']> = Extract<Card, { kind: Kind }>

/** The cards of one run, in the order in which they appeared. Steps may arrive more than once and in any order. */
export function projectCards(steps: readonly RunStep[]): Card[] {
  const ordered = sortSteps(steps)
  let cards = new Map<string, Card>()
  for (const [index, step] of ordered.entries()) {
    if (step.kind === 'checkpoint.restored') cards = restored(ordered.slice(0, index), cards, step)
    else apply(step, cards)
  }
  return [...cards.values()].sort((left, right) => left.seq - right.seq || (left.card_id < right.card_id ? -1 : 1))
}

function apply(step: RunStep, cards: Map<string, Card>): void {
  const card = project(step, cards)
  if (card) cards.set(card.card_id, card)
  alongside(step, cards)
}

/**
 * A restore returns every card to its state at the checkpoint. Later cards are set aside under an id of their own: nothing is
 * deleted, and a call that runs again creates new cards next to the old ones.
 */
function restored(before: readonly RunStep[], present: ReadonlyMap<string, Card>, step: StepOf<'checkpoint.restored'>): Map<string, Card> {
  const kept = stepsAfterRestore(before, step)
  const cards = new Map<string, Card>()
  for (const one of kept) apply(one, cards)
  for (const [id, card] of present) {
    if (card.set_aside) cards.set(id, card)
    else if (!cards.has(id) && card.kind !== 'RunStatus') {
      const card_id = `${id}@${step.seq}`
      cards.set(card_id, { ...card, card_id, set_aside: true })
    }
  }
  const run = cards.get(`run:${step.run_id}`) ?? present.get(`run:${step.run_id}`)
  const paused = changed(run, 'RunStatus', { state: 'paused', pause_reason: 'restore' })
  if (paused) cards.set(paused.card_id, paused)
  return cards
}

/** The steps that still count after a restore: those up to its cursor, except those that earlier restores had reverted by then. */
export function stepsAfterRestore(before: readonly RunStep[], { cursor_seq }: StepOf<'checkpoint.restored'>): RunStep[] {
  const kept: RunStep[] = []
  for (const step of before) {
    if (step.seq > cursor_seq) break
    if (step.kind !== 'checkpoint.restored') kept.push(step)
    // They are ordered by `seq`: what a restore reverted is at the end.
    else while ((kept.at(-1)?.seq ?? 0) > step.cursor_seq) kept.pop()
  }
  return kept
}

export function sortSteps(steps: readonly RunStep[]): RunStep[] {
  const unique = new Map(steps.map((step) => [step.step_id, step]))
  return [...unique.values()].sort((left, right) => left.seq - right.seq || (left.step_id < right.step_id ? -1 : 1))
}

/** The card that a step creates or changes; undefined for steps that only its own device reads. */
function project(step: RunStep, cards: ReadonlyMap<string, Card>): Card | undefined {
  switch (step.kind) {
    case 'run.started':
      return {
        ...place(step, `run:${step.run_id}`),
        kind: 'RunStatus',
        state: 'running',
        pause_reason: null,
        title: step.title,
        device_id: step.device_id,
      }
    case 'run.paused':
      return runStatus(step, cards, { state: 'paused', pause_reason: isPauseReason(step.reason) ? step.reason : null })
    case 'run.resumed':
      return runStatus(step, cards, { state: 'running', pause_reason: null })
    case 'run.completed':
      return runStatus(step, cards, { state: 'completed', pause_reason: null })
    case 'run.failed':
      return runStatus(step, cards, { state: 'failed', pause_reason: null })
    case 'run.canceled':
      return runStatus(step, cards, { state: 'canceled', pause_reason: null })
    case 'thinking':
      return { ...keepPlace(step, `thinking:${step.thinking_id}`, cards), kind: 'Thinking', text: step.text, complete: step.complete }
    case 'tool.call':
      return {
        ...place(step, `call:${step.call_id}`),
        kind: 'ToolCall',
        call_id: step.call_id,
        tool: step.tool,
        arguments: step.arguments,
        state: 'requested',
        approval: null,
        denial_reason: null,
        checkpoint_id: null,
      }
    case 'approval.requested':
      return toolCall(step.approval.call_id, cards, { state: 'awaiting_approval', approval: step.approval })
    case 'approval.answered':
      return answered(step, cards)
    case 'checkpoint.created':
      return step.call_id === null ? undefined : toolCall(step.call_id, cards, { checkpoint_id: step.checkpoint_id })
    case 'tool.started':
      return toolCall(step.call_id, cards, { state: 'running' })
    case 'tool.result':
      return toolResult(step, cards)
    case 'question.asked':
      return { ...place(step, `question:${step.question.question_id}`), kind: 'QuestionCard', question: step.question, answer: null }
    case 'question.answered':
      return changed(cards.get(`question:${step.question_id}`), 'QuestionCard', { answer: step.answer })
    case 'todos.changed':
      return { ...keepPlace(step, `todos:${step.run_id}`, cards), kind: 'TodoCard', todos: step.todos }
    case 'context.compacted':
      return {
        ...place(step, `compact:${step.step_id}`),
        kind: 'ContextCompact',
        tokens_before: step.tokens_before,
        tokens_after: step.tokens_after,
        summary: step.summary,
      }
    case 'mcp.status':
      return {
        ...keepPlace(step, `mcp:${step.run_id}:${step.server_id}`, cards),
        kind: 'McpStatus',
        server_id: step.server_id,
        name: step.name,
        state: step.state,
        message: step.message,
        heartbeat_at: step.heartbeat_at,
      }
    case 'workflow.status':
      return {
        ...keepPlace(step, `workflow:${step.workflow_run_id}`, cards),
        kind: 'Workflow',
        workflow_run_id: step.workflow_run_id,
        name: step.name,
        state: step.state,
        nodes_done: step.nodes_done,
        nodes_total: step.nodes_total,
      }
    case 'unknown': {
      const state = statesByKind.get(step.unknown_kind)
      return state && runStatus(step, cards, { state, pause_reason: null })
    }
    case 'error':
      return { ...place(step, `error:${step.step_id}`), kind: 'Error', failure_contract: step.failure_contract }
    default:
      return undefined
  }
}

/** The kind of a step that cannot be read still shows whether the run paused, resumed or ended. */
const statesByKind: ReadonlyMap<string, RunState> = new Map<string, RunState>([
  ['run.paused', 'paused'],
  ['run.resumed', 'running'],
  ['run.completed', 'completed'],
  ['run.failed', 'failed'],
  ['run.canceled', 'canceled'],
])

function place(step: RunStep, card_id: string) {
  return { card_id, run_id: step.run_id, conversation_id: step.conversation_id, seq: step.seq, ts: step.ts, set_aside: false }
}

/** A card that is updated keeps its position: nothing moves while the user reads. */
function keepPlace(step: RunStep, card_id: string, cards: ReadonlyMap<string, Card>) {
  const first = cards.get(card_id)
  return first ? { ...place(step, card_id), seq: first.seq, ts: first.ts } : place(step, card_id)
}

function changed<Kind extends Card['kind']>(card: Card | undefined, kind: Kind, fields: Partial<CardOf<Kind>>): Card | undefined {
  return card?.kind === kind ? { ...card, ...fields } : undefined
}

function runStatus(step: RunStep, cards: ReadonlyMap<string, Card>, fields: Partial<CardOf<'RunStatus'>>): Card | undefined {
  return changed(cards.get(`run:${step.run_id}`), 'RunStatus', fields)
}

function toolCall(call_id: string, cards: ReadonlyMap<string, Card>, fields: Partial<CardOf<'ToolCall'>>): Card | undefined {
  return changed(cards.get(`call:${call_id}`), 'ToolCall', fields)
}

function answered(step: StepOf<'approval.answered'>, cards: ReadonlyMap<string, Card>): Card | undefined {
  if (step.answer === 'no') return toolCall(step.call_id, cards, { state: 'denied', denial_reason: step.reason })
  return toolCall(step.call_id, cards, {
    state: 'approved',
    ...(step.edited_arguments === null ? {} : { arguments: step.edited_arguments }),
  })
}

function toolResult(step: StepOf<'tool.result'>, cards: ReadonlyMap<string, Card>): Card | undefined {
  const call = cards.get(`call:${step.call_id}`)
  if (call?.kind !== 'ToolCall') return undefined
  const { call_id, output, truncated, failure_contract } = step
  const outcome = displayedOutcome(call.tool, step.outcome, output)
  return { ...place(step, `result:${call_id}`), kind: 'ToolResult', call_id, tool: call.tool, outcome, output, truncated, failure_contract }
}

/** What a step changes in cards other than its own. */
function alongside(step: RunStep, cards: Map<string, Card>): void {
  if (step.kind === 'tool.call' && step.replaces !== undefined) {
    const replaced = cards.get(`call:${step.replaces}`)
    if (replaced) cards.set(replaced.card_id, { ...replaced, set_aside: true })
  }
  if (step.kind === 'tool.result') {
    const call = cards.get(`call:${step.call_id}`)
    if (call?.kind === 'ToolCall') cards.set(call.card_id, { ...call, state: displayedOutcome(call.tool, step.outcome, step.output) })
  }
  if (step.kind === 'run.failed') {
    const card_id = `error:${step.step_id}`
    cards.set(card_id, { ...place(step, card_id), kind: 'Error', failure_contract: step.failure_contract })
  }
}
