// The browser of one run: one Chromium, one profile, one proxy. It performs one action at a time, with the scope of the calling tool.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import type { FilteringProxy, ProxyRefusal } from '../../call/network.ts'
import type { Clock } from '../../clock/clock.ts'
import { chromiumSandbox, startChromium } from './chromium.ts'
import { type Downloads, openDownloads } from './downloads.ts'
import { shortTemp } from './short-temp.ts'
import { type Tab, watchTab } from './tab.ts'

export interface Session {
  readonly browser_sandbox: 'on' | 'off'
  readonly downloads: Downloads
  readonly refused: readonly ProxyRefusal[]
  /** What was refused since the last call. */
  takeRefusals(): readonly ProxyRefusal[]
  readonly tabs: ReadonlyMap<string, Tab>
  /** The tab to use if none is given. */
  current: Tab | null
  readonly ended: 'no' | 'crashed' | 'closed'
  newTab(): Promise<Tab>
  closeTab(tab: Tab): Promise<void>
  actFor(context: ToolContext): void
  close(): Promise<void>
}

const mostTabs = 20

export async function openSession(context: ToolContext, executable: string, clock: Clock): Promise<Session> {
  const proxy = await context.network.openProxy()
  await mkdir(context.temp, { recursive: true, mode: 0o700 })
  const profile = await mkdtemp(join(context.temp, 'browser-'))
  const temp = await shortTemp()
  const folder = join(context.temp, 'downloads')
  const remove = async () => {
    for (const one of [profile, temp]) await rm(one, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  try {
    const chromium = await startChromium({ executable, profile, temp, downloads: folder, proxy: proxy.url })
    return watch(chromium, proxy, openDownloads(folder, clock), remove)
  } catch (error) {
    await proxy.close()
    await remove()
    throw error
  }
}

function watch(chromium: BrowserContext, proxy: FilteringProxy, downloads: Downloads, remove: () => Promise<void>): Session {
  const tabs = new Map<string, Tab>()
  const byPage = new Map<Page, Tab>()
  let count = 0
  let ended: Session['ended'] = 'no'
  let current: Tab | null = null
  let told: ProxyRefusal | undefined

  function adopt(page: Page): Tab {
    const known = byPage.get(page)
    if (known) return known
    const tab = watchTab(`t${++count}`, page)
    byPage.set(page, tab)
    // A page that keeps opening windows gets no more of them.
    if (tabs.size >= mostTabs) {
      void page.close().catch(() => undefined)
      return tab
    }
    tabs.set(tab.id, tab)
    page.on('download', (download) => downloads.take(download))
    page.once('close', () => {
      tabs.delete(tab.id)
      if (current === tab) current = [...tabs.values()].at(-1) ?? null
    })
    current ??= tab
    return tab
  }

  for (const page of chromium.pages()) adopt(page)
  chromium.on('page', adopt)
  chromium.once('close', () => {
    if (ended === 'no') ended = 'crashed'
    void proxy.close()
  })

  return {
    browser_sandbox: chromiumSandbox(),
    downloads,
    refused: proxy.refused,
    takeRefusals() {
      const fresh = proxy.refused.slice(told === undefined ? 0 : proxy.refused.lastIndexOf(told) + 1)
      told = proxy.refused.at(-1)
      return fresh
    },
    tabs,
    get current() {
      return current
    },
    set current(tab) {
      current = tab
    },
    get ended() {
      return ended
    },
    async newTab() {
      if (tabs.size >= mostTabs) {
        throw new ToolFailure('too_many_tabs', `${mostTabs} tabs are open, which is the maximum`, {
          subject: 'browser',
          remedy: 'Open the URL in one of them: pass its id as `tab`.',
        })
      }
      return adopt(await chromium.newPage())
    },
    async closeTab(tab) {
      await tab.page.close()
    },
    actFor: (context) => proxy.setScope(context),
    async close() {
      if (ended === 'no') ended = 'closed'
      // A Chromium that is gone cannot be closed; its proxy and its profile still can.
      await chromium.close().catch(() => undefined)
      await proxy.close()
      await remove()
    },
  }
}
