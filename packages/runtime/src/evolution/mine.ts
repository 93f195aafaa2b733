// Mines one run: which sequences, constraints and remediations it repeats. Called in the transaction that records them.
import type { BehaviorTrace } from '@tandem/contract/learning'
import type { Store } from '../store/store.ts'
import { type Meanings, noMeanings } from './meanings.ts'
import { demandsOf, openSayingMiner } from './mine-sayings.ts'
import { openRepeated, type PatternTotals } from './record/repeated.ts'
import { openShapeIndex, type ShapedRun } from './record/shape-index.ts'
import type { BehaviorFacts } from './rule/behavior.ts'
import { belongs, type Concept } from './rule/concepts.ts'
import type { MinedBehavior } from './rule/mined-behavior.ts'
import { isPointing, remediationsIn } from './rule/remediation.ts'
import {
  areVariants,
  type CoreShape,
  fewest,
  findSequence,
  isCore,
  likeness,
  repeatedWithin,
  signatureOf,
  type Window,
} from './rule/sequence.ts'

export interface Mined extends Pick<BehaviorTrace, 'tool_sequences' | 'repeated_constraints' | 'manual_remediations'> {
  readonly behaviors: readonly MinedBehavior[]
}

export interface Miner {
  mine(facts: BehaviorFacts): Mined
}

const mostCompared = 30

/** The shapes that runs have in common. */
type Core = readonly (CoreShape & { readonly templates: number })[]

export interface MinerOptions {
  /** Of what is said; without them, words are compared. */
  readonly meanings?: Meanings
  /** Only measurements use another one. */
  readonly least?: number
}

