// A run as a draft needs it: what was asked for, and its calls as they were really made.
import { isTerminalRunState } from '@tandem/contract/run'
import type { Outcome } from '../../feature/outcome.ts'
import { currentSteps } from '../../journal/current-steps.ts'
import type { Journal } from '../../journal/journal.ts'
import type { DraftedCall, DraftedRun } from './draft.ts'

export function draftedRun(journal: Journal, run_id: string): Outcome<DraftedRun> {
  const run = journal.run(run_id)
  if (!run) return { ok: false, code: 'not_found', message: `there is no run ${run_id} on this device` }
  if (!isTerminalRunState(run.state))
    return {
      ok: false,
      code: 'transition_refused',
      message: `run ${run_id} has not ended: a workflow can be made from it when it has`,
    }
  const steps = currentSteps(journal.steps(run_id)).map(({ step }) => step)
  const edited = new Map(
    steps.flatMap((step) => (step.kind === 'approval.answered' ? [[step.call_id, step.edited_arguments] as const] : [])),
  )
  const started = steps.find((step) => step.kind === 'run.started')
  const message = started?.kind === 'run.started' && started.message_id !== null ? journal.messages.get(started.message_id) : undefined
  const calls = steps.flatMap((step): readonly DraftedCall[] => {
    if (step.kind !== 'tool.call') return []
    const end = journal.settled(run_id, step.call_id)
    const given = edited.get(step.call_id) ?? (step.arguments_file_id ? journal.wholes.find(step.arguments_file_id) : step.arguments)
    const output = end?.output_file == null ? end?.output : parsed(journal.wholes.find(end.output_file))
    return [{ tool: step.tool, arguments: objectIn(parsed(given)), has_succeeded: end?.outcome === 'succeeded', output }]
  })
  return { ok: true, value: { title: run.title, request: message?.text ?? '', workspace: run.workspace ?? '', calls } }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
