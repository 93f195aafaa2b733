import { limitOf, pageOf, positionOf } from './cursor.ts'
import type { Features } from './features.ts'
import type { CommandTable } from './table.ts'

export function hostHandlers({ store, events, settings, about }: Pick<Features, 'store' | 'events' | 'settings' | 'about'>): CommandTable {
  return {
    event_list({ run_id, after_event = 0, ...paging }) {
      const from = positionOf('event_list', paging, ['number'])
      if (!from.ok) return from
      const after = Number(from.value?.[0] ?? after_event)
      const recorded = events.list({ after, ...(run_id === undefined ? {} : { run_id }), limit: limitOf(paging) + 1 })
      const items = recorded.map(({ no, ...event }) => ({ no, event }))
      return { ok: true, value: pageOf('event_list', items, ({ no }) => [no], paging) }
    },
    async runtime_status() {
      const { version, started_at } = about
      const { device_id, home } = store
      const sandbox = await about.sandbox()
      return { ok: true, value: { version, device_id, home, started_at, sandbox, model: about.model(), features: about.features() } }
    },
    runtime_get_settings: () => ({ ok: true, value: { settings: settings.read() } }),
    runtime_set_settings(change) {
      settings.write(change)
      return { ok: true, value: { settings: settings.read() } }
    },
  }
}
