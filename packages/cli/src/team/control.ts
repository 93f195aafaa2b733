// `tandem team pause`, `resume`, `cancel` and `raise`.

import type { CommandParams, CommandResult } from '@tandem/contract/command'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { isId, json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { oneRun } from './show.ts'
import { teamLines } from './text.ts'

export const pauseUsage = explainedUsage('tandem team pause RUN [--json]', 'Pauses a run and everything it started.')
export const resumeUsage = explainedUsage(
  'tandem team resume RUN [--json]',
  'Resumes a run and everything it started. Without a running Tandem, use tandem resume RUN, which waits for them.',
)
export const cancelUsage = explainedUsage(
  'tandem team cancel RUN [--reason TEXT] [--json]',
  'Stops a run and everything it started. Copies of folders that were not merged are kept.',
)
export const raiseUsage = explainedUsage(
  'tandem team raise RUN [--tokens N] [--turns N] [--minutes N] [--json]',
  'Allows a team to spend this much more, and resumes the runs that were paused because the budget was used up.',
)

export async function pause(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, pauseUsage)
  if (!given.ok) return given.code
  const [run_id, ...more] = given.words
  if (!isId(run_id) || more.length > 0) return printUsage(oneRun, pauseUsage)
  return await control(given.values.json, (client) => client.call('team_pause', { run_id }))
}

export async function resume(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, resumeUsage)
  if (!given.ok) return given.code
  const [run_id, ...more] = given.words
  if (!isId(run_id) || more.length > 0) return printUsage(oneRun, resumeUsage)
  return await control(given.values.json, (client) => client.call('team_resume', { run_id }))
}

export async function cancel(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { reason: text, json }, cancelUsage)
  if (!given.ok) return given.code
  const [run_id, ...more] = given.words
  if (!isId(run_id) || more.length > 0) return printUsage(oneRun, cancelUsage)
  const { reason } = given.values
  if (reason?.trim() === '') return printUsage('--reason must not be empty', cancelUsage)
  const params = { run_id, ...(reason === undefined ? {} : { reason }) }
  return await control(given.values.json, (client) => client.call('team_cancel', params))
}

export async function raise(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { tokens: text, turns: text, minutes: text, json }, raiseUsage)
  if (!given.ok) return given.code
  const [run_id, ...more] = given.words
  if (!isId(run_id) || more.length > 0) return printUsage(oneRun, raiseUsage)
  const { tokens, turns, minutes } = given.values
  const amounts = [
    ['--tokens', tokens, 'tokens', 1],
    ['--turns', turns, 'turns', 1],
    ['--minutes', minutes, 'seconds', 60],
  ] as const
  const params: CommandParams<'team_raise_budget'> = { run_id }
  for (const [option, said, name, times] of amounts) {
    if (said === undefined) continue
    if (!/^[1-9]\d{0,8}$/.test(said)) return printUsage(`${option} must be a whole number above 0`, raiseUsage)
    params[name] = Number(said) * times
  }
  if (Object.keys(params).length === 1) return printUsage('specify how much more with --tokens, --turns or --minutes', raiseUsage)
  return await control(given.values.json, (client) => client.call('team_raise_budget', params))
}

/** Prints the team as it is afterwards. */
async function control(
  asJson: boolean,
  call: (client: RuntimeClient) => Promise<CommandAnswer<CommandResult<'team_get'>>>,
): Promise<number> {
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await call(client)
    if (!answer.ok) return refused(answer.error, 'List the runs and their ids with tandem runs.')
    console.log(asJson ? JSON.stringify(answer.value) : teamLines(answer.value.team).join('\n'))
    return 0
  })
}
