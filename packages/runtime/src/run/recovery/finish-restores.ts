// At start, before any run continues: finishes or undoes restores that a crash interrupted, and reports them like any other.
import { openRejections } from '../rejections.ts'
import { type RestorePorts, recordRestore } from './restore.ts'

const words = {
  applied: 'finished',
  rolled_back: 'undone',
  stuck: 'neither finished nor undone: free space on the disk and start Tandem again',
} as const

const cutOff = {
  rolled_back: (run_id: string) => ({
    ok: false as const,
    code: 'canceled' as const,
    message: `The restore of run ${run_id} was interrupted and has been undone: its files are as they were before it.`,
  }),
  stuck: (run_id: string) => ({
    ok: false as const,
    code: 'restore_failed' as const,
    message: `The restore of run ${run_id} was interrupted and could be neither finished nor undone.`,
  }),
}

/** Never rejects: what cannot be finished is reported and left for the next start, and the rest continues. */
export async function finishRestores(ports: RestorePorts): Promise<void> {
  const { checkpoints, journal, log } = ports
  const rejections = openRejections(ports)
  try {
    if (!checkpoints.needsRecovery()) return
    const { restores, troubles } = await checkpoints.recover(({ run_id, ...restored }) => {
      const run = journal.run(run_id)
      if (run) recordRestore(ports, run, restored)
    })
    for (const trouble of troubles) log(`left for the next start: ${trouble}`)
    for (const { run_id, checkpoint_id, outcome } of restores) {
      log(`an interrupted restore of run ${run_id} was ${words[outcome]}`)
      if (outcome !== 'applied') rejections.restore(run_id, checkpoint_id, cutOff[outcome](run_id))
    }
  } catch (error) {
    log(`interrupted restores are left for the next start: ${String(error)}`)
  }
}
