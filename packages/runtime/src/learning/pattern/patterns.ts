// Failure patterns: what recurs, how often, where, and what helped.
import { type FailureStage, type FailureTaxonomy, failureStages } from '@tandem/contract/failure'
import type { AffectedSubsystem, FailurePattern } from '@tandem/contract/learning'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'
import type { RunFacts } from '../rule/run-facts.ts'
import { costAfter, type Help } from './aftermath.ts'
import { describe } from './description.ts'
import type { FailureFact } from './failures.ts'
import { type PatternRow, shownPattern, storedPattern } from './pattern-row.ts'
import { type Signature, signatureOf } from './signature.ts'
import { generalized, mostSimilar, type Tokens, templateText, templateTokens } from './template.ts'

export interface ClusteredPattern {
  readonly pattern: FailurePattern
  readonly first_seen: boolean
}

export interface PatternFilter {
  readonly run_id?: string
  readonly agent_id?: string
  readonly taxonomy?: FailureTaxonomy
  readonly affected_subsystem?: AffectedSubsystem
  /** Seen at this time or later. */
  readonly since?: string
}

/** Where a page begins: after this pattern. */
export interface PatternPosition {
  readonly last_seen_at: string
  readonly id: string
}

export interface Patterns {
  /** The patterns of these failures, each once. Must be called in a transaction. A failure counts once, however often this is called. */
  cluster(
    failures: readonly FailureFact[],
    context: { readonly facts: RunFacts; readonly reflection_id: string | null },
  ): readonly ClusteredPattern[]
  /** The latest seen first. */
  page(filter: PatternFilter, before: PatternPosition | null, limit: number): readonly FailurePattern[]
  ofRun(run_id: string): readonly FailurePattern[]
  /** The pattern that the failure of this step counts for. */
  ofStep(step_id: string): FailurePattern | undefined
}

interface BucketedTemplate {
  readonly id: string
  readonly tokens: Tokens
}

const mostRuns = 100
const mostExamples = 5
const mostHelp = 5
const longestExcerpt = 500
/** Of one bucket, so that texts that were made to differ cannot slow it down. */
const mostCompared = 100

