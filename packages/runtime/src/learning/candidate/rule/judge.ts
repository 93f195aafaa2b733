// What the policy would have decided about a recorded call with one field changed. Each field has its judge. Pure.
import { resolve } from 'node:path'
import type { PolicyChange, PolicyChangeField } from '@tandem/contract/policy-candidate'
import type { ApprovalRule, ToolPolicy } from '@tandem/contract/tool'
import type { Enforcement } from '../../../call/commands.ts'
import { underSandboxMode } from '../../../policy/call-policies.ts'
import { decide } from '../../../policy/decide.ts'
import { rowFor } from '../../../policy/shell/program-table.ts'
import { type AccessRule, accessRule } from '../../../sandbox/files/access-rule.ts'
import { allowsHost } from '../../../sandbox/network/host-scope.ts'
import { addedRules, changedPolicy } from './policy-change.ts'
import { hostsOf, isApprovedByPerson, isCutOff, isDeniedByPerson, type RecordedCall } from './recorded-call.ts'
import type { UnderstoodCommand } from './understood-command.ts'

/** What becomes of a call. `runs`: without asking. `asks`: a person decides. `refused`: no one is asked. `stopped`: by its time limit. */
export type Fate = 'runs' | 'asks' | 'refused' | 'stopped'

/** `understood`: of a shell command; null for other calls. Returns null if the records do not say. */
export type Judge = (call: RecordedCall, understood: UnderstoodCommand | null) => Fate | null

export interface JudgeContext {
  /** With the old values of the candidate. */
  readonly policy: ToolPolicy
  readonly remembered: readonly ApprovalRule[]
  /** Whether the operating system restricts commands to their scope. */
  readonly enforcement: Enforcement
  /** All recorded calls of the tool, oldest first. */
  readonly calls: readonly RecordedCall[]
}

/** The recorded decision. Null for a call that ended before anything was decided. */
export function recordedFate(call: RecordedCall): Fate | null {
  if (isCutOff(call)) return 'stopped'
  if (call.answer !== null) return isDeniedByPerson(call) || isApprovedByPerson(call) ? 'asks' : null
  if (call.outcome === 'denied' || call.reason_code === 'rate_limited') return 'refused'
  return call.started_at === null ? null : 'runs'
}

export function judgeFor(change: PolicyChange, context: JudgeContext): Judge {
  return judges[change.field](change, context)
}

const judges: Readonly<Record<PolicyChangeField, (change: PolicyChange, context: JudgeContext) => Judge>> = {
  enabled: byDecision,
  approval_mode: byDecision,
  remembered: byDecision,
  fs_scope: byFiles,
  network_scope: byHosts,
  rate_limit: byTimes,
  time_limit: byDurations,
}

function byDecision(change: PolicyChange, { policy, remembered, enforcement }: JudgeContext): Judge {
  const changed = changedPolicy(policy, change.tool, [change])
  const rules = [...remembered, ...addedRules(change.tool, [change])]
  return (call, understood) => {
    const { tool, effects, workspace, sandbox_mode } = call
    const digestOf = (words: readonly string[]) => recordedDigest(call, words)
    // What to check before approving was recorded. It also depended on files that may be different now.
    const warnings = [...(call.warned ? ['It had a warning.'] : []), ...(understood?.warnings ?? [])]
    const { decision } = decide({
      ...{ tool, workspace, sandbox_mode, enforcement, warnings, digestOf },
      policy: changed,
      remembered: rules,
      effects: effects ?? [],
      command: understood?.command ?? null,
      ...(understood ? { targets: understood.targets } : {}),
    })
    if (decision === 'refuse') return 'refused'
    if (effects === null) return null
    return decision === 'allow' ? 'runs' : 'asks'
  }
}

/** The digest of the files that the command took instructions from at that time: the one that its approval offered to remember. */
function recordedDigest({ remembers }: RecordedCall, words: readonly string[]): string | null {
  const length = rowFor(words)?.length ?? 0
  const rule = remembers.find((one) => one.kind === 'command' && one.words.join('\0') === words.slice(0, length).join('\0'))
  return rule?.kind === 'command' ? (rule.instructions ?? null) : null
}

/** Nothing is below it. */
const nowhere = '/dev/null'

