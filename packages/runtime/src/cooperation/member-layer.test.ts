import { defaultToolPolicy } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import type { CallPolicy } from '../call/call-policy.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { memberLayer } from './member-layer.ts'
import type { MemberRecord } from './record/member.ts'

const usual: CallPolicy = { ...defaultToolPolicy('fs.write'), sandbox_mode: 'workspace' }
const member = (workspace: MemberRecord['workspace']) => ({ parent_run_id: 'parent', workspace }) as MemberRecord
const members = new Map([
  ['copy', member('copy')],
  ['shared', member('shared')],
])
const layer = memberLayer({
  rows: { get: (run_id) => members.get(run_id) },
  journal: { run: () => ({ agent_id: 'lead' }) as RunRecord },
  isOfFolder: (tool) => tool.startsWith('mcp.of-folder.'),
})

/** The run, its agent, a tool, and whether it can be used. */
test.each([
  ['first', 'lead', 'mcp.files.write', true],
  ['first', 'lead', 'workflow.start', true],
  ['copy', 'lead', 'mcp.files.write', false],
  ['copy', 'other', 'mcp.files.write', true],
  ['shared', 'other', 'mcp.files.write', false],
  ['copy', 'lead', 'mcp.of-folder.write', true],
  ['shared', 'other', 'mcp.of-folder.write', false],
  ['copy', 'lead', 'workflow.start', false],
  ['shared', 'other', 'workflow.start', false],
  ['copy', 'lead', 'workflow.snapshot', true],
  ['shared', 'lead', 'fs.write', true],
])('%s of %s: %s can be used: %s', (run_id, agent_id, tool, enabled) => {
  expect(layer.apply(usual, { run_id, agent_id, tool, workspace: '/project' }).enabled).toBe(enabled)
})
