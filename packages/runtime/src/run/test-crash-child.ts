// A runtime that is struck down: started by the crash tests, it kills itself with SIGKILL at the places it is told, and otherwise brings the run to its end.
// usage: node test-crash-child.ts HOME BASE_URL [POINT:TIMES] [WORDS]
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { kill, pid } from 'node:process'
import type { Crashpoint } from './crashpoint.ts'
import { openTestRuns } from './test-runs.ts'

const [home = '', base_url = '', fate = '', words = ''] = process.argv.slice(2)
const [point, times = '1'] = fate.split(':')
const passed = new Map<Crashpoint | 'run_ended', number>()

function reach(reached: Crashpoint | 'run_ended') {
  const count = (passed.get(reached) ?? 0) + 1
  passed.set(reached, count)
  if (reached === point && count === Number(times)) kill(pid, 'SIGKILL')
}

const here = openTestRuns({
  home,
  base_url,
  window: words === '' ? 128_000 : 8_000,
  passBy: reach,
  async runEnded({ run_id }) {
    reach('run_ended')
    appendFileSync(join(home, 'ended'), `${run_id}\n`)
  },
})
here.allow('test.mark')
here.allow('test.look')

here.runs.recover()
await here.runs.tellUntold()
const conversation = here.conversation()
let run = here.journal.runs({ limit: 1 })[0]
if (!run || words !== '') {
  const started = here.runs.start({ conversation_id: conversation.conversation_id, text: words || 'Do the three things' })
  if (!started.ok) throw new Error(started.message)
  run = await here.runs.settled(started.value.run_id)
}
for (let round = 0; run && run.state === 'paused' && round < 20; round += 1) {
  const [approval] = here.approvals.pending(run.no)
  const [question] = here.questions.pending(run.run_id)
  const resumed = approval
    ? here.runs.resume(run.run_id, {
        kind: 'approval',
        approval_id: approval.approval_id,
        fingerprint: approval.fingerprint,
        answer: 'once',
      })
    : question
      ? here.runs.resume(run.run_id, { kind: 'question', question_id: question.question_id, answer: { chosen: [], text: 'Yes' } })
      : here.runs.resume(run.run_id)
  if (!resumed.ok) throw new Error(resumed.message)
  run = await here.runs.settled(run.run_id)
}
// How often each place was passed: the parent strikes at each of them.
console.log(JSON.stringify(Object.fromEntries(passed)))
here.close()
