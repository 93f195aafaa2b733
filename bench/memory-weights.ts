// Learns how much each signal and each usual word speaks for keeping a sentence, from the four months for tuning, and writes the weights:
// `node bench/memory-weights.ts`. A logistic regression; the fifth month is not read. With names of months, it learns from these only, so
// that the others can be measured with weights that do not know them.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { wordFeatures } from '../packages/runtime/src/memory/rule/extract/features.ts'
import { weighed } from '../packages/runtime/src/memory/rule/extract/judgment.ts'
import { ownSentences } from '../packages/runtime/src/memory/rule/extract/own-words.ts'
import { readingOf } from '../packages/runtime/src/memory/rule/extract/reading.ts'
import { hasSecret } from '../packages/runtime/src/memory/rule/secret/secrets.ts'
import { loadMonth } from './memory-month-data.ts'

interface Expected {
  readonly statement: string
  readonly contains: readonly string[]
  readonly messages: readonly string[]
  readonly optional?: boolean
}

interface Sample {
  readonly features: ReadonlyMap<string, number>
  readonly words: ReadonlySet<string>
  readonly isKept: boolean
}

/** A word counts if it is in so many sentences of two months: others say more about one person than about English. */
const leastSentences = 3
const leastMonths = 2
const timesExample = 5
const [decay, rounds, step] = [0.005, 600, 0.05]

const all = ['tuning', 'tuning-2', 'held-out', 'fourth'] as const
const chosen = process.argv.length > 2 ? all.filter((name) => process.argv.includes(name)) : all
const months = chosen.map(samplesOf)
const words = commonWords(months.map((samples) => samples.map((sample) => sample.words)))
const samples = [...months.flat(), ...examples()].map(({ features, words: own, isKept }) => ({
  isKept,
  features: new Map([...features, ...[...own].filter((word) => words.has(word)).map((word) => [word, 1] as const)]),
}))
const { bias, weights } = regression(samples)
const path = fileURLToPath(new URL('../packages/runtime/src/memory/rule/extract/weights.ts', import.meta.url))
const lines = [...weights]
  .filter(([, weight]) => Math.abs(weight) >= 0.01)
  .toSorted(([left], [right]) => (left < right ? -1 : 1))
  .map(([name, weight]) => `  [${JSON.stringify(name)}, ${weight.toFixed(2)}],`)
writeFileSync(
  path,
  `// Written by bench/memory-weights.ts: learned from the months for tuning. Not edited by hand.\n\nexport const bias = ${bias.toFixed(2)}\n\nexport const weights: ReadonlyMap<string, number> = new Map([\n${lines.join('\n')}\n])\n`,
)
console.log(`${samples.length} sentences, ${words.size} words, ${lines.length} weights`)

function samplesOf(half: string): readonly Sample[] {
  const expected = jsonLines<Expected>(`${half}/expected.jsonl`)
  return loadMonth(half).messages.flatMap(({ id, author, text }) => {
    if (author !== 'person') return []
    const items = expected.filter(({ messages }) => messages.includes(id))
    return ownSentences(text).flatMap((sentence) => {
      if (hasSecret(sentence.text)) return []
      const stated = items.filter((item) => isStated(sentence.text, item))
      // Whether an optional item is kept does not matter, so nothing is learned from it.
      if (stated.length > 0 && stated.every(({ optional }) => optional)) return []
      return [{ features: weighed(readingOf(sentence.text)).features, words: wordFeatures(sentence.text), isKept: stated.length > 0 }]
    })
  })
}

/** Short sentences of everyday English, written for this purpose; each counts like several of the months. */
function examples(): readonly Sample[] {
  return jsonLines<{ text: string; kept: boolean }>('examples.jsonl')
    .map(({ text, kept }) => ({ features: weighed(readingOf(text)).features, words: wordFeatures(text), isKept: kept }))
    .flatMap((sample) => Array.from({ length: timesExample }, () => sample))
}

function jsonLines<Line>(file: string): readonly Line[] {
  return readFileSync(new URL(`./memory-month/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function isStated(sentence: string, { contains, statement }: Expected): boolean {
  const lower = sentence.toLowerCase()
  if (contains.every((entry) => entry.split('|').some((word) => lower.includes(word.toLowerCase())))) return true
  const [one, other] = [contentWords(sentence), contentWords(statement)]
  return one.intersection(other).size / Math.max(1, Math.min(one.size, other.size)) >= 0.5
}

function contentWords(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 3 || /\d/.test(word)))
}

function commonWords(all: readonly (readonly ReadonlySet<string>[])[]): ReadonlySet<string> {
  const inMonths = new Map<string, number>()
  for (const sentences of all) {
    const counts = new Map<string, number>()
    for (const own of sentences) for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, count] of counts) if (count >= leastSentences) inMonths.set(word, (inMonths.get(word) ?? 0) + 1)
  }
  return new Set([...inMonths].filter(([, count]) => count >= leastMonths).map(([word]) => word))
}

/** Adam on the whole set: the same weights every time. */
function regression(list: readonly { readonly features: ReadonlyMap<string, number>; readonly isKept: boolean }[]) {
  const names = [...new Set(list.flatMap(({ features }) => [...features.keys()]))].toSorted()
  const place = new Map(names.map((name, index) => [name, index + 1]))
  const rows = list.map(({ features, isKept }) => ({
    target: isKept ? 1 : 0,
    values: [[0, 1] as const, ...[...features].map(([name, value]) => [place.get(name) ?? 0, value] as const)],
  }))
  const size = names.length + 1
  const [found, mean, spread] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)]
  for (let round = 1; round <= rounds; round += 1) {
    const slope = found.map((weight, at) => (at === 0 ? 0 : decay * weight))
    for (const { target, values } of rows) {
      const sum = values.reduce((total, [at, value]) => total + (found[at] ?? 0) * value, 0)
      const error = (1 / (1 + Math.exp(-sum)) - target) / rows.length
      for (const [at, value] of values) slope[at] = (slope[at] ?? 0) + error * value
    }
    for (let at = 0; at < size; at += 1) {
      const one = slope[at] ?? 0
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * one
      spread[at] = 0.999 * (spread[at] ?? 0) + 0.001 * one ** 2
      const [first, second] = [(mean[at] ?? 0) / (1 - 0.9 ** round), (spread[at] ?? 0) / (1 - 0.999 ** round)]
      found[at] = (found[at] ?? 0) - (step * first) / (Math.sqrt(second) + 1e-8)
    }
  }
  return { bias: found[0] ?? 0, weights: new Map(names.map((name, index) => [name, found[index + 1] ?? 0])) }
}
