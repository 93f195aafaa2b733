// What a call under way lays claim to, and whether that fits. Pure.
import type { MeterLimits } from '../../config/llm/limits.ts'

export interface Claim {
  /** `open`: the call is under way, `tokens` are the most it may cost. `settled`: it has ended, `tokens` are what it did cost. */
  readonly state: 'open' | 'settled'
  readonly tokens: number
  readonly generation_id: string
}

/** `busy`: too many calls under way. `reserved`: the budget would be enough, but for what others have claimed. `spent`: it is not. */
export type Judgement = 'fits' | 'busy' | 'reserved' | 'spent'

/** `all` are the user's claims on every node, `mine` among them; `spent` is the sum of the month. */
export function judge(
  mine: Claim,
  all: readonly Claim[],
  spent: number,
  limits: Pick<MeterLimits, 'calls_in_flight' | 'tokens_per_month'>,
): Judgement {
  const budget = limits.tokens_per_month
  if (budget > 0 && spent + mine.tokens > budget) return 'spent'
  if (all.filter(({ state }) => state === 'open').length > limits.calls_in_flight) return 'busy'
  const claimed = all.reduce((sum, { tokens }) => sum + tokens, 0)
  return budget > 0 && spent + claimed > budget ? 'reserved' : 'fits'
}

export function writeClaim({ state, tokens, generation_id }: Claim): string {
  return `${state} ${tokens} ${generation_id}`
}

export function readClaim(text: string): Claim {
  const [state, tokens, generation_id = ''] = text.split(' ')
  return { state: state === 'settled' ? 'settled' : 'open', tokens: Number(tokens), generation_id }
}
