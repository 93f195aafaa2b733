// What a run, or a conversation, has used and cost on this device.
import { totalCost, type UsageReport } from '@tandem/contract/model'
import { useCommand } from '../client/use-request.ts'
import { modelWords } from '../strings/models.ts'

type Scope = { readonly run_id: string } | { readonly conversation_id: string }

/** Null until it is known. `version`: the tokens so far; another value reads it again. */
export function useUsage(scope: Scope, version: number): UsageReport | null {
  const { state } = useCommand('usage_get', scope, { version })
  return state.state === 'ready' ? state.value : null
}

/** Empty if no price is known. */
export function costOfReport(report: UsageReport | null): string {
  return report === null ? '' : modelWords.cost(totalCost(report.rows))
}
