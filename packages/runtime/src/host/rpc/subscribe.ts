// The parameters of `subscribe` and `unsubscribe`, checked against the contract.
import type { SubscribeParams } from '@tandem/contract/command'
import { SubscribeParams as SubscribeSchema } from '@tandem/contract/command/schema'
import { validationText } from '@tandem/contract/validation'
import { Compile } from 'typebox/compile'

const validator = Compile(SubscribeSchema)

/** Why they are not valid; null if they are. */
export function subscribeProblem(params: unknown): string | null {
  if (!validator.Check(params)) return validationText(validator.Errors(params), 'the parameters', 1)
  const { topics, run_id, after_seq, after_event } = params as SubscribeParams
  if (after_seq !== undefined && run_id === undefined) return '`after_seq` requires `run_id`'
  if (after_seq !== undefined && !topics.includes('step')) return '`after_seq` requires the topic `step`'
  if (after_event !== undefined && !topics.includes('event')) return '`after_event` requires the topic `event`'
  return null
}

export function unsubscribeProblem(params: unknown): string | null {
  if (typeof params !== 'object' || params === null || Object.keys(params).join() !== 'subscription_id') return null
  const { subscription_id } = params as { subscription_id: unknown }
  return typeof subscription_id === 'string' ? subscription_id : null
}
