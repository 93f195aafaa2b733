// Reads the facts of a run from its journal.
import { type CommandResult, type ProcessFacts, readOutput, type StartedInBackground } from '@tandem/contract/tool/output'
import { activeTime, timedStep } from '../journal/active-time.ts'
import { currentSteps } from '../journal/current-steps.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournaledStep } from '../journal/recorded-step.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { StepOf } from '../journal/step.ts'
import { withoutMarks } from '../sandbox/command/marked-output.ts'
import { inSlices, type SlicedWork } from '../scheduler/slices.ts'
import { withoutEscapes } from '../tools/shell/command-result.ts'
import { namedHosts } from './rule/named-hosts.ts'
import type { ApprovalFact, BackgroundFact, CallFact, CommandFact, RunFacts } from './rule/run-facts.ts'

export interface ReadRunPorts {
  readonly journal: Journal
  /** Whether the user corrected it, by a command or in the next message. */
  isCorrected(run: RunRecord): boolean
  /** Of the agent's evaluations before this step. */
  usual(agent_id: string, step_id: string): RunFacts['usual']
  /** Monotonic milliseconds. */
  elapsed(): number
}

type Step = JournaledStep['step']

const triggers = {
  'run.completed': 'completed',
  'run.failed': 'failed',
  'run.canceled': 'canceled',
  'checkpoint.restored': 'restored',
} as const

/** Steps that are read at once. */
const pageSize = 200

/** Up to the end of the run, or to the restore; null if there is no such step. */
export async function readRun(ports: ReadRunPorts, run: RunRecord, step_id: string): Promise<RunFacts | null> {
  const { journal, isCorrected, usual, elapsed } = ports
  const all = await inSlices(stepsOf(journal, run.run_id), elapsed)
  const at = all.findIndex(({ step }) => step.step_id === step_id)
  const last = all[at]?.step
  if (!last || !Object.hasOwn(triggers, last.kind)) return null
  const steps = all.slice(0, at + 1)
  const trigger = triggers[last.kind as keyof typeof triggers]
  const { run_id, agent_id, conversation_id, workspace, usage } = run
  return {
    ...{ run_id, agent_id, conversation_id, workspace, usage, step_id, trigger },
    state: trigger === 'restored' ? 'paused' : trigger,
    failure_contract: last.kind === 'run.failed' ? last.failure_contract : null,
    asked_by_person: isAskedByPerson(journal, steps),
    named_hosts: namedHosts(personsWords(journal, steps)),
    calls: await inSlices(callsIn(journal, steps), elapsed),
    errors: ofKind(steps, 'error').map(({ seq, ts, failure_contract, ...step }) => {
      return { step_id: step.step_id, seq, at: Date.parse(ts), failure_contract }
    }),
    turns: ofKind(steps, 'model.completed').length,
    answered: ofKind(steps, 'message.completed').length > 0,
    duration_ms: activeTime(steps.map(timedStep), Date.parse(last.ts)),
    ended_at: Date.parse(last.ts),
    corrected: isCorrected(run),
    restores: ofKind(steps, 'checkpoint.restored').length,
    open_todos: openTodos(steps),
    usual: usual(agent_id, step_id),
  }
}

function* stepsOf(journal: Journal, run_id: string): SlicedWork<readonly JournaledStep[]> {
  const all: JournaledStep[] = []
  for (;;) {
    const page = journal.steps(run_id, { after: all.at(-1)?.step.seq ?? -1, limit: pageSize })
    all.push(...page)
    if (page.length < pageSize) return all
    yield
  }
}

function ofKind<Kind extends Step['kind']>(steps: readonly JournaledStep[], kind: Kind): readonly StepOf<Kind>[] {
  return steps.flatMap(({ step }) => (step.kind === kind ? [step as StepOf<Kind>] : []))
}

function byCall<Step extends { readonly call_id: string }>(steps: readonly Step[]): ReadonlyMap<string, Step> {
  return new Map(steps.map((step) => [step.call_id, step]))
}

function isAskedByPerson(journal: Journal, steps: readonly JournaledStep[]): boolean {
  const [started] = ofKind(steps, 'run.started')
  return started?.message_id ? (journal.messages.get(started.message_id)?.persons_word ?? false) : false
}

