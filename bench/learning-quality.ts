// How well failure patterns match the planted causes of a part of the history, and how often the root cause of a run is the planted one.
// Usage: node bench/learning-quality.ts tuning|held-out|third|fourth [misses]; of the fourth, only figures are printed
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { failuresIn } from '../packages/runtime/src/learning/pattern/failures.ts'
import { openPatterns } from '../packages/runtime/src/learning/pattern/patterns.ts'
import { rootCauseOf } from '../packages/runtime/src/learning/pattern/root-cause.ts'
import type { CallFact, RunFacts } from '../packages/runtime/src/learning/rule/run-facts.ts'
import { openStore } from '../packages/runtime/src/store/store.ts'
import { type Call, type Part, parts, type Run, runsOf } from './learning-history/run.ts'

export interface LearningQuality {
  /** Runs with a planted cause. */
  readonly causes: number
  /** The share of root failures that have the most frequent cause of their pattern. */
  readonly purity: number
  /** The share of root failures that are in the most frequent pattern of their cause. */
  readonly completeness: number
  /** The share of failed runs with a cause whose root cause is the planted failure. */
  readonly root_causes_of_failed: number
  /** The same for all runs with a cause that was not repaired. */
  readonly root_causes: number
  /** Runs without a cause, or with a repaired one, that get a root cause all the same. */
  readonly needless: number
  readonly patterns: number
  readonly misses: readonly string[]
}

export function learningQuality(part: Part): LearningQuality {
  const home = mkdtempSync(join(tmpdir(), 'learning-quality-'))
  const store = openStore({ home, clock: systemClock })
  try {
    const runs = runsOf(part)
    const patterns = openPatterns(store)
    const rows: { cause: string; pattern: string; hit: boolean; run: Run }[] = []
    const misses: string[] = []
    let needless = 0
    for (const run of runs) {
      const facts = factsOf(run)
      const failures = failuresIn(facts)
      store.transaction(() => patterns.cluster(failures, { facts, reflection_id: null }))
      const found = rootCauseOf(failures)
      const planted = run.calls.find(({ root }) => root)
      if (!planted || run.cause === null || run.repaired) {
        if (found) {
          needless += 1
          misses.push(
            `${run.id} ${run.cause} ${found.call_id === planted?.call_id}: needless ${found.call_id} ${found.condition} ${found.lines[0]}`,
          )
        }
        if (!planted || run.cause === null) continue
      }
      const step_id = stepOf(run, planted)
      const row = store.sql.get<{ signature: string }>`
        SELECT signature FROM runtime_failure_patterns p JOIN runtime_failure_occurrences o ON o.pattern_id = p.id WHERE o.step_id = ${step_id}`
      rows.push({ cause: run.cause, pattern: row?.signature ?? 'none', hit: found?.call_id === planted.call_id, run })
      if (found?.call_id !== planted.call_id && !run.repaired) {
        misses.push(`${run.id} ${run.cause}: ${planted.call_id} is the cause, not ${found?.call_id} ${found?.condition} ${found?.lines[0]}`)
      }
    }
    const count = store.sql.get<{ count: number }>`SELECT count(*) AS count FROM runtime_failure_patterns`?.count ?? 0
    const [open, ended] = [rows.filter(({ run }) => !run.repaired), rows.filter(({ run }) => run.end === 'failed')]
    for (const line of tableOf(rows)) misses.push(line)
    return {
      causes: rows.length,
      purity: agreement(rows.map(({ pattern, cause }) => [pattern, cause])),
      completeness: agreement(rows.map(({ pattern, cause }) => [cause, pattern])),
      root_causes_of_failed: ended.filter(({ hit }) => hit).length / ended.length,
      root_causes: open.filter(({ hit }) => hit).length / open.length,
      ...{ needless, patterns: count, misses },
    }
  } finally {
    store.close()
    rmSync(home, { recursive: true, force: true })
  }
}

export function factsOf(run: Run): RunFacts {
  const { id: run_id, calls, end } = run
  let at = Date.parse('2026-03-01T09:00:00.000Z')
  return {
    ...{ run_id, agent_id: 'agent', conversation_id: run_id, step_id: `${run_id}/end`, trigger: end, state: end, failure_contract: null },
    ...{ workspace: '/', asked_by_person: true, named_hosts: [], errors: [], turns: calls.length, answered: run.answer !== '' },
    calls: calls.map((call, index) => {
      const fact = callOf(run, call, index, at)
      at += call.duration_ms + 1_000
      return fact
    }),
    usage: { input_tokens: 1_000 * calls.length, output_tokens: 100 * calls.length, cached_tokens: 0, estimated: false },
    duration_ms: calls.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
    ...{ ended_at: at, corrected: run.correction !== null, restores: 0, open_todos: 0, usual: null },
  }
}

function callOf(run: Run, call: Call, index: number, asked_at: number): CallFact {
  const refused = call.failure && (call.failure.taxonomy === 'policy_failure' || call.failure.stage === 'approval')
  return {
    ...{ run_id: run.id, call_id: call.call_id, step_id: stepOf(run, call), seq: 10 * (index + 1), tool: call.tool },
    arguments: JSON.stringify(argumentsOf(call)),
    outcome: refused ? 'denied' : call.failure ? 'failed' : 'succeeded',
    failure_contract: call.failure ?? null,
    command: call.result ?? null,
    ...{ approval: null, asked_at, started_at: asked_at, duration_ms: call.duration_ms, undone: false },
  }
}

/** With the names that the tools have. */
function argumentsOf({ arguments: { code, ...given } }: Call): Readonly<Record<string, unknown>> {
  return code === undefined ? given : { ...given, source: code }
}

function stepOf(run: Run, call: Call): string {
  return `${run.id}/${call.call_id}`
}

/** The share of pairs whose second value is the most frequent one of their first. */
function agreement(pairs: readonly (readonly [string, string])[]): number {
  const counts = Map.groupBy(pairs, ([first]) => first)
  const agreeing = [...counts.values()].map((group) =>
    Math.max(...[...Map.groupBy(group, ([, second]) => second).values()].map((same) => same.length)),
  )
  return agreeing.reduce((sum, count) => sum + count, 0) / pairs.length
}

function tableOf(rows: readonly { readonly cause: string; readonly pattern: string; readonly run: Run }[]): readonly string[] {
  const groups = Map.groupBy(rows, ({ cause, pattern }) => `${cause} in ${pattern}`)
  return [...groups].map(([name, group]) => `${group.length} ${name}: ${group.map(({ run }) => run.id).slice(0, 8)}`).sort()
}

if (import.meta.main) {
  const [wanted, details] = process.argv.slice(2)
  const part = parts.find((one) => one === wanted)
  if (!part) throw new Error(`Give one of ${parts.join(', ')}.`)
  const { misses, ...figures } = learningQuality(part)
  for (const [name, figure] of Object.entries(figures))
    process.stdout.write(`${name}: ${Number.isInteger(figure) ? figure : figure.toFixed(3)}\n`)
  // The fourth is only measured.
  if (details === 'misses' && part !== 'fourth') process.stdout.write(`${misses.join('\n')}\n`)
}
