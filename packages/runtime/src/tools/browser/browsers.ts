// The browser of each run: started on first use, closed when idle, when the run ends, and when the runtime stops.

import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import type { Clock } from '../../clock/clock.ts'
import { findChromium } from './chromium.ts'
import { openSession, type Session } from './session.ts'

export interface Browsers {
  /** Waits for its turn in the browser of the run, with the scope of the calling tool. `running_only` does not start a browser. */
  use<Value>(context: ToolContext, start: 'start' | 'running_only', work: (session: Session) => Promise<Value>): Promise<Value>
  /** The address of a tab of the run, or of the tab used last; null if there is none. Does not wait. */
  addressOf(run_id: string, tab?: string): string | null
  endRun(run_id: string): Promise<void>
  stop(): Promise<void>
}

export interface BrowsersOptions {
  readonly clock: Clock
  log(line: string): void
  /** The path of Chromium; found automatically by default. */
  readonly executable?: string
  readonly idle_ms?: number
}

interface Seat {
  session: Session | null
  /** Settles when the last queued call has finished. */
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
    if (crashed && start === 'running_only') throw gone('browser_crashed', 'the browser of this run crashed, and its pages were lost')
    if (start === 'running_only') throw gone('browser_not_open', 'no page is open in this run')
    const session = await openSession(context, executable ?? findChromium(), clock)
    if (seat.state === 'closed') {
      await session.close()
      throw gone('browser_closed', 'the run ended while its browser was starting')
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
    if (seat.state === 'closed') throw gone('browser_closed', 'the browser was closed before the call could start')
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
    await seat.session.close().catch((error: unknown) => log(`the browser of run ${run_id} could not be closed (${why}): ${String(error)}`))
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

/** A queued call can be canceled without waiting for its turn. */
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
    remedy: 'Open the page with browser.open.',
    recoverability: 'retryable',
    cause,
  })
}
