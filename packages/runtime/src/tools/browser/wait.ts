import { BrowserViewOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool, type Tool } from '../../call/tool.ts'
import { sleep } from '../../clock/clock.ts'
import type { Browsers } from './browsers.ts'
import { isInterrupted, pageFailure, withTimeout } from './page-failure.ts'
import type { Tab } from './tab.ts'
import { framesOf } from './target.ts'
import { tabField, tabOf, viewOf } from './view.ts'

export function browserWait(browsers: Browsers): Tool {
  return defineTool({
    name: 'browser.wait',
    summary:
      'Wait for a condition, then return the page: a text or an element is visible, a text is no longer visible, the URL contains a text, or the network is idle. Without a condition, return the current page with new refs.',
    input: Type.Object(
      {
        ...tabField,
        text: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Until this text is visible, in any frame' })),
        text_gone: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Until this text is no longer visible' })),
        selector: Type.Optional(
          Type.String({ minLength: 1, maxLength: 1_000, description: 'Until an element that matches this CSS selector is visible' }),
        ),
        url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, description: 'Until the URL contains this text' })),
        network_idle: Type.Optional(Type.Boolean({ description: 'Until there has been no network activity for half a second' })),
        timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 120, description: 'Default: 30' })),
      },
      { additionalProperties: false },
    ),
    output: BrowserViewOutput,
    effects: () => [],
    limits: { seconds: 150 },
    run({ tab: id, timeout_seconds = 30, network_idle, ...conditions }, context) {
      return browsers.use(context, 'running_only', async (session) => {
        const tab = tabOf(session, id)
        const until = context.clock.elapsed() + timeout_seconds * 1_000
        try {
          if (network_idle) await quiet(tab, timeout_seconds * 1_000, context)
          for (const missing of unmet(conditions)) await poll(tab, missing, until, context)
          return await viewOf(session, tab, context)
        } catch (error) {
          throw pageFailure(error, tab, context, 'waiting')
        }
      })
    },
  })
}

interface Condition {
  readonly says: string
  met(tab: Tab): Promise<boolean>
}

const lookAgainMs = 100
const answerMs = 5_000

function unmet({
  text,
  text_gone,
  selector,
  url,
}: {
  text?: string
  text_gone?: string
  selector?: string
  url?: string
}): readonly Condition[] {
  const conditions: Condition[] = []
  if (url !== undefined) conditions.push({ says: `a URL with ${url}`, met: async ({ page }) => page.url().includes(url) })
  if (text !== undefined) conditions.push({ says: `the text "${text}"`, met: (tab) => shows(tab, text) })
  if (text_gone !== undefined)
    conditions.push({ says: `the text "${text_gone}" to disappear`, met: async (tab) => !(await shows(tab, text_gone)) })
  if (selector !== undefined) conditions.push({ says: selector, met: (tab) => anywhere(tab, (frame) => frame.locator(selector)) })
  return conditions
}

function shows(tab: Tab, text: string): Promise<boolean> {
  return anywhere(tab, (frame) => frame.getByText(text))
}

async function anywhere(
  tab: Tab,
  find: (frame: ReturnType<typeof framesOf>[number]) => ReturnType<ReturnType<typeof framesOf>[number]['locator']>,
): Promise<boolean> {
  for (const frame of framesOf(tab, undefined)) {
    const count = await find(frame)
      .filter({ visible: true })
      .count()
      .catch((error: unknown) => {
        if (isInterrupted(error)) return 0
        throw error
      })
    if (count > 0) return true
  }
  return false
}

async function poll(tab: Tab, condition: Condition, until: number, context: ToolContext): Promise<void> {
  while (!(await withTimeout(tab, context, answerMs, condition.met(tab)))) {
    if (context.clock.elapsed() >= until) throw late(tab, condition.says)
    await sleep(context.clock, lookAgainMs, context.signal)
  }
}

async function quiet(tab: Tab, timeout: number, context: ToolContext): Promise<void> {
  try {
    await tab.page.waitForLoadState('networkidle', { timeout, signal: context.signal })
  } catch (error) {
    if (!context.signal.aborted && error instanceof Error && /timeout/i.test(error.message)) throw late(tab, 'the network to become idle')
    throw error
  }
}

function late(tab: Tab, what: string): ToolFailure {
  return new ToolFailure('wait_timeout', `timed out waiting for ${what}`, {
    subject: tab.page.url(),
    remedy: 'Read the current page with browser.wait without a condition.',
    recoverability: 'retryable',
  })
}
