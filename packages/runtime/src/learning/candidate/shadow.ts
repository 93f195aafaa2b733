// Tests a candidate on the recorded calls of its agent, without any effect. Works in slices, so that nothing else waits for it.

import { resolve } from 'node:path'
import type { PolicyChange } from '@tandem/contract/policy-candidate'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Enforcement } from '../../call/commands.ts'
import { othersFirst } from '../../scheduler/slices.ts'
import { type Judge, judgeFor, recordedFate } from './rule/judge.ts'
import { type ConfiguredPolicy, commandOf, groupBy, type RecordedCall } from './rule/recorded-call.ts'
import type { CommandCache, UnderstoodCommand } from './rule/understood-command.ts'
import { type ComparedCall, type ShadowedCandidate, type ShadowResult, weigh } from './rule/weigh.ts'

export interface ShadowPorts {
  readonly commands: CommandCache
  enforcement(mode: SandboxMode): Enforcement
  policyOf(tool: string): ConfiguredPolicy
  /** Monotonic milliseconds. */
  elapsed(): number
}

const slice_ms = 15

/** `calls`: oldest first. Only calls of tools that the candidate changes matter; the others may be left out. */
export async function shadow(
  candidate: ShadowedCandidate & { readonly changes: readonly PolicyChange[] },
  calls: readonly RecordedCall[],
  ports: ShadowPorts,
): Promise<ShadowResult> {
  const changes = groupBy(candidate.changes, ({ tool }) => tool)
  const own = calls.filter(({ tool }) => changes.has(tool))
  const judges = new Map<string, readonly Judge[]>()
  for (const [tool, list] of changes) {
    const context = { ...ports.policyOf(tool), calls: own.filter((call) => call.tool === tool) }
    // Strict mode and a missing sandbox refuse regardless of the policy; the recorded calls say so.
    judges.set(
      tool,
      list.map((change) => judgeFor(change, { ...context, enforcement: ports.enforcement('workspace') })),
    )
  }
  const compared: ComparedCall[] = []
  let began = ports.elapsed()
  for (const call of own) {
    if (ports.elapsed() - began > slice_ms) {
      await othersFirst()
      began = ports.elapsed()
    }
    const found = understoodOf(call, ports.commands)
    const understood = found instanceof Promise ? await found : found
    const would = combined((judges.get(call.tool) ?? []).map((judge) => judge(call, understood)))
    compared.push({ call, decided: recordedFate(call), would })
  }
  return weigh(candidate, compared)
}

/** The strictest; not known if one of them is not, unless another one refuses. */
function combined(fates: readonly ReturnType<Judge>[]): ReturnType<Judge> {
  for (const fate of ['refused', 'stopped', null, 'asks', 'runs'] as const) if (fates.includes(fate)) return fate
  return null
}

function understoodOf(call: RecordedCall, commands: CommandCache): Promise<UnderstoodCommand> | UnderstoodCommand | null {
  const found = commandOf(call)
  if (found === null) return null
  const { workspace } = call
  const place = { workspace, folder: found.cwd === '.' ? workspace : resolve(workspace, found.cwd) }
  return commands.known(found.command, place) ?? commands.understand(found.command, place)
}
