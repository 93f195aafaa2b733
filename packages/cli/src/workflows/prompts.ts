// What runs ask the user.
import type { Responder, ResumeAnswer } from '../run/responder.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { printRefusal } from '../terminal/refusal.ts'
import type { OpenRun } from './run-tree.ts'

export interface Prompt {
  readonly id: string
  readonly run_id: string
  readonly kind: 'approval' | 'question'
  ask(person: Responder): Promise<ResumeAnswer | null>
}

type Caller = Pick<RuntimeClient, 'call' | 'settled'>

export async function promptsOf(client: Pick<RuntimeClient, 'call'>, runs: readonly OpenRun[]): Promise<Prompt[]> {
  const prompts: Prompt[] = []
  for (const { run } of runs) {
    const { run_id } = run
    const [approvals, questions] = await Promise.all([client.call('approval_list', { run_id }), client.call('question_list', { run_id })])
    for (const { approval } of approvals.ok ? approvals.value.items : [])
      prompts.push({ id: approval.approval_id, run_id, kind: 'approval', ask: (person) => person.approve(approval) })
    for (const { question } of questions.ok ? questions.value.items : [])
      prompts.push({ id: question.question_id, run_id, kind: 'question', ask: (person) => person.answer(question) })
  }
  return prompts
}

/** False if the runtime did not accept it. */
export async function answerPrompt(client: Caller, { run_id }: Prompt, answer: ResumeAnswer): Promise<boolean> {
  await client.settled(run_id)
  const resumed = await client.call('agent_run_resume', { run_id, answer })
  if (resumed.ok) return true
  const { code } = resumed.error
  // Answered elsewhere in the meantime.
  if (code === 'nothing_pending' || code === 'transition_refused' || code === 'run_busy') return true
  printRefusal(resumed.error)
  return false
}
