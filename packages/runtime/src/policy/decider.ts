// Decides about calls: looks up everything that the rule needs to know of the tool, the command and this host, and applies the rule.

import { resolve } from 'node:path'
import { visibleText } from '@tandem/contract/text'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Enforcement } from '../call/commands.ts'
import type { ToolOrigin } from '../call/tool.ts'
import type { AgentChanges } from './agent-changes.ts'
import { commandInstructions } from './command-instructions.ts'
import { type CallFacts, type Decision, decide, executes, withWarnings } from './decide.ts'
import { placesOf } from './places.ts'
import { misleading } from './shell/characters.ts'
import { understand } from './shell/understand.ts'
import { warningsFor } from './shell/warnings.ts'

export type DecidedCall = Pick<CallFacts, 'tool' | 'effects' | 'workspace' | 'sandbox_mode' | 'policy' | 'remembered'> & {
  readonly origin?: ToolOrigin | undefined
}

export interface DeciderPorts extends JudgePorts {
  /** Makes ready what holds a command of this mode. */
  warm(mode: SandboxMode): void
  /** Whether the operating system holds calls of this mode to their scope. Asked about calls that execute something, and about programs. */
  enforcement(mode: SandboxMode): Enforcement
}

export function openDecider({ warm, enforcement, ...ports }: DeciderPorts): (call: DecidedCall) => Promise<Decision> {
  return async (asked) => {
    // What holds a command takes a moment to start: it does so while the command is being looked at.
    const acts = executes(asked.effects)
    if (acts) warm(asked.sandbox_mode)
    const { call, warnings } = seenFirst(asked)
    const held = acts || call.origin?.is_program ? enforcement(call.sandbox_mode) : null
    const decision = strictRefusal(call, held) ?? (await judge({ ...call, enforcement: held }, ports))
    return withWarnings(decision, warnings)
  }
}

/**
 * A tool that nobody has approved as it is now is shown before it runs, whatever the policy says. Narrows only: a tool that is denied or
 * switched off stays so.
 */
export function seenFirst(call: DecidedCall): { readonly call: DecidedCall; readonly warnings: readonly string[] } {
  const warnings = call.origin?.warnings() ?? []
  if (warnings.length === 0) return { call, warnings }
  const { policy } = call
  const approval_mode = policy.approval_mode === 'auto' ? 'required' : policy.approval_mode
  return { call: { ...call, policy: { ...policy, approval_mode }, remembered: [] }, warnings }
}

/** In strict a program that nothing would hold is not even asked about. */
export function strictRefusal({ tool, sandbox_mode, origin }: DecidedCall, enforcement: Enforcement | null): Decision | null {
  if (sandbox_mode !== 'strict' || !origin?.is_program || enforcement === 'os') return null
  return {
    decision: 'refuse',
    stage: 'sandbox_enforcement',
    reason_code: 'sandbox_unavailable',
    message: `${tool} is a program on this device; strict mode needs a sandbox for it, and this host has none`,
    remedy: 'Install bubblewrap and socat, or run the agent in workspace mode.',
  }
}

export type JudgedCall = Omit<CallFacts, 'command' | 'places' | 'warnings' | 'notes' | 'instructions' | 'digestOf' | 'targets'>

export interface JudgePorts {
  readonly changes: Pick<AgentChanges, 'among' | 'isApproved'>
  /** The paths that a command says it will write or remove. */
  targetsOf(command: string, cwd: string): readonly string[]
}

export async function judge(call: JudgedCall, { changes, targetsOf }: JudgePorts): Promise<Decision> {
  const shell = call.effects.find((effect) => effect.does === 'execute' && effect.language === 'shell')
  const folder = shell?.does === 'execute' ? resolve(call.workspace, shell.cwd) : call.workspace
  const command = shell?.does === 'execute' ? await understand(shell.command, folder) : null
  const targets = new Map(command?.understood ? command.commands.map(({ text }) => [text, targetsOf(text, folder)] as const) : [])
  const places = await placesOf({ ...call, command, targets })
  const hidden = hiddenCharacters(call)
  if (!command) return decide({ ...call, command, places, targets, warnings: hidden })
  const { notes, warnings, digests, digestOf } = await commandInstructions(command, folder, changes)
  const place = { workspace: call.workspace, places, digestOf }
  return decide({
    ...call,
    command,
    places,
    targets,
    digestOf,
    notes,
    instructions: digests,
    warnings: [...warningsFor(command, place), ...warnings, ...hidden],
  })
}

/** In a command they are found when it is taken apart. */
function hiddenCharacters({ effects }: JudgedCall): readonly string[] {
  return effects.flatMap((effect) => {
    const text = 'path' in effect ? effect.path : 'host' in effect ? effect.host : ''
    const found = misleading(text)
    return found === null ? [] : [`${visibleText(text)} contains ${found}.`]
  })
}
