// Mines one run: which sequences, constraints and remediations it repeats. Called in the transaction that records them.
import type { BehaviorTrace, ManualRemediationKind } from '@tandem/contract/learning'
import type { Store } from '../store/store.ts'
import { openRepeated, type PatternTotals } from './record/repeated.ts'
import { openShapeIndex, type ShapedRun } from './record/shape-index.ts'
import type { BehaviorFacts } from './rule/behavior.ts'
import { belongs, type Concept } from './rule/concepts.ts'
import { constraintsIn } from './rule/constraint.ts'
import { corrects, isPointing, remediationsIn } from './rule/remediation.ts'
import { type CoreShape, fewest, findSequence, isCore, likeness, repeatedWithin, signatureOf, type Window } from './rule/sequence.ts'

/** Something that this run has in common with others. */
export interface MinedPattern extends PatternTotals {
  /** Of a sequence: something is read, judged or written on the way. */
  readonly judged: boolean
  /** Of a sequence: its shapes, for a comparison with the skills of the registry. Never shown. */
  readonly shapes: readonly string[]
  readonly tools: readonly string[]
  readonly step_ids: readonly string[]
  /** A person's own words. */
  readonly words: string | null
  /** What happened, in our words. */
  readonly summary: string | null
}

export interface Mined extends Pick<BehaviorTrace, 'tool_sequences' | 'repeated_constraints' | 'manual_remediations'> {
  readonly patterns: readonly MinedPattern[]
}

export interface Miner {
  mine(facts: BehaviorFacts): Mined
}

const longestLine = 240
const mostCompared = 30

