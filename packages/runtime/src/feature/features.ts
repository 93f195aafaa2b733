// The features of a runtime. Registers what each of them adds, and combines what all of them return.
import type { Tool } from '../call/tool.ts'
import type { LifecycleListener } from '../event/lifecycle/lifecycle-event.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Job } from '../scheduler/scheduler.ts'
import type { SettingsSection } from '../settings/section.ts'
import type { CommandTable } from './command-table.ts'
import type { Feature, FeatureState, PromptSection, RunBinding } from './feature.ts'
import type { PolicyLayer } from './policy-layer.ts'
import { withTimeout } from './timeout.ts'

export interface Features {
  /** Called before any run continues, with the same features in every process. */
  add<Added extends Feature>(feature: Added): Added
  /** The commands of all features. */
  commands(): CommandTable
  /** Of the features added so far. Used at every call, so it is a list. */
  readonly policyLayers: readonly PolicyLayer[]
  /** In the order of the prompt: stable ones first. */
  promptSections(): readonly PromptSection[]
  bindings(run: RunRecord): Promise<readonly RunBinding[]>
  /** Called for every feature, even if another one fails. */
  beforeModelCall(run: RunRecord): void
  states(): readonly (FeatureState & { readonly name: string })[]
  /** Called for every feature, even if another one fails. */
  endRun(run_id: string): Promise<void>
  /** The last one added stops first. */
  stop(): Promise<void>
}

export interface FeatureRegistries {
  readonly life: 'resident' | 'errand'
  readonly registry: { add(tools: readonly Tool[]): unknown }
  readonly scheduler: { add(job: Job): void }
  readonly lifecycle: { listen(listener: LifecycleListener): void }
  readonly settings: { add(section: SettingsSection): void }
  log(line: string): void
}

export function openFeatures({ life, registry, scheduler, lifecycle, settings, log }: FeatureRegistries): Features {
  const all: Feature[] = []
  const policyLayers: PolicyLayer[] = []
  return {
    add(feature) {
      const { name, tools = [], jobs = [], settings: section, on, policy } = feature
      if (all.some((other) => other.name === name)) throw new Error(`two features have the name ${name}`)
      all.push(feature)
      registry.add(tools)
      // A process for one command runs no jobs.
      if (life === 'resident') for (const job of jobs) scheduler.add(job)
      if (section) settings.add(section)
      if (on) lifecycle.listen({ name, ...on })
      if (policy) policyLayers.push(policy)
      return feature
    },
    commands() {
      const table: CommandTable = {}
      for (const { name, commands = {} } of all) {
        const taken = Object.keys(commands).find((command) => Object.hasOwn(table, command))
        if (taken) throw new Error(`${taken} is defined twice, the second time by ${name}`)
        Object.assign(table, commands)
      }
      return table
    },
    policyLayers,
    promptSections: () =>
      all
        .flatMap(({ prompt }) => prompt ?? [])
        .toSorted((one, other) => Number(other.stable) - Number(one.stable) || one.order - other.order),
    async bindings(run) {
      const each = await Promise.all(
        all.map(async (feature) => {
          try {
            return (await withTimeout(feature.bindings?.(run))) ?? []
          } catch (error) {
            log(`${feature.name}: its bindings for run ${run.run_id} could not be read: ${String(error)}`)
            return []
          }
        }),
      )
      return each.flat()
    },
    beforeModelCall(run) {
      for (const feature of all) {
        try {
          feature.beforeModelCall?.(run)
        } catch (error) {
          log(`${feature.name}: a model call of run ${run.run_id} was not recorded: ${String(error)}`)
        }
      }
    },
    states: () => all.map((feature) => ({ name: feature.name, ...stateOf(feature) })),
    async endRun(run_id) {
      const ended = await Promise.allSettled(all.map(async (feature) => feature.endRun?.(run_id)))
      for (const [at, end] of ended.entries())
        if (end.status === 'rejected') log(`${all[at]?.name}: cleanup after run ${run_id} failed: ${String(end.reason)}`)
    },
    async stop() {
      for (const feature of all.toReversed()) {
        try {
          await feature.stop?.()
        } catch (error) {
          // The other features must still stop, and the folder must be released.
          log(`${feature.name} could not be stopped: ${String(error)}`)
        }
      }
    },
  }
}

function stateOf(feature: Feature): FeatureState {
  try {
    return feature.status?.() ?? { works: true }
  } catch (error) {
    return { works: false, note: String(error) }
  }
}
