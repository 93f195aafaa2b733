// Reads from the journal what users and agents did in a run.
import { timestamp } from '../clock/clock.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournaledStep } from '../journal/recorded-step.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { StepOf } from '../journal/step.ts'
import { othersFirst } from '../scheduler/slices.ts'
import type { BehaviorCall, BehaviorFacts, EditedFile, SaidMessage } from './rule/behavior.ts'
import { type Around, aboutOf } from './rule/said-about.ts'

export interface ReadBehaviorPorts {
  readonly journal: Journal
  /** The files of the earlier run that the user changed by hand since. */
  editedFiles(earlier: RunRecord, run: RunRecord): Promise<readonly EditedFile[]>
}

type Step = JournaledStep['step']

const pageSize = 500

export async function readBehavior({ journal, editedFiles }: ReadBehaviorPorts, run: RunRecord): Promise<BehaviorFacts> {
  const steps = await stepsOf(journal, run.run_id)
  const earlier = journal.runsOf(run.conversation).findLast(({ no }) => no < run.no)
  const said = messagesIn(journal, steps, earlier !== undefined, run.workspace)
  const [canceled] = ofKind(steps, 'run.canceled')
  const asked_by_person = said.some(({ starts }) => starts)
  const { run_id, agent_id, conversation_id, workspace } = run
  return {
    ...{ run_id, agent_id, conversation_id, workspace, asked_by_person, said },
    day: timestamp(run.started_at).slice(0, 10),
    canceled_by: asked_by_person ? (canceled?.step_id ?? null) : null,
    calls: callsIn(journal, steps),
    restores: ofKind(steps, 'checkpoint.restored').map(({ step_id }) => step_id),
    edited_files: earlier && asked_by_person ? await editedFiles(earlier, run) : [],
  }
}

/** A page at a time: a long run must not block the main thread. */
export async function stepsOf(journal: Journal, run_id: string): Promise<readonly Step[]> {
  const all: Step[] = []
  for (;;) {
    const page = journal.steps(run_id, { after: all.at(-1)?.seq ?? -1, limit: pageSize })
    for (const { step } of page) all.push(step)
    if (page.length < pageSize) return all
    await othersFirst()
  }
}

export function ofKind<Kind extends Step['kind']>(steps: readonly Step[], kind: Kind): readonly StepOf<Kind>[] {
  return steps.flatMap((step) => (step.kind === kind ? [step as StepOf<Kind>] : []))
}

/** Only what a person wrote: not a task, a workflow or another agent. */
export function messagesIn(journal: Journal, steps: readonly Step[], hasEarlier: boolean, workspace = ''): readonly SaidMessage[] {
  let hasActed = false
  return steps.flatMap((step, at): readonly SaidMessage[] => {
    if (step.kind === 'tool.call' || step.kind === 'message.completed') hasActed = true
    const starts = step.kind === 'run.started'
    const message_id = starts || step.kind === 'message.received' ? step.message_id : null
    const message = message_id === null ? undefined : journal.messages.get(message_id)
    if (message_id === null || !message?.persons_word) return []
    const about = starts ? null : aboutOf(aroundOf(steps, at), workspace)
    return [{ message_id, step_id: step.step_id, text: message.text, starts, follows_agent: starts ? hasEarlier : hasActed, about }]
  })
}

function aroundOf(steps: readonly Step[], at: number): Around {
  const isCall = (step: Step) => step.kind === 'tool.call'
  const last = steps.findLastIndex((step, index) => index < at && isCall(step))
  const next = steps.findIndex((step, index) => index > at && isCall(step))
  const [before, after] = [steps[last], steps[next]].map((step) => (step?.kind === 'tool.call' ? step : undefined))
  return { before, after, restored: last >= 0 && steps.slice(last, at).some(({ kind }) => kind === 'checkpoint.restored') }
}

function callsIn(journal: Journal, steps: readonly Step[]): readonly BehaviorCall[] {
  const answers = new Map(ofKind(steps, 'approval.answered').map((step) => [step.call_id, step]))
  const results = new Map(ofKind(steps, 'tool.result').map((step) => [step.call_id, step]))
  const restores = ofKind(steps, 'checkpoint.restored')
  return ofKind(steps, 'tool.call').map((call) => {
    const { call_id, tool, seq } = call
    const [answer, result] = [answers.get(call_id), results.get(call_id)]
    const whole = call.arguments_file_id === undefined ? undefined : journal.wholes.find(call.arguments_file_id)
    const written = whole ?? call.arguments
    const edited = answer?.edited_arguments ?? null
    return {
      step_id: result?.step_id ?? call.step_id,
      tool,
      arguments: edited ?? written,
      proposed: edited === null ? null : written,
      outcome: result?.outcome ?? 'interrupted',
      denied: answer?.answer === 'no',
      // The recovery point is taken between the call and its result.
      undone_by: restores.find((restore) => (result?.seq ?? seq) > restore.cursor_seq && seq < restore.seq)?.step_id ?? null,
    }
  })
}
