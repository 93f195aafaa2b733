// What follows from a gap that is no matter of skills: a memory, a source to add, or a change of the policy. By a table over what was
// repeated. It consists of the person's own words, of values that they typed in at least two runs, and of names of tools. Pure.
import { maskSecrets, secretMask } from '../../memory/rule/secret/secrets.ts'
import { inspectText } from '../../policy/untrusted-text.ts'
import { isSafeWord } from '../rollout/rule/safe-values.ts'
import type { Repeated } from './gap.ts'

export interface TypedWord {
  readonly tool: string
  readonly word: string
}

/** Each list has one entry per run of the gap, the latest first. */
export interface GapFacts extends Pick<Repeated, 'what' | 'forbids'> {
  /** The person's own words. */
  readonly said: readonly string[]
  /** The files that they edited by hand: full paths. */
  readonly edited: readonly (readonly string[])[]
  /** The words that they typed into the arguments of calls. */
  readonly typed: readonly (readonly TypedWord[])[]
  /** The tools whose calls they denied, undid or stopped in the latest run. */
  readonly tools: readonly string[]
}

export type GapPlan =
  | { readonly is: 'memory'; readonly content: string }
  | { readonly is: 'source'; readonly path: string }
  | { readonly is: 'policy'; readonly tools: readonly string[]; readonly paths: readonly string[]; readonly stopped: boolean }
  | { readonly is: 'nothing'; readonly because: string }

interface PlanRow {
  readonly what: readonly Repeated['what'][]
  readonly forbids?: boolean
  plan(facts: GapFacts, folder: string): GapPlan | null
  readonly otherwise: string
}

/** The first row that fits decides. If it proposes nothing, its reason is shown. */
export const planTable: readonly PlanRow[] = [
  {
    ...{ what: ['constraint'], forbids: true, plan: forbiddenPaths },
    otherwise: 'No file or folder that you named in at least two runs can be excluded in a policy.',
  },
  {
    ...{
      what: ['constraint'],
      plan: (facts, folder) => namedSource(facts, folder) ?? remembered('The user asked for this in several runs', facts),
    },
    otherwise: 'Your words are not remembered, because they look like a secret or like instructions from elsewhere.',
  },
  {
    ...{
      what: ['corrected_agent'],
      plan: (facts, folder) => namedSource(facts, folder) ?? remembered('The user corrected this in several runs', facts),
    },
    otherwise: 'Your words are not remembered, because they look like a secret or like instructions from elsewhere.',
  },
  { what: ['edited_arguments'], plan: typedValues, otherwise: 'You typed no value in at least two runs.' },
  { what: ['edited_file'], plan: editedSource, otherwise: 'You did not edit the same file or folder in two runs.' },
  {
    ...{ what: ['denied_call', 'restored_checkpoint'], plan: ({ tools }: GapFacts) => stoppedTools(tools, false) },
    otherwise: 'No call is known that a policy could decide about.',
  },
  {
    ...{ what: ['canceled_run'], plan: ({ tools }: GapFacts) => stoppedTools(tools, true) },
    otherwise: 'No call is known that a policy could decide about.',
  },
]

/** `folder`: the workspace. */
export function planOf(facts: GapFacts, folder: string): GapPlan {
  const row = planTable.find(({ what, forbids = facts.forbids }) => what.includes(facts.what) && forbids === facts.forbids)
  return row?.plan(facts, folder) ?? { is: 'nothing', because: row?.otherwise ?? 'Nothing follows from it.' }
}

function stoppedTools(tools: readonly string[], stopped: boolean): GapPlan | null {
  return tools.length === 0 ? null : { is: 'policy', tools: [...new Set(tools)], paths: [], stopped }
}

const longestMemory = 240

/** The latest of their wordings that is safe to repeat. */
function remembered(what: string, { said }: GapFacts): GapPlan | null {
  const found = said.find((words) => words !== '' && words.length <= longestMemory && isHarmless(words))
  return found === undefined ? null : { is: 'memory', content: `${what}: “${found}”` }
}

