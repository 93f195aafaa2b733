// A routine as a draft shows it: its steps with the values that may be shown, the person's own words, and what it is called. Pure.
import { visibleText } from '@tandem/contract/text'
import { programsIn } from '../../../policy/shell/run-programs.ts'
import { inspectText } from '../../../policy/untrusted-text.ts'
import { usableName } from '../../../skill/skill-name.ts'
import { lineOf } from '../../rule/behavior.ts'
import { conceptsOf } from '../../rule/concepts.ts'
import { constraintsIn } from '../../rule/constraint.ts'
import type { EvidenceCall, EvidenceRun } from './evidence.ts'
import { isPath, type SafeValues, safeValues } from './safe-values.ts'

export interface RoutineArgument {
  readonly name: string
  /** Null if it is given each time. */
  readonly value: string | null
}

export interface RoutineStep {
  readonly tool: string
  readonly arguments: readonly RoutineArgument[]
}

export interface Routine {
  readonly runs: number
  readonly steps: readonly RoutineStep[]
  /** What a person asked for, each once, the latest first. */
  readonly requests: readonly string[]
  /** What a person asked for in addition in several of the runs. */
  readonly constraints: readonly string[]
  readonly binaries: readonly string[]
  readonly writes: boolean
}

const [mostSteps, mostRequests, mostConstraints, mostArguments] = [40, 6, 5, 12]
const isName = /^[A-Za-z_][\w-]{0,63}$/

/** `shapes`: of the steps that the runs have in common. */
export function routineOf(runs: readonly EvidenceRun[], shapes: readonly string[]): Routine {
  const safe = safeValues(runs)
  const calls = exemplary(runs, shapes)
  const names = sharedNames(runs)
  const steps = calls.map((call) => ({ tool: call.tool, arguments: argumentsOf(call, safe, names) }))
  return {
    runs: runs.length,
    steps,
    requests: requestsIn(runs),
    constraints: sharedConstraints(runs),
    binaries: [...new Set(calls.flatMap((call) => programsOf(call)).filter((program) => safe.has(program)))].toSorted(),
    writes: calls.some(({ tool }) => /^fs\.(?:write|edit|mkdir|move|copy|delete)$/.test(tool)),
  }
}

/** The first call of each shape, in the order of the run that has most of them; the latest one of several. */
export function exemplary(runs: readonly EvidenceRun[], shapes: readonly string[]): readonly EvidenceCall[] {
  const wanted = new Set(shapes)
  const picked = runs.map(({ calls }) => {
    const seen = new Set<string>()
    return calls.filter((call) => {
      const fresh = call.shapes.filter((shape) => wanted.has(shape) && !seen.has(shape))
      for (const shape of fresh) seen.add(shape)
      return fresh.length > 0
    })
  })
  const most = Math.max(0, ...picked.map((calls) => calls.length))
  return (picked.find((calls) => calls.length === most) ?? []).filter(({ tool }) => isToolName.test(tool)).slice(0, mostSteps)
}

const isToolName = /^[A-Za-z][\w.-]{0,127}$/

/** Arguments are declared by their tools, but some tools accept any name: one that an agent used only once is left out. */
function sharedNames(runs: readonly EvidenceRun[]): ReadonlySet<string> {
  const seen = new Map<string, Set<string>>()
  for (const { run_id, calls } of runs)
    for (const { tool, arguments: given } of calls)
      for (const name of Object.keys(given)) seen.set(`${tool} ${name}`, (seen.get(`${tool} ${name}`) ?? new Set<string>()).add(run_id))
  return new Set([...seen].flatMap(([name, used]) => (used.size >= 2 ? [name] : [])))
}

function argumentsOf({ tool, arguments: given }: EvidenceCall, safe: SafeValues, names: ReadonlySet<string>): readonly RoutineArgument[] {
  return Object.entries(given)
    .filter(([name]) => isName.test(name) && names.has(`${tool} ${name}`))
    .slice(0, mostArguments)
    .map(([name, value]) => ({
      name,
      value: name === 'command' && typeof value === 'string' ? commandText(value, safe) : valueText(value, safe),
    }))
}

/** A path part by part. Null if nothing is known. */
function valueText(value: unknown, safe: SafeValues): string | null {
  if (typeof value !== 'string') return null
  if (safe.has(value)) return value
  if (!isPath(value)) return null
  const parts = value.split('/').map((part) => (part === '' || safe.has(part) ? part : placeholder))
  return parts.some((part) => part !== '' && part !== placeholder) ? parts.join('/') : null
}

export const placeholder = '<value>'

/** Word by word: what is not known is a placeholder. Null if nothing is known. */
function commandText(command: string, safe: SafeValues): string | null {
  const shown = programsIn(command).map(({ program, words }) => {
    if (!safe.has(program)) return '<command>'
    return [program, ...words.map((word) => valueText(word, safe) ?? placeholder)].join(' ')
  })
  return shown.some((one) => one !== '<command>') ? shown.join(' && ') : null
}

function programsOf({ arguments: { command } }: EvidenceCall): readonly string[] {
  return typeof command === 'string' ? programsIn(command).map(({ program }) => program) : []
}

/** A person's own words on one line. Null for what would not be safe to repeat, even if they wrote it. */
function ownWords(text: string): string | null {
  const line = visibleText(lineOf(text)).replaceAll(/[`<>]/g, '').trim()
  return line === '' || inspectText('words', line).length > 0 ? null : line
}

function requestsIn(runs: readonly EvidenceRun[]): readonly string[] {
  const said = runs.flatMap(({ request }) => (request.length === 0 ? [] : (ownWords(request.join(' ')) ?? [])))
  return [...new Map(said.map((words) => [words.toLowerCase(), words])).values()].slice(0, mostRequests)
}

function sharedConstraints(runs: readonly EvidenceRun[]): readonly string[] {
  const groups = new Map<string, { readonly words: string; readonly runs: Set<string> }>()
  for (const { run_id, said } of runs)
    for (const { text, concepts } of constraintsIn({ text: said.join('\n'), starts: false })) {
      const key = concepts.map(({ name }) => name).join(' ')
      const words = ownWords(text)
      if (words === null) continue
      const group = groups.get(key) ?? { words, runs: new Set<string>() }
      group.runs.add(run_id)
      groups.set(key, group)
    }
  return [...groups.values()].flatMap((group) => (group.runs.size >= 2 ? [group.words] : [])).slice(0, mostConstraints)
}

const longestTitle = 80

/** `words`: of the person; null if there are none. */
export function titleOf(words: readonly string[], tools: readonly string[]): string {
  const [first] = words.flatMap((one) => ownWords(one) ?? [])
  // Numbers, dates and versions are what differs each time.
  const title =
    first?.replaceAll(/\bv?\d[\d.:/-]*\d\b|\bv?\d\b/gi, '…').replace(/[.!?]+$/, '') ??
    `Routine with ${[...new Set(tools)].slice(0, 4).join(', ')}`
  return title.length <= longestTitle ? title : `${title.slice(0, longestTitle - 1).trimEnd()}…`
}

/** From the telling words of the title. Another one if it is taken. */
export function skillNameOf(title: string, taken: ReadonlySet<string>): string {
  const words = title.split(/\s+/).filter((word) => !/\p{N}/u.test(word) && conceptsOf(word).length > 0)
  const base = usableName(words.slice(0, 4).join(' ') || 'routine')
    .slice(0, 56)
    .replace(/-$/, '')
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!taken.has(name)) return name
  }
}
