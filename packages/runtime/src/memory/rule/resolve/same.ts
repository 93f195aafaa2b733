// Whether two memories state the same thing. Pure.
import type { Memory } from '@tandem/contract/memory'
import { memoized } from '../memoized.ts'

/** Words that change nothing about what a statement says. */
const fillers = new Set('a an the please just really very so also actually basically btw ok okay well then that'.split(' '))

const numbers: Readonly<Record<string, string>> = Object.fromEntries(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, number) => [word, String(number)]),
)

const opening = /^["'“”‘’«»([{]+/u
const closing = /["'“”‘’«»)\]}.,;:!?…]+$/u

/** The words of a statement, in their order and without fillers. Signs inside a word stay, so that `c`, `c++` and `10%` differ. */
export const statementWords = memoized((content): readonly string[] =>
  content
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\bcan(?:not|'t)\b/gu, "cann't")
    .replace(/\bwon't\b/gu, "willn't")
    .replace(/n't\b/gu, ' not')
    .split(/\s+/u)
    .map((word) => word.replace(opening, '').replace(closing, ''))
    .filter((word) => word !== '' && !fillers.has(word))
    .map((word) => (Object.hasOwn(numbers, word) ? (numbers[word] ?? word) : word)),
)

/**
 * Equal for memories that state the same, and only for those: the words agree in their order, and with them every number and negation.
 * Being a key, it makes "the same" transitive, so that the order in which memories are compared cannot matter.
 */
export function statementKey({ content, procedure }: Pick<Memory, 'content' | 'procedure'>): string {
  const words = statementWords(content).join(' ')
  return `${words === '' ? content : words}${procedure === null ? '' : `\n${JSON.stringify(procedure.steps)}`}`
}

export function isSameStatement(left: string, right: string): boolean {
  return statementKey({ content: left, procedure: null }) === statementKey({ content: right, procedure: null })
}