function isHarmless(text: string): boolean {
  return maskSecrets(text) === text && !text.includes(secretMask) && inspectText('words', text).length === 0
}

const fewestRuns = 2

/** What at least two of the runs have, the most frequent first. */
function shared(runs: readonly (readonly string[])[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const run of runs) for (const one of new Set(run)) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count >= fewestRuns)
    .toSorted(([left, a], [right, b]) => b - a || (left < right ? -1 : 1))
    .map(([one]) => one)
}

const pathWord = /(?<![\p{L}\p{N}_@:/.~-])(?:~\/|\.{0,2}\/)?[\p{L}\p{N}_.-]+(?:\/[\p{L}\p{N}_.-]+)*\/?(?![\p{L}\p{N}_@:/])/gu

/** The paths in a sentence: with a slash, or the name of a file with its ending. A host or a version is none. */
export function pathsIn(words: string): readonly string[] {
  return (words.match(pathWord) ?? [])
    .map((word) => word.replace(/\.+$/, ''))
    .filter((word) => isSafeWord(word) && !/(?:^|\/)\.\.(?:\/|$)/.test(word))
    .filter((word) => (word.includes('/') && /\p{L}/u.test(word)) || isFile.test(word))
    .map((word) => word.replace(/^\.\//, '').replace(/\/$/, ''))
    .filter((word) => word !== '' && word !== '.' && word !== '~')
}

/** Endings of addresses are left out: "example.com" is a host. */
const isFile = /^\.[\p{L}][\p{L}\p{N}_.-]+$|^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*\.(?!(?:com|org|net|io|dev|de|eu|app)$)\p{L}[\p{L}\p{N}]{0,5}$/u

function forbiddenPaths({ said }: GapFacts): GapPlan | null {
  const [path] = shared(said.map(pathsIn))
  return path === undefined ? null : { is: 'policy', tools: [], paths: [path], stopped: false }
}

/** "Follow docs/style.md", "see the guide in docs/", "steht in docs/api.md": what to read, not where to write. */
const refers =
  /\b(?:see|read|consult|check|follow\p{L}*|according to|described in|documented in|as in|look (?:at|in|up)|stick to|siehe|lies|lest|nachles\p{L}*|steht|stehen|befolg\p{L}*|beachte|laut|gemäß|nach|halt\p{L}* dich an)\b/iu

function namedSource({ said }: GapFacts, folder: string): GapPlan | null {
  const [path] = shared(said.map((words) => (refers.test(words) ? pathsIn(words) : [])))
  return path === undefined ? null : { is: 'source', path: fullPath(path, folder) }
}

function fullPath(path: string, folder: string): string {
  return path.startsWith('/') || path.startsWith('~') ? path : `${folder}/${path}`
}

/** The same file; otherwise the same folder below the workspace. */
function editedSource({ edited }: GapFacts, folder: string): GapPlan | null {
  const inside = edited.map((paths) => paths.filter((path) => path.startsWith(`${folder}/`)))
  const [file] = shared(inside)
  if (file !== undefined) return { is: 'source', path: file }
  const [parent] = shared(inside.map((paths) => paths.map((path) => path.slice(0, path.lastIndexOf('/')))))
  return parent === undefined || parent === folder ? null : { is: 'source', path: parent }
}

const mostTyped = 10

function typedValues({ typed }: GapFacts): GapPlan | null {
  const words = shared(typed.map((run) => run.map(({ tool, word }) => `${tool} ${word}`))).slice(0, mostTyped)
  const tool = words[0]?.split(' ')[0]
  if (tool === undefined) return null
  const values = words.filter((one) => one.startsWith(`${tool} `)).map((one) => one.slice(tool.length + 1))
  return {
    is: 'memory',
    content: `In calls of ${tool}, use what the user types there by hand: ${values.join(', ')}`,
  }
}
