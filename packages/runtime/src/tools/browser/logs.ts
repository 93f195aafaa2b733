import { BrowserConsoleLogsOutput, BrowserNetworkLogsOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { defineTool, type Tool } from '../../call/tool.ts'
import type { Browsers } from './browsers.ts'
import { tabField, tabOf } from './view.ts'

const pageFields = {
  ...tabField,
  after: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Read on after this number, from the result’s next; the newest unless said' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'How many at most; 100 unless said' })),
}

export function browserConsoleLogs(browsers: Browsers): Tool {
  return defineTool({
    name: 'browser.console_logs',
    summary: 'What the page wrote to its console, and the errors its scripts threw; the last 2,000 lines, in pages.',
    input: Type.Object(
      {
        ...pageFields,
        level: Type.Optional(
          Type.Union(
            ['log', 'debug', 'info', 'warning', 'error', 'pageerror'].map((level) => Type.Literal(level)),
            { description: 'Only these' },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    output: BrowserConsoleLogsOutput,
    effects: () => [],
    limits: { seconds: 30 },
    run({ tab: id, after, limit = 100, level }, context) {
      return browsers.use(context, 'running_only', async (session) => {
        const tab = tabOf(session, id)
        const keep = (line: { level: string }) => level === undefined || line.level === level
        return { tab: tab.id, ...tab.console.page({ ...(after === undefined ? {} : { after }), limit, keep }) }
      })
    },
  })
}

export function browserNetworkLogs(browsers: Browsers): Tool {
  return defineTool({
    name: 'browser.network_logs',
    summary:
      'What the page asked for over the network and how it was answered, the last 2,000 requests in pages; and which hosts the network scope refused.',
    input: Type.Object(
      { ...pageFields, failed_only: Type.Optional(Type.Boolean({ description: 'Only what failed or was answered with 400 or more' })) },
      { additionalProperties: false },
    ),
    output: BrowserNetworkLogsOutput,
    effects: () => [],
    limits: { seconds: 30 },
    run({ tab: id, after, limit = 100, failed_only = false }, context) {
      return browsers.use(context, 'running_only', async (session) => {
        const tab = tabOf(session, id)
        const keep = ({ failure, status }: { failure: string | null; status: number | null }) =>
          !failed_only || failure !== null || (status ?? 0) >= 400
        const refused = session.refused.slice(-100).map(({ host, port, reason_code }) => ({ host, port, reason_code }))
        return { tab: tab.id, ...tab.network.page({ ...(after === undefined ? {} : { after }), limit, keep }), refused }
      })
    },
  })
}
