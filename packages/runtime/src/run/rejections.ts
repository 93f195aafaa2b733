// A start, a resume or a restore that is rejected: each gets a failure contract and is recorded as an event.
import type { FailureContract } from '@tandem/contract/failure'
import type { Rejection } from '../feature/outcome.ts'
import { rejected } from './failures.ts'
import type { LoopPorts } from './ports.ts'

type Recorded = Rejection & { readonly failure_contract: FailureContract }

export interface Rejections {
  start(conversation_id: string, rejection: Rejection): Recorded
  /** With a contract it was already recorded as a step, and the event of that step is this one. */
  resume(run_id: string, rejection: Rejection): Recorded
  restore(run_id: string, checkpoint_id: string, rejection: Rejection): Recorded
}

export function openRejections({ events, journal, log }: Pick<LoopPorts, 'events' | 'journal' | 'log'>): Rejections {
  /** A full disk must not hide why the request was rejected. */
  function record(emit: () => void): void {
    try {
      emit()
    } catch (error) {
      log(`a rejection could not be recorded: ${String(error)}`)
    }
  }

  function aboutRun(run_id: string) {
    const run = journal.run(run_id)
    return run ? { run } : {}
  }

  return {
    start(conversation_id, rejection) {
      const { code, failure_contract = rejected('start', null, rejection) } = rejection
      const conversation = journal.conversations.get(conversation_id)
      const about = conversation ? { conversation_id, agent_id: conversation.agent_id } : {}
      record(() => events.emit('run_start_rejected', about, { code }, failure_contract))
      return { ...rejection, failure_contract }
    },
    resume(run_id, rejection) {
      const { code, failure_contract } = rejection
      if (failure_contract) return { ...rejection, failure_contract }
      const contract = rejected('resume', run_id, rejection)
      record(() => events.emit('run_resume_rejected', aboutRun(run_id), { requested_run_id: run_id, code }, contract))
      return { ...rejection, failure_contract: contract }
    },
    restore(run_id, checkpoint_id, rejection) {
      const { code, failure_contract = rejected('restore', run_id, rejection) } = rejection
      const data = { requested_run_id: run_id, checkpoint_id, code }
      record(() => events.emit('checkpoint_restore_failed', aboutRun(run_id), data, failure_contract))
      return { ...rejection, failure_contract }
    },
  }
}
