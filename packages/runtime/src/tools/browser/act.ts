// browser.click, browser.type and browser.select: find an element, act on it, and return the page.
import type { PageAction } from '@tandem/contract/run'
import { BrowserViewOutput } from '@tandem/contract/tool/output'
import type { Locator } from 'playwright-core'
import Type, { type Static, type TProperties } from 'typebox'
import type { ToolContext } from '../../call/context.ts'
import { defineTool, type Effect, type Tool } from '../../call/tool.ts'
import type { Browsers } from './browsers.ts'
import { pageFailure } from './page-failure.ts'
import { pagePreview } from './page-preview.ts'
import type { Tab } from './tab.ts'
import { describeTarget, locate, type Target, targetFields } from './target.ts'
import { tabField, tabOf, viewOf } from './view.ts'

/** Effects are declared before the page is read, so the host is not known: it is that of the page. The proxy enforces the scope. */
export const pageEffects: readonly Effect[] = [{ does: 'send', host: '*' }]

const actionMs = 10_000

export function browserClick(browsers: Browsers): Tool {
  return actingTool(browsers, {
    name: 'browser.click',
    summary:
      'Click an element of the page in this run’s browser and return the page afterwards. A click can submit a form or follow a link.',
    fields: {
      button: Type.Optional(
        Type.Union([Type.Literal('left'), Type.Literal('right'), Type.Literal('middle')], { description: 'Default: left' }),
      ),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, description: '2 for a double click. Default: 1' })),
    },
    doing: (input) => `clicking ${describeTarget(input)}`,
    shows: ({ button = 'left', count = 1 }) => ({
      action: 'click',
      value: button === 'left' && count === 1 ? null : `${count > 1 ? `${count} times` : 'once'}, with the ${button} button`,
    }),
    act: (locator, { button = 'left', count = 1 }, options) => locator.click({ button, clickCount: count, ...options }),
  })
}

export function browserType(browsers: Browsers): Tool {
  return actingTool(browsers, {
    name: 'browser.type',
    summary: 'Replace the text of a field of the page and return the page afterwards. Can press Enter at the end.',
    fields: {
      value: Type.String({ maxLength: 100_000, description: 'The text to type' }),
      one_by_one: Type.Optional(Type.Boolean({ description: 'Append the text key by key, for fields that react to key presses' })),
      submit: Type.Optional(Type.Boolean({ description: 'Press Enter afterwards' })),
    },
    doing: (input) => `typing into ${describeTarget(input)}`,
    shows: ({ value, submit }) => ({ action: submit ? 'type_and_submit' : 'type', value }),
    async act(locator, { value, one_by_one, submit }, options) {
      if (one_by_one) await locator.pressSequentially(value, options)
      else await locator.fill(value, options)
      if (submit) await locator.press('Enter', options)
    },
  })
}

export function browserSelect(browsers: Browsers): Tool {
  return actingTool(browsers, {
    name: 'browser.select',
    summary: 'Choose options of a select element by value or label, and return the page afterwards.',
    fields: {
      values: Type.Array(Type.String({ maxLength: 500 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Values or labels; more than one only if the element allows it',
      }),
    },
    doing: (input) => `selecting in ${describeTarget(input)}`,
    shows: ({ values }) => ({ action: 'select', value: values.join('\n') }),
    act: async (locator, { values }, options) => void (await locator.selectOption(values, options)),
  })
}

interface ActionOptions {
  readonly timeout: number
  readonly signal: AbortSignal
}

interface Acting<Fields extends TProperties> {
  readonly name: string
  readonly summary: string
  readonly fields: Fields
  doing(input: Target): string
  /** What an approval shows in addition to the element and the page. */
  shows(input: Static<ReturnType<typeof Type.Object<Fields>>>): { readonly action: PageAction; readonly value: string | null }
  act(locator: Locator, input: Static<ReturnType<typeof Type.Object<Fields>>>, options: ActionOptions): Promise<void>
}

type ActingInput<Fields extends TProperties> = Target & { tab?: string } & Static<ReturnType<typeof Type.Object<Fields>>>

function actingTool<Fields extends TProperties>(browsers: Browsers, { name, summary, fields, doing, shows, act }: Acting<Fields>): Tool {
  return defineTool({
    name,
    summary,
    input: Type.Object({ ...targetFields, ...tabField, ...fields }, { additionalProperties: false }),
    output: BrowserViewOutput,
    effects: () => pageEffects,
    async preview(given, { ids }) {
      const input = given as ActingInput<Fields>
      return pagePreview({ ...shows(input), target: describeTarget(input), address: browsers.addressOf(ids.run_id, input.tab) })
    },
    limits: { seconds: 60 },
    run(given, context) {
      const input = given as ActingInput<Fields>
      return browsers.use(context, 'running_only', async (session) => {
        const tab = tabOf(session, input.tab)
        try {
          const locator = await locate(tab, input, context)
          await act(locator, input, { timeout: actionMs, signal: context.signal })
          await arrived(tab, context)
          return await viewOf(session, tab.page.isClosed() ? tabOf(session, undefined) : tab, context)
        } catch (error) {
          throw pageFailure(error, tab, context, doing(input))
        }
      })
    },
  })
}

/** An action may have started a navigation: the new page is shown, if it loads soon. */
async function arrived(tab: Tab, context: ToolContext): Promise<void> {
  if (tab.page.isClosed()) return
  // If it does not load, that is not a failure: the view shows where the page is.
  await tab.page.waitForLoadState('domcontentloaded', { timeout: actionMs, signal: context.signal }).catch(() => undefined)
}
