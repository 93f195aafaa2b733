import type { CommandResult, LocalRun, PendingApproval, PendingQuestion } from '@tandem/contract/command'
import { approvalAnswers, type RunStep } from '@tandem/contract/run'
import { exitCodeOf, exitCodes } from '../run/exit-code.ts'
import { leaveOnInterrupt } from '../run/interrupt.ts'
import { requestAnswer } from '../run/request-answer.ts'
import { autoApproveOnce, type ResumeAnswer } from '../run/responder.ts'
import { chooseResponder, followInTerminal, type RunSessionOptions } from '../run/run-session.ts'
import { yesHelp } from '../run/yes-option.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { printRefusal } from '../terminal/refusal.ts'

const usage = `${explainedUsage(
  'tandem resume RUN|last [--answer ANSWER]… [--reason TEXT] [--arguments JSON] [--yes] [--json]',
  'Resumes a paused run. last: the newest one that is paused.',
  `--answer: the answer it waits for. To an approval: ${approvalAnswers.join(', ')}; to a question: one or more of its options, or a text.`,
  '--reason: why you deny a call. --arguments: approve the call with these arguments instead.',
)}\n${yesHelp}`

const options = {
  answer: { type: 'string', multiple: true },
  reason: { type: 'string' },
  arguments: { type: 'string' },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

interface Said {
  readonly answer?: readonly string[] | undefined
  readonly reason?: string | undefined
  readonly arguments?: string | undefined
}

/** `tandem resume`: continues a paused run, with the answer it waits for. */
export async function resume(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === undefined || more.length > 0) return printUsage('specify one run, or last', usage)
  const { yes, json, ...said } = given.values

  return await withRuntimeClient(process.cwd(), async (client) => {
    const found = await runNamed(client, wanted)
    if (!found.ok) {
      printRefusal(found.error)
      return exitCodes.failed
    }
    const run = found.value
    if (run.state === 'running') return await followInTerminal(client, run, [], { json, yes, inputTaken: false })
    const before = await stepsOf(client, run.run_id)
    const answer = await answerSaid(client, run, said, { yes, json })
    if (answer === 'usage') return exitCodes.usage
    if (answer === null && (run.pause_reason === 'approval' || run.pause_reason === 'question')) {
      console.error(`tandem: the run is waiting for an answer: tandem resume ${run.run_id} --answer …`)
      return exitCodeOf(run.state, run.pause_reason)
    }
    const { run_id } = run
    const resumed =
      answer !== null && answer !== 'elsewhere'
        ? await client.call('agent_run_resume', { run_id, answer })
        : await client.call('resume_agent_run', { run_id })
    // A run that waits for its members continues by itself: what they need is asked while it is followed. One that was answered elsewhere
    // continues there.
    if (!resumed.ok && run.pause_reason !== 'child' && answer !== 'elsewhere') {
      printRefusal(resumed.error)
      return exitCodes.failed
    }
    return await followInTerminal(client, run, before, { json, yes, inputTaken: false })
  })
}

async function runNamed(client: RuntimeClient, wanted: string): Promise<CommandAnswer<LocalRun>> {
  if (wanted !== 'last') {
    const found = await client.call('agent_run_get', { run_id: wanted })
    return found.ok ? { ok: true, value: found.value.run } : found
  }
  const listed = await client.call('agent_run_list', { state: 'paused', limit: 1 })
  if (!listed.ok) return listed
  const [run] = listed.value.items
  const remedy = 'List the runs of this device with tandem runs.'
  if (!run) return { ok: false, error: { code: 'not_found', message: 'no run is paused', remedy } }
  // Of a team, the run that the user started.
  return run.team && run.team.root_run_id !== run.run_id ? await runNamed(client, run.team.root_run_id) : { ok: true, value: run }
}

/** What was shown before is not shown again. */
async function stepsOf(client: RuntimeClient, run_id: string): Promise<readonly RunStep[]> {
  const steps: RunStep[] = []
  let cursor: string | null = null
  do {
    const page: CommandAnswer<CommandResult<'agent_run_list_steps'>> = await client.call('agent_run_list_steps', {
      run_id,
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) return steps
    steps.push(...page.value.items)
    cursor = page.value.next_cursor
  } while (cursor)
  return steps
}

/** From the arguments, or from the user. Null if there is none. */
async function answerSaid(
  client: RuntimeClient,
  run: LocalRun,
  said: Said,
  manner: Pick<RunSessionOptions, 'yes' | 'json'>,
): Promise<ResumeAnswer | 'elsewhere' | null | 'usage'> {
  const { run_id } = run
  const words = said.answer ?? []
  if (words.length === 0) {
    if (manner.yes) return await requestAnswer(client, run_id, autoApproveOnce)
    const { left, release } = leaveOnInterrupt()
    try {
      return await requestAnswer(client, run_id, chooseResponder({ json: manner.json, inputTaken: false }, left))
    } finally {
      release()
    }
  }
  const approvals = await client.call('approval_list', { run_id })
  const [approval] = approvals.ok ? approvals.value.items : []
  if (approval) return approvalSaid(approval, words, said)
  const questions = await client.call('question_list', { run_id })
  const [question] = questions.ok ? questions.value.items : []
  return question ? questionSaid(question, words) : null
}

function approvalSaid({ approval }: PendingApproval, words: readonly string[], said: Said): ResumeAnswer | 'usage' {
  const answer = approvalAnswers.find((name) => name === words[0])
  if (words.length !== 1 || !answer) {
    printUsage(`the answer to an approval must be one of ${approval.choices.join(', ')}`, usage)
    return 'usage'
  }
  const of = { kind: 'approval' as const, approval_id: approval.approval_id, fingerprint: approval.fingerprint }
  if (answer === 'no') return { ...of, answer, reason: said.reason ?? '' }
  return { ...of, answer, ...(said.arguments === undefined ? {} : { edited_arguments: said.arguments }) }
}

/** Words that match options select them; anything else is a text answer. */
function questionSaid({ question }: PendingQuestion, words: readonly string[]): ResumeAnswer {
  const values = question.options.map(({ value }) => value)
  const of = { kind: 'question' as const, question_id: question.question_id }
  if (words.every((word) => values.includes(word))) return { ...of, answer: { chosen: [...words], text: null } }
  return { ...of, answer: { chosen: [], text: words.join('\n') } }
}
