import { type ListedModel, modelFacts, priceText, searchModels } from '@tandem/contract/model'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { limitOf, limitProblem } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { utcMinute } from '../terminal/time.ts'

const usage = joinUsages(
  explainedUsage(
    'tandem models [WORDS] [--limit N] [--json]',
    'Lists the models that the address in the settings offers, with context window, images, tools and price where known.',
    'WORDS: only those with these words in their name. --limit: at most this many; the default is 20.',
  ),
  explainedUsage('tandem models --test [--json]', 'Tests whether the address responds and accepts the key.'),
)

/** `tandem models`: what the address offers, and whether it responds. */
export async function models(args: readonly string[]): Promise<number> {
  const given = parseArguments(
    args,
    { limit: { type: 'string', default: '20' }, test: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    usage,
  )
  if (!given.ok) return given.code
  const { test, json } = given.values
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, usage)
  if (test && given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, usage)
  const query = given.words.join(' ')
  return await withRuntimeClient(process.cwd(), async (client) => {
    if (test) {
      const tested = await client.call('model_test_connection', {})
      if (!tested.ok) return refused(tested.error)
      const { works, message, remedy } = tested.value
      console.log(json ? JSON.stringify(tested.value) : works ? message : `${message}\n${remedy}`)
      return works ? 0 : 1
    }
    const listed = await client.call('model_catalog', {})
    if (!listed.ok) return refused(listed.error)
    const { models: all, problem, seen_at, omitted } = listed.value
    if (problem) console.error(`tandem: ${problem.message} ${problem.remedy}`)
    if (problem && seen_at !== null) console.error(`tandem: this list is from ${utcMinute(seen_at)}`)
    const found = searchModels(all, query, Number.POSITIVE_INFINITY)
    const shown = found.slice(0, limit)
    if (json) for (const one of shown) console.log(JSON.stringify(one))
    else if (shown.length > 0) console.log(table(shown.map((one) => [one.id, factsOf(one)])))
    else if (!problem) console.log(all.length === 0 ? 'The address lists no models.' : 'No model matches.')
    const more = found.length - shown.length + omitted
    if (more > 0 && !json) console.error(`${more} more. Add words, or use --limit.`)
    return problem && all.length === 0 ? 1 : 0
  })
}

/** What is known about a model, in one line. */
export function factsOf(model: ListedModel): string {
  const price = model.billing === 'local' ? ['local'] : model.price ? [priceText(model.price)] : []
  return [...(model.name === null ? [] : [model.name]), ...modelFacts(model), ...price].join(' · ')
}
