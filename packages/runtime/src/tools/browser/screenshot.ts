import { BrowserScreenshotOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { defineTool, type Tool } from '../../call/tool.ts'
import { storeFile } from '../web/store-file.ts'
import type { Browsers } from './browsers.ts'
import { pageFailure, withTimeout } from './page-failure.ts'
import { locate, targetFields } from './target.ts'
import { tabField, tabOf } from './view.ts'

const shotMs = 20_000
/** Chromium has problems with taller pictures. */
const tallest = 16_000

export function browserScreenshot(browsers: Browsers): Tool {
  return defineTool({
    name: 'browser.screenshot',
    summary: 'Take a screenshot of the visible part of the page, the whole page, or one element; return the PNG file and its size.',
    input: Type.Object(
      {
        ...targetFields,
        ...tabField,
        full_page: Type.Optional(Type.Boolean({ description: 'Capture the whole page, not only the visible part' })),
      },
      { additionalProperties: false },
    ),
    output: BrowserScreenshotOutput,
    effects: () => [],
    limits: { seconds: 60 },
    run({ tab: id, full_page = false, ...target }, context) {
      return browsers.use(context, 'running_only', async (session) => {
        const tab = tabOf(session, id)
        const options = { type: 'png', timeout: shotMs, signal: context.signal, animations: 'disabled' } as const
        const one = target.ref ?? target.role ?? target.text ?? target.selector
        const take = async () => {
          if (one !== undefined) return (await locate(tab, target, context)).screenshot(options)
          if (!full_page) return tab.page.screenshot(options)
          const { width, height } = await pageSize(tab.page)
          if (height <= tallest) return tab.page.screenshot({ ...options, fullPage: true })
          return tab.page.screenshot({ ...options, fullPage: true, clip: { x: 0, y: 0, width, height: tallest } })
        }
        try {
          const png = await withTimeout(tab, context, shotMs + 5_000, take())
          const size = { width: png.readUInt32BE(16), height: png.readUInt32BE(20), bytes: png.length }
          const picture = context.keepPicture && { file_id: context.keepPicture(png) }
          const kept = await storeFile(context, 'screenshot.png', png)
          return { tab: tab.id, url: tab.page.url(), media_type: 'image/png', ...size, ...kept, ...picture }
        } catch (error) {
          throw pageFailure(error, tab, context, 'taking a screenshot')
        }
      })
    },
  })
}

async function pageSize(page: { evaluate(expression: string): Promise<unknown> }): Promise<{ width: number; height: number }> {
  const size = await page.evaluate('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]')
  const [width = 0, height = 0] = Array.isArray(size) ? size.map(Number) : []
  return { width: Math.max(1, Math.min(width, tallest)), height }
}
