// Which values of calls may appear in a draft: those that a person typed or approved in at least two runs. Everything else that is in the
// arguments of a call may come from a page, a file or another agent, and becomes a placeholder. Pure.
import { maskSecrets } from '../../../memory/rule/secret/secrets.ts'
import { programsIn } from '../../../policy/shell/run-programs.ts'
import { inspectText } from '../../../policy/untrusted-text.ts'
import { textsIn } from '../../rule/call-shape.ts'
import type { EvidenceRun } from './evidence.ts'

export interface SafeValues {
  /** A single word, for example a path or an option. */
  has(word: string): boolean
  /** A text that is used exactly as it is, for example a command. */
  hasWhole(text: string): boolean
}

const fewestRuns = 2
const [longestWord, longestText] = [120, 500]

export function safeValues(runs: readonly EvidenceRun[]): SafeValues {
  /** By value, the runs in which a person saw and approved it, and those in which a rule of theirs covered a call with it. */
  const [approved, covered] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const note = (seen: Map<string, Set<string>>, texts: readonly string[], run_id: string) => {
    for (const text of texts) seen.set(text, (seen.get(text) ?? new Set<string>()).add(run_id))
  }
  for (const { run_id, calls } of runs)
    for (const call of calls) {
      if (call.approved) note(approved, valuesIn(call.arguments), run_id)
      else if (call.covered) {
        note(approved, call.covered, run_id)
        note(covered, valuesIn(call.arguments), run_id)
      }
    }
  const said = runs.map(({ run_id, said: sentences }) => ({ run_id, text: ` ${sentences.join('\n')} ` }))

  /** A rule covers what no one has seen as well: once at least, the person must have. */
  function isKnown(text: string): boolean {
    const typed = said.flatMap(({ run_id, text: words }) => (isTyped(text, words) ? [run_id] : []))
    const seen = [...typed, ...(approved.get(text) ?? [])]
    return seen.length > 0 && new Set([...seen, ...(covered.get(text) ?? [])]).size >= fewestRuns
  }

  return {
    has: (word) => isSafeWord(word) && isKnown(word),
    hasWhole: (text) =>
      text.length <= longestText && text.trim() !== '' && !/[\p{Cc}]|\{\{/u.test(text) && isHarmless(text) && isKnown(text),
  }
}

/** Without spaces, quotes and marks that would end a code span: it cannot be a sentence. */
const isWord = /^[\p{L}\p{N}_@%+=:,./~*#^-]+$/u

/** It can be shown if a person typed or approved it. */
export function isSafeWord(word: string): boolean {
  return word.length <= longestWord && isWord.test(word) && isHarmless(word)
}

/** The words of a command, and the parts of a path, count on their own; other texts as a whole. */
function valuesIn(args: Readonly<Record<string, unknown>>): readonly string[] {
  const { command } = args
  const words = typeof command === 'string' ? programsIn(command).flatMap(({ program, words: given }) => [program, ...given]) : []
  const texts = [...textsIn(args), ...words]
  return [...texts, ...texts.flatMap((text) => (isPath(text) ? text.split('/') : []))]
}

export function isPath(text: string): boolean {
  return text.length <= longestText && /^[^\s]+$/.test(text) && text.includes('/')
}

/** As a whole word or phrase: "rm" is not typed by someone who wrote "farm". */
function isTyped(text: string, words: string): boolean {
  for (let at = words.indexOf(text); at >= 0; at = words.indexOf(text, at + 1))
    if (!isInner(words[at - 1]) && !isInner(words[at + text.length])) return true
  return false
}

function isInner(character = ' '): boolean {
  return /[\p{L}\p{N}_/-]/u.test(character)
}

function isHarmless(text: string): boolean {
  return maskSecrets(text) === text && inspectText('value', text).length === 0
}
