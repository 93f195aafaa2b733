// Every run's browser: started at the first need, closed when idle, when the run ends, and when the runtime stops.

import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import type { Clock } from '../../clock/clock.ts'
import { findChromium } from './chromium.ts'
import { openSession, type Session } from './session.ts'

export interface Browsers {
  /** Waits for its turn in the run's browser, under the scope of the asking tool. `running_only` starts none. */
  use<Value>(context: ToolContext, start: 'start' | 'running_only', work: (session: Session) => Promise<Value>): Promise<Value>
  /** Where a tab of the run is, or the one it used last; null when there is none. Waits for no one. */
  addressOf(run_id: string, tab?: string): string | null
  endRun(run_id: string): Promise<void>
  stop(): Promise<void>
}

export interface BrowsersOptions {
  readonly clock: Clock
  log(line: string): void
  /** Where Chromium is, when it is not to be looked for. */
  readonly executable?: string
  readonly idle_ms?: number
}

interface Seat {
  session: Session | null
  /** Settles when the last one in the line has finished. */
  line: Promise<unknown>
  cancelIdle: () => void
  state: 'open' | 'closed'
}

const tenMinutes = 10 * 60_000

export function openBrowsers({ clock, log, executable, idle_ms = tenMinutes }: BrowsersOptions): Browsers {
  const seats = new Map<string, Seat>()

  function seatOf(run_id: string): Seat {
    const seat: Seat = seats.get(run_id) ?? { session: null, line: Promise.resolve(), cancelIdle: () => undefined, state: 'open' }
    seats.set(run_id, seat)
    return seat
  }

  async function sessionFor(seat: Seat, context: ToolContext, start: 'start' | 'running_only'): Promise<Session> {
    if (seat.session?.ended === 'no') return seat.session
    const crashed = seat.session?.ended === 'crashed'
    const last = seat.session
    seat.session = null
    await last?.close()
    if (crashed && start === 'running_only') throw gone('browser_crashed', 'the browser of this run crashed, and its pages are gone')
    if (start === 'running_only') throw gone('browser_not_open', 'no page is open in this run')
    const session = await openSession(context, executable ?? findChromium(), clock)
    if (seat.state === 'closed') {
      await session.close()
      throw gone('browser_closed', 'the run ended while its browser started')
    }
    seat.session = session
    return session
  }

  async function turn<Value>(
    seat: Seat,
    context: ToolContext,
    start: 'start' | 'running_only',
    work: (session: Session) => Promise<Value>,
  ) {
    context.signal.throwIfAborted()
    if (seat.state === 'closed') throw gone('browser_closed', 'the browser was closed before the call had its turn')
    seat.cancelIdle()
    const session = await sessionFor(seat, context, start)
    session.actFor(context)
    try {
      return await work(session)
    } catch (error) {
      if (session.ended === 'crashed') throw gone('browser_crashed', 'the browser crashed during the call', error)
      if (session.ended === 'closed') throw gone('browser_closed', 'the browser was closed during the call', error)
      throw error
    } finally {
      if (seat.state === 'open') seat.cancelIdle = clock.after(idle_ms, () => void close(context.ids.run_id, 'idle'))
    }
  }

  async function close(run_id: string, why: string): Promise<void> {
    const seat = seats.get(run_id)
    seats.delete(run_id)
    if (!seat) return
    seat.state = 'closed'
    seat.cancelIdle()
    if (!seat.session) return
    await seat.session.close().catch((error: unknown) => log(`closing the browser of run ${run_id} (${why}): ${String(error)}`))
  }

  return {
    use(context, start, work) {
      const seat = seatOf(context.ids.run_id)
      const mine = seat.line.then(() => turn(seat, context, start, work))
      seat.line = mine.catch(() => undefined)
      return unlessAborted(mine, context.signal)
    },
    addressOf(run_id, id) {
      const session = seats.get(run_id)?.session
      const tab = id === undefined ? session?.current : session?.tabs.get(id)
      return session?.ended === 'no' && tab && !tab.page.isClosed() ? tab.page.url() : null
    },
    endRun: (run_id) => close(run_id, 'the run ended'),
    async stop() {
      await Promise.all([...seats.keys()].map((run_id) => close(run_id, 'stopping')))
    },
  }
}

/** Who waits in the line need not wait for their turn to hear that they are canceled. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function gone(reason_code: string, message: string, cause?: unknown): ToolFailure {
  return new ToolFailure(reason_code, message, {
    subject: 'browser',
    remedy: 'open the page with browser.open',
    recoverability: 'retryable',
    cause,
  })
}
