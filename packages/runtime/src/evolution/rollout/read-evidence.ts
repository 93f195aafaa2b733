// Reads the runs in which a routine was repeated: what a person said, and the calls that had an effect.
import type { ApprovalAnswer } from '@tandem/contract/run'
import type { ApprovalRule } from '@tandem/contract/tool'
import type { Journal } from '../../journal/journal.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { ownSentences } from '../../memory/rule/extract/own-words.ts'
import { othersFirst } from '../../scheduler/slices.ts'
import { messagesIn, ofKind, stepsOf } from '../read-behavior.ts'
import { callShapes, readArguments } from '../rule/call-shape.ts'
import type { RolloutPorts } from './ports.ts'
import { coveredWords } from './rule/covered-words.ts'
import type { EvidenceCall, EvidenceRun } from './rule/evidence.ts'

const mostRuns = 10
const approvals: readonly string[] = ['once', 'this_run', 'this_team', 'always'] satisfies readonly ApprovalAnswer[]

/** `run_ids`: the latest first. Runs that are no longer on this device are left out. */
export async function readEvidence(
  { journal, policies }: Pick<RolloutPorts, 'journal' | 'policies'>,
  run_ids: readonly string[],
): Promise<readonly EvidenceRun[]> {
  const runs: EvidenceRun[] = []
  for (const run_id of run_ids.slice(0, mostRuns)) {
    const run = journal.run(run_id)
    if (run) runs.push(await readRun(journal, run, (tool) => policies.of(run.agent_id, tool).remembered))
    await othersFirst()
  }
  return runs
}

async function readRun(
  journal: Journal,
  { run_id, workspace }: RunRecord,
  rulesOf: (tool: string) => readonly ApprovalRule[],
): Promise<EvidenceRun> {
  const steps = await stepsOf(journal, run_id)
  const said = messagesIn(journal, steps, false).map(({ text, starts }) => ({ starts, sentences: sentencesOf(text) }))
  const answers = new Map(ofKind(steps, 'approval.answered').map((step) => [step.call_id, step]))
  const results = new Map(ofKind(steps, 'tool.result').map((step) => [step.call_id, step]))
  const restores = ofKind(steps, 'checkpoint.restored')
  const calls = ofKind(steps, 'tool.call').flatMap((call): readonly EvidenceCall[] => {
    const [answer, result] = [answers.get(call.call_id), results.get(call.call_id)]
    const isUndone = restores.some((restore) => (result?.seq ?? call.seq) > restore.cursor_seq && call.seq < restore.seq)
    if (result?.outcome !== 'succeeded' || isUndone) return []
    const whole = call.arguments_file_id === undefined ? undefined : journal.wholes.find(call.arguments_file_id)
    const given = answer?.edited_arguments ?? whole ?? call.arguments
    const shapes = callShapes(call.tool, given, workspace).map(({ shape }) => shape)
    // Answers of an unknown kind approve nothing.
    const approved = answer !== undefined && approvals.includes(answer.answer)
    const covered = answer === undefined ? coveredWords(readArguments(given), workspace, rulesOf(call.tool)) : null
    return [{ tool: call.tool, arguments: relativeTo(workspace, readArguments(given)), approved, covered, shapes }]
  })
  return { run_id, request: said.find(({ starts }) => starts)?.sentences ?? [], said: said.flatMap(({ sentences }) => sentences), calls }
}

function sentencesOf(text: string): readonly string[] {
  return ownSentences(text).map((sentence) => sentence.text.trim())
}

/** A routine works in every workspace. */
function relativeTo(workspace: string, args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shortened = (value: unknown): unknown =>
    typeof value === 'string' && value.startsWith(`${workspace}/`) ? value.slice(workspace.length + 1) : value === workspace ? '.' : value
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, shortened(value)]))
}
