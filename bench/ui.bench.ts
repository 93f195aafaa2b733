// The window with a long thread: time to load, smoothness of scrolling compared with an empty page, and the cost of a stream.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { writeLongThread } from '../e2e/long-thread.ts'
import { openDesktop } from '../e2e/test-desktop.ts'
import type { ScriptedTurn } from '../packages/runtime/test/support/model/test-model.ts'
import { type Bench, type BenchRow, median, quantile } from './bench.ts'
import { traceMainThread } from './ui-trace.ts'

const calls = 5_000
const frames = 180
const openings = 5
const tokens = 2_400
/** Of an answer while memory is measured. */
const fewTokens = 240
/** 200 per second. */
const token_ms = 5
/** Below it the share is meaningless: a slower stream costs less. */
const tokensPerSecond = 180
/** How long the window is used to measure its memory; the full claim takes ten. */
const minutes = Number(process.env.TANDEM_UI_MINUTES ?? 1)
const assets = fileURLToPath(new URL('../packages/desktop/dist/assets', import.meta.url))

export const bench: Bench = {
  name: 'ui',
  summary:
    'the production build over a thread of 10,000 parts, compared with an empty page in the same browser; work is thread time from a trace',
  async run(progress) {
    const browser = await launchChromium('whole')
    let conversation_id = ''
    progress('writing the thread')
    const desktop = await openDesktop(
      browser,
      (_, { messages }) => stream(JSON.stringify(messages.at(-1)).includes(briefly) ? fewTokens : tokens),
      (home, workspace) => {
        conversation_id = writeLongThread(home, workspace, calls)
      },
    )
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
      const loaded = Number(await page.evaluate(loadedKiB))
      progress('scrolling')
      const ours = await scrolled(browser, page, "document.querySelector('.thread-scroll')", -300)
      const nodes = Number(await page.evaluate("document.querySelectorAll('*').length"))
      const empty = await browser.newPage()
      await empty.setContent('<div style="height:200000px"></div>')
      const limit = await scrolled(browser, empty, 'document.scrollingElement', 300)
      await empty.close()
      progress('streaming')
      const { share, rate } = await streamed(browser, page)
      progress(`streamed ${Math.round(rate)} tokens/s`)
      progress(`looking at memory for ${minutes} min`)
      const growth = await grown(page)
      const open = median(opened)
      return [
        row('thread of 10,000 parts opens', 'ms', open, null, 'under 1,000 ms', open < 1_000),
        row('first paint of the window', 'ms', median(painted), null, 'under 500 ms', median(painted) < 500),
        row(
          'scrolling, frame interval p95',
          'ms',
          quantile(ours.value, 0.95),
          quantile(limit.value, 0.95),
          'at most 1.2 × an empty page',
          quantile(ours.value, 0.95) <= 1.2 * quantile(limit.value, 0.95),
        ),
        row('scrolling, work per frame p95', 'ms', quantile(ours.work, 0.95), null, 'under 8 ms', quantile(ours.work, 0.95) < 8),
        row('scrolling, work per frame, median', 'ms', median(ours.work), median(limit.work), 'under 8 ms', median(ours.work) < 8),
        row(
          'streaming 200 tokens/s, main thread',
          '%',
          share,
          null,
          `under 30 %, at ${tokensPerSecond} tokens/s or more`,
          share < 30 && rate >= tokensPerSecond,
        ),
        {
          ...row('streaming, rate reached', 'tokens/s', rate, null, `at least ${tokensPerSecond}`, rate >= tokensPerSecond),
          better: 'higher',
        },
        row(`memory after ${minutes} min of scrolling and writing`, 'MiB more', growth, null, 'under 5 MiB', growth < 5),
        row('elements in the page', '', nodes, null, 'under 5,000', nodes < 5_000),
        row('scripts and styles of a thread, uncompressed', 'KiB', loaded, null, 'under 1,000 KiB', loaded < 1_000),
        { ...row('the same of all pages, diagrams and formulas included', 'KiB', bundle(), null, '', true), target: null, met: null },
      ]
    } finally {
      await desktop.stop()
      await browser.close()
    }
  },
}

function row(metric: string, unit: string, ours: number, limit: number | null, target: string, met: boolean): BenchRow {
  return {
    metric,
    unit,
    better: 'lower',
    ours: Math.round(ours * 10) / 10,
    peers: {},
    limit: limit === null ? null : Math.round(limit * 10) / 10,
    target,
    met,
  }
}

