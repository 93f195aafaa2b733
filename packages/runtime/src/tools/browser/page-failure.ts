// Converts errors of Playwright to failures with a code.

import { stripVTControlCharacters } from 'node:util'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import { sleep } from '../../clock/clock.ts'
import type { Tab } from './tab.ts'

/** Ends with the result of the page, with the signal of the call, or after `ms` with `page_unresponsive`: a page may never respond. */
export async function withTimeout<Value>(tab: Tab, context: ToolContext, ms: number, work: Promise<Value>): Promise<Value> {
  const done = new AbortController()
  const late = sleep(context.clock, ms, AbortSignal.any([context.signal, done.signal])).then(() => {
    tab.broken = 'unresponsive'
    throw new ToolFailure('page_unresponsive', `the page in ${tab.id} does not respond`, {
      subject: tab.page.url(),
      remedy: 'Open it again with browser.open. A script on the page may be in an endless loop.',
      recoverability: 'retryable',
    })
  })
  // Errors of the promise that loses the race are ignored.
  late.catch(() => undefined)
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}

/** After a script took too long: whether the page still responds. */
export async function isResponsive(tab: Tab, context: ToolContext): Promise<boolean> {
  const answers = await withTimeout(tab, context, 2_000, tab.page.evaluate('true')).catch(() => false)
  if (answers === true) tab.broken = null
  return answers === true
}

export function pageFailure(error: unknown, tab: Tab, context: ToolContext, doing: string): unknown {
  if (context.signal.aborted) return context.signal.reason
  if (error instanceof ToolFailure || !(error instanceof Error)) return error
  const kind = table.find(({ says }) => says.test(error.message))
  if (tab.broken === 'crashed')
    return new ToolFailure('page_crashed', `the page in ${tab.id} crashed while ${doing}`, {
      ...crashed,
      subject: tab.page.url(),
      cause: error,
    })
  if (!kind) return new ToolFailure('browser_action_failed', `${doing}: ${firstLine(error)}`, { subject: tab.page.url(), cause: error })
  return new ToolFailure(kind.reason_code, `${doing}: ${kind.means}${kind.detail ? ` (${reasonIn(error.message)})` : ''}`, {
    subject: tab.page.url(),
    remedy: kind.remedy,
    recoverability: 'retryable',
    cause: error,
  })
}

/** Whether a navigation interrupted it; reading again is harmless, acting again may not be. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof Error && interrupted.test(error.message)
}

const interrupted =
  /execution context was destroyed|frame (was|got) detached|navigating and changing|cannot find context|because of a navigation|interrupted by another navigation|net::ERR_ABORTED/i

const crashed = { remedy: 'Open the page again with browser.open.', recoverability: 'retryable' } as const

const table: readonly { says: RegExp; reason_code: string; means: string; remedy: string; detail?: true }[] = [
  {
    says: /ref .* not found|aria-ref/i,
    reason_code: 'ref_stale',
    means: 'the element with this ref is no longer on the page',
    remedy: 'Read the page again with browser.wait and use a ref of the new snapshot.',
  },
  {
    says: interrupted,
    reason_code: 'navigation_interrupted',
    means: 'the page navigated during the action',
    remedy: 'Read the page with browser.wait, then decide.',
  },
  {
    says: /has been closed|target closed|crashed/i,
    reason_code: 'tab_closed',
    means: 'the tab was closed',
    remedy: 'Open the page again with browser.open.',
  },
  {
    says: /performing \w+ action/,
    reason_code: 'action_unsettled',
    means: 'the action was performed, but the page did not finish loading in time',
    remedy: 'Read the page with browser.wait before you repeat the action.',
  },
  {
    says: /timeout .*exceeded|timed out/i,
    reason_code: 'target_not_actionable',
    means: 'the element was not ready in time',
    remedy: 'It may be covered, disabled or hidden: check the page with browser.screenshot.',
    detail: true,
  },
  {
    says: /strict mode violation/i,
    reason_code: 'target_ambiguous',
    means: 'more than one element matches',
    remedy: 'Pass `ref` or `nth`.',
  },
  {
    says: /is not a valid selector|unexpected token|unknown engine|while parsing/i,
    reason_code: 'selector_invalid',
    means: 'the selector is not valid',
    remedy: 'Pass a CSS selector, a `ref`, or `role` with `name`.',
  },
]

/**
 * The last obstacle in the log that Playwright attaches. Its last line may belong to the next attempt, which only says that it is
 * waiting.
 */
function reasonIn(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.replace(/^\s*-?\s*/, '').trim())
  const inTheWay = lines.findLast((line) => /intercepts|not enabled|not visible|not stable|outside of|not editable/.test(line))
  const telling = inTheWay ?? lines.findLast((line) => line.includes('waiting for')) ?? lines[0] ?? ''
  return telling.slice(0, 300)
}

function firstLine(error: Error): string {
  return (error.message.split('\n')[0] ?? '').slice(0, 500)
}
