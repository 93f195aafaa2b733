import type { ApprovalRule, ToolPolicy } from '../tool/schema.ts'
import type { PolicyChange } from './schema.ts'

const modes: Readonly<Record<ToolPolicy['approval_mode'], string>> = {
  auto: 'runs without asking',
  required: 'asks, unless an approval was saved',
  manual_each_call: 'asks for each call',
  deny: 'blocked',
}

/**
 * The value of a changed field in words. `ruleText` describes a saved approval. A value that has another form, such as one of a newer
 * version, is returned as it is.
 */
export function policyValueText(field: PolicyChange['field'], json: string, ruleText: (rule: ApprovalRule) => string): string {
  const value = parsed(json)
  if (field === 'enabled' && typeof value === 'boolean') return value ? 'on' : 'off'
  if (field === 'approval_mode' && typeof value === 'string' && Object.hasOwn(modes, value)) {
    return modes[value as ToolPolicy['approval_mode']]
  }
  if (field === 'remembered' && Array.isArray(value)) return list((value as ApprovalRule[]).map(ruleText), 'no saved approval')
  if (typeof value !== 'object' || value === null) return json
  if (field === 'time_limit' && 'seconds' in value) return `${value.seconds} s`
  if (field === 'rate_limit' && 'calls' in value && 'per_seconds' in value) return `${value.calls} calls per ${value.per_seconds} s`
  if (field === 'network_scope' && 'hosts' in value && Array.isArray(value.hosts)) {
    return list(
      value.hosts.map((host) => (host === '*' ? 'every host' : String(host))),
      'no host',
    )
  }
  if (field === 'fs_scope' && 'roots' in value && 'globs' in value && Array.isArray(value.roots) && Array.isArray(value.globs)) {
    return `${list(value.globs.map(globText), 'nothing')} in ${list(value.roots.map(String), 'no folder')}`
  }
  return json
}

function globText(glob: unknown): string {
  const text = String(glob)
  if (text === '**') return 'every file'
  return text.startsWith('!') ? `not ${text.slice(1)}` : text
}

function list(values: readonly string[], none: string): string {
  return values.length === 0 ? none : values.join(', ')
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // It is shown as it is.
    return null
  }
}
