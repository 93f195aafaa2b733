// What `tandem run` and `tandem resume` share once there is a run: output, answers, and what is printed if it has to wait.
import type { LocalRun } from '@tandem/contract/command'
import type { RunStep } from '@tandem/contract/run'
import type { TeamMember } from '@tandem/contract/team'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { followRun } from './follow-run.ts'
import { cancelOnInterrupt } from './interrupt.ts'
import { pauseTexts } from './pause-text.ts'
import { reportPolicyChanges } from './policy-report.ts'
import { jsonPrinter, prettyPrinter } from './printer.ts'
import { autoApproveOnce, noResponder, type Responder, terminalResponder } from './responder.ts'

export interface RunSessionOptions {
  readonly json: boolean
  readonly yes: boolean
  /** The prompt was read from standard input, so no one can answer there. */
  readonly inputTaken: boolean
  /** `beside`: standard output is for something else. */
  readonly answers?: 'out' | 'beside'
}

/** `before` are the steps of the run that were shown earlier. */
export async function followInTerminal(
  client: RuntimeClient,
  run: LocalRun,
  before: readonly RunStep[],
  manner: RunSessionOptions,
): Promise<number> {
  const { canceled, left, release } = cancelOnInterrupt(client, run.run_id)
  try {
    const printer = manner.json ? jsonPrinter() : prettyPrinter(manner.answers === 'beside' ? process.stderr : process.stdout)
    for (const step of before) printer.recall(step)
    // Without it, only these lines are missing.
    await reportPolicyChanges(client, run, printer).catch(() => undefined)
    const last = before.at(-1)
    const from = last ? { after_seq: last.seq } : { after_seq: -1, after_event: 0 }
    const person = manner.yes ? autoApproveOnce : chooseResponder(manner, AbortSignal.any([canceled, left]))
    const onPaused = manner.json ? () => undefined : (paused: LocalRun, team: readonly TeamMember[]) => sayHowToGoOn(paused, team, manner)
    const code = await followRun({ client, run, printer, person, from, before, canceled, left, onPaused })
    if (manner.json) await sayEnd(client, run.run_id)
    else await saySkillsLeftOut(client, run.run_id)
    return code
  } finally {
    release()
  }
}

export function chooseResponder({ json, inputTaken }: Omit<RunSessionOptions, 'yes'>, signal: AbortSignal): Responder {
  const there = !json && !inputTaken && process.stdin.isTTY && process.stderr.isTTY
  return there ? terminalResponder(process.stdin, process.stderr, signal) : noResponder
}

function sayHowToGoOn({ run_id, pause_reason, retry_at }: LocalRun, team: readonly TeamMember[], { yes }: RunSessionOptions): void {
  if (yes && pause_reason === 'approval') {
    console.error('--yes did not approve this call, because it has a warning. Read the warning and answer yourself.')
  }
  const asking = team.filter(({ pending_approvals, pending_questions }) => pending_approvals + pending_questions > 0)
  if (asking.length > 0) {
    console.error('The run is paused: runs that it started need your answer. To answer, and then to continue it:')
    for (const { run_id: member, title, pending_approvals } of asking)
      console.error(`  tandem resume ${member} --answer ${pending_approvals > 0 ? 'once' : '"…"'}   # ${singleLine(title, 80)}`)
    console.error(`  tandem resume ${run_id}`)
    return
  }
  if (pause_reason === 'budget')
    console.error(`The budget is used up. To raise it: tandem team raise ${run_id} --tokens N --turns N --minutes N`)
  if (pause_reason === 'child' || pause_reason === 'workflow' || pause_reason === 'time') {
    console.error(`The run is paused: ${pauseTexts[pause_reason]}. It continues automatically while Tandem is running (tandem start).`)
    return
  }
  console.error(`The run is paused: ${pauseTexts[pause_reason ?? 'user']}. To continue it:`)
  const answer = pause_reason === 'approval' ? ' --answer once' : pause_reason === 'question' ? ' --answer "…"' : ''
  console.error(`  tandem resume ${run_id}${answer}`)
  if (retry_at !== null) console.error('While Tandem is running (tandem start), it also retries automatically.')
}

/** The skills of the agent that the run did not get, and why. */
async function saySkillsLeftOut(client: RuntimeClient, run_id: string): Promise<void> {
  const read = await client.call('agent_run_get_skills', { run_id })
  const left_out = (read.ok && read.value.given?.left_out) || []
  // Without its instructions, a skill has no files either.
  const first = left_out.filter(({ skill_name }, at) => left_out.findIndex((one) => one.skill_name === skill_name) === at)
  for (const { skill_name, level, title } of first)
    console.error(`The prompt did not contain ${level === 'full' ? 'the files of ' : ''}the skill ${skill_name}: ${escapeControls(title)}.`)
}

/** The last line: the state of the run, and what it waits for. */
async function sayEnd(client: RuntimeClient, run_id: string): Promise<void> {
  const [now, approvals, questions] = await Promise.all([
    client.call('agent_run_get', { run_id }),
    client.call('approval_list', { run_id }),
    client.call('question_list', { run_id }),
  ])
  const waiting = { approvals: approvals.ok ? approvals.value.items : [], questions: questions.ok ? questions.value.items : [] }
  console.log(JSON.stringify({ type: 'end', run: now.ok ? now.value.run : null, ...waiting }))
}
