// Learning from thousands of runs: whether the next one takes longer than the first, and what is stored.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { failuresIn } from '../packages/runtime/src/learning/pattern/failures.ts'
import { openPatterns } from '../packages/runtime/src/learning/pattern/patterns.ts'
import { openStore } from '../packages/runtime/src/store/store.ts'
import { type LearningDevice, spent } from './learning-device.ts'
import type { Call, Run } from './learning-history/run.ts'
import { recordedRuns, writeRun } from './learning-journal.ts'
import { factsOf } from './learning-quality.ts'

export interface Growth {
  /** Of a run: milliseconds of the processor for the first and the last ones. */
  readonly first: number
  readonly last: number
}

/** Every tenth run has a failure with a text that no earlier one had. */
export function runAt(index: number): Run {
  const run = recordedRuns[index % recordedRuns.length]
  if (!run) throw new Error('there are no recorded runs')
  const strange: Call = {
    ...{ call_id: `strange_${index}`, tool: 'shell.exec', arguments: { command: `./tool-${words(index, 1)}` }, duration_ms: 10 },
    result: { exit_code: 3, signal: null, timed_out: false, output: `${words(index, 6)}\n` },
  }
  return { ...run, id: `run-${index}`, calls: index % 10 === 0 ? [...run.calls, strange] : run.calls }
}

const syllables = ['ba', 'do', 'fe', 'gi', 'hu', 'ka', 'lo', 'mi', 'nu', 'pe', 'ra', 'so', 'ti', 'vu', 'wa', 'ze']

/** The same for the same index. */
function words(index: number, count: number): string {
  let state = (index + 1) * 2_654_435_761
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return syllables[(state >>> 16) % syllables.length]
  }
  return Array.from({ length: count }, () => `${next()}${next()}${next()}`).join(' ')
}

/** Only finding the failures of a run and their patterns. */
export async function measureClustering(runs: number): Promise<Growth & { readonly patterns: number }> {
  const home = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const store = openStore({ home, clock: systemClock })
  try {
    const patterns = openPatterns(store)
    const growth = await measureGrowth(runs, (index) => {
      const facts = factsOf(runAt(index))
      return () => store.relaxed(() => void patterns.cluster(failuresIn(facts), { facts, reflection_id: facts.run_id }))
    })
    const count = store.sql.get<{ count: number }>`SELECT count(*) AS count FROM runtime_failure_patterns`?.count ?? 0
    return { ...growth, patterns: count }
  } finally {
    store.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Whole cycles, and the bytes that they add to the database. */
export async function measureCycles(device: LearningDevice, runs: number): Promise<Growth & { readonly bytes: number }> {
  const size = () => {
    const pages = device.store.sql.get<{ bytes: number }>`
      SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size`
    return pages?.bytes ?? 0
  }
  const bytes: number[] = []
  const growth = await measureGrowth(runs, (index) => {
    const written = writeRun(device, { ...runAt(index), agent_id: 'agent', workspace: '/srv/space' })
    return async () => {
      const before = size()
      await device.learn(written)
      bytes.push(size() - before)
    }
  })
  // At first every agent gathers calls; later the oldest ones are deleted.
  return { ...growth, bytes: sum(bytes.slice(-tenthOf(runs))) / tenthOf(runs) }
}

const tenthOf = (runs: number) => Math.ceil(runs / 10)
const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0)

/** The first tenth is compared with the last one. */
async function measureGrowth(runs: number, prepare: (index: number) => () => unknown): Promise<Growth> {
  const took: number[] = []
  for (let index = 0; index < runs; index += 1) took.push(await spent(prepare(index)))
  const part = tenthOf(runs)
  return { first: sum(took.slice(0, part)) / part, last: sum(took.slice(-part)) / part }
}
