// One tab and what happened in it.
import type { Dialog, Page, Request, Response } from 'playwright-core'
import { openRingBuffer, type RingBuffer } from './ring-buffer.ts'

interface ConsoleLine {
  readonly level: string
  readonly text: string
  readonly at: string | null
}

interface NetworkLine {
  readonly method: string
  readonly url: string
  readonly type: string
  status: number | null
  failure: string | null
}

export interface DialogRecord {
  readonly type: string
  readonly message: string
  /** `beforeunload` is accepted, so that a page cannot block the browser; everything else is dismissed. */
  readonly answer: 'dismissed' | 'accepted'
}

export interface Tab {
  readonly id: string
  readonly page: Page
  readonly console: RingBuffer<ConsoleLine>
  readonly network: RingBuffer<NetworkLine>
  /** New since the last read. */
  readonly dialogs: DialogRecord[]
  /** Where the page is or is navigating to, including redirects. */
  heading: string | null
  /** The response that the current page was loaded from. */
  document: Response | null
  /** Why the tab can no longer be used. */
  broken: 'crashed' | 'unresponsive' | null
}

const keptLines = 2_000
const longestText = 2_000
const mostDialogs = 50

export function watchTab(id: string, page: Page): Tab {
  const tab: Tab = {
    id,
    page,
    console: openRingBuffer(keptLines),
    network: openRingBuffer(keptLines),
    dialogs: [],
    heading: null,
    document: null,
    broken: null,
  }
  const lines = new WeakMap<Request, NetworkLine>()

  page.on('console', (message) => {
    const { url, lineNumber } = message.location()
    tab.console.add({ level: message.type(), text: cut(message.text()), at: url ? cut(`${url}:${lineNumber + 1}`) : null })
  })
  page.on('pageerror', (error) => tab.console.add({ level: 'pageerror', text: cut(error.stack ?? error.message), at: null }))
  page.on('request', (request) => {
    const line = { method: request.method(), url: cut(request.url()), type: request.resourceType(), status: null, failure: null }
    lines.set(request, tab.network.add(line))
    if (isNavigation(request, page)) tab.heading = request.url()
  })
  page.on('response', (response) => {
    const line = lines.get(response.request())
    if (line) line.status = response.status()
    if (isNavigation(response.request(), page)) tab.document = response
  })
  page.on('requestfailed', (request) => {
    const line = lines.get(request)
    if (line) line.failure = request.failure()?.errorText ?? 'failed'
  })
  page.on('dialog', (dialog) => void answer(tab, dialog))
  page.on('crash', () => {
    tab.broken = 'crashed'
  })
  return tab
}

function isNavigation(request: Request, page: Page): boolean {
  return request.isNavigationRequest() && request.frame() === page.mainFrame()
}

async function answer(tab: Tab, dialog: Dialog): Promise<void> {
  const leaving = dialog.type() === 'beforeunload'
  tab.dialogs.push({ type: dialog.type(), message: cut(dialog.message()), answer: leaving ? 'accepted' : 'dismissed' })
  if (tab.dialogs.length > mostDialogs) tab.dialogs.shift()
  // The page may be gone by now, and its dialog with it.
  await (leaving ? dialog.accept() : dialog.dismiss()).catch(() => undefined)
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text
}
