// The tools that a run may use now, as sent to its model.

import type { Tool } from '../../call/tool.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { type OfferedTools, offer, type ToolRegistry } from '../../pipeline/registry.ts'
import type { LoopPorts, RunTools } from '../ports.ts'

/** The same tools give the same list, which is long and sent in every turn. */
const lastOffers = new WeakMap<
  ToolRegistry,
  { readonly tools: readonly Tool[]; readonly known: readonly Tool[]; readonly offer: OfferedTools }
>()

export function offeredTools(ports: LoopPorts, run: RunRecord): OfferedTools {
  return offerOf(ports, ports.toolsFor(run, []))
}

export function offerOf(ports: LoopPorts, { tools }: RunTools): OfferedTools {
  const known = ports.registry.list()
  const last = lastOffers.get(ports.registry)
  if (last && isSame(last.tools, tools) && isSame(last.known, known)) return last.offer
  const made = offer(tools, known)
  lastOffers.set(ports.registry, { tools, known, offer: made })
  return made
}

function isSame(left: readonly Tool[], right: readonly Tool[]): boolean {
  return left.length === right.length && left.every((tool, index) => tool === right[index])
}
