// Every tool there is right now, by name. Features bring theirs; MCP servers bring and take theirs away while runs go on.
import { wireNames } from '@tandem/contract/tool'
import type { Tool } from '../call/tool.ts'
import type { ModelTool } from '../model/message.ts'

export interface ToolRegistry {
  /** A name that is taken is a bug of who registers it twice. The answer takes the tools away again. */
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

/** The tools as a model is told of them, and how its names for them are read back. */
export interface OfferedTools {
  readonly tools: readonly ModelTool[]
  /** The tool a model means; undefined when it made the name up. */
  named(wire: string): string | undefined
  wire(name: string): string
}

/** `known` are all there are: a call of one that is not offered is refused for what it is, not as a name nobody knows. */
export function offer(tools: readonly Tool[], known: readonly Tool[]): OfferedTools {
  const names = wireNames(known.map(({ name }) => name))
  const wire = (name: string) => names.toWire(name) ?? name.replaceAll('.', '__')
  return {
    tools: tools.map(({ name, summary, input }) => ({
      type: 'function',
      function: { name: wire(name), description: summary, parameters: input },
    })),
    // Some models answer with the name they read in the text instead of the one they were given.
    named: (asked) => names.fromWire(asked) ?? known.find(({ name }) => name === asked)?.name,
    wire,
  }
}
