import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import { openSite, type TestSite } from '../../../test/support/sandbox/network/test-scope.ts'
import { type TestBrowser, testBrowser } from '../../../test/support/tools/browser/test-browser.ts'
import { reason } from '../../../test/support/tools/web/test-context.ts'
import { openBrowsers } from './browsers.ts'

let site: TestSite
beforeAll(async () => {
  site = await openSite((_, response) => response.setHeader('content-type', 'text/html').end('<title>Page</title><p>fine</p>'))
})
afterAll(() => site.close())

/** The main process of the browser whose profile is in the folder of this run. */
function chromiumOf(browser: TestBrowser): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return line.includes(browser.temp) && !/--type=|crashpad/.test(line)
      } catch {
        return false // it has exited
      }
    })
    .map(Number)
}

test('a killed browser is reported as crashed, and is started again with the next page', async () => {
  const browser = testBrowser([site.host])
  try {
    await browser.run('open', { url: site.origin })
    const waiting = reason(browser.run('wait', { text: 'never', timeout_seconds: 20 }))
    const [pid] = chromiumOf(browser)
    if (pid === undefined) throw new Error('no Chromium runs')
    process.kill(pid, 'SIGKILL')
    expect(await waiting).toBe('browser_crashed')
    expect(await reason(browser.run('click', { text: 'fine' }))).toBe('browser_crashed')
    expect(await reason(browser.run('click', { text: 'fine' }))).toBe('browser_not_open')
    expect((await browser.run('open', { url: site.origin })).title).toBe('Page')
  } finally {
    await browser.close()
  }
})

test('a crashed tab is reported, and can be opened again', async () => {
  const browser = testBrowser([site.host])
  try {
    await browser.run('open', { url: site.origin })
    const renderer = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
          return line.includes('--type=renderer') && line.includes(browser.temp)
        } catch {
          return false // it has exited
        }
      })
    for (const pid of renderer) process.kill(Number(pid), 'SIGKILL')
    expect(['page_crashed', 'tab_closed']).toContain(await reason(browser.run('wait', { text: 'never', timeout_seconds: 60 })))
    expect((await browser.run('open', { url: site.origin })).title).toBe('Page')
  } finally {
    await browser.close()
  }
})

test('an idle browser is closed; ending a run closes its browser, even during a call', async () => {
  const clock = testClock()
  const browsers = openBrowsers({ clock, log: () => undefined, idle_ms: 60_000 })
  const browser = testBrowser([site.host], browsers)
  try {
    await browser.run('open', { url: site.origin })
    expect(chromiumOf(browser)).toHaveLength(1)
    clock.advance(60_001)
    await expect.poll(() => chromiumOf(browser)).toEqual([])
    expect(await reason(browser.run('wait', {}))).toBe('browser_not_open')
    await browser.run('open', { url: site.origin })
    const waiting = reason(browser.run('wait', { text: 'never' }))
    await browsers.endRun(browser.context('x').ids.run_id)
    expect(await waiting).toBe('browser_closed')
    expect(chromiumOf(browser)).toEqual([])
  } finally {
    await browser.close()
  }
})

test('a run that ends while its browser starts leaves none behind; stop closes all', async () => {
  const browsers = openBrowsers({ clock: testClock(), log: () => undefined })
  const browser = testBrowser([site.host], browsers)
  try {
    const opening = reason(browser.run('open', { url: site.origin }))
    await browsers.stop()
    expect(['browser_closed']).toContain(await opening)
    expect(chromiumOf(browser)).toEqual([])
  } finally {
    await browser.close()
  }
})

test('a call that is canceled ends, and the next one works', async () => {
  const browser = testBrowser([site.host])
  try {
    await browser.run('open', { url: site.origin })
    const stop = new AbortController()
    const waiting = browser.run('wait', { text: 'never' }, { signal: stop.signal })
    stop.abort(new Error('canceled'))
    await expect(waiting).rejects.toThrow('canceled')
    expect((await browser.run('wait', { text: 'fine' })).title).toBe('Page')
  } finally {
    await browser.close()
  }
})

test('calls of one run are sequential', async () => {
  const browser = testBrowser([site.host])
  try {
    const titles = await Promise.all(
      ['/1', '/2', '/3'].map(async (path) => (await browser.run('open', { url: `${site.origin}${path}` })).url),
    )
    expect(titles).toEqual([`${site.origin}/1`, `${site.origin}/2`, `${site.origin}/3`])
  } finally {
    await browser.close()
  }
})

test('without Chromium the failure says what to install; a broken Chromium is reported', async () => {
  const path = process.env.PATH
  const missing = testBrowser([site.host])
  try {
    process.env.PATH = '/nonexistent'
    const error: unknown = await missing.run('open', { url: site.origin }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      reason_code: 'browser_missing',
      facts: { subject: 'chromium', remedy: expect.stringContaining('chromium') },
    })
  } finally {
    process.env.PATH = path
    await missing.close()
  }
  const broken = testBrowser([site.host], openBrowsers({ clock: testClock(), log: () => undefined, executable: '/bin/false' }))
  expect(await reason(broken.run('open', { url: site.origin }))).toBe('browser_start_failed')
  await broken.close()
})
