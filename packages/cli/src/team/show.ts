// `tandem team RUN`: the members of a team, now or until all of them have ended.
import { isTerminalRunState } from '@tandem/contract/run'
import type { Team, TeamMember } from '@tandem/contract/team'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, isId, json } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { needLines, stateText, teamLines, titleText } from './text.ts'

export const showUsage = explainedUsage(
  'tandem team RUN [--follow] [--json]',
  'Shows the team of a run: its members with their states, what they do, their tokens, and what they need from you.',
  '--follow: print each change until all members have ended. Without a running Tandem the members do not continue.',
)

export const oneRun = 'specify one run by its id. List the runs and their ids with tandem runs.'
const look_ms = 1_000

export async function show(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { follow: flag, json }, showUsage)
  if (!given.ok) return given.code
  const [run_id, ...more] = given.words
  if (!isId(run_id) || more.length > 0) return printUsage(oneRun, showUsage)
  const { follow, json: asJson } = given.values
  return await withRuntimeClient(process.cwd(), async (client) => {
    const first = await client.call('team_get', { run_id })
    if (!first.ok) return refused(first.error, 'List the runs and their ids with tandem runs.')
    const { team } = first.value
    console.log(asJson ? JSON.stringify({ team }) : teamLines(team).join('\n'))
    return follow ? await followTeam(client, run_id, team, asJson) : 0
  })
}

async function followTeam(client: RuntimeClient, run_id: string, first: Team, asJson: boolean): Promise<number> {
  let before = first
  while (client.kind === 'attached' && before.members.some(({ state }) => !isTerminalRunState(state))) {
    await new Promise((resolve) => setTimeout(resolve, look_ms))
    const answer = await client.call('team_get', { run_id })
    if (!answer.ok) return refused(answer.error)
    const { team } = answer.value
    const lines = changeLines(before, team)
    if (asJson && lines.length > 0) console.log(JSON.stringify({ team }))
    else for (const line of lines) console.log(line)
    before = team
  }
  return 0
}

/** A line per member that is new, has another state, does something else or needs something else. */
export function changeLines(before: Team, after: Team): string[] {
  const known = new Map(before.members.map((member) => [member.run_id, member]))
  return after.members.flatMap((member) => {
    const old = known.get(member.run_id)
    if (old && shownOf(old) === shownOf(member)) return []
    const isSameState = old && stateText(old) === stateText(member)
    const text = isSameState && member.doing !== null ? singleLine(member.doing, 200) : stateText(member)
    return [`${titleText(member)}: ${text}`, ...needLines(member).map((line) => `  ${line}`)]
  })
}

function shownOf(member: TeamMember): string {
  return JSON.stringify([stateText(member), member.doing, needLines(member)])
}
