// What mining one run and analyzing its gaps costs, with more and more earlier runs. The earlier runs are those of the planted history and
// random ones, again and again; the sentences of the measured ones are new, so the embedder is part of it. There is no peer: nothing else does this per run. The limit is writing the trace alone.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { openMeanings } from '../packages/runtime/src/evolution/meanings.ts'
import { openMiner } from '../packages/runtime/src/evolution/mine.ts'
import { saidIn } from '../packages/runtime/src/evolution/mine-sayings.ts'
import { openGaps } from '../packages/runtime/src/evolution/record/gaps.ts'
import { openRunLiterals } from '../packages/runtime/src/evolution/record/run-literals.ts'
import { openTraces } from '../packages/runtime/src/evolution/record/traces.ts'
import type { BehaviorFacts } from '../packages/runtime/src/evolution/rule/behavior.ts'
import { confidenceOf, gapOf } from '../packages/runtime/src/evolution/rule/gap.ts'
import { matchingSkill } from '../packages/runtime/src/evolution/rule/skill-match.ts'
import { summaryOf } from '../packages/runtime/src/evolution/rule/summary.ts'
import { openBundledEmbedder } from '../packages/runtime/src/recall/embed/bundled.ts'
import type { Embedder } from '../packages/runtime/src/recall/embed/embedder.ts'
import { openStore, type Store } from '../packages/runtime/src/store/store.ts'
import { type Bench, type BenchRow, median, quantile } from './bench.ts'
import { type AdvanceTimes, advanceTimes } from './evolution-advance.ts'
import { factsOf, type RecordedRun } from './evolution-quality.ts'

const sizes = [100, 1_000, 10_000] as const
const measured = 60
const most_ms = 100
const [recommended, rounds] = [[0, 10, 100], 20] as const

export const bench: Bench = {
  name: 'evolution',
  summary: `one run mined and its gaps analyzed with ${sizes.join(', ')} earlier runs, processor time, ${measured} runs each; limit: its trace written alone. One round of the scheduler with ${recommended.join(', ')} recommendations, ${rounds} rounds each; limit: the round without any`,
  async run(progress) {
    const home = mkdtempSync(join(tmpdir(), 'evolution-bench-'))
    const store = openStore({ home, clock: systemClock })
    const embedder = openBundledEmbedder(systemClock)
    try {
      const next = historyOf()
      const mine = openMining(store, embedder)
      const times = async (work: () => Promise<void>) => {
        const all: number[] = []
        for (let at = 0; at < measured; at += 1) all.push(await cpuOf(work))
        return all
      }
      const limit = median(await times(async () => mine.writeOnly(next())))
      const took: { readonly size: number; readonly times: readonly number[] }[] = []
      let done = measured
      for (const size of sizes) {
        progress(`${size} earlier runs`)
        for (; done < size; done += 1) await mine.whole(next())
        // The embedder stops when it has had nothing to do for a while; starting it is not part of a run.
        await mine.warm(`Warm ${size}.`)
        took.push({ size, times: await times(() => mine.whole(unheard(next()))) })
        done += measured
      }
      return [...rowsOf(took, limit), ...advanceRows(await advanceTimes(recommended, rounds, progress))]
    } finally {
      await embedder.stop()
      store.close()
      rmSync(home, { recursive: true, force: true })
    }
  },
}

function rowsOf(took: readonly { readonly size: number; readonly times: readonly number[] }[], limit: number): BenchRow[] {
  const medians = took.map(({ times }) => median(times))
  const growth = (medians.at(-1) ?? 0) / (medians.at(-2) ?? 1)
  const rows = took.flatMap(({ size, times }, at): readonly BenchRow[] => {
    const [middle, slow] = [medians[at] ?? 0, quantile(times, 0.95)]
    const row = { unit: 'ms', better: 'lower', peers: {}, limit } as const
    return [
      { ...row, metric: `${size} earlier runs, median`, ours: middle, target: `at most ${most_ms} ms`, met: middle <= most_ms },
      { ...row, metric: `${size} earlier runs, p95`, ours: slow, target: `at most ${most_ms} ms`, met: slow <= most_ms },
    ]
  })
  const flat: BenchRow = {
    ...{ metric: 'at 10,000 earlier runs against 1,000', unit: '× its time', better: 'lower', ours: growth, peers: {}, limit: 1 },
    ...{ target: 'flat (≤ 1.3)', met: growth <= 1.3 },
  }
  return [...rows, flat]
}

