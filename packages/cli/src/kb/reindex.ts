import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, json } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { nothingAdded } from './list.ts'
import { readingOf } from './reading.ts'
import { leftText, reportReading } from './reading-report.ts'
import { findSource } from './source.ts'

export const reindexUsage = explainedUsage(
  'tandem kb reindex [SOURCE] [--no-wait] [--json]',
  'Compares a source, or all sources, with their files, reads what has changed, and loads pages again.',
)

export async function reindex(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { 'no-wait': flag, json }, reindexUsage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === '' || more.length > 0) return printUsage('specify at most one source, by its name or id', reindexUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const source = wanted === undefined ? null : await findSource(client, wanted)
    if (source && !source.ok) return refused(source.error)
    const answer = await client.call('kb_reindex', source ? { source_id: source.value.source_id } : {})
    if (!answer.ok) return refused(answer.error)
    const { sources } = answer.value
    if (sources.length === 0 || given.values['no-wait']) {
      const done = sources.length === 0 ? nothingAdded : leftText(client.kind, sources)
      console.log(given.values.json ? JSON.stringify({ sources }) : done)
      return 0
    }
    const end = await readingOf(client, sources)
    return await reportReading(client, sources, end, { json: given.values.json ? (all) => ({ sources: all }) : null })
  })
}
