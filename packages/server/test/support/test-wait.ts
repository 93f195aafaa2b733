// For tests: waits until a condition is true, as long as a busy machine may need, or fails.
import { setTimeout as sleep } from 'node:timers/promises'

export async function waitFor(condition: () => boolean | Promise<boolean>, withinMs = 15_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${condition}`)
    await sleep(10)
  }
}
