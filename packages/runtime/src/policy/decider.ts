// Decides about calls: collects everything that the rule needs to know about the tool, the command and this host, and applies the rule.

import { resolve } from 'node:path'
import { visibleText } from '@tandem/contract/text'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Enforcement } from '../call/commands.ts'
import type { RemoteGrant, RemoteMachine } from '../call/remote.ts'
import type { ToolOrigin } from '../call/tool.ts'
import type { AgentChanges } from './agent-changes.ts'
import { commandInstructions } from './command-instructions.ts'
import { type CallFacts, type Decision, decide, executes, withWarnings } from './decide.ts'
import { resolvePaths } from './resolved-paths.ts'
import { misleadingCharacter } from './shell/characters.ts'
import { parseCommand } from './shell/understand.ts'
import { warningsFor } from './shell/warnings.ts'
import type { GrantedRun } from './team-grant.ts'

export type DecidedCall = Pick<CallFacts, 'tool' | 'effects' | 'workspace' | 'sandbox_mode' | 'policy' | 'remembered'> & {
  readonly origin?: ToolOrigin | undefined
  readonly run: GrantedRun
}

export interface DeciderPorts extends DecideCallPorts {
  /** Prepares the sandbox for a command in this mode. */
  warm(mode: SandboxMode): void
  /** Whether the operating system restricts calls in this mode to their scope. Used for calls that execute something, and for programs. */
  enforcement(mode: SandboxMode): Enforcement
  /** What the operating system does not protect from a command in the workspace, one sentence each. */
  unprotected(workspace: string): readonly string[]
  /** Whether the run may use a remote executor. */
  remoteGrant(run: GrantedRun, executor: string): RemoteGrant
}

export function openDecider({
  warm,
  enforcement,
  unprotected,
  remoteGrant,
  ...ports
}: DeciderPorts): (call: DecidedCall) => Promise<Decision> {
  return async (asked) => {
    // The sandbox takes a moment to start: it starts while the command is analyzed.
    const acts = executes(asked.effects)
    if (acts) warm(asked.sandbox_mode)
    const remote = asked.effects.find((effect) => effect.does === 'execute_remotely')
    const grant = remote && remoteGrant(asked.run, remote.executor)
    if (grant?.ok === false) {
      const { reason_code, message, remedy } = grant
      return { decision: 'refuse', stage: 'policy_enforcement', reason_code, message, remedy }
    }
    const { call, warnings } = requireFirstApproval(asked, grant ? machineWarnings(grant.machine) : [])
    const held = acts || call.origin?.is_program ? enforcement(call.sandbox_mode) : null
    const gaps = acts && held === 'os' ? unprotected(call.workspace) : []
    const decision = strictRefusal(call, held) ?? (await decideCall({ ...call, enforcement: held }, ports, gaps))
    return withWarnings(decision, warnings)
  }
}

/**
 * A tool that was not approved in its current form needs approval, regardless of the policy. This only restricts: a tool that is denied or
 * disabled stays so.
 */
export function requireFirstApproval(
  call: DecidedCall,
  others: readonly string[] = [],
): { readonly call: DecidedCall; readonly warnings: readonly string[] } {
  const warnings = [...(call.origin?.warnings() ?? []), ...others]
  if (warnings.length === 0) return { call, warnings }
  const { policy } = call
  const approval_mode = policy.approval_mode === 'auto' ? 'required' : policy.approval_mode
  return { call: { ...call, policy: { ...policy, approval_mode }, remembered: [] }, warnings }
}

/** They name the machine, and have the effect that every call needs its own approval. */
function machineWarnings({ name, executor_url, certificate_sha256, sandbox }: RemoteMachine): readonly string[] {
  const which = certificate_sha256 === null ? 'without encryption' : `with the certificate ${certificate_sha256}`
  const held = {
    os: 'It reports that it restricts commands to a folder for each of them.',
    none: 'It does not restrict commands: this one can do there what the user of the executor can do.',
    unknown: 'It is not known whether it restricts commands.',
  }[sandbox ?? 'unknown']
  return [`Runs on another machine: ${name}, ${executor_url}, ${which}. ${held} Nothing on that machine can be restored.`]
}

/** In strict mode, a program that the sandbox cannot restrict is refused without asking. */
export function strictRefusal({ tool, sandbox_mode, origin }: DecidedCall, enforcement: Enforcement | null): Decision | null {
  if (sandbox_mode !== 'strict' || !origin?.is_program || enforcement === 'os') return null
  return {
    decision: 'refuse',
    stage: 'sandbox_enforcement',
    reason_code: 'sandbox_unavailable',
    message: `${tool} is a program on this device; strict mode requires a sandbox for it, and none is available on this machine`,
    remedy: 'Install what the sandbox needs (the Diagnostics page shows what is missing), or run the agent in workspace mode.',
  }
}

export type DecidableCall = Omit<CallFacts, 'command' | 'places' | 'warnings' | 'notes' | 'instructions' | 'digestOf' | 'targets'>

export interface DecideCallPorts {
  readonly changes: Pick<AgentChanges, 'among' | 'isApproved'>
  /** The paths that a command will write or remove. */
  targetsOf(command: string, cwd: string): readonly string[]
}

/** `more`: further warnings. */
export async function decideCall(
  call: DecidableCall,
  { changes, targetsOf }: DecideCallPorts,
  more: readonly string[] = [],
): Promise<Decision> {
  const shell = call.effects.find((effect) => effect.does === 'execute' && effect.language === 'shell')
  const folder = shell?.does === 'execute' ? resolve(call.workspace, shell.cwd) : call.workspace
  const command = shell?.does === 'execute' ? await parseCommand(shell.command, folder) : null
  const targets = new Map(command?.understood ? command.commands.map(({ text }) => [text, targetsOf(text, folder)] as const) : [])
  const places = await resolvePaths({ ...call, command, targets })
  const general = [...hiddenCharacters(call), ...more]
  if (!command) return decide({ ...call, command, places, targets, warnings: general })
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
    warnings: [...warningsFor(command, place), ...warnings, ...general],
  })
}

/** In commands, the parser finds them. */
function hiddenCharacters({ effects }: DecidableCall): readonly string[] {
  return effects.flatMap((effect) => {
    if (effect.does === 'execute_remotely') {
      const found = misleadingCharacter(effect.command)
      return found === null ? [] : [`The command contains ${found}.`]
    }
    const text = 'path' in effect ? effect.path : 'host' in effect ? effect.host : ''
    const found = misleadingCharacter(text)
    return found === null ? [] : [`${visibleText(text)} contains ${found}.`]
  })
}
