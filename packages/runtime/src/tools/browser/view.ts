// What a tool returns about the page after its action: its address, its content, and what happened in the meantime.

import type { BrowserViewOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import type { ProxyRefusal } from '../../call/network.ts'
import { showText } from '../web/body.ts'
import { isInterrupted, withTimeout } from './page-failure.ts'
import type { Session } from './session.ts'
import type { Tab } from './tab.ts'

export const tabField = {
  tab: Type.Optional(Type.String({ pattern: '^t[0-9]{1,6}$', description: 'The id of a tab, such as t2. Default: the current tab' })),
}

const answerMs = 10_000
const snapshotMs = 3_000
/** A snapshot takes about a millisecond per element; a page with more than this is shown as text. */
const mostElements = 8_000

export function tabOf(session: Session, id: string | undefined): Tab {
  const tab = id === undefined ? session.current : session.tabs.get(id)
  if (!tab || tab.page.isClosed()) {
    throw new ToolFailure(
      id === undefined ? 'browser_not_open' : 'tab_unknown',
      id === undefined ? 'no page is open in this run' : `there is no tab ${id}`,
      {
        subject: id ?? 'browser',
        remedy:
          session.tabs.size > 0 ? `Use one of the open tabs: ${[...session.tabs.keys()].join(', ')}.` : 'Open a page with browser.open.',
        recoverability: 'user_action',
      },
    )
  }
  if (tab.broken === 'crashed') {
    throw new ToolFailure('page_crashed', `the page in ${tab.id} crashed`, {
      subject: tab.page.url(),
      remedy: 'Open it again with browser.open.',
      recoverability: 'retryable',
    })
  }
  session.current = tab
  return tab
}

export async function viewOf(session: Session, tab: Tab, context: ToolContext): Promise<BrowserViewOutput> {
  const { title, elements, text } = await glance(tab, context)
  const snapshot = elements > mostElements ? null : await snapshotOf(tab, elements, context)
  const shown = snapshot === null ? null : showText(context, snapshot)
  return {
    tab: tab.id,
    url: tab.page.url(),
    title,
    snapshot: shown?.text ?? null,
    ...(shown === null ? { text } : {}),
    ...(shown?.text_end === undefined ? {} : { snapshot_end: shown.text_end }),
    ...(shown?.file === undefined ? {} : { snapshot_file: shown.file }),
    tabs: [...session.tabs.values()].map(({ id, page }) => ({ tab: id, url: page.url() })),
    dialogs: tab.dialogs.splice(0),
    downloads: session.downloads.seen.map((download) => ({ ...download })),
    refused: hostsOf(session.takeRefusals()),
  }
}

export function hostsOf(refusals: readonly ProxyRefusal[]): readonly string[] {
  return [...new Set(refusals.map(({ host, port, reason_code }) => `${host}:${port} (${reason_code})`))].slice(0, 50)
}

interface Glance {
  readonly title: string
  readonly elements: number
  readonly text: string
}

/** What every page can return quickly, cut inside the page. */
async function glance(tab: Tab, context: ToolContext): Promise<Glance> {
  const expression = `({
    title: document.title.slice(0, 1000),
    elements: document.getElementsByTagName('*').length,
    text: document.getElementsByTagName('*').length > ${mostElements} ? (document.body?.textContent ?? '').replace(/\\s+/g, ' ').slice(0, 20000) : '',
  })`
  const told = await settled(tab, context, () => withTimeout(tab, context, answerMs, tab.page.evaluate(expression)))
  const { title = '', elements = 0, text = '' } = (told ?? {}) as Partial<Glance>
  return { title: String(title), elements: Number(elements), text: String(text) }
}

/** The snapshot waits for a frame that never loads until the timeout and then omits it, so the timeout depends on the size of the page. */
function snapshotOf(tab: Tab, elements: number, context: ToolContext): Promise<string | null> {
  const timeout = snapshotMs + 2 * elements
  return settled(tab, context, () => tab.page.ariaSnapshot({ mode: 'ai', timeout, signal: context.signal }))
}

/** Reading is repeated once if the page navigated in the meantime; null if it fails again. */
async function settled<Seen>(tab: Tab, context: ToolContext, look: () => Promise<Seen>): Promise<Seen | null> {
  try {
    return await look()
  } catch (error) {
    if (!isInterrupted(error)) return unlessGone(error)
    await tab.page.waitForLoadState('domcontentloaded', { timeout: answerMs, signal: context.signal }).catch(() => undefined)
    return await look().catch(unlessGone)
  }
}

/** A page that is too large or too busy to be read still has an address, a screenshot and logs. */
function unlessGone(error: unknown): null {
  if (error instanceof ToolFailure) throw error
  if (error instanceof Error && /closed|crashed/i.test(error.message)) throw error
  return null
}