export function openPatterns({ sql, newId, clock }: Pick<Store, 'sql' | 'newId' | 'clock'>): Patterns {
  const shown = (row: PatternRow) => shownPattern(storedPattern(row), clock.now())

  function bySignature(agent_id: string, signature: string): FailurePattern | null {
    const row = sql.get<PatternRow>`
      SELECT * FROM runtime_failure_patterns WHERE agent_id = ${agent_id} AND signature = ${signature}`
    return row ? storedPattern(row) : null
  }

  function templatesIn(agent_id: string, bucket: string): readonly BucketedTemplate[] {
    // A bucket ends with digits of a hexadecimal number, which are all before `g`.
    const rows = sql.all<Pick<PatternRow, 'id' | 'template'>>`
      SELECT id, template FROM runtime_failure_patterns
      WHERE agent_id = ${agent_id} AND signature >= ${bucket} AND signature < ${`${bucket}g`}
      ORDER BY signature LIMIT ${mostCompared}`
    return rows.map(({ id, template }) => ({ id, tokens: templateTokens(template) }))
  }

  /** The patterns that the failures of one cycle may belong to: what was found or made in it comes before what is stored. */
  function openFinder(agent_id: string) {
    /** By signature: most failures of a run repeat. */
    const found = new Map<string, FailurePattern['id']>()
    /** Read once: what the cycle adds is put there, too. */
    const buckets = new Map<string, readonly BucketedTemplate[]>()

    return {
      find(known: Signature, current: (id: string) => FailurePattern | undefined): FailurePattern | null {
        const same = current(found.get(known.signature) ?? '') ?? bySignature(agent_id, known.signature)
        if (same || known.kind === 'exact') return same && (current(same.id) ?? same)
        const bucket = buckets.get(known.bucket) ?? templatesIn(agent_id, known.bucket)
        buckets.set(known.bucket, bucket)
        const templates = bucket.map(({ tokens }) => tokens)
        const similar = bucket[mostSimilar(templates, known.tokens)]
        return similar ? (current(similar.id) ?? byId(similar.id)) : null
      },
      /** The pattern of a failure, with the template that it has now. */
      keep(known: Signature, { id, template }: FailurePattern): void {
        found.set(known.signature, id)
        if (known.kind === 'exact') return
        const others = (buckets.get(known.bucket) ?? templatesIn(agent_id, known.bucket)).filter((one) => one.id !== id)
        buckets.set(known.bucket, [{ id, tokens: templateTokens(template) }, ...others].slice(0, mostCompared))
      },
    }
  }

  function created(failure: FailureFact, signature: string, agent_id: string, seen_at: string): FailurePattern {
    const template = templateText(failure.tokens)
    const described = describe(failure)
    return {
      ...{ id: newId(), agent_id, signature, template, tool: failure.tool, ...described, stage: stageOf(described.stage) },
      ...{ occurrences: 0, runs: 0, run_ids: [], reflection_ids: [], examples: [], helped: [], tokens: 0, milliseconds: 0 },
      ...{ aged: false, first_seen_at: seen_at, last_seen_at: seen_at, version: 1 },
    }
  }

  function write(pattern: FailurePattern, first_seen: boolean): void {
    const { id, agent_id, signature, taxonomy, stage, source, reason_code, affected_subsystem, summary, tool, template } = pattern
    const { occurrences, runs, tokens, milliseconds, first_seen_at, last_seen_at, version } = pattern
    const [run_ids, reflection_ids] = [JSON.stringify(pattern.run_ids), JSON.stringify(pattern.reflection_ids)]
    const [examples, helped] = [JSON.stringify(pattern.examples), JSON.stringify(pattern.helped)]
    if (first_seen) {
      sql.run`
        INSERT INTO runtime_failure_patterns (id, agent_id, signature, taxonomy, stage, source, reason_code, affected_subsystem, summary,
          tool, template, occurrences, runs, run_ids, reflection_ids, examples, helped, tokens, milliseconds, first_seen_at, last_seen_at,
          version)
        VALUES (${id}, ${agent_id}, ${signature}, ${taxonomy}, ${stage}, ${source}, ${reason_code}, ${affected_subsystem}, ${summary},
          ${tool}, ${template}, ${occurrences}, ${runs}, ${run_ids}, ${reflection_ids}, ${examples}, ${helped}, ${tokens}, ${milliseconds},
          ${first_seen_at}, ${last_seen_at}, ${version})`
    } else {
      sql.run`
        UPDATE runtime_failure_patterns SET summary = ${summary}, tool = ${tool}, template = ${template}, occurrences = ${occurrences},
          runs = ${runs}, run_ids = ${run_ids}, reflection_ids = ${reflection_ids}, examples = ${examples}, helped = ${helped},
          tokens = ${tokens}, milliseconds = ${milliseconds}, first_seen_at = ${first_seen_at}, last_seen_at = ${last_seen_at}, version = ${version}
        WHERE id = ${id}`
    }
  }

  function byId(id: string): FailurePattern | null {
    const row = sql.get<PatternRow>`SELECT * FROM runtime_failure_patterns WHERE id = ${id}`
    return row ? storedPattern(row) : null
  }

  return {
    cluster(failures, { facts, reflection_id }) {
      const counted = new Map(
        sql.all<{ step_id: string; pattern_id: string }>`
          SELECT step_id, pattern_id FROM runtime_failure_occurrences WHERE run_id = ${facts.run_id}`.map((row) => [
          row.step_id,
          row.pattern_id,
        ]),
      )
      const seenBefore = new Set(counted.values())
      const clustered = new Map<string, { pattern: FailurePattern; first_seen: boolean; changed: boolean }>()
      const finder = openFinder(facts.agent_id)
      const current = (id: string) => clustered.get(id)?.pattern
      const timeOf = openTimes(facts)
      for (const failure of failures) {
        if (failure.expected) continue
        const before = counted.get(failure.step_id)
        if (before !== undefined) {
          const pattern = clustered.get(before)?.pattern ?? byId(before)
          if (pattern && !clustered.has(before)) clustered.set(before, { pattern, first_seen: false, changed: false })
          continue
        }
        const known = signatureOf(failure)
        const seen_at = timeOf(failure)
        const from = finder.find(known, current)
        const pattern = from ?? created(failure, known.signature, facts.agent_id, seen_at)
        const first_seen = clustered.get(pattern.id)?.first_seen ?? from === null
        const next = extended(pattern, failure, { facts, reflection_id, seen_at, isNewRun: !seenBefore.has(pattern.id) })
        seenBefore.add(pattern.id)
        const covering = known.kind === 'similar' ? widened(next, failure) : next
        finder.keep(known, covering)
        clustered.set(pattern.id, { pattern: covering, first_seen, changed: true })
        // Its pattern may be new: the row is written first, below.
        counted.set(failure.step_id, pattern.id)
      }
      const results: ClusteredPattern[] = []
      for (const { pattern, first_seen, changed } of clustered.values()) {
        const written = changed && !first_seen ? { ...pattern, version: pattern.version + 1 } : pattern
        if (changed) write(written, first_seen)
        results.push({ pattern: shownPattern(written, clock.now()), first_seen })
      }
      for (const { step_id } of failures) {
        const pattern_id = counted.get(step_id)
        if (pattern_id !== undefined) {
          sql.run`INSERT OR IGNORE INTO runtime_failure_occurrences (step_id, pattern_id, run_id) VALUES (${step_id}, ${pattern_id}, ${facts.run_id})`
        }
      }
      return results
    },
    page({ run_id = null, agent_id = null, taxonomy = null, affected_subsystem = null, since = null }, before, limit) {
      return sql.all<PatternRow>`
        SELECT * FROM runtime_failure_patterns
        WHERE (${agent_id} IS NULL OR agent_id = ${agent_id})
          AND (${run_id} IS NULL OR id IN (SELECT pattern_id FROM runtime_failure_occurrences WHERE run_id = ${run_id}))
          AND (${taxonomy} IS NULL OR taxonomy = ${taxonomy})
          AND (${affected_subsystem} IS NULL OR affected_subsystem = ${affected_subsystem})
          AND (${since} IS NULL OR last_seen_at >= ${since})
          AND (${before?.id ?? null} IS NULL OR (last_seen_at, id) < (${before?.last_seen_at ?? ''}, ${before?.id ?? ''}))
        ORDER BY last_seen_at DESC, id DESC LIMIT ${limit}`.map(shown)
    },
    ofStep(step_id) {
      const row = sql.get<PatternRow>`
        SELECT * FROM runtime_failure_patterns WHERE id = (SELECT pattern_id FROM runtime_failure_occurrences WHERE step_id = ${step_id})`
      return row && shown(row)
    },
    ofRun: (run_id) =>
      sql.all<PatternRow>`
        SELECT * FROM runtime_failure_patterns
        WHERE id IN (SELECT pattern_id FROM runtime_failure_occurrences WHERE run_id = ${run_id})
        ORDER BY last_seen_at DESC, id DESC`.map(shown),
  }
}