export function openMiner(store: Pick<Store, 'sql'>, { meanings = noMeanings, ...options }: MinerOptions = {}): Miner {
  const index = openShapeIndex(store)
  const repeated = openRepeated(store)
  const sayings = openSayingMiner(store, { meanings, repeated, ...options })

  /** Of the run that is mined: a sequence is compared with several others, each time by the shapes that its runs have in common. */
  const cores = new Map<string, Core>()

  function coreOf(runs: readonly number[], window: Window, most = mostCompared): Core {
    const latest = runs.slice(0, most)
    const known = cores.get(latest.join())
    if (known) return known
    const core = index.sharedBy(latest).flatMap(({ shape, runs: having, templates, effectful }) => {
      const share = having / latest.length
      // As if five more runs had happened without it: a few others say little.
      const elsewhere = Math.max(0, window.countOf(shape) + 1 - having) / (Math.max(0, window.runs + 1 - latest.length) + 5)
      return isCore(share, elsewhere) ? [{ shape, share, elsewhere, effectful, templates: templates / having }] : []
    })
    cores.set(latest.join(), core)
    return core
  }

  function join(pattern: number, run: number, repetitions: number): void {
    repeated.add(pattern, run, { repetitions, forbids: false, words: null, message_ids: [], keys: [] })
  }

  /** Known sequences first: what they explain is not looked for again. */
  function sequencesIn(run: ShapedRun): readonly MinedBehavior[] {
    const window = index.window(run.no)
    const known = repeated
      .having('sequence', [...run.shapes])
      .map(({ no }) => ({ no, core: coreOf(repeated.totals(no).latest, window) }))
      .map((one) => ({ ...one, score: likeness(run.shapes, one.core) }))
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score || left.no - right.no)
    const found: number[] = []
    const left = new Set(run.shapes)
    for (const { no, core } of known) {
      // Two sequences that share their steps are one: the better one takes them.
      if (likeness(left, core) === 0) continue
      join(no, run.no, timesIn(run, core))
      for (const { shape } of core) left.delete(shape)
      found.push(no)
    }
    const fresh = discover(run, left, window)
    if (fresh !== null) found.push(fresh)
    return [...new Set(found.map((no) => joinVariants(no, window)))].map((no) => described(no, run, window))
  }

  /** A routine that is done in two ways is one. The one with more runs remains. */
  function joinVariants(pattern: number, window: Window): number {
    const { latest, runs } = repeated.totals(pattern)
    const shapes = new Set(coreOf(latest, window).map(({ shape }) => shape))
    for (const other of repeated.having('sequence', [...shapes])) {
      if (other.no === pattern || other.runs < fewest.runs || runs < fewest.runs) continue
      const others = repeated.totals(other.no).latest
      const otherShapes = new Set(coreOf(others, window).map(({ shape }) => shape))
      if (!areVariants(shapes, otherShapes, coreOf([...new Set([...latest, ...others])], window, 2 * mostCompared))) continue
      const [kept, absorbed] = other.runs > runs ? [other.no, pattern] : [pattern, other.no]
      for (const no of repeated.totals(absorbed).latest) {
        if (!repeated.isMember(kept, no)) join(kept, no, 1)
        repeated.remove(absorbed, no)
      }
      repeated.setKeys(absorbed, new Map())
      return kept
    }
    return pattern
  }

  function discover(run: ShapedRun, left: ReadonlySet<string>, window: Window): number | null {
    const earlier = index.sharing(run.no, left)
    const across = findSequence(left, earlier, window)
    const within = across
      ? null
      : repeatedWithin(
          run.calls.map(({ shape }) => shape).filter((shape) => left.has(shape)),
          window.isEffectful,
        )
    const shapes = across?.shapes ?? within?.shapes
    if (!shapes) return null
    const pattern = repeated.ensure('sequence', signatureOf('sequence', shapes))
    if (repeated.isMember(pattern, run.no)) return null
    join(pattern, run.no, within?.times ?? 1)
    for (const no of across?.runs ?? []) if (!repeated.isMember(pattern, no)) join(pattern, no, 1)
    // Runs that lack a step of the first ones belong to it as well.
    const core = coreOf(repeated.totals(pattern).latest, window)
    for (const { run: no, shapes: others } of earlier)
      if (
        !repeated.isMember(pattern, no) &&
        likeness(
          others,
          core.filter(({ shape }) => left.has(shape)),
        ) > 0
      )
        join(pattern, no, 1)
    return pattern
  }

  /** The first runs of a sequence may have had little in common with what it became. */
  function dropStrangers(pattern: number, window: Window): void {
    const { latest } = repeated.totals(pattern)
    const core = coreOf(latest, window)
    if (latest.length <= fewest.runs || core.length < fewest.effectful) return
    for (const { run, shapes } of index.sets(latest.slice(1, mostCompared))) if (likeness(shapes, core) === 0) repeated.remove(pattern, run)
  }

  function described(pattern: number, run: ShapedRun, window: Window): MinedBehavior {
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
      compared: [...shapes, ...totals.requests],
      tools: first.map(({ tool }) => tool).slice(0, 500),
      step_ids: calls.map(({ step_id }) => step_id),
      words: totals.requests[0] ?? null,
      summary: null,
    }
  }

  /** The group it belongs to; a new one if there is none. */
  function grouped(what: PatternTotals['what'], concepts: readonly Concept[]): number {
    const names = concepts.map(({ name }) => name)
    const candidates = repeated
      .having(what, names)
      .map(({ no, runs, keys }) => ({ no, score: belongs(concepts, { size: runs, counts: keys }) }))
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score || left.no - right.no)
    return candidates[0]?.no ?? repeated.ensure(what, signatureOf(what, names))
  }

  function textPattern(pattern: number, words: string | null, summary: string | null, compared: readonly string[] = []): MinedBehavior {
    return { ...repeated.totals(pattern), judged: false, compared, tools: [], step_ids: [], words, summary }
  }

  return {
    mine(facts) {
      const run = index.put(facts)
      cores.clear()
      repeated.forget(run.no)
      sayings.forget(run.no)
      const sequences = sequencesIn(run)

      const demands = demandsOf(facts)
      const constraints = sayings
        .put('constraint', run.no, demands)
        .map((pattern, at) => ({ pattern, words: demands[at]?.text ?? '' }))
        .filter(({ pattern }) => sayings.isConstraint(pattern))
      const remediations = remediationsIn(facts)
      const pointing = remediations.filter(isPointing)
      const corrections = pointing.filter(({ kind }) => kind === 'corrected_agent')
      const corrected = sayings.put(
        'corrected_agent',
        run.no,
        corrections.map(({ words }) => ({ text: words ?? '', message_id: '', asks: false, forbids: false })),
      )
      const remedied = pointing.map((one) => {
        const { kind, concepts, points_to, words, summary } = one
        const compared = concepts.map(({ name }) => name)
        const said = corrected[corrections.indexOf(one)]
        if (said !== undefined) return { pattern: said, words, summary, compared }
        const pattern = points_to.length > 0 ? repeated.ensure(kind, signatureOf(kind, points_to)) : grouped(kind, concepts)
        repeated.add(pattern, run.no, { repetitions: 1, forbids: false, words, message_ids: [], keys: compared })
        return { pattern, words, summary, compared }
      })
      const said = distinct(constraints).map(({ pattern, words }) => textPattern(pattern, words, null))
      const done = distinct(remedied).map(({ pattern, words, summary, compared }) => textPattern(pattern, words, summary, compared))
      return {
        tool_sequences: sequences.map(({ signature, tools, repetitions, step_ids }) => {
          return { signature, tools: [...tools], repetitions, step_ids: [...step_ids] }
        }),
        repeated_constraints: distinct(constraints).flatMap(({ pattern, words }) => {
          const { runs, repetitions, message_ids } = repeated.totals(pattern)
          return runs > 1 ? [{ constraint: words, repetitions, message_ids: [...message_ids] }] : []
        }),
        manual_remediations: remediations.map(({ kind, summary, step_id }) => ({ kind, summary, step_id })),
        behaviors: [...sequences, ...said, ...done],
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
