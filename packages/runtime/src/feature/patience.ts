// How long a run waits for what a feature has to say.

const patience_ms = 5_000

/** Rejects when it takes longer: a feature that hangs must not hold up a run. */
export async function inTime<Value>(answer: Value | Promise<Value>, limit_ms = patience_ms): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${limit_ms} ms`)), limit_ms)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
