// How the tables of words would do on a part of the history that no one had read: every alternative that matches no failure of the two other
// parts is left out, and the third is measured. It is a lower estimate, since words that were added on general grounds are left out as well.
// Usage: node bench/learning-rotation.ts
import { conditions } from '../packages/runtime/src/learning/pattern/condition.ts'
import { factRows, inWords } from '../packages/runtime/src/learning/pattern/kind-of-fact.ts'
import { failed, type Part, runsOf, tunedParts } from './learning-history/run.ts'
import { learningQuality } from './learning-quality.ts'

interface Slot {
  readonly expression: RegExp
  readonly pieces: readonly string[]
  /** How a line is changed before it is compared. */
  prepared(line: string): string
  set(expression: RegExp): void
}

const asPrinted = (line: string) => line
const slots: readonly Slot[] = [
  ...conditions.flatMap((row) => slotOf(row.text, asPrinted, (text) => Object.assign(row, { text }))),
  ...factRows.flatMap((row) => [
    ...slotOf(row.things, inWords, (things) => Object.assign(row, { things })),
    ...slotOf(row.states, inWords, (states) => Object.assign(row, { states })),
    ...slotOf(row.alone, inWords, (alone) => Object.assign(row, { alone })),
  ]),
]

function slotOf(expression: RegExp | undefined, prepared: Slot['prepared'], set: Slot['set']): readonly Slot[] {
  return expression ? [{ expression, pieces: alternativesOf(expression.source).flatMap(unwrapped), prepared, set }] : []
}

/** Separated by bars that are in no group. */
function alternativesOf(source: string): readonly string[] {
  const found: string[] = []
  let [depth, inClass, current] = [0, false, '']
  for (let at = 0; at < source.length; at += 1) {
    const sign = source.charAt(at)
    if (sign === '\\') {
      current += source.slice(at, at + 2)
      at += 1
      continue
    }
    if (sign === '[') inClass = true
    if (sign === ']') inClass = false
    if (!inClass && sign === '(') depth += 1
    if (!inClass && sign === ')') depth -= 1
    if (sign === '|' && depth === 0 && !inClass) {
      found.push(current)
      current = ''
    } else current += sign
  }
  return [...found, current]
}

/** `\b(?:one|two)\b` has two alternatives. */
function unwrapped(source: string): readonly string[] {
  const [, before = '', inner, after = ''] = /^((?:\\b|\^|\\s\*)*)\(\?:(.*)\)((?:\\w\*)?(?:\\b)?)$/.exec(source) ?? []
  if (inner === undefined || !isBalanced(inner)) return [source]
  return alternativesOf(inner).map((one) => `${before}(?:${one})${after}`)
}

function isBalanced(source: string): boolean {
  let depth = 0
  for (const [sign] of source.replaceAll(/\\./g, '').matchAll(/[()]/g)) {
    depth += sign === '(' ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}

function failuresOf(part: Part): readonly string[] {
  const texts = runsOf(part).flatMap(({ calls }) =>
    calls.filter(failed).map(({ failure, result }) => failure?.details.message ?? result?.output ?? ''),
  )
  return [...new Set(texts.flatMap((text) => text.split('\n').map((line) => line.trim().slice(0, 2_000))))]
}

const lines = new Map<Part, readonly string[]>(tunedParts.map((part) => [part, failuresOf(part)]))
const total = slots.reduce((sum, { pieces }) => sum + pieces.length, 0)

for (const part of tunedParts) {
  const others = tunedParts.filter((one) => one !== part).flatMap((one) => lines.get(one) ?? [])
  let kept = 0
  for (const { expression, pieces, prepared, set } of slots) {
    const known = others.map(prepared)
    const used = pieces.filter((piece) => {
      const alternative = new RegExp(piece, expression.flags)
      return known.some((line) => alternative.test(line))
    })
    kept += used.length
    set(new RegExp(used.length > 0 ? used.join('|') : '(?!)', expression.flags))
  }
  const { misses: _, ...figures } = learningQuality(part)
  process.stdout.write(`${part}, with ${kept} of ${total} alternatives\n`)
  for (const [name, figure] of Object.entries(figures))
    process.stdout.write(`  ${name}: ${Number.isInteger(figure) ? figure : figure.toFixed(3)}\n`)
}
