// The relationship graph of 2,000 entities in the whole window: how long it takes to draw, and how smoothly it is moved.
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { type Desktop, openDesktop } from '../e2e/test-desktop.ts'
import { type Bench, type BenchRow, median, quantile } from './bench.ts'
import { relationshipMemories } from './graph-data.ts'
import { traceMainThread } from './ui-trace.ts'

const people = 1_000
const entities = 2_000
const openings = 5
const frames = 180

export const bench: Bench = {
  name: 'graph',
  summary: 'the production build with a graph that the rules found in 2,000 memories, compared with an empty page in the same browser',
  async run(progress) {
    const browser = await launchChromium('whole')
    const desktop = await openDesktop(browser, [])
    try {
      progress('importing the memories')
      const agent_id = await fill(desktop)
      const drawn: number[] = []
      const settled: number[] = []
      const page = await desktop.page({ path: '/memory', width: 1200 })
      page.setDefaultTimeout(120_000)
      for (let round = 0; round < openings; round += 1) {
        progress(`drawing ${round + 1} of ${openings}`)
        await page.goto(new URL('/memory', desktop.window.url).href)
        await page.getByLabel('Agent').selectOption('Grapher')
        const begun = performance.now()
        await page.getByRole('link', { name: 'Relationships' }).click()
        await page.locator('canvas[data-painted]').waitFor()
        drawn.push(performance.now() - begun)
        await page.locator('canvas[data-painted=settled]').waitFor()
        settled.push(performance.now() - begun)
      }
      progress('moving')
      const ours = await moved(browser, page)
      const empty = await browser.newPage()
      await empty.setContent('<canvas></canvas>')
      const limit = await framesOf(browser, empty)
      await empty.close()
      const shown = await entitiesOf(desktop, agent_id)
      if (shown < entities) throw new Error(`the graph has ${shown} entities, not ${entities}`)
      return [
        row('first picture, from the click', median(drawn), null, 'under 1,500 ms', median(drawn) < 1_500),
        row('picture at rest, from the click', median(settled), null, null, null),
        row(
          'moving, frame interval p95',
          quantile(ours.value, 0.95),
          quantile(limit.value, 0.95),
          'under 33 ms',
          quantile(ours.value, 0.95) < 33,
        ),
        row(
          'moving, work per frame p95',
          quantile(ours.work, 0.95),
          quantile(limit.work, 0.95),
          'under 33 ms',
          quantile(ours.work, 0.95) < 33,
        ),
        row('moving, work per frame, median', median(ours.work), median(limit.work), null, null),
      ]
    } finally {
      await desktop.stop()
      await browser.close()
    }
  },
}

function row(metric: string, ours: number, limit: number | null, target: string | null, met: boolean | null): BenchRow {
  const rounded = (value: number) => Math.round(value * 10) / 10
  return { metric, unit: 'ms', better: 'lower', ours: rounded(ours), peers: {}, limit: limit === null ? null : rounded(limit), target, met }
}

async function fill({ runtime }: Desktop): Promise<string> {
  const created = await runtime.commands.call('agent_create', { name: 'Grapher' })
  if (!created.ok) throw new Error(created.error.message)
  const json = JSON.stringify({ format: 'tandem-memory', version: 1, memories: relationshipMemories(people) })
  const imported = await runtime.commands.call('memory_import', { json })
  if (!imported.ok) throw new Error(imported.error.message)
  return created.value.agent.agent_id
}

async function entitiesOf({ runtime }: Desktop, agent_id: string): Promise<number> {
  const found = new Set<string>()
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await runtime.commands.call('memory_get_relationship_graph', {
      ...{ agent_id, limit: 100 },
      ...(cursor === undefined ? {} : { cursor }),
    })
    if (!page.ok) throw new Error(page.error.message)
    for (const { id } of page.value.entities) found.add(id)
    cursor = page.value.next_cursor
  }
  return found.size
}

/** Drags the picture: the button is pressed by the browser, and each frame has one movement. */
async function moved(browser: Browser, page: Page) {
  await page.locator('canvas').hover({ position: { x: 300, y: 200 } })
  await page.mouse.down()
  const traced = await framesOf(browser, page)
  await page.mouse.up()
  return traced
}

function framesOf(browser: Browser, page: Page) {
  return traceMainThread(
    browser,
    page,
    () =>
      page.evaluate(`(async () => {
        const canvas = document.querySelector('canvas')
        const { left, top } = canvas.getBoundingClientRect()
        const intervals = []
        let last = await new Promise(requestAnimationFrame)
        for (let frame = 0; frame < ${frames}; frame += 1) {
          performance.mark('frame')
          const [clientX, clientY] = [left + 300 + 200 * Math.sin(frame / 20), top + 200 + 100 * Math.sin(frame / 13)]
          canvas.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX, clientY }))
          const now = await new Promise(requestAnimationFrame)
          intervals.push(now - last)
          last = now
        }
        performance.mark('frame')
        return intervals
      })()`) as Promise<number[]>,
  )
}
