// The built-in tools, by family. MCP servers add `mcp.<server_id>.<tool>`.

export const toolFamilies = {
  files: ['fs.list', 'fs.read', 'fs.search', 'fs.write', 'fs.edit', 'fs.move', 'fs.delete', 'fs.mkdir'],
  scripts: ['shell.exec', 'script.run', 'process.list', 'process.kill'],
  web: ['web.search', 'web.fetch', 'web.extract'],
  browser: [
    'browser.open',
    'browser.click',
    'browser.type',
    'browser.select',
    'browser.wait',
    'browser.eval',
    'browser.screenshot',
    'browser.network_logs',
    'browser.console_logs',
  ],
  workflow: ['workflow.start', 'workflow.wait', 'workflow.control', 'workflow.snapshot', 'workflow.query', 'workflow.history'],
  knowledge: ['kb.search', 'kb.ingest', 'kb.reindex'],
  memory: ['memory.add', 'memory.search', 'memory.update', 'memory.delete'],
  cooperation: ['agent.delegate', 'agent.spawn', 'agent.merge_result'],
  tasks: ['todo.create', 'todo.update', 'todo.list', 'todo.complete'],
  system: ['time.now', 'http.request'],
} as const

export type ToolFamily = keyof typeof toolFamilies
export type BuiltinToolName = (typeof toolFamilies)[ToolFamily][number]
export type McpToolName = `mcp.${string}.${string}`

export const builtinToolNames: readonly BuiltinToolName[] = Object.values(toolFamilies).flat()

/** Finds tools of MCP servers when these are too many to be listed. */
export const toolSearch = 'tool.search'

/** A checkpoint is created before these run. */
export const checkpointedTools = [
  'fs.write',
  'fs.edit',
  'fs.move',
  'fs.delete',
  'fs.mkdir',
  'shell.exec',
  'script.run',
] as const satisfies readonly BuiltinToolName[]
