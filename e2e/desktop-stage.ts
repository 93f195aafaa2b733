// What the tests of one file share: one browser, and a desktop for each test. After the test it is stopped, and its window must have had
// nothing to complain about.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { type Desktop, openDesktop } from './desktop-window.ts'

type Rest = Parameters<typeof openDesktop> extends [Browser, ...infer Others] ? Others : never

/** Called once at the head of a file; what it answers with opens a desktop. */
export function desktopsOfTests(): (...rest: Rest) => Promise<Desktop> {
  const opened: Desktop[] = []
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
    // First of all forgotten: one that can't be stopped is not the next test's to stop.
    const mine = opened.splice(0)
    for (const desktop of mine) await desktop.stop()
    const complaints = mine.flatMap((desktop) => desktop.complaints)
    expect(complaints, complaints.join('\n')).toEqual([])
  })
  return async (...rest) => {
    if (!browser) throw new Error('a desktop is opened inside of a test')
    const desktop = await openDesktop(browser, ...rest)
    opened.push(desktop)
    return desktop
  }
}
