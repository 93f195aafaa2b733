// The models that an address offers, whether it responds, their prices, and what the runs of this device used.
import Type from 'typebox'
import { ConnectionTest, ListedModel, ModelList, ModelPrice, Month, UsageReport } from '../model/schema.ts'
import { Flag, Id, Line, listOf, nullable, object, oneOf } from '../shape.ts'
import type { Command } from './command.ts'
import type { CommandNameIn } from './index.ts'
import { Secret } from './runtime/host.ts'

/** `account`: the models that the account offers, also while another address is configured. */
const Source = Type.Optional(oneOf(['account']))

export const modelCommands = {
  model_test_connection: {
    summary:
      'Test whether the address of models responds, and what it offers. Without an address, the one in use is tested; with the source `account`, that of the account. The stored key is sent only to its own address.',
    params: object({ model_base_url: Type.Optional(nullable(Line)), source: Source, model_key: Type.Optional(Secret) }),
    result: ConnectionTest,
  },
  model_catalog: {
    summary: 'List the models that an address offers, with what is known about them. Offline, the list is the one that was last seen.',
    params: object({ model_base_url: Type.Optional(nullable(Line)), source: Source, refresh: Type.Optional(Flag) }),
    result: ModelList,
  },
  model_set_price: {
    summary: 'Enter the price of a model at the configured address, in US dollars per million tokens; null removes it.',
    params: object({ model: Line, price: nullable(ModelPrice) }),
    result: object({ model: ListedModel }),
  },
  usage_get: {
    summary:
      'Show the tokens and the known cost of a run with its members, of a conversation, or of a month, by model. Only runs of this device are counted.',
    params: object({ run_id: Type.Optional(Id), conversation_id: Type.Optional(Id), month: Type.Optional(Month) }),
    result: UsageReport,
  },
  usage_months: {
    summary: 'List the months in which runs of this device used a model, newest first.',
    params: object({}),
    result: object({ months: listOf(Month) }),
  },
} satisfies Record<CommandNameIn<'models'>, Command>
