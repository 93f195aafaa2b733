// The cost of a run with the runs that it started. Nothing is shown while no price is known.
import { costOfReport, useUsage } from '../part/cost.tsx'

export function RunCost({ run_id, tokens }: { run_id: string; tokens: number }) {
  const cost = costOfReport(useUsage({ run_id }, tokens))
  return cost === '' ? null : ` · ${cost}`
}
