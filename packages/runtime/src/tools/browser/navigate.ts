// Opens a URL in a tab, and explains why a page could not be loaded.

import type { Response } from 'playwright-core'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import type { ProxyRefusal } from '../../call/network.ts'
import { isInterrupted, pageFailure } from './page-failure.ts'
import type { Session } from './session.ts'
import type { Tab } from './tab.ts'

export interface NavigationResult {
  readonly status: number | null
  /** False for a download, and for a page that did not finish loading in time. */
  readonly loaded: boolean
}

export async function navigate(session: Session, tab: Tab, url: string, timeout: number, context: ToolContext): Promise<NavigationResult> {
  const departure = { url: tab.page.url(), refusal: session.refused.at(-1), downloads: session.downloads.seen.length }
  try {
    const response = await go(tab, url, timeout, context)
    // Over plain http, a refusal of the proxy looks like a response of the page.
    const refusal = response?.status() === 403 ? refusalOf(session, tab, departure.refusal) : undefined
    if (refusal) throw asFailure(refusal)
    return { status: response?.status() ?? null, loaded: true }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    if (error instanceof ToolFailure || !(error instanceof Error)) throw error
    const refusal = refusalOf(session, tab, departure.refusal)
    if (refusal) throw asFailure(refusal)
    if (/download is starting/i.test(error.message)) {
      if (session.downloads.seen.length === departure.downloads)
        await tab.page.waitForEvent('download', { timeout, signal: context.signal })
      await session.downloads.settled()
      return { status: null, loaded: false }
    }
    // The part that was loaded can be shown.
    if (isLate(error) && (tab.page.url() !== departure.url || departure.url === url)) return { status: null, loaded: false }
    throw loadFailure(error, tab, url, timeout) ?? pageFailure(error, tab, context, 'opening the page')
  }
}

/** A page that is just navigating by itself can interrupt this. Requesting the page again is harmless, so it is repeated. */
async function go(tab: Tab, url: string, timeout: number, { signal }: ToolContext): Promise<Response | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      tab.heading = url
      return await tab.page.goto(url, { waitUntil: 'domcontentloaded', timeout, signal })
    } catch (error) {
      if (!isInterrupted(error)) throw error
      if (!wasCanceled(error) && (await arrives(tab, url))) return tab.document
      if (attempt === mostAttempts) throw error
    }
  }
}

/** The page navigated at the same time, and the browser dropped this navigation. A download ends like this too, with another message. */
function wasCanceled(error: unknown): boolean {
  return error instanceof Error && error.message.includes('net::ERR_ABORTED')
}

/**
 * An interrupted navigation goes on when only the start of another one was seen first. Asking again then would be interrupted by this
 * one, and so on.
 */
function arrives(tab: Tab, url: string): Promise<boolean> {
  return tab.page
    .waitForURL((current) => current.href === url, { waitUntil: 'domcontentloaded', timeout: settling_ms })
    .then(
      () => true,
      () => false,
    )
}

const mostAttempts = 4
const settling_ms = 2_000

function isLate(error: Error): boolean {
  return /timeout .*exceeded/i.test(error.message)
}

function loadFailure(error: Error, tab: Tab, url: string, timeout: number): ToolFailure | null {
  if (isLate(error)) {
    tab.broken = 'unresponsive'
    return new ToolFailure('page_timeout', `${url} did not respond within ${timeout / 1_000} s`, {
      subject: url,
      remedy: 'Try again, or set a longer `timeout_seconds`.',
      recoverability: 'retryable',
      cause: error,
    })
  }
  const code = /net::(ERR_\w+)/.exec(error.message)?.[1]
  if (code === undefined) return null
  return new ToolFailure('page_load_failed', `${url} could not be loaded: ${code}`, {
    subject: url,
    remedy: remedies[code] ?? 'Check the URL.',
    recoverability: 'retryable',
    cause: error,
  })
}

const remedies: Readonly<Record<string, string>> = {
  ERR_TUNNEL_CONNECTION_FAILED: 'The host could not be reached: check its name and port.',
  ERR_CERT_AUTHORITY_INVALID: 'Its certificate is not trusted on this machine.',
  ERR_TOO_MANY_REDIRECTS: 'The page redirects in a loop.',
}

/** The refusal for the address that the tab was loading, after redirects. */
function refusalOf(session: Session, tab: Tab, before: ProxyRefusal | undefined): ProxyRefusal | undefined {
  const url = URL.parse(tab.heading ?? '')
  const port = url?.port ? Number(url.port) : url?.protocol === 'https:' ? 443 : 80
  const fresh = session.refused.slice(before === undefined ? 0 : session.refused.lastIndexOf(before) + 1)
  return fresh.findLast((refusal) => refusal.host === url?.hostname && refusal.port === port)
}

function asFailure({ host, port, reason_code, message, blocked_by }: ProxyRefusal): ToolFailure {
  return new ToolFailure(reason_code, message, {
    subject: `${host}:${port}`,
    ...(blocked_by
      ? { blocked_by, remedy: `If this is intended, add ${host}:${port} to the network scope of the browser tools in the agent's policy.` }
      : {}),
    recoverability: 'user_action',
  })
}
