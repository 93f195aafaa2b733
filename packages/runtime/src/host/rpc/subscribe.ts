// The parameters of `subscribe` and `unsubscribe`, held against the contract.
import type { SubscribeParams } from '@tandem/contract/command'
import { SubscribeParams as SubscribeSchema } from '@tandem/contract/command/schema'
import { Compile } from 'typebox/compile'

const validator = Compile(SubscribeSchema)

/** Why they do not fit; null when they do. */
export function subscriptionOf(params: unknown): string | null {
  if (!validator.Check(params)) {
    const [first] = validator.Errors(params)
    return `subscribe: ${first?.instancePath || 'the parameters'} ${first?.message ?? 'do not fit'}`
  }
  const { topics, run_id, after_seq, after_event } = params as SubscribeParams
  if (after_seq !== undefined && run_id === undefined) return 'subscribe: after_seq needs the run_id whose steps it counts'
  if (after_seq !== undefined && !topics.includes('step')) return 'subscribe: after_seq is for the topic step'
  if (after_event !== undefined && !topics.includes('event')) return 'subscribe: after_event is for the topic event'
  return null
}

export function unsubscriptionOf(params: unknown): string | null {
  if (typeof params !== 'object' || params === null || Object.keys(params).join() !== 'subscription_id') return null
  const { subscription_id } = params as { subscription_id: unknown }
  return typeof subscription_id === 'string' ? subscription_id : null
}
