// One call of the model: its text is stored as it arrives, and its time is measured.
import type { Model, TurnOutcome, TurnRequest } from '../../model/model.ts'
import type { ActiveRun } from '../active-run.ts'
import type { LoopPorts } from '../ports.ts'
import { keepInterruptedText, type StreamedText, storeStreamedText } from './streamed-text.ts'

export interface ModelCallResult {
  readonly outcome: TurnOutcome
  readonly keeper: StreamedText
  readonly times: { readonly first_token_ms: number | null; readonly duration_ms: number }
}

export async function callModel(
  ports: Pick<LoopPorts, 'store' | 'journal' | 'bus' | 'crashPoint'>,
  activeRun: Pick<ActiveRun, 'run' | 'append'>,
  model: Model,
  request: Omit<TurnRequest, 'onText'>,
): Promise<ModelCallResult> {
  const { clock } = ports.store
  const began = clock.elapsed()
  const sinceThen = () => Math.round(clock.elapsed() - began)
  const run = activeRun.run()
  keepInterruptedText(run, ports, activeRun.append)
  const keeper = storeStreamedText(run, ports, activeRun.append)
  let first_token_ms: number | null = null
  const asked = model.turn({
    ...request,
    onText(arrived) {
      first_token_ms ??= sinceThen()
      keeper.arrived(arrived)
    },
  })
  const outcome = await asked.catch((error: unknown) => {
    keeper.breakOff()
    throw error
  })
  if (outcome.ok) keeper.stop()
  else keeper.breakOff()
  return { outcome, keeper, times: { first_token_ms, duration_ms: sinceThen() } }
}
