import type { CommandTable } from '../feature/command-table.ts'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import { checkedAddress } from '../model/base-url.ts'
import type { Store } from '../store/store.ts'
import type { Catalog } from './catalog.ts'
import type { ModelRecords } from './model-records.ts'
import { monthOf, type UsageReader } from './usage.ts'

export interface ModelCommandPorts {
  readonly catalog: Catalog
  readonly records: ModelRecords
  readonly usage: UsageReader
  readonly journal: Pick<Journal, 'run' | 'conversations'>
  readonly store: Pick<Store, 'clock'>
}

export function modelHandlers({ catalog, records, usage, journal, store }: ModelCommandPorts): CommandTable {
  /** Null and an empty address are the address in use. */
  function typedAddress(model_base_url: string | null | undefined): Outcome<string | null> {
    if (model_base_url === undefined || model_base_url === null) return { ok: true, value: null }
    const checked = checkedAddress(model_base_url)
    return checked.ok
      ? { ok: true, value: model_base_url }
      : invalidField('model_base_url', checked.problem, `The address of the model ${checked.problem}`)
  }

  return {
    async model_test_connection({ model_base_url, model_key = null }) {
      const typed = typedAddress(model_base_url)
      return typed.ok ? { ok: true, value: await catalog.test(typed.value, model_key) } : typed
    },
    async model_catalog({ model_base_url, refresh = false }) {
      const typed = typedAddress(model_base_url)
      return typed.ok ? { ok: true, value: await catalog.list(typed.value, refresh) } : typed
    },
    model_set_price({ model, price }) {
      const address = catalog.address()
      if (address === null) return { ok: false, code: 'model_unavailable', message: 'no provider is configured' }
      records.putPrice(address, model, price)
      return { ok: true, value: { model: catalog.model(address, model) } }
    },
    usage_get({ run_id, conversation_id, month }) {
      if ([run_id, conversation_id, month].filter((one) => one !== undefined).length > 1)
        return invalidField('month', 'must be given alone, without `run_id` or `conversation_id`')
      if (run_id !== undefined) {
        if (!journal.run(run_id)) return { ok: false, code: 'not_found', message: `there is no run ${run_id}` }
        return { ok: true, value: usage.ofRun(run_id) }
      }
      if (conversation_id !== undefined) {
        if (!journal.conversations.get(conversation_id))
          return { ok: false, code: 'not_found', message: `there is no conversation ${conversation_id}` }
        return { ok: true, value: usage.ofConversation(conversation_id) }
      }
      return { ok: true, value: usage.ofMonth(month ?? monthOf(store.clock.now())) }
    },
    usage_months: () => ({ ok: true, value: { months: [...usage.months()] } }),
  }
}