/** What the person asked for, and what they wrote meanwhile. */
function personsWords(journal: Journal, steps: readonly JournaledStep[]): readonly string[] {
  const ids = [...ofKind(steps, 'run.started'), ...ofKind(steps, 'message.received')].flatMap(({ message_id }) => message_id ?? [])
  return ids.flatMap((id) => {
    const message = journal.messages.get(id)
    return message?.persons_word ? [message.text] : []
  })
}

function openTodos(steps: readonly JournaledStep[]): number {
  const todos = ofKind(currentSteps(steps), 'todos.changed').at(-1)?.todos ?? []
  return todos.filter(({ state }) => state === 'pending' || state === 'in_progress').length
}

function* callsIn(journal: Journal, steps: readonly JournaledStep[]): SlicedWork<readonly CallFact[]> {
  const answers = byCall(ofKind(steps, 'approval.answered'))
  const starts = byCall(ofKind(steps, 'tool.started'))
  const results = byCall(ofKind(steps, 'tool.result'))
  const prompts = new Map(ofKind(steps, 'approval.requested').map(({ approval, ts }) => [approval.approval_id, { approval, ts }]))
  const durations = new Map(steps.map(({ step, here }) => [step.step_id, here.duration_ms]))
  const current = new Set(currentSteps(steps).map(({ step }) => step.step_id))
  const listed = ofKind(steps, 'tool.call').flatMap(({ call_id, tool }) => processesIn(tool, results.get(call_id)?.output))
  const processes = new Map(listed.map((one) => [one.process_id, one]))

  function approvalOf(call_id: string): ApprovalFact | null {
    const answer = answers.get(call_id)
    if (!answer) return null
    const asked = prompts.get(answer.approval_id)
    return {
      answer: answer.answer,
      reason: answer.reason,
      edited: answer.edited_arguments !== null,
      remembers: asked?.approval.remembers ?? [],
      warned: (asked?.approval.warnings.length ?? 0) > 0,
      waited_ms: asked ? Math.max(0, Date.parse(answer.ts) - Date.parse(asked.ts)) : 0,
    }
  }

  function backgroundOf(result: StepOf<'tool.result'> | undefined): BackgroundFact | undefined {
    if (!isStarted(result?.output)) return
    const ended = processes.get(result.output.process_id)
    return { succeeded_after_ms: ended?.state === 'ended' && ended.exit_code === 0 ? ended.duration_ms : null }
  }

  const calls: CallFact[] = []
  for (const call of ofKind(steps, 'tool.call')) {
    const { call_id, tool, run_id, seq } = call
    const [result, started] = [results.get(call_id), starts.get(call_id)]
    const background = backgroundOf(result)
    const whole = call.arguments_file_id === undefined ? undefined : journal.wholes.find(call.arguments_file_id)
    calls.push({
      ...{ run_id, call_id, seq, tool },
      step_id: result?.step_id ?? call.step_id,
      arguments: answers.get(call_id)?.edited_arguments ?? whole ?? call.arguments,
      // Without a result it is not known how it ended.
      outcome: result?.outcome ?? 'interrupted',
      failure_contract: result?.failure_contract ?? null,
      command: result ? commandOf(result.output) : null,
      approval: approvalOf(call_id),
      asked_at: Date.parse(call.ts),
      started_at: started ? Date.parse(started.ts) : null,
      duration_ms: (result && durations.get(result.step_id)) ?? 0,
      ...(background ? { background } : {}),
      undone: !current.has(call.step_id),
    })
    yield
  }
  return calls
}

/** Null for the results of other tools, and for a command that was started in the background. */
function commandOf(output: unknown): CommandFact | null {
  if (!isCommandResult(output)) return null
  const { exit_code, signal, timed_out, truncated } = output
  return {
    exit_code,
    signal,
    timed_out,
    output: withoutMarks(withoutEscapes(truncated ? `${output.output}\n${output.output_end}` : output.output)),
  }
}

/** The processes that a result of process.list describes. */
function processesIn(tool: string, output: unknown): readonly ProcessFacts[] {
  if (tool !== 'process.list') return []
  const read = readOutput(tool, output)
  if (read.tool !== 'process.list') return []
  return 'processes' in read.output ? read.output.processes : [read.output]
}

function isStarted(output: unknown): output is StartedInBackground {
  return typeof output === 'object' && output !== null && 'process_id' in output && 'pid' in output && !('command' in output)
}

function isCommandResult(output: unknown): output is CommandResult {
  return typeof output === 'object' && output !== null && 'exit_code' in output && 'timed_out' in output && 'output_end' in output
}
