// `tandem evolution versions` and `diff`: every version of a text, and what changed between two of them.
import type { SkillVersion } from '@tandem/contract/skill-recommendation'
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import { listed } from '../command/listing.ts'
import { words } from '../learning/text.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { idProblem, json, limitOf, limitProblem } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { styled } from '../terminal/style.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { oneIdProblem, stepFor } from './arguments.ts'

export const versionsUsage = explainedUsage(
  'tandem evolution versions ID [--limit N] [--json]',
  'Lists every version of the text of a recommendation, newest first.',
)
export const diffUsage = explainedUsage(
  'tandem evolution diff ID [FROM TO] [--json]',
  'Shows what changed from version FROM to version TO; without them, from the previous version to the newest.',
)

type Filter = { readonly skill_name: string } | { readonly recommendation_id: string }

/** Versions of a skill outlive the recommendation that made the first one. */
async function filterOf(client: RuntimeClient, recommendation_id: string): Promise<CommandAnswer<Filter>> {
  const found = await client.call('skill_get_recommendation', { recommendation_id })
  if (!found.ok) return found
  const { skill_name } = found.value.recommendation
  return { ok: true, value: skill_name === null ? { recommendation_id } : { skill_name } }
}

export async function versions(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { limit: { type: 'string', default: '50' }, json }, versionsUsage)
  if (!given.ok) return given.code
  const problem = oneIdProblem('recommendation', given.words)
  if (problem) return printUsage(problem, versionsUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, versionsUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await filterOf(client, given.words[0] ?? '')
    if (!of.ok) return refused(of.error, stepFor(of.error))
    return await listed({
      ...{ limit, json: given.values.json, none: 'There is no version until the draft is written.' },
      page: (paging) => client.call('skill_list_versions', { ...of.value, ...paging }),
      async rows(items) {
        const rows = items.map((one) => [
          ...[String(one.skill_version), utcMinute(one.created_at), words(one.state), one.content_sha256.slice(0, 12)],
          singleLine(one.summary, 160),
        ])
        return [['version', 'created', 'state', 'sha256', 'what'], ...rows]
      },
    })
  })
}

export async function diff(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, diffUsage)
  if (!given.ok) return given.code
  const [id, from, to, ...more] = given.words
  if (id === undefined || more.length > 0 || (from !== undefined && to === undefined))
    return printUsage('specify one recommendation, and two versions or none', diffUsage)
  const problem = idProblem('ID', id)
  if (problem) return printUsage(problem, diffUsage)
  if (![from, to].every((one) => one === undefined || /^\d{1,9}$/.test(one)))
    return printUsage('FROM and TO must be numbers of versions', diffUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const of = await filterOf(client, id)
    if (!of.ok) return refused(of.error, stepFor(of.error))
    const all: SkillVersion[] = []
    let cursor: string | null = null
    do {
      const page: CommandAnswer<{ items: SkillVersion[]; next_cursor: string | null }> = await client.call('skill_list_versions', {
        ...of.value,
        ...{ limit: 200, ...(cursor === null ? {} : { cursor }) },
      })
      if (!page.ok) return refused(page.error)
      all.push(...page.value.items)
      cursor = page.value.next_cursor
    } while (cursor !== null)
    const chosen = (number: string | undefined, or: number) =>
      number === undefined ? all[or] : all.find(({ skill_version }) => skill_version === Number(number))
    const [before, after] = [chosen(from, 1), chosen(to, 0)]
    if (!before || !after) {
      const missing = before ? to : from
      console.error(
        `tandem: ${missing === undefined ? `there are not two versions of ${id} yet` : `there is no version ${missing} of ${id}`}`,
      )
      console.error(`        List them with tandem evolution versions ${id}.`)
      return 1
    }
    return print(before, after, given.values.json)
  })
}

/** With more edits, the search for the shortest diff takes too long. */
const limits = { context: 3, maxEditLength: 2_000, timeout: 1_000 }

function print(before: SkillVersion, after: SkillVersion, asJson: boolean): number {
  const name = ({ skill_version }: SkillVersion) => `version ${skill_version}`
  const patch = structuredPatch(name(before), name(after), before.content, after.content, '', '', limits)
  const text = patch ? formatPatch(patch, FILE_HEADERS_ONLY) : null
  if (asJson) {
    console.log(JSON.stringify({ from: before.skill_version, to: after.skill_version, diff: text }))
    return 0
  }
  if (text === null) console.log(`Nearly every line differs (${counted(after.content.length, 'character')}). Read both with --json.`)
  else if (patch?.hunks.length === 0) console.log('Both have the same text.')
  else console.log(text.trimEnd().split('\n').map(colored).join('\n'))
  return 0
}

function colored(line: string): string {
  const color = ({ '+': 'green', '-': 'red', '@': 'cyan' } as const)[line.slice(0, 1)]
  const shown = escapeControls(line)
  return color ? styled(color, shown, process.stdout) : shown
}
