// Which tools fit the words of a query: BM25 over names, descriptions and parameters. Pure, and needs no network.
import { frequency, rarity } from '../../recall/rule/bm25.ts'

export interface SearchedTool {
  readonly tool: string
  readonly server: string
  readonly server_name: string
  readonly description: string
  /** The names and descriptions of its parameters. */
  readonly parameters: string
}

/** A name says more than a sentence. */
const weights = { tool: 4, server: 2, description: 1, parameters: 0.5 }

/** The best first; equally good ones by name. */
export function findTools<Searched extends SearchedTool>(query: string, tools: readonly Searched[]): readonly Searched[] {
  const asked = [...new Set(wordsOf(query))]
  const texts = tools.map((tool) => ({ tool, counts: countsOf(tool) }))
  const averageLength = Math.max(1, texts.reduce((sum, { counts }) => sum + counts.size, 0) / Math.max(1, texts.length))
  const scores = new Map<Searched, number>()
  for (const word of asked) {
    const found = texts.flatMap(({ tool, counts }) => {
      const count = countOf(word, counts)
      return count === 0 ? [] : [{ tool, part: frequency(count, counts.size / averageLength) }]
    })
    // Added to what is common, so that a word in every tool of one server still counts.
    const weight = rarity(found.length, texts.length) + 0.1
    for (const { tool, part } of found) scores.set(tool, (scores.get(tool) ?? 0) + weight * part)
  }
  return [...scores].sort(([left, one], [right, other]) => other - one || (left.tool < right.tool ? -1 : 1)).map(([tool]) => tool)
}

function countsOf({ tool, server, server_name, description, parameters }: SearchedTool): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight)
  }
  add(tool.split('.').slice(2).join(' '), weights.tool)
  add(`${server} ${server_name}`, weights.server)
  add(description, weights.description)
  add(parameters, weights.parameters)
  return counts
}

/** "issue" also finds "issues", and "creating" "create": the beginning decides, if it is long enough to say something. */
const leastShared = 4

function countOf(asked: string, counts: ReadonlyMap<string, number>): number {
  const exact = counts.get(asked)
  if (exact !== undefined) return exact
  const begin = stemOf(asked)
  if (begin.length < leastShared) return 0
  let most = 0
  for (const [word, count] of counts) if (stemOf(word) === begin) most = Math.max(most, count * 0.8)
  return most
}

function stemOf(word: string): string {
  return word.replace(/(?:ings?|ies|es|ed|s|e|y)$/, '')
}

/** `createIssue` and `create_issue` are two words. */
function wordsOf(text: string): string[] {
  const parted = text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKC')
    .toLowerCase()
  return parted.match(/[\p{L}\p{N}]+/gu)?.filter((word) => !fillers.has(word)) ?? []
}

const fillers: ReadonlySet<string> = new Set(
  'a an and are as at be by for from i in is it me my of on or that the this to tool tools use with you'.split(' '),
)
