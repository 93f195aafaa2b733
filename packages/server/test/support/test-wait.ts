// For tests: wait until something has become true, or say that it did not.
import { setTimeout as sleep } from 'node:timers/promises'

export async function waitFor(condition: () => boolean | Promise<boolean>, withinMs = 5_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${condition}`)
    await sleep(10)
  }
}
