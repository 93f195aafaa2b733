// Tells those who live by it that a run has ended: after its end, or, when the runtime died in between, at the next start.
import type { LoopPorts } from './ports.ts'

type Telling = Pick<LoopPorts, 'store' | 'journal' | 'hooks' | 'log'>

/** What fails again and again is not to keep every start busy. */
const mostTries = 3

export async function tellEnd({ store, journal, hooks, log }: Telling, run_id: string): Promise<void> {
  const run = journal.run(run_id)
  // A run that was taken back meanwhile will end another time.
  if (run && run.ended_at !== null) {
    store.relaxed(() => journal.ends.trying(run_id))
    try {
      await hooks.runEnded(run)
    } catch (error) {
      return log(`after run ${run_id}: ${String(error)}; it is tried again at the next start`)
    }
  }
  store.relaxed(() => journal.ends.told(run_id))
}

/** The ends that an earlier life of the runtime left untold. */
export async function tellUntold(ports: Telling): Promise<void> {
  const { journal, log } = ports
  for (const { run_id, tries } of journal.ends.untold()) {
    if (tries < mostTries) await tellEnd(ports, run_id)
    else {
      log(`the end of run ${run_id} could not be told ${tries} times, and is not tried again`)
      journal.ends.told(run_id)
    }
  }
}