async function drawn(page: Page): Promise<void> {
  await page.locator('article[data-card=RunStatus]').last().waitFor()
}

/** The intervals of the frames, and the work of the main thread for each of them. */
function scrolled(browser: Browser, page: Page, scroller: string, by: number) {
  return traceMainThread(
    browser,
    page,
    () =>
      page.evaluate(`(async () => {
        const scroller = ${scroller}
        scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: ${by} }))
        const intervals = []
        let last = await new Promise(requestAnimationFrame)
        for (let frame = 0; frame < ${frames}; frame += 1) {
          performance.mark('frame')
          scroller.scrollTop += ${by}
          const now = await new Promise(requestAnimationFrame)
          intervals.push(now - last)
          last = now
        }
        performance.mark('frame')
        return intervals
      })()`) as Promise<number[]>,
  )
}

const briefly = 'Briefly.'

/** A typical answer of a model: prose, a list, code. Token by token. */
function stream(length: number): ScriptedTurn {
  const text = 'The lighthouse **stands** on the rock.\n\n- one thing\n- another\n\n```ts\nconst light = await turn(360)\n```\n\n'
  const pieces = Array.from({ length }, (_, index) => text.slice((index * 4) % text.length).slice(0, 4))
  const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
  const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`
  return { raw: [...pieces.map(chunk), end], slow_ms: token_ms }
}

/** The share of the main thread that a streaming answer takes, in a new conversation of a window that has loaded the long thread. */
async function streamed(browser: Browser, page: Page): Promise<{ readonly share: number; readonly rate: number }> {
  let took_ms = 0
  const thread = new URL(page.url()).pathname
  await page.getByRole('link', { name: 'New conversation' }).click()
  const { work, seconds } = await traceMainThread(browser, page, async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill('Tell me.')
    const asked = performance.now()
    await page.getByRole('textbox', { name: 'Message' }).press('Enter')
    await page.locator('[data-standing=coming]').waitFor()
    await page.evaluate("performance.mark('frame')")
    await page.locator('[data-standing=coming]').waitFor({ state: 'detached', timeout: 120_000 })
    took_ms = performance.now() - asked
    await page.evaluate("performance.mark('frame')")
  })
  await goTo(page, thread)
  await page.locator('article[data-card=ToolCall]').first().waitFor()
  return { share: (work.reduce((sum, one) => sum + one, 0) / (seconds * 1_000)) * 100, rate: tokens / (took_ms / 1_000) }
}

/** The same navigation as a link inside the window. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '${path}')`)
  await page.evaluate("dispatchEvent(new Event('tandem:address'))")
}

/** How much the heap grows after scrolling in the long thread and writing in another for a while, each time after a garbage collection. */
async function grown(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const used = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 2 ** 20
  }
  const thread = new URL(page.url()).pathname
  await page.getByRole('link', { name: 'New conversation' }).click()
  const scroll = () =>
    page.evaluate(`(async () => {
      const scroller = document.querySelector('.thread-scroll')
      for (let frame = 0; frame < 120; frame += 1) {
        scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }))
        scroller.scrollTop += frame < 60 ? -1500 : 1500
        await new Promise(requestAnimationFrame)
      }
    })()`)
  let written = ''
  const round = async () => {
    if (written !== '') await goTo(page, written)
    await page.getByRole('textbox', { name: 'Message' }).fill(briefly)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('[data-standing=coming]').waitFor()
    await page.locator('[data-standing=coming]').waitFor({ state: 'detached', timeout: 120_000 })
    written = new URL(page.url()).pathname
    await goTo(page, thread)
    await page.locator('article[data-card=ToolCall]').first().waitFor()
    await scroll()
  }
  await round()
  const before = await used()
  const until = performance.now() + minutes * 60_000
  while (performance.now() < until) await round()
  return (await used()) - before
}

/** What the page has loaded so far; workers load their own. */
const loadedKiB = `performance.getEntriesByType('resource')
  .filter(({ name }) => /\\.(?:js|css)(?:$|\\?)/.test(name))
  .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0) / 1024`

function bundle(): number {
  return readdirSync(assets).reduce((sum, name) => sum + statSync(join(assets, name)).size, 0) / 1_024
}
