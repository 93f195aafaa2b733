// At start, before any run goes on: what a crash left half-done of a restore is brought to an end, and told as any other.
import { openRejections } from '../rejections.ts'
import { goBack, type RestorePorts } from './restore.ts'

const words = {
  applied: 'finished',
  rolled_back: 'taken back',
  stuck: 'neither finished nor taken back: free the disk and start again',
} as const

const cutOff = {
  rolled_back: (run_id: string) => ({
    ok: false as const,
    code: 'canceled' as const,
    message: `The restore of run ${run_id} was cut off and has been undone: its files are as they were before it.`,
  }),
  stuck: (run_id: string) => ({
    ok: false as const,
    code: 'restore_failed' as const,
    message: `The restore of run ${run_id} was cut off and could be neither finished nor undone.`,
  }),
}

/** Never rejects: what can't be brought to an end is told and waits for the next start, and the rest goes on. */
export async function finishRestores(ports: RestorePorts): Promise<void> {
  const { checkpoints, journal, log } = ports
  const rejections = openRejections(ports)
  try {
    if (!checkpoints.needsRecovery()) return
    const { restores, troubles } = await checkpoints.recover(({ run_id, ...restored }) => {
      const run = journal.run(run_id)
      if (run) goBack(ports, run, restored)
    })
    for (const trouble of troubles) log(`left for the next start: ${trouble}`)
    for (const { run_id, checkpoint_id, outcome } of restores) {
      log(`a restore of run ${run_id} that was cut off was ${words[outcome]}`)
      if (outcome !== 'applied') rejections.restore(run_id, checkpoint_id, cutOff[outcome](run_id))
    }
  } catch (error) {
    log(`what was cut off is left for the next start: ${String(error)}`)
  }
}