interface Occurrence {
  readonly facts: RunFacts
  readonly reflection_id: string | null
  readonly seen_at: string
  readonly isNewRun: boolean
}

function extended(pattern: FailurePattern, failure: FailureFact, { facts, reflection_id, seen_at, isNewRun }: Occurrence): FailurePattern {
  const { run_id } = facts
  const { step_id, call_id } = failure
  // What a run spent counts once, from its first failure of this kind.
  const cost = isNewRun ? costAfter(failure, facts) : { tokens: 0, milliseconds: 0 }
  const example = { run_id, call_id, step_id, excerpt: failure.lines.join('\n').slice(0, longestExcerpt) }
  return {
    ...pattern,
    tool: pattern.tool === failure.tool ? pattern.tool : null,
    occurrences: pattern.occurrences + 1,
    runs: pattern.runs + (isNewRun ? 1 : 0),
    run_ids: latest(pattern.run_ids, run_id),
    reflection_ids: reflection_id === null ? pattern.reflection_ids : latest(pattern.reflection_ids, reflection_id),
    examples: [example, ...pattern.examples.filter((one) => one.run_id !== run_id)].slice(0, mostExamples),
    helped: withHelp(pattern.helped, failure.help, run_id),
    tokens: pattern.tokens + cost.tokens,
    milliseconds: pattern.milliseconds + cost.milliseconds,
    aged: false,
    first_seen_at: seen_at < pattern.first_seen_at ? seen_at : pattern.first_seen_at,
    // A run that is learned from later may have ended before.
    last_seen_at: seen_at > pattern.last_seen_at ? seen_at : pattern.last_seen_at,
  }
}

/** When a failure happened. */
function openTimes({ calls, errors, ended_at }: RunFacts): (failure: FailureFact) => string {
  const ofCalls = calls.map(({ step_id, asked_at, started_at, duration_ms }) => [step_id, (started_at ?? asked_at) + duration_ms] as const)
  const times = new Map([...ofCalls, ...errors.map(({ step_id, at }) => [step_id, at] as const)])
  return ({ step_id }) => timestamp(times.get(step_id) ?? ended_at)
}

/** The template covers this text as well. */
function widened(pattern: FailurePattern, failure: FailureFact): FailurePattern {
  const template = templateText(generalized(templateTokens(pattern.template), failure.tokens))
  return template === pattern.template ? pattern : { ...pattern, template }
}

function latest(ids: string[], id: string): string[] {
  return ids[0] === id ? ids : [id, ...ids.filter((one) => one !== id)].slice(0, mostRuns)
}

function withHelp(helped: FailurePattern['helped'], help: Help | null, run_id: string): FailurePattern['helped'] {
  if (help === null) return helped
  const { summary, call_id } = help
  const times = (helped.find((one) => one.summary === summary)?.times ?? 0) + 1
  const others = helped.filter((one) => one.summary !== summary)
  return [{ summary, times, run_id, call_id }, ...others].sort((left, right) => right.times - left.times).slice(0, mostHelp)
}

/** A later version may have written a stage that is unknown here. */
function stageOf(stage: string): FailureStage {
  return failureStages.find((one) => one === stage) ?? 'tool_execution'
}
