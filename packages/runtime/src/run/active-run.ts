// One run in progress: its journal and the state computed from it, kept in sync.
import type { RunStep } from '@tandem/contract/run'
import { historyBefore } from '../journal/branches.ts'
import { currentSteps } from '../journal/current-steps.ts'
import type { SettledCall } from '../journal/journal.ts'
import type { JournaledStep } from '../journal/recorded-step.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { DeviceOnlyFields, NewStep } from '../journal/step.ts'
import type { LoopPorts } from './ports.ts'
import { applyStep, type RunProgress, runProgressOf } from './run-progress.ts'
import { attachmentContent } from './turn/attachments.ts'
import { resultText } from './turn/result-text.ts'
import { openTranscript, type Transcript } from './turn/transcript.ts'

export interface ActiveRun {
  /** A call that waits does not pause the run: its other calls go on. */
  readonly isCarrier: boolean
  /** A checkpoint of it was restored before it was opened. */
  readonly isRestored: boolean
  run(): RunRecord
  progress(): RunProgress
  readonly transcript: Transcript
  append(step: NewStep, here?: DeviceOnlyFields): RunStep
  settle(call: SettledCall): RunStep
}

export function openActiveRun(ports: LoopPorts, run_id: string, wireName: (tool: string) => string): ActiveRun {
  const { journal, store, registry } = ports
  const begun = mustRun(ports, run_id)
  const isCarrier = begun.workflow_run_id !== null
  const find = (file_id: string) => ports.attachment?.(file_id)
  // No model reads the calls of a workflow, and there may be thousands.
  const history = isCarrier ? [] : historyBefore(journal, journal.conversations.at(begun.conversation)?.branch ?? null)
  const inherited = new Set(history.flatMap(({ steps }) => steps.flatMap(({ step }) => ('message_id' in step ? [step.message_id] : []))))
  const transcript = openTranscript({
    messageText(message_id) {
      const message = journal.messages.get(message_id)
      // What a branch continues from stays, whatever happens to it in the other conversation.
      if (!message || (message.set_aside && !inherited.has(message_id))) return null
      return message.attachments.length === 0 ? message.text : `${message.text}\n\n${attachmentContent(message.attachments, find).text}`
    },
    messageImages(message_id) {
      const message = journal.messages.get(message_id)
      return message && message.attachments.length > 0 ? attachmentContent(message.attachments, find).images : []
    },
    wireName,
    present: (tool, result) => resultText(registry.get(tool), result),
    wholeArguments: (step) => (step.arguments_file_id ? (journal.wholes.find(step.arguments_file_id) ?? '{}') : step.arguments),
  })
  for (const { run, steps } of history) for (const journaled of steps) transcript.add(run.no, journaled)
  const earlierRuns = isCarrier ? [] : journal.runsOf(begun.conversation).filter(({ no }) => no < begun.no)
  for (const { run_id: earlier, no } of earlierRuns) {
    for (const journaled of currentSteps(journal.steps(earlier))) transcript.add(no, journaled)
  }
  const recorded = journal.steps(run_id)
  const isRestored = recorded.some(({ step }) => step.kind === 'checkpoint.restored')
  const own = currentSteps(recorded)
  if (!isCarrier) for (const journaled of own) transcript.add(begun.no, journaled)
  let progress = runProgressOf(own)

  /** Only what is on disk counts. */
  function keep(step: RunStep, here: DeviceOnlyFields): RunStep {
    const journaled: JournaledStep = { step, here }
    store.afterCommit(() => {
      progress = applyStep(progress, journaled)
      if (!isCarrier) transcript.add(begun.no, journaled)
    })
    return step
  }

  return {
    isCarrier,
    isRestored,
    run: () => mustRun(ports, run_id),
    progress: () => progress,
    transcript,
    append: (step, here = {}) => keep(journal.append(run_id, step, here), here),
    settle: (call) => keep(journal.settle(run_id, call), { tool: call.tool, duration_ms: call.duration_ms }),
  }
}

function mustRun({ journal }: LoopPorts, run_id: string): RunRecord {
  const run = journal.run(run_id)
  if (!run) throw new Error(`there is no run ${run_id}`)
  return run
}
