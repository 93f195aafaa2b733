// Waits for work, but not for longer than a limit.
import type { Clock } from './clock.ts'

export const late: unique symbol = Symbol('late')

/** What the work returns, or `late` when it takes longer. The work itself goes on. */
export async function withinTime<Result>(
  after: Clock['after'],
  limit_ms: number,
  work: Result | Promise<Result>,
): Promise<Result | typeof late> {
  const over = Promise.withResolvers<typeof late>()
  const cancel = after(limit_ms, () => over.resolve(late))
  try {
    return await Promise.race([work, over.promise])
  } finally {
    cancel()
  }
}
