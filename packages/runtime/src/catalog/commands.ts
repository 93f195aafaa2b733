import type { CommandParams } from '@tandem/contract/command'
import type { CommandTable } from '../feature/command-table.ts'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import { checkedAddress } from '../model/base-url.ts'
import type { Store } from '../store/store.ts'
import type { AddressSource, Catalog } from './catalog.ts'
import type { ModelRecords } from './model-records.ts'
import { monthOf, type UsageReader } from './usage.ts'

export interface ModelCommandPorts {
  readonly catalog: Catalog
  readonly records: ModelRecords
  readonly usage: UsageReader
  readonly journal: Pick<Journal, 'run' | 'conversations'>
  readonly store: Pick<Store, 'clock'>
}

type NamedSource = Pick<CommandParams<'model_catalog'>, 'model_base_url' | 'source'>

export function modelHandlers({ catalog, records, usage, journal, store }: ModelCommandPorts): CommandTable {
  function sourceOf({ model_base_url, source }: NamedSource): Outcome<AddressSource> {
    const isNamed = model_base_url !== undefined && model_base_url !== null
    if (source !== undefined && isNamed) return invalidField('source', 'must be given alone, without `model_base_url`')
    if (!isNamed) return { ok: true, value: { from: source ?? 'use' } }
    const checked = checkedAddress(model_base_url)
    return checked.ok
      ? { ok: true, value: { from: 'text', base_url: model_base_url } }
      : invalidField('model_base_url', checked.problem, `The address of the model ${checked.problem}`)
  }

  return {
    async model_test_connection({ model_key = null, ...named }) {
      const source = sourceOf(named)
      return source.ok ? { ok: true, value: await catalog.test(source.value, model_key) } : source
    },
    async model_catalog({ refresh = false, ...named }) {
      const source = sourceOf(named)
      return source.ok ? { ok: true, value: await catalog.list(source.value, refresh) } : source
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
