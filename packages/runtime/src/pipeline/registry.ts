// The available tools by name. Features register theirs; those of MCP servers come and go while runs are in progress.
import { wireNames } from '@tandem/contract/tool'
import type { Tool } from '../call/tool.ts'
import type { ModelTool } from '../model/message.ts'

export interface ToolRegistry {
  /** Registering a name twice is a bug. The returned function removes the tools again. */
  add(tools: readonly Tool[]): () => void
  get(name: string): Tool | undefined
  list(): readonly Tool[]
}

export function openRegistry(): ToolRegistry {
  const tools = new Map<string, Tool>()
  return {
    add(added) {
      for (const tool of added) {
        if (tools.has(tool.name)) throw new Error(`two tools are called ${tool.name}`)
        tools.set(tool.name, tool)
      }
      return () => {
        for (const { name } of added) tools.delete(name)
      }
    },
    get: (name) => tools.get(name),
    list: () => [...tools.values()],
  }
}

/** The tools as a model sees them, and how the names it returns are read. */
export interface OfferedTools {
  readonly tools: readonly ModelTool[]
  /** The tool that a model means; undefined for an invented name. */
  named(wire: string): string | undefined
  wire(name: string): string
}

/** `known` are all tools: a call of one that is not offered is refused by name, not as an unknown tool. */
export function offer(tools: readonly Tool[], known: readonly Tool[]): OfferedTools {
  const names = wireNames(known.map(({ name }) => name))
  const wire = (name: string) => names.toWire(name) ?? name.replaceAll('.', '__')
  return {
    tools: tools.map(({ name, summary, input }) => ({
      type: 'function',
      function: { name: wire(name), description: summary, parameters: input },
    })),
    // Some models return the name they read in the text instead of the one they were given.
    named: (asked) => names.fromWire(asked) ?? known.find(({ name }) => name === asked)?.name,
    wire,
  }
}