/** A round happens after each run and every ten minutes. */
function advanceRows(took: readonly AdvanceTimes[]): readonly BenchRow[] {
  const limit = median(took[0]?.times ?? [0])
  return took.map(({ size, times }) => {
    const ours = median(times)
    return {
      ...{ metric: `one round with ${size} recommendations, median`, unit: 'ms', better: 'lower', ours, peers: {}, limit },
      ...{ target: `at most ${most_ms} ms`, met: ours <= most_ms },
    }
  })
}

/** Endless, and never the same run twice. */
function historyOf(): () => BehaviorFacts {
  const runs = ['tuning', 'random'].flatMap((name): readonly RecordedRun[] => {
    const text = readFileSync(new URL(`./evolution-history/${name}.jsonl`, import.meta.url), 'utf8')
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  })
  // Spread, so that every stretch has all of it.
  const order = runs.map((run, at) => ({ run, key: (at * 269) % runs.length })).toSorted((left, right) => left.key - right.key)
  let no = 0
  return () => {
    const run = order[no % order.length]?.run
    if (!run) throw new Error('the history is empty')
    no += 1
    const day = new Date(Date.parse('2026-01-01') + no * 3_600_000).toISOString().slice(0, 10)
    return { ...factsOf(run), run_id: `run-${no}`, day }
  }
}

/** With sentences that were never embedded. */
function unheard(facts: BehaviorFacts): BehaviorFacts {
  const said = facts.said.map((message) => ({ ...message, text: message.text.replaceAll(/(?=[.!?](?:\s|$))/g, ` in ${facts.run_id}`) }))
  return { ...facts, said }
}

/** As the runtime does it, without reading the journal. */
function openMining(store: Store, embedder: Embedder) {
  const meanings = openMeanings({ store, embedder: () => embedder, log: (line) => void process.stderr.write(`${line}\n`) })
  const [miner, traces, gaps] = [openMiner(store, { meanings }), openTraces(store), openGaps(store)]
  const literals = openRunLiterals(store)
  const { signal } = new AbortController()
  const skills = Array.from({ length: 30 }, (_, at) => ({
    name: `skill-${at}`,
    description: `Sorts, checks and writes files of kind ${at}.`,
  }))
  const nothing = { tool_sequences: [], repeated_constraints: [], manual_remediations: [] }
  return {
    writeOnly({ run_id, agent_id, conversation_id }: BehaviorFacts): void {
      store.transaction(() => traces.put({ run_id, agent_id, conversation_id, ...nothing }, run_id))
    },
    warm: (text: string) => meanings.prepare([text], signal),
    async whole(facts: BehaviorFacts): Promise<void> {
      const { run_id, agent_id, conversation_id } = facts
      await meanings.prepare(saidIn(facts), signal)
      store.transaction(() => {
        const { behaviors, ...mined } = miner.mine(facts)
        literals.put(facts)
        const { id } = traces.put({ run_id, agent_id, conversation_id, ...mined }, run_id)
        for (const behavior of behaviors) {
          const matching_skill = matchingSkill(behavior.compared, skills)
          const gap_kind = gapOf({ ...behavior, matches: matching_skill !== null, bound: false })
          if (gap_kind === null) continue
          const { signature, repetitions } = behavior
          gaps.put({
            ...{ run_id, agent_id, conversation_id, gap_kind, signature, repetitions, matching_skill, already_bound: false },
            ...{ summary: summaryOf(behavior), behavior_trace_ids: [id], confidence: confidenceOf(behavior) },
          })
        }
      })
    },
  }
}

/** Of all threads. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
