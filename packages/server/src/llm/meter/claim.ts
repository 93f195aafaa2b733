// The claim of a call in progress, and whether it fits. Pure.
import type { MeterLimits } from '../../config/llm/limits.ts'

export interface BudgetClaim {
  /** `open`: the call is in progress, `tokens` is its maximum cost. `settled`: it has ended, `tokens` is its actual cost. */
  readonly state: 'open' | 'settled'
  readonly tokens: number
  readonly generation_id: string
}

/** `busy`: too many calls in progress. `reserved`: the budget would suffice without the claims of others. `spent`: it does not suffice. */
export type ClaimVerdict = 'fits' | 'busy' | 'reserved' | 'spent'

/** `all` are the user's claims on every node, including `mine`; `spent` is the sum of the month. */
export function checkClaims(
  mine: BudgetClaim,
  all: readonly BudgetClaim[],
  spent: number,
  limits: Pick<MeterLimits, 'calls_in_flight' | 'tokens_per_month'>,
): ClaimVerdict {
  const budget = limits.tokens_per_month
  if (budget > 0 && spent + mine.tokens > budget) return 'spent'
  if (all.filter(({ state }) => state === 'open').length > limits.calls_in_flight) return 'busy'
  const claimed = all.reduce((sum, { tokens }) => sum + tokens, 0)
  return budget > 0 && spent + claimed > budget ? 'reserved' : 'fits'
}

export function writeClaim({ state, tokens, generation_id }: BudgetClaim): string {
  return `${state} ${tokens} ${generation_id}`
}

export function readClaim(text: string): BudgetClaim {
  const [state, tokens, generation_id = ''] = text.split(' ')
  return { state: state === 'settled' ? 'settled' : 'open', tokens: Number(tokens), generation_id }
}
