// Shared setup of the tests of one file: one browser, and a desktop per test. After the test it is stopped, and its window must not have
// reported an error.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { launchChromium } from './chromium.ts'
import { type Desktop, openDesktop } from './test-desktop.ts'

type Rest = Parameters<typeof openDesktop> extends [Browser, ...infer Others] ? Others : never

/** For a test with a browser and a runtime that waits for the disk: on a busy machine both take many times longer. */
const testTimeout = 180_000

/** Called once per edition at the top of a file; returns a function that opens a desktop. The first one of the file starts the browser. */
export function useTestDesktop(edition?: Parameters<typeof launchChromium>[0]): (...rest: Rest) => Promise<Desktop> {
  vi.setConfig({ testTimeout })
  const opened: Desktop[] = []
  let launched: Promise<Browser> | undefined
  afterAll(async () => (await launched)?.close())
  afterEach(async () => {
    for (const context of (await launched)?.contexts() ?? []) await context.close()
    // Removed from the list first: one that cannot be stopped must not affect the next test.
    const mine = opened.splice(0)
    for (const desktop of mine) await desktop.stop()
    const complaints = mine.flatMap((desktop) => desktop.consoleErrors)
    expect(complaints, complaints.join('\n')).toEqual([])
  })
  return async (...rest) => {
    launched ??= launchChromium(edition)
    const desktop = await openDesktop(await launched, ...rest)
    opened.push(desktop)
    return desktop
  }
}
