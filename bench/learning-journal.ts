// Writes runs into a journal as the loop does, with the calls of recorded runs: what real programs printed when they failed.
import { createHash } from 'node:crypto'
import type { ApprovalRule } from '../packages/contract/src/tool/index.ts'
import type { Clock } from '../packages/runtime/src/clock/clock.ts'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import type { FeatureContext } from '../packages/runtime/src/feature/feature-context.ts'
import { type Call, halves, runsOf } from './learning-history/run.ts'

export interface WrittenRun {
  readonly run_id: string
  /** Of its end. */
  readonly step_id: string
  readonly steps: number
}

export interface RunPlan {
  readonly agent_id: string
  readonly workspace: string
  readonly request: string
  readonly calls: readonly Call[]
  readonly end: 'completed' | 'failed' | 'canceled'
}

export type JournalPorts = Pick<FeatureContext, 'store' | 'journal'> & { readonly clock: BenchClock }

export interface BenchClock extends Clock {
  advance(ms: number): void
}

/** Runs take minutes: the time of records moves on without waiting. */
export function benchClock(from: number): BenchClock {
  let now = from
  return {
    ...systemClock,
    now: () => now,
    advance(ms) {
      now += ms
    },
  }
}

/** Of both halves. */
export const recordedRuns = halves.flatMap((half) => runsOf(half))

const usage = { input_tokens: 900, output_tokens: 100, cached_tokens: 0, estimated: false }

/** Every fifth call was approved by a person. */
const approvedEvery = 5

/** As many steps as wanted, with the calls of recorded runs in turn. */
export function longPlan(steps: number, from: number, plan: Omit<RunPlan, 'calls' | 'end' | 'request'>): RunPlan {
  const all = recordedRuns.flatMap(({ calls }) => calls)
  // Five steps each, two more if it was approved; two at the start and three at the end.
  const count = Math.max(1, Math.round((steps - 5) / (5 + 2 / approvedEvery)))
  const calls = Array.from({ length: count }, (_, at) => all[(from * 37 + at) % all.length]).filter((call) => call !== undefined)
  return { ...plan, calls, request: 'Do this.', end: 'completed' }
}

/** In one transaction: the disk is not what is measured. */
export function writeRun({ store, journal, clock }: JournalPorts, { agent_id, workspace, request, calls, end }: RunPlan): WrittenRun {
  return store.transaction(() => {
    const conversation = journal.conversations.create({ agent_id, title: 'Bench', workspace }).no
    const message_id = journal.messages.write({ conversation, run: null, role: 'user', author: 'person', text: request })
    const started = { agent_id, title: 'Bench', model: 'bench', sandbox_mode: 'workspace' as const, message_id }
    const { run_id, no } = journal.start({ conversation, ...started })
    for (const [index, call] of calls.entries()) writeCall({ journal, clock }, run_id, call, index)
    turn({ journal, clock }, run_id, calls.length + 1)
    const answer = journal.messages.write({ conversation, run: no, role: 'assistant', author: 'agent', text: 'Done.' })
    journal.append(run_id, { kind: 'message.completed', message_id: answer })
    const failure_contract = {
      ...{ taxonomy: 'none' as const, stage: 'model_call' as const, source: 'model', reason_code: 'too_many_turns' },
      ...{ recoverability: 'user_action' as const, details: { message: 'too many turns' } },
    }
    const last = {
      completed: { kind: 'run.completed' as const, usage },
      failed: { kind: 'run.failed' as const, usage, failure_contract },
      canceled: { kind: 'run.canceled' as const, usage, reason: null },
    }[end]
    const { step_id, seq } = journal.append(run_id, last)
    return { run_id, step_id, steps: seq }
  })
}

type Writing = Pick<JournalPorts, 'journal' | 'clock'>

function turn({ journal, clock }: Writing, run_id: string, number: number): void {
  journal.append(run_id, { kind: 'model.called', model: 'bench', turn: number })
  clock.advance(3_000)
  journal.append(run_id, { kind: 'model.completed', turn: number, usage, finish_reason: 'stop' })
}

function writeCall({ journal, clock }: Writing, run_id: string, call: Call, index: number): void {
  turn({ journal, clock }, run_id, index + 1)
  const { tool, duration_ms, failure } = call
  const call_id = `call_${index}`
  const text = JSON.stringify(argumentsOf(call))
  const { seq } = journal.append(run_id, { kind: 'tool.call', call_id, tool, arguments: text })
  const denied = failure?.taxonomy === 'policy_failure' || failure?.stage === 'approval'
  if (index % approvedEvery === 0 && !denied) approve({ journal, clock }, run_id, { call_id, tool, text })
  if (!denied) journal.append(run_id, { kind: 'tool.started', call_id })
  clock.advance(duration_ms)
  journal.settle(run_id, {
    ...{ call_id, tool, call_seq: seq, outcome: denied ? 'denied' : failure ? 'failed' : 'succeeded', duration_ms },
    ...{ output: outputOf(call), output_file: null, truncated: false, checkpoint_id: null, failure_contract: failure ?? null },
  })
}

function approve(
  { journal, clock }: Writing,
  run_id: string,
  { call_id, tool, text }: { readonly call_id: string; readonly tool: string; readonly text: string },
): void {
  const fingerprint = createHash('sha256').update(text).digest('hex')
  const remembers: ApprovalRule[] = tool === 'shell.exec' ? [{ kind: 'command', words: [fingerprint.slice(0, 2)] }] : []
  const approval = {
    ...{ approval_id: `approval_${call_id}`, call_id, tool, arguments: text, working_directory: null, fingerprint, remembers },
    ...{ touches: [], protected: [], unprotected: [], warnings: [], choices: ['once' as const, 'no' as const] },
  }
  journal.append(run_id, { kind: 'approval.requested', approval })
  clock.advance(2_000)
  const answer = { answer: 'once' as const, reason: null, edited_arguments: null }
  journal.append(run_id, { kind: 'approval.answered', approval_id: approval.approval_id, call_id, ...answer })
}

/** With the names that the tools have. */
function argumentsOf({ arguments: { code, ...given } }: Call): Readonly<Record<string, unknown>> {
  return code === undefined ? given : { ...given, source: code }
}

function outputOf({ result, text, duration_ms }: Call): unknown {
  if (!result) return text ?? null
  const { length: bytes } = result.output
  return { ...result, duration_ms, output_end: '', bytes, truncated: false, file: null, file_bytes: 0, violations: [] }
}
