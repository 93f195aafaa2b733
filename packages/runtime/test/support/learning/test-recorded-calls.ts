// Recorded calls for tests of policy candidates.
import { type ApprovalRule, defaultToolPolicy, type McpToolName, type ToolPolicy } from '@tandem/contract/tool'
import type { Effect } from '../../../src/call/tool.ts'
import type { CallHistory, RecordedCall } from '../../../src/learning/candidate/rule/recorded-call.ts'

const testWorkspace = '/srv/space'

export type CallFields = Partial<RecordedCall>

/** One call per entry, a minute apart, each in the run that it names or in the next of three runs. */
function recordedCalls(list: readonly CallFields[]): readonly RecordedCall[] {
  return list.map((fields, index) => {
    const asked_at = Date.parse('2026-03-01T09:00:00.000Z') + index * 60_000
    return {
      run_id: `run-${index % 3}`,
      call_id: `call-${index}`,
      tool: 'fs.write',
      key: JSON.stringify(fields.effects ?? null),
      effects: [],
      workspace: testWorkspace,
      sandbox_mode: 'workspace',
      outcome: 'succeeded',
      taxonomy: 'none',
      reason_code: null,
      stage: null,
      recoverability: null,
      answer: null,
      edited: false,
      warned: false,
      remembers: [],
      named_hosts: [],
      command_failed: false,
      result: null,
      asked_at,
      started_at: fields.outcome === 'denied' ? null : asked_at,
      duration_ms: 100,
      background: null,
      undone: false,
      ...fields,
    }
  })
}

export function repeated(count: number, fields: CallFields): readonly CallFields[] {
  return Array.from({ length: count }, () => fields)
}

export const denied: CallFields = { outcome: 'denied', answer: 'no' }

export function writes(path: string): CallFields {
  return { tool: 'fs.write', effects: [{ does: 'write', path }] }
}

export function runs(command: string, remembers: readonly ApprovalRule[] = []): CallFields {
  const effects: Effect[] = [{ does: 'execute', command, cwd: '.', language: 'shell' }]
  return { tool: 'shell.exec', effects, remembers }
}

export function fetches(host: string): CallFields {
  return { tool: 'web.fetch', effects: [{ does: 'fetch', host }] }
}

export function historyOf(
  list: readonly CallFields[],
  set: Readonly<Record<string, Partial<ToolPolicy>>> = {},
  remembered: readonly ApprovalRule[] = [],
): CallHistory {
  return {
    calls: recordedCalls(list),
    policyOf: (tool) => ({ policy: { ...defaultToolPolicy(tool as McpToolName), ...set[tool] }, remembered }),
  }
}