function byFiles(change: PolicyChange, { policy }: JudgeContext): Judge {
  const { roots, globs } = changedPolicy(policy, change.tool, [change]).fs_scope
  const rules = new Map<string, AccessRule>()
  function ruleFor({ workspace, sandbox_mode }: RecordedCall): AccessRule {
    const known = rules.get(workspace)
    if (known) return known
    const folders = { workspace, temp: nowhere, home: nowhere, roots: roots.map((root) => resolve(workspace, root)) }
    const rule = accessRule({ ...folders, globs, sandbox_mode, platform: 'linux' })
    rules.set(workspace, rule)
    return rule
  }
  return (call, understood) => {
    const { effects, workspace } = call
    if (effects === null) return null
    if (isOpaque(call, understood)) return 'refused'
    const named = effects.flatMap((effect) => ('path' in effect ? [resolve(workspace, effect.path)] : []))
    const paths = understood ? [...named, ...understood.paths] : named
    const rule = ruleFor(call)
    const isOpen = (path: string) => (['file', 'directory'] as const).some((kind) => rule.judge(path, 'read', kind).is === 'open')
    return paths.every(isOpen) ? unlessScoped(call, 'path_out_of_scope') : 'refused'
  }
}

function byHosts(change: PolicyChange, { policy }: JudgeContext): Judge {
  const changed = changedPolicy(policy, change.tool, [change])
  return (call, understood) => {
    if (call.effects === null) return null
    const { hosts } = underSandboxMode({ ...changed, sandbox_mode: call.sandbox_mode }, change.tool).network_scope
    if (isOpaque(call, understood)) return 'refused'
    const named = understood ? [...hostsOf(call), ...understood.hosts] : hostsOf(call)
    // A command may connect to hosts that it does not name.
    if (understood && named.length === 0) return null
    if (named.includes('*')) return hosts.includes('*') ? unlessScoped(call, 'host_out_of_scope') : null
    return named.every((host) => isAllowed(hosts, host)) ? unlessScoped(call, 'host_out_of_scope') : 'refused'
  }
}

function isAllowed(hosts: readonly string[], named: string): boolean {
  // The servers of MCP are limited by their consent, which the scope can only narrow.
  if (named.startsWith('mcp:')) return true
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(named) ?? []
  const ports = port === undefined ? [443, 80] : [Number(port)]
  return ports.some((one) => allowsHost(hosts, host, one) !== 'no')
}

/** It is in the scope: if only the scope refused it, it would run as approved, and otherwise as it did. */
function unlessScoped(call: RecordedCall, reason_code: string): Fate | null {
  return call.reason_code === reason_code ? 'runs' : recordedFate(call)
}

/** A command or code of which it is not known what it would access. */
function isOpaque({ effects }: RecordedCall, understood: UnderstoodCommand | null): boolean {
  return effects?.some((effect) => effect.does === 'execute') === true && !understood?.command.understood
}

function byTimes(change: PolicyChange, { policy, calls }: JudgeContext): Judge {
  const { calls: most, per_seconds } = changedPolicy(policy, change.tool, [change]).rate_limit
  const refused = new Set<string>()
  const taken: number[] = []
  for (const { call, at } of attempts(calls)) {
    const oldest = taken[taken.length - most]
    if (oldest !== undefined && oldest > at - per_seconds * 1_000) refused.add(idOf(call))
    else taken.push(at)
  }
  return (call) => {
    if (call.started_at === null && call.reason_code !== 'rate_limited') return null
    if (refused.has(idOf(call))) return 'refused'
    return call.reason_code === 'rate_limited' ? 'runs' : recordedFate(call)
  }
}

function attempts(calls: readonly RecordedCall[]): readonly { readonly call: RecordedCall; readonly at: number }[] {
  const all = calls.flatMap((call) => {
    const at = call.started_at ?? (call.reason_code === 'rate_limited' ? call.asked_at : null)
    return at === null ? [] : [{ call, at }]
  })
  return all.toSorted((one, other) => one.at - other.at)
}

function byDurations(change: PolicyChange, { policy }: JudgeContext): Judge {
  const limit_ms = changedPolicy(policy, change.tool, [change]).time_limit.seconds * 1_000
  return (call) => {
    if (call.started_at === null) return null
    if (call.duration_ms > limit_ms) return 'stopped'
    // How long it would have taken is not known.
    return isCutOff(call) ? null : recordedFate(call)
  }
}

export function idOf({ run_id, call_id }: Pick<RecordedCall, 'run_id' | 'call_id'>): string {
  return `${run_id} ${call_id}`
}
