// `tandem team messages` and `graph`.
import type { TeamMessage } from '@tandem/contract/team'
import { grouped } from '@tandem/contract/text'
import { listed } from '../command/listing.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { isId, json, limitOf, limitProblem } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { utcSecond } from '../terminal/time.ts'
import { oneRun } from './show.ts'
import { titleText } from './text.ts'

export const messagesUsage = explainedUsage(
  'tandem team messages RUN [--limit N] [--json]',
  'Lists the messages between the members of a team, oldest first.',
)
export const graphUsage = explainedUsage(
  'tandem team graph [--json]',
  'Shows which agents may delegate to which, and how often they have on this device.',
)

export async function messages(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { limit: { type: 'string', default: '200' }, json }, messagesUsage)
  if (!given.ok) return given.code
  const [run_id, ...more] = given.words
  if (!isId(run_id) || more.length > 0) return printUsage(oneRun, messagesUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, messagesUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const known = await client.call('team_get', { run_id })
    if (!known.ok) return refused(known.error, 'List the runs and their ids with tandem runs.')
    const titles = new Map(known.value.team.members.map((member) => [member.run_id, titleText(member)]))
    return await listed<TeamMessage>({
      ...{ limit, json: given.values.json, none: 'The members have not written to each other.' },
      page: (paging) => client.call('team_list_messages', { run_id, ...paging }),
      rows: async (items) => items.map((message) => rowOf(message, titles)),
    })
  })
}

function rowOf({ from_run_id, to_run_id, topic, text, sent_at }: TeamMessage, titles: ReadonlyMap<string, string>): string[] {
  const to = to_run_id === null ? 'all' : (titles.get(to_run_id) ?? to_run_id)
  const said = singleLine(text, 4_000)
  return [
    utcSecond(sent_at),
    `${titles.get(from_run_id) ?? from_run_id} to ${to}`,
    topic === null ? said : `[${singleLine(topic, 60)}] ${said}`,
  ]
}

export async function graph(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, graphUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, graphUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call('team_get_graph', {})
    if (!answer.ok) return refused(answer.error)
    const { agents, edges } = answer.value.graph
    if (given.values.json) {
      console.log(JSON.stringify(answer.value))
      return 0
    }
    const names = new Map(agents.map(({ agent_id, name }) => [agent_id, singleLine(name, 60)]))
    const rows = edges.map(({ from_agent_id: from, to_agent_id: to, allowed, delegated, failed }) => [
      `${names.get(from) ?? from} to ${names.get(to) ?? to}`,
      allowed ? 'allowed' : 'not allowed',
      `${counted(delegated, 'time')}, ${grouped(failed)} failed`,
    ])
    console.log(rows.length === 0 ? 'No agent may delegate to another, and none has.' : table(rows))
    return 0
  })
}
