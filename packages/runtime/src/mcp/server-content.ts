// What a connected server offers besides tools, and what it reports about itself. Untrusted.
import { type McpOutcome, mcpSuccess } from './failure.ts'
import type { Servers } from './servers.ts'
import type { LogLine } from './session/log.ts'

export interface ServerContent {
  readLog(server_id: string): McpOutcome<{ readonly lines: readonly LogLine[]; readonly dropped_lines: number }>
  listResources(server_id: string): Promise<McpOutcome<{ readonly resources: readonly unknown[]; readonly templates: readonly unknown[] }>>
  readResource(server_id: string, uri: string, signal: AbortSignal): Promise<McpOutcome<Record<string, unknown>>>
  listPrompts(server_id: string): Promise<McpOutcome<readonly unknown[]>>
  getPrompt(
    server_id: string,
    name: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<McpOutcome<Record<string, unknown>>>
  /** What a connected server says about itself. */
  instructions(server_id: string): string
}

export function openServerContent({ withServer, opened }: Servers): ServerContent {
  return {
    readLog: (server_id) => withServer(server_id, (each) => mcpSuccess(each.log.read())),
    async listResources(server_id) {
      const resources = await withServer(server_id, (each) => each.list('resources/list'))
      if (!resources.ok) return resources
      const templates = await withServer(server_id, (each) => each.list('resources/templates/list'))
      return mcpSuccess({ resources: resources.value, templates: templates.ok ? templates.value : [] })
    },
    readResource: async (server_id, uri, signal) =>
      withServer(server_id, (each) => each.ask({ method: 'resources/read', params: { uri } }, signal)),
    listPrompts: async (server_id) => withServer(server_id, (each) => each.list('prompts/list')),
    getPrompt: async (server_id, name, values, signal) =>
      withServer(server_id, (each) => each.ask({ method: 'prompts/get', params: { name, arguments: { ...values } } }, signal)),
    instructions: (server_id) => opened().get(server_id)?.main.instructions() ?? '',
  }
}
