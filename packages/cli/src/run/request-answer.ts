// Asks the user for what a run waits for, until someone answers it: here, in the window, or in another terminal.
import type { RecordedEvent } from '@tandem/contract/command'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import type { AskingMember, Responder, ResumeAnswer } from './responder.ts'

/** Null if the user gave no answer; `elsewhere` if the run no longer waits for it. */
export async function requestAnswer(
  client: RuntimeClient,
  run_id: string,
  person: Responder,
  by?: AskingMember,
): Promise<ResumeAnswer | 'elsewhere' | null> {
  const asked = new AbortController()
  const elsewhere = new AbortController()
  // Before the requests are read: an answer in between is noticed, too.
  await client.watch(({ event }) => {
    if (event.run_id === run_id && endsWaiting.has(event.event)) elsewhere.abort()
  }, asked.signal)
  try {
    const answer = await answerOf(client, run_id, person, by, elsewhere.signal)
    return answer === null && elsewhere.signal.aborted ? 'elsewhere' : answer
  } finally {
    asked.abort()
  }
}

/** Each of them ends what a run waits for. */
const endsWaiting: ReadonlySet<RecordedEvent['event']['event']> = new Set([
  'approval_answered',
  'question_answered',
  'run_resumed',
  'run_canceled',
  'run_failed',
  'run_completed',
])

async function answerOf(
  client: RuntimeClient,
  run_id: string,
  person: Responder,
  by: AskingMember | undefined,
  elsewhere: AbortSignal,
): Promise<ResumeAnswer | null> {
  const approvals = await client.call('approval_list', { run_id })
  const [approval] = approvals.ok ? approvals.value.items : []
  if (approval) return elsewhere.aborted ? null : await person.approve(approval.approval, by, elsewhere)
  const questions = await client.call('question_list', { run_id })
  const [question] = questions.ok ? questions.value.items : []
  return question && !elsewhere.aborted ? await person.answer(question.question, by, elsewhere) : null
}
