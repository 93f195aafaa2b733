// How long a run waits for a feature.

const patience_ms = 5_000

/** Rejects if it takes longer: a feature that hangs must not delay a run. */
export async function withTimeout<Value>(answer: Value | Promise<Value>, limit_ms = patience_ms): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no response within ${limit_ms} ms`)), limit_ms)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
