import { BrowserConsoleLogsOutput, BrowserNetworkLogsOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { defineTool, type Tool } from '../../call/tool.ts'
import type { Browsers } from './browsers.ts'
import { tabField, tabOf } from './view.ts'

const pageFields = {
  ...tabField,
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Continue after this number: `next` of the previous result. Default: the newest entries',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of entries. Default: 100' })),
}

export function browserConsoleLogs(browsers: Browsers): Tool {
  return defineTool({
    name: 'browser.console_logs',
    summary: 'Read the console of the page and the errors of its scripts: the last 2,000 lines, in pages.',
    input: Type.Object(
      {
        ...pageFields,
        level: Type.Optional(
          Type.Union(
            ['log', 'debug', 'info', 'warning', 'error', 'pageerror'].map((level) => Type.Literal(level)),
            { description: 'Only these types' },
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
      'Read the network requests of the page and their responses: the last 2,000, in pages; and the hosts that the network scope refused.',
    input: Type.Object(
      { ...pageFields, failed_only: Type.Optional(Type.Boolean({ description: 'Only requests that failed or got status 400 or higher' })) },
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
