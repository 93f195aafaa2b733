import { type FailurePattern, rankByCost } from '@tandem/contract/learning'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { agentFilter } from './arguments.ts'
import { patternLines } from './text.ts'

export const patternsUsage = explainedUsage(
  'tandem learning patterns [--agent NAME] [--json]',
  'Lists failures that recur, the most expensive first: by the tokens and the time that runs spent after them.',
)

export async function patterns(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, json }, patternsUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, patternsUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await agentFilter(client, given.values.agent)
    if (!of.ok) return refused(of.error)
    const all: FailurePattern[] = []
    let cursor: string | null = null
    do {
      const page: CommandAnswer<{ items: FailurePattern[]; next_cursor: string | null }> = await client.call(
        'agent_run_list_failure_patterns',
        { ...of.value, limit: 200, ...(cursor === null ? {} : { cursor }) },
      )
      if (!page.ok) return refused(page.error)
      all.push(...page.value.items)
      cursor = page.value.next_cursor
    } while (cursor !== null)
    const ranked = [false, true].flatMap((aged) => rankByCost(all.filter((one) => one.aged === aged)))
    if (given.values.json) for (const one of ranked) console.log(JSON.stringify(one))
    else console.log(ranked.length === 0 ? 'No failures have been found in runs yet.' : ranked.flatMap(patternLines).join('\n'))
    return 0
  })
}
