import { notBuilt } from '@tandem/contract/built'
import type { CommandName, CommandResult } from '@tandem/contract/command'
import { timestamp } from '../clock/clock.ts'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, pageOf, positionOf } from '../feature/cursor.ts'
import { invalidField } from '../feature/outcome.ts'
import { checkedAddress } from '../model/base-url.ts'
import { countRows, countRuns } from '../store/counts.ts'
import { featureStates } from './feature-states.ts'
import type { Features } from './features.ts'

const namesNotBuilt = {
  tools: [...notBuilt.tools],
  commands: [...notBuilt.commands],
  events: [...notBuilt.events],
  stores: [...notBuilt.stores],
  step_kinds: [...notBuilt.step_kinds],
  workflow_event_kinds: [...notBuilt.workflow_event_kinds],
  message_authors: [...notBuilt.message_authors],
  pause_reasons: [...notBuilt.pause_reasons],
  approval_answers: [...notBuilt.approval_answers],
  failure_stages: [...notBuilt.failure_stages],
}

type Parts = Pick<Features, 'store' | 'events' | 'settings' | 'about' | 'workspaces'>

/** `answers`: whether this runtime handles a command, which determines whether a feature works. */
export function hostHandlers(
  { store, events, settings, about, workspaces }: Parts,
  answers: (command: CommandName) => boolean,
): CommandTable {
  async function status(): Promise<CommandResult<'runtime_status'>> {
    const { version, started_at } = about
    const { device_id, home } = store
    const features = featureStates(answers, about.featureStates())
    return {
      version,
      device_id,
      home,
      started_at,
      warnings: about.warnings(),
      sandbox: await about.sandbox(),
      model: about.model(),
      parked_deliveries: about.parkedDeliveries(),
      executors: about.executors(),
      features,
      not_built: namesNotBuilt,
    }
  }
  return {
    event_list({ run_id, last, after_event = last === undefined ? 0 : events.beforeLast(last), ...paging }) {
      const from = positionOf('event_list', paging, ['number'])
      if (!from.ok) return from
      const after = Number(from.value?.[0] ?? after_event)
      const recorded = events.list({ after, ...(run_id === undefined ? {} : { run_id }), limit: limitOf(paging) + 1 })
      const items = recorded.map(({ no, ...event }) => ({ no, event }))
      return { ok: true, value: pageOf('event_list', items, ({ no }) => [no], paging) }
    },
    runtime_status: async () => ({ ok: true, value: await status() }),
    async runtime_make_support_bundle({ action }) {
      const { supportBundle, writeBundle } = await import('./support-bundle.ts')
      const counted = { counts: [...countRows(store)], runs: [...countRuns(store)] }
      const bundle = supportBundle({ events, settings, store }, await status(), counted, timestamp(store.clock.now()))
      return { ok: true, value: { bundle, file: action === 'write' ? writeBundle(store.home, bundle) : null } }
    },
    workspace_make_sample() {
      const made = workspaces.makeSample()
      return made.ok ? { ok: true, value: { workspace: made.value } } : made
    },
    runtime_get_settings: () => ({ ok: true, value: { settings: settings.read() } }),
    runtime_set_settings(change) {
      const { model_base_url } = change
      const address = typeof model_base_url === 'string' ? checkedAddress(model_base_url) : null
      if (address && !address.ok) return invalidField('model_base_url', address.problem, `The address of the model ${address.problem}`)
      const problem = settings.problem(change)
      if (problem) return invalidField(problem.field, problem.message)
      settings.write(address ? { ...change, model_base_url: address.base_url } : change)
      return { ok: true, value: { settings: settings.read() } }
    },
  }
}
