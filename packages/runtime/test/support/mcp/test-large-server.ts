// A server with as many tools as real ones have, made with the SDK: `node test-large-server.ts TOPIC COUNT`.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const verbs = ['create', 'list', 'get', 'update', 'delete', 'search', 'archive', 'export', 'assign', 'merge']
const things = ['record', 'comment', 'label', 'report', 'member', 'board', 'invoice', 'schedule', 'attachment', 'template']

export interface LargeTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly properties: object; readonly required: string[] }
}

/** About 200 tokens each, like the tools of public servers. */
export function largeTools(topic: string, count: number): LargeTool[] {
  return Array.from({ length: count }, (_, no) => {
    const [verb, thing] = [verbs[no % verbs.length] ?? '', things[Math.floor(no / verbs.length) % things.length] ?? '']
    return {
      name: `${verb}_${topic}_${thing}`,
      description:
        `${verb[0]?.toUpperCase()}${verb.slice(1)} a ${thing} in ${topic}. Returns the ${thing} with its fields, its owner and when it was ` +
        `changed. Fails if the ${thing} does not exist or if the account has no access to it. Results are returned in pages.`,
      inputSchema: {
        type: 'object',
        properties: {
          [`${thing}_id`]: { type: 'string', description: `The identifier of the ${thing}, as another call returned it.` },
          title: { type: 'string', description: `A short title of the ${thing}. At most 200 characters.` },
          fields: { type: 'array', items: { type: 'string' }, description: 'The names of the fields to return. All of them by default.' },
          limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many are returned in one page.' },
        },
        required: [`${thing}_id`],
      },
    }
  })
}

export function largeServer(topic: string, count: number): Server {
  const server = new Server({ name: topic, version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: largeTools(topic, count) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: 'text', text: `${params.name} was done` }] }))
  return server
}

const [topic, count] = process.argv.slice(2)
if (import.meta.main && topic) await largeServer(topic, Number(count)).connect(new StdioServerTransport())
