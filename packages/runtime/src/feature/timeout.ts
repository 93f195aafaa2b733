// How long a run waits for a feature.
import { late, withinTime } from '../clock/time-limit.ts'

const patience_ms = 5_000

/** Rejects if it takes longer: a feature that hangs must not delay a run. */
export async function withTimeout<Value>(answer: Value | Promise<Value>, limit_ms = patience_ms): Promise<Value> {
  const value = await withinTime(keepingAlive, limit_ms, answer)
  if (value === late) throw new Error(`no response within ${limit_ms} ms`)
  return value
}

/** Unlike a timer of the clock: when a feature hangs, nothing else may keep the process alive, and the run goes on. */
function keepingAlive(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}
