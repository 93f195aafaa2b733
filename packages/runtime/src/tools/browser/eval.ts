import { BrowserEvalOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool, type Tool } from '../../call/tool.ts'
import { showText } from '../web/body.ts'
import { pageEffects } from './act.ts'
import type { Browsers } from './browsers.ts'
import { isResponsive, pageFailure, withTimeout } from './page-failure.ts'
import { pagePreview } from './page-preview.ts'
import { framesOf } from './target.ts'
import { hostsOf, tabField, tabOf } from './view.ts'

const longestAnswer = 1_000_000

export function browserEval(browsers: Browsers): Tool {
  return defineTool({
    name: 'browser.eval',
    summary:
      'Run a JavaScript expression, or a function without parameters, inside the page and return its value as JSON. Not available in the strict sandbox mode.',
    input: Type.Object(
      {
        expression: Type.String({
          minLength: 1,
          maxLength: 100_000,
          description: 'For example document.title or async () => { … return value }',
        }),
        frame: Type.Optional(
          Type.String({ maxLength: 500, description: 'The name of a frame, or a part of its URL. Default: the main frame' }),
        ),
        ...tabField,
        timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, description: 'Default: 10' })),
      },
      { additionalProperties: false },
    ),
    output: BrowserEvalOutput,
    effects: () => pageEffects,
    preview: async ({ expression, tab }, { ids }) =>
      pagePreview({ action: 'run', value: expression, address: browsers.addressOf(ids.run_id, tab) }),
    limits: { seconds: 90 },
    async run({ expression, frame, tab: id, timeout_seconds = 10 }, context) {
      // The pipeline refuses it before; this is a second check.
      if (context.sandbox_mode === 'strict') {
        context.report({ attempted: 'execute', resource: 'browser.eval', blocked: true })
        throw new ToolFailure('strict_mode', 'browser.eval is not available in the strict sandbox mode', {
          subject: 'browser.eval',
          remedy: 'Use browser.click, browser.type and browser.wait, or another sandbox mode.',
          blocked_by: 'sandbox',
        })
      }
      return browsers.use(context, 'running_only', async (session) => {
        const tab = tabOf(session, id)
        const [where] = frame === undefined ? [tab.page.mainFrame()] : framesOf(tab, frame)
        if (!where)
          throw new ToolFailure('frame_unknown', `there is no frame ${frame}`, {
            subject: tab.page.url(),
            remedy: 'Leave out `frame`, or use a part of its URL.',
          })
        try {
          const { json, length } = (await withTimeout(tab, context, timeout_seconds * 1_000, where.evaluate(wrapped(expression)))) as {
            json: string
            length: number
          }
          const refused = hostsOf(session.takeRefusals())
          if (length > 30_000) return { tab: tab.id, truncated: length > longestAnswer, refused, ...showText(context, json) }
          return { tab: tab.id, value: json === '' ? null : JSON.parse(json), refused }
        } catch (error) {
          if (tab.broken === 'unresponsive' && (await isResponsive(tab, context))) throw scriptTimeout(timeout_seconds)
          throw scriptFailure(error) ?? pageFailure(error, tab, context, 'running the expression')
        }
      })
    },
  })
}

/** Converted to text and cut inside the page, so that a huge value never leaves it. */
function wrapped(expression: string): string {
  return `(async () => {
    let value = (\n${expression}\n)
    if (typeof value === 'function') value = value()
    const json = JSON.stringify(await value) ?? ''
    return { json: json.slice(0, ${longestAnswer}), length: json.length }
  })()`
}

function scriptTimeout(seconds: number): ToolFailure {
  return new ToolFailure('script_timeout', `the expression returned no value within ${seconds} s`, {
    subject: 'browser.eval',
    remedy: 'Set a longer `timeout_seconds`, or wait with browser.wait.',
    recoverability: 'retryable',
  })
}

function scriptFailure(error: unknown): ToolFailure | null {
  const thrown = error instanceof Error ? /evaluate: ((?:\w*Error|Uncaught)[\s\S]*)/.exec(error.message)?.[1] : undefined
  if (thrown === undefined) return null
  return new ToolFailure('script_failed', thrown.split('\n').slice(0, 3).join('\n').slice(0, 1_000), {
    subject: 'browser.eval',
    remedy: 'Correct the expression. Put statements into a function: () => { … }',
    recoverability: 'user_action',
    cause: error,
  })
}
