// One process of a runtime in the crash tests: it recovers what an earlier one left, and completes the run.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../src/clock/clock.ts'
import type { Crashpoint } from '../../../src/run/crashpoint.ts'
import { openTestRuns } from './test-runs.ts'

export type CrashPlace = Crashpoint | 'run_ended'

export interface ProcessResult {
  readonly home: string
  readonly base_url: string
  /** The prompt of a new run; without it, the existing run is continued. */
  readonly words?: string
  reach(place: CrashPlace): void
}

export async function runProcess({ home, base_url, words, reach }: ProcessResult): Promise<void> {
  let elapsed = 0
  const here = openTestRuns({
    home,
    base_url,
    window: words === undefined ? 128_000 : 8_000,
    // Each reading is a tenth of a second later: every piece of text is stored as it arrives, and equally often.
    clock: { ...systemClock, elapsed: () => (elapsed += 100) },
    crashPoint: reach,
    listeners: [
      {
        name: 'test',
        from: 'now',
        hears: {
          async run_ended({ data: { run_id } }) {
            reach('run_ended')
            appendFileSync(join(home, 'ended'), `${run_id}\n`)
          },
        },
      },
    ],
  })
  try {
    here.allow('test.mark')
    here.allow('test.look')
    here.allow('test.wait')
    await here.finishRestores()
    here.runs.recover()
    let run = here.journal.runs({ limit: 1 })[0]
    if (!run || words !== undefined) {
      const { conversation_id } = here.conversation()
      const started = here.runs.start({ author: 'person', conversation_id, text: words ?? 'Do the three things' })
      if (!started.ok) throw new Error(started.message)
      run = await here.runs.settled(started.value.run_id)
    }
    for (let round = 0; run && run.state === 'paused' && round < 20; round += 1) {
      if (run.pause_reason === 'time') {
        here.continueWaiting()
        run = await here.runs.settled(run.run_id)
        continue
      }
      const resumed = here.runs.resume(run.run_id, answer(run))
      if (!resumed.ok) throw new Error(resumed.message)
      run = await here.runs.settled(run.run_id)
    }
    await here.lifecycle.stop({ within_ms: 10_000 })
    if (here.logged.length > 0) throw new Error(here.logged.join('\n'))
  } finally {
    here.close()
  }

  /** An approval or an answer for what the run waits for; none if nothing is asked. */
  function answer({ no, run_id }: { readonly no: number; readonly run_id: string }) {
    const [approval] = here.approvals.pending(no)
    const [question] = here.questions.pending(run_id)
    if (approval) {
      const { approval_id, fingerprint } = approval
      return { kind: 'approval' as const, approval_id, fingerprint, answer: 'once' as const }
    }
    return question && { kind: 'question' as const, question_id: question.question_id, answer: { chosen: [], text: 'Yes' } }
  }
}
