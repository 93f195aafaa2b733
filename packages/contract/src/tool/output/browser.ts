import * as Type from 'typebox'
import { Count, extensibleOneOf, Flag, listOf, nullable, object, Sha256 } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'
import { shownText } from './web.ts'

const Dialog = object({ type: Type.String(), message: Type.String(), answer: extensibleOneOf(['dismissed', 'accepted']) })
const Download = object({
  url: Type.String(),
  name: Type.String(),
  state: extensibleOneOf(['running', 'saved', 'failed', 'too_large']),
  file: nullable(Type.String()),
  bytes: nullable(Count),
})

/** The page after an action. `snapshot` is its accessibility tree; null if the page is too large or too busy, and then there is `text`. */
const pageView = {
  tab: Type.String(),
  url: Type.String(),
  title: Type.String(),
  snapshot: nullable(Type.String()),
  text: Type.Optional(Type.String()),
  snapshot_end: Type.Optional(Type.String()),
  snapshot_file: Type.Optional(Type.String()),
  tabs: listOf(object({ tab: Type.String(), url: Type.String() })),
  dialogs: listOf(Dialog),
  downloads: listOf(Download),
  refused: listOf(Type.String(), { description: 'Hosts that the network scope does not allow' }),
}

export const BrowserViewOutput = object(pageView)
export type BrowserViewOutput = OutputOf<typeof BrowserViewOutput>

export const BrowserOpenOutput = object({
  status: nullable(Count),
  loaded: Type.Boolean({ description: 'False for a download, and for a page that took too long' }),
  browser_sandbox: extensibleOneOf(['on', 'off']),
  ...pageView,
})
export type BrowserOpenOutput = OutputOf<typeof BrowserOpenOutput>

/** The value of the expression; as shortened JSON text if it is long. */
export const BrowserEvalOutput = Type.Union([
  object({ tab: Type.String(), value: Type.Unknown({ description: 'The value of an expression' }), refused: listOf(Type.String()) }),
  object({ tab: Type.String(), truncated: Flag, refused: listOf(Type.String()), ...shownText }),
])
export type BrowserEvalOutput = OutputOf<typeof BrowserEvalOutput>

export const BrowserScreenshotOutput = object({
  tab: Type.String(),
  url: Type.String(),
  media_type: Type.String(),
  width: Count,
  height: Count,
  bytes: Count,
  file: Type.String(),
  sha256: Sha256,
  file_id: Type.Optional(Type.String({ description: 'Where the runtime serves it' })),
})
export type BrowserScreenshotOutput = OutputOf<typeof BrowserScreenshotOutput>

const logPage = {
  tab: Type.String(),
  next: Type.Union([Count, Type.Null()], { description: 'Pass it as `after` to continue reading' }),
  total: Count,
  dropped: Type.Integer({ minimum: 0, description: 'The number of oldest entries that were deleted' }),
}

export const BrowserConsoleLogsOutput = object({
  ...logPage,
  items: listOf(object({ index: Count, level: Type.String(), text: Type.String(), at: nullable(Type.String()) })),
})
export type BrowserConsoleLogsOutput = OutputOf<typeof BrowserConsoleLogsOutput>

export const BrowserNetworkLogsOutput = object({
  ...logPage,
  items: listOf(
    object({
      index: Count,
      method: Type.String(),
      url: Type.String(),
      type: Type.String(),
      status: nullable(Count),
      failure: nullable(Type.String()),
    }),
  ),
  refused: listOf(object({ host: Type.String(), port: Count, reason_code: Type.String() })),
})
export type BrowserNetworkLogsOutput = OutputOf<typeof BrowserNetworkLogsOutput>