export function openMiner(store: Pick<Store, 'sql'>): Miner {
  const index = openShapeIndex(store)
  const repeated = openRepeated(store)

  function coreOf(runs: readonly number[], window: Window): readonly (CoreShape & { readonly templates: number })[] {
    const latest = runs.slice(0, mostCompared)
    return index.sharedBy(latest).flatMap(({ shape, runs: having, templates, effectful }) => {
      const share = having / latest.length
      // As if five more runs had happened without it: a few others say little.
      const elsewhere = Math.max(0, window.countOf(shape) + 1 - having) / (Math.max(0, window.runs + 1 - latest.length) + 5)
      return isCore(share, elsewhere) ? [{ shape, share, effectful, templates: templates / having }] : []
    })
  }

  function join(pattern: number, run: number, repetitions: number): void {
    repeated.add(pattern, run, { repetitions, forbids: false, words: null, message_ids: [], keys: [] })
  }

  /** Known sequences first: what they explain is not looked for again. */
  function sequencesIn(run: ShapedRun, request: string | null): readonly MinedPattern[] {
    const window = index.window(run.no)
    const known = repeated
      .having('sequence', [...run.shapes])
      .map(({ no }) => ({ no, core: coreOf(repeated.totals(no).latest, window) }))
      .map((one) => ({ ...one, score: likeness(run.shapes, one.core, window) }))
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score || left.no - right.no)
    const found: number[] = []
    const left = new Set(run.shapes)
    for (const { no, core } of known) {
      // Two sequences that share their steps are one: the better one takes them.
      if (likeness(left, core, window) === 0) continue
      join(no, run.no, timesIn(run, core))
      for (const { shape } of core) left.delete(shape)
      found.push(no)
    }
    const fresh = discover(run, left, window)
    if (fresh !== null) found.push(fresh)
    return found.map((no) => described(no, run, window, request))
  }

  function discover(run: ShapedRun, left: ReadonlySet<string>, window: Window): number | null {
    const earlier = index.sharing(run.no, left)
    const across = findSequence(left, earlier, window)
    const within = across ? null : repeatedWithin(run.calls.map(({ shape }) => shape).filter((shape) => left.has(shape)), window.isEffectful)
    const shapes = across?.shapes ?? within?.shapes
    if (!shapes) return null
    const pattern = repeated.ensure('sequence', signatureOf('sequence', shapes))
    join(pattern, run.no, within?.times ?? 1)
    for (const no of across?.runs ?? []) if (!repeated.isMember(pattern, no)) join(pattern, no, 1)
    // Runs that lack a step of the first ones belong to it as well.
    const core = coreOf(repeated.totals(pattern).latest, window)
    for (const { run: no, shapes: others } of earlier)
      if (!repeated.isMember(pattern, no) && likeness(others, core.filter(({ shape }) => left.has(shape)), window) > 0) join(pattern, no, 1)
    return pattern
  }

  /** The first runs of a sequence may have had little in common with what it became. */
  function dropStrangers(pattern: number, window: Window): void {
    const { latest } = repeated.totals(pattern)
    const core = coreOf(latest, window)
    if (latest.length <= fewest.runs || core.length < fewest.effectful) return
    for (const { run, shapes } of index.sets(latest.slice(1, mostCompared)))
      if (likeness(shapes, core, window) === 0) repeated.remove(pattern, run)
  }

  function described(pattern: number, run: ShapedRun, window: Window, words: string | null): MinedPattern {
    dropStrangers(pattern, window)
    const totals = repeated.totals(pattern)
    const core = coreOf(totals.latest, window)
    repeated.setKeys(pattern, new Map(core.map(({ shape }) => [shape, totals.runs])))
    const shapes = new Set(core.map(({ shape }) => shape))
    const calls = run.calls.filter(({ shape }) => shapes.has(shape))
    const first = calls.filter(({ shape }, at) => calls.findIndex((call) => call.shape === shape) === at)
    return {
      ...totals,
      judged: totals.latest.length >= fewest.runs && core.some(({ templates }) => templates > 0.5),
      shapes: [...shapes],
      tools: first.map(({ tool }) => tool).slice(0, 500),
      step_ids: calls.map(({ step_id }) => step_id),
      words,
      summary: null,
    }
  }

  /** The group it belongs to; a new one if there is none. */
  function grouped(what: PatternTotals['what'], concepts: readonly Concept[]): number {
    const candidates = repeated
      .having(what, concepts.map(({ name }) => name))
      .map(({ no, runs, keys }) => ({ no, score: belongs(concepts, { size: runs, counts: keys }) }))
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score || left.no - right.no)
    return candidates[0]?.no ?? repeated.ensure(what, signatureOf(what, concepts.map(({ name }) => name)))
  }

  function textPattern(pattern: number, words: string | null, summary: string | null): MinedPattern {
    return { ...repeated.totals(pattern), judged: false, shapes: [], tools: [], step_ids: [], words, summary }
  }

  return {
    mine(facts) {
      const run = index.put(facts)
      repeated.forget(run.no)
      const request = facts.said.find(({ starts }) => starts)?.text ?? null
      const sequences = sequencesIn(run, request === null ? null : lineOf(request))

      const constraints = facts.said.filter((message) => !corrects(message)).flatMap(({ message_id, text, starts }) =>
        constraintsIn({ text, starts }).map((one) => {
          const pattern = grouped('constraint', one.concepts)
          const keys = one.concepts.map(({ name }) => name)
          repeated.add(pattern, run.no, { repetitions: 1, forbids: one.forbids, words: lineOf(one.text), message_ids: [message_id], keys })
          return { pattern, words: lineOf(one.text) }
        }),
      )
      const remediations = remediationsIn(facts)
      const remedied = remediations.filter(isPointing).map(({ kind, concepts, points_to, words, summary }) => {
        const pattern = points_to.length > 0 ? repeated.ensure(kind, signatureOf(kind, points_to)) : grouped(kind, concepts)
        repeated.add(pattern, run.no, { repetitions: 1, forbids: false, words, message_ids: [], keys: concepts.map(({ name }) => name) })
        return { pattern, words, summary }
      })
      const said = distinct(constraints).map(({ pattern, words }) => textPattern(pattern, words, null))
      const done = distinct(remedied).map(({ pattern, words, summary }) => textPattern(pattern, words, summary))
      return {
        tool_sequences: sequences.map(({ signature, tools, repetitions, step_ids }) => {
          return { signature, tools: [...tools], repetitions, step_ids: [...step_ids] }
        }),
        repeated_constraints: said
          .filter(({ runs }) => runs > 1)
          .map(({ words, repetitions, message_ids }) => ({ constraint: words ?? '', repetitions, message_ids: [...message_ids] })),
        manual_remediations: remediations.map(({ kind, summary, step_id }) => ({ kind: kind satisfies ManualRemediationKind, summary, step_id })),
        patterns: [...sequences, ...said, ...done],
      }
    },
  }
}

/** How often a run does all of it. */
function timesIn({ calls }: ShapedRun, core: readonly CoreShape[]): number {
  const counts = core.filter(({ effectful }) => effectful).map(({ shape }) => calls.filter((call) => call.shape === shape).length)
  return counts.reduce((least, count) => (count > 0 && count < least ? count : least), counts.find((count) => count > 0) ?? 1)
}

function distinct<Found extends { readonly pattern: number }>(found: readonly Found[]): readonly Found[] {
  return found.filter(({ pattern }, at) => found.findLastIndex((one) => one.pattern === pattern) === at)
}

function lineOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, longestLine)
}
