// The tools of all servers as users see them. Each is inspected once: every call needs the standing of its tool, and some servers have
// hundreds of tools.
import type { McpTool } from '@tandem/contract/mcp'
import type { Suspicion } from '../../policy/untrusted-text.ts'
import { inspectTool, isWithheld, standingOf, type ToolStanding } from './tool-list.ts'

export interface ListedTool {
  readonly tool: McpTool
  readonly standing: ToolStanding
  readonly suspicions: readonly Suspicion[]
  /** Hidden from models until it is approved. */
  readonly withheld: boolean
  /** By the definition of its server. */
  readonly left_out: boolean
}

export interface InspectedTools {
  of(tool: McpTool): ListedTool
  /** The tools of a server have changed. */
  clear(): void
}

/** `tools`: the current tools of each server. `isLeftOut`: whether the definition of its server leaves a tool out. */
export function inspectedTools(
  tools: () => ReadonlyMap<string, readonly McpTool[]>,
  isLeftOut: (tool: McpTool) => boolean = () => false,
): InspectedTools {
  const looked = new Map<string, readonly Suspicion[]>()
  const others = new Map<string, readonly string[]>()

  function otherTools(server_id: string): readonly string[] {
    const known = others.get(server_id)
    if (known) return known
    const all = tools()
    const own = new Set(all.get(server_id)?.map(({ remote_name }) => remote_name))
    const names = [...all].flatMap(([id, listed]) => (id === server_id ? [] : listed.map(({ remote_name }) => remote_name)))
    const foreign = names.filter((name) => !own.has(name))
    others.set(server_id, foreign)
    return foreign
  }

  return {
    of(tool) {
      const suspicions = looked.get(tool.tool) ?? inspectTool(tool, otherTools(tool.server_id))
      looked.set(tool.tool, suspicions)
      return { tool, standing: standingOf(tool), suspicions, withheld: isWithheld(tool, suspicions), left_out: isLeftOut(tool) }
    },
    clear() {
      looked.clear()
      others.clear()
    },
  }
}
