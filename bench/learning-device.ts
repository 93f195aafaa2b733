// Learning as in a runtime, without the features that listen to the same events: what is measured is learning alone.
import { openFeatureContext } from '../packages/runtime/src/feature/open-feature-context.ts'
import { openLearningFeature } from '../packages/runtime/src/learning/feature.ts'
import { openCorrections } from '../packages/runtime/src/memory/record/corrections.ts'
import { isCorrectedRun, messageOf } from '../packages/runtime/src/memory/run-trace.ts'
import { openRegistry } from '../packages/runtime/src/pipeline/registry.ts'
import { openLocalRules, openPolicies } from '../packages/runtime/src/policy/policies.ts'
import { openToolsFeature } from '../packages/runtime/src/tools/feature.ts'
import { benchClock, type WrittenRun } from './learning-journal.ts'

export type LearningDevice = ReturnType<typeof openLearningDevice>

export function openLearningDevice(home: string) {
  const clock = benchClock(Date.parse('2026-03-01T09:00:00.000Z'))
  const log = (line: string) => console.error(line)
  const ground = openFeatureContext({ home, environment: {}, clock, life: 'resident', log })
  const { store, records, journal } = ground
  const corrections = openCorrections(store)
  const policies = openPolicies(records, openLocalRules(store), () => null)
  const registry = openRegistry()
  const remote = () => {
    throw new Error('nothing runs here')
  }
  registry.add(openToolsFeature(ground, { remote }).tools ?? [])
  const feature = openLearningFeature(ground, {
    ...{ policies, registry },
    agents: { get: () => ({ archived: false }) as never },
    sandbox: { enforcement: () => 'os' },
    advanceSkills: async () => [],
    memory: {
      background: { current: () => null, spent: () => undefined },
      isCorrected: (run) => isCorrectedRun({ journal, corrections }, run, messageOf(journal, run.run_id)),
      commit: () => ({ ok: false, code: 'not_found', message: 'nothing is committed here', remedy: '' }),
    },
  })
  return {
    ...ground,
    ...{ clock, policies, registry },
    /** `record_run_learning_cycle()`. */
    async learn({ run_id, step_id }: WrittenRun): Promise<void> {
      const run = journal.run(run_id)
      const hear = feature.on?.hears.run_ended
      if (!run || !hear) throw new Error('the run is not there')
      const { conversation_id, agent_id } = run
      const data = { run_id, conversation_id, agent_id, state: 'completed' as const }
      await hear({ event: 'run_ended', event_id: step_id, data, no: 0, at: 0 }, new AbortController().signal)
    },
    /** Learns from every run that has ended, as a runtime does. */
    listen(): void {
      if (feature.on) ground.lifecycle.listen({ name: feature.name, ...feature.on })
      ground.lifecycle.begin()
    },
    async close(): Promise<void> {
      await ground.scheduler.stop()
      await ground.lifecycle.stop({ within_ms: 0 })
      store.close()
    },
  }
}

/** Milliseconds of the processor, all threads. */
export async function spent(work: () => Promise<unknown> | unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
