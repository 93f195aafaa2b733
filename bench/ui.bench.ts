// The window over a long thread: how soon it stands, and how evenly it scrolls beside an empty page in the same browser.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CDPSession, Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { writeLongThread } from '../e2e/desktop-thread.ts'
import { openDesktop } from '../e2e/desktop-window.ts'
import { type Bench, median, quantile, type Row } from './bench.ts'

const calls = 5_000
const frames = 180
const openings = 5
const assets = fileURLToPath(new URL('../packages/desktop/dist/assets', import.meta.url))

export const bench: Bench = {
  name: 'ui',
  summary: 'the production build over a thread of 10,000 parts, beside an empty page in the same browser',
  async run(progress) {
    const browser = await launchChromium()
    let conversation_id = ''
    progress('writing the thread')
    const desktop = await openDesktop(browser, [], (home, workspace) => {
      conversation_id = writeLongThread(home, workspace, calls)
    })
    try {
      const page = await desktop.page({ path: `/c/${conversation_id}` })
      await drawn(page)
      progress('opening')
      const opened: number[] = []
      const painted: number[] = []
      for (let round = 0; round < openings; round += 1) {
        const started = performance.now()
        await page.reload({ waitUntil: 'commit' })
        await drawn(page)
        opened.push(performance.now() - started)
        painted.push(Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")))
      }
      progress('scrolling')
      const session = await page.context().newCDPSession(page)
      const [ours, work] = await scrolled(page, session, "document.querySelector('.thread-scroll')", -300)
      const empty = await browser.newPage()
      await empty.setContent('<div style="height:200000px"></div>')
      const [limit] = await scrolled(empty, await empty.context().newCDPSession(empty), 'document.scrollingElement', 300)
      const nodes = Number(await page.evaluate("document.querySelectorAll('*').length"))
      const open = median(opened)
      return [
        row('thread of 10,000 parts opens', 'ms', open, null, 'under 1,000 ms', open < 1_000),
        row('first paint of the window', 'ms', median(painted), null, 'under 500 ms', median(painted) < 500),
        row(
          'scrolling, frame interval p95',
          'ms',
          quantile(ours, 0.95),
          quantile(limit, 0.95),
          'at most 1.2 × an empty page',
          quantile(ours, 0.95) <= 1.2 * quantile(limit, 0.95),
        ),
        row('scrolling, main-thread work a frame, mean', 'ms', work, null, 'under 8 ms', work < 8),
        row('elements in the page', '', nodes, null, 'under 5,000', nodes < 5_000),
        row('scripts and styles, uncompressed', 'KiB', bundle(), null, 'under 1,000 KiB', bundle() < 1_000),
      ]
    } finally {
      await desktop.stop()
      await browser.close()
    }
  },
}

function row(metric: string, unit: string, ours: number, limit: number | null, target: string, met: boolean): Row {
  return { metric, unit, better: 'lower', ours: Math.round(ours * 10) / 10, peers: {}, limit, target, met }
}

async function drawn(page: Page): Promise<void> {
  await page.locator('article[data-card=RunStatus]').waitFor()
}

/** The intervals of the frames, and the work of the main thread for each of them. */
async function scrolled(page: Page, session: CDPSession, scroller: string, by: number): Promise<[number[], number]> {
  await session.send('Performance.enable')
  const before = await taskSeconds(session)
  const intervals = (await page.evaluate(`(async () => {
    const scroller = ${scroller}
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: ${by} }))
    const intervals = []
    let last = await new Promise(requestAnimationFrame)
    for (let frame = 0; frame < ${frames}; frame += 1) {
      scroller.scrollTop += ${by}
      const now = await new Promise(requestAnimationFrame)
      intervals.push(now - last)
      last = now
    }
    return intervals
  })()`)) as number[]
  return [intervals, ((await taskSeconds(session)) - before) * (1_000 / frames)]
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

function bundle(): number {
  return readdirSync(assets).reduce((sum, name) => sum + statSync(join(assets, name)).size, 0) / 1_024
}
