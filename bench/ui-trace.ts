// What the main thread of a page did, from a trace: CPU time, not the time it waited for the CPU on a busy machine.
import type { Browser, Page } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  readonly cat: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** Thread time, in microseconds. */
  readonly tdur?: number
}

export interface TraceResult<Value> {
  readonly value: Value
  /** Milliseconds of work between one mark and the next, in the order of the marks. */
  readonly work: readonly number[]
  /** From the first mark to the last. */
  readonly seconds: number
}

const categories = ['toplevel', 'blink.user_timing']

/** `doing` sets marks named `frame` in the page with `performance.mark`. */
export async function traceMainThread<Value>(browser: Browser, page: Page, doing: () => Promise<Value>): Promise<TraceResult<Value>> {
  await page.bringToFront()
  const session = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown[] as TraceEvent[])))
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: categories } })
  const value = await doing()
  await session.send('Tracing.end')
  await complete
  await session.detach()
  return { value, ...between(events) }
}

function between(events: readonly TraceEvent[]): Omit<TraceResult<unknown>, 'value'> {
  const marks = events
    .filter(({ name, cat }) => name === 'frame' && cat.includes('blink.user_timing'))
    .sort((left, right) => left.ts - right.ts)
  const [first] = marks
  const last = marks.at(-1)
  if (!first || !last) throw new Error('the page set no marks')
  const tasks = events
    .filter(({ name, ph, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && ph === 'X' && pid === first.pid && tid === first.tid)
    .sort((left, right) => left.ts - right.ts)
  const work: number[] = []
  let at = tasks.findIndex(({ ts }) => ts >= first.ts)
  for (const mark of marks.slice(1)) {
    let sum = 0
    for (; at < tasks.length && (tasks[at]?.ts ?? 0) < mark.ts; at += 1) sum += (tasks[at]?.tdur ?? tasks[at]?.dur ?? 0) / 1_000
    work.push(sum)
  }
  return { work, seconds: (last.ts - first.ts) / 1e6 }
}
