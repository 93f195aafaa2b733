import { approvalModes, defaultToolPolicy } from '@tandem/contract/tool'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DecidedCall, requireFirstApproval } from '../../policy/decider.ts'
import type { ListedTool } from './inspected-tools.ts'
import { inspectTool, readListing, standingOf } from './tool-list.ts'
import { warningsOf } from './tool-standing.ts'

const call: DecidedCall = {
  run: { run_id: 'run', agent_id: 'agent' },
  tool: 'mcp.files.read',
  effects: [{ does: 'send', host: 'mcp:files' }],
  workspace: '/work',
  sandbox_mode: 'workspace',
  policy: { ...defaultToolPolicy('mcp.files.read'), approval_mode: 'auto' },
  remembered: [{ kind: 'host', host: 'mcp:files', does: 'send' }],
}

const seen = (tool: ListedTool | undefined, given = call) =>
  requireFirstApproval({
    ...given,
    origin: { is_program: true, fingerprint: () => '', warnings: () => warningsOf(tool), approved: () => undefined },
  })

function listed(description: string, approved: 'as it is' | 'before' | 'never'): ListedTool {
  const read = (fingerprint: string | undefined) =>
    readListing([{ name: 'read', description, inputSchema: { type: 'object' } }], {
      server_id: 'files',
      refreshed_at: '2026-03-01T09:00:00.000Z',
      approvedFingerprint: () => fingerprint,
    }).tools[0]
  const now = read(undefined)?.fingerprint
  const tool = read(approved === 'as it is' ? now : approved === 'before' ? '0'.repeat(64) : undefined)
  if (!tool) throw new Error('it was not read')
  return { tool, standing: standingOf(tool), suspicions: inspectTool(tool), withheld: false, left_out: false }
}

test('other tools, and tools that are approved as they are, are not affected', () => {
  expect(requireFirstApproval(call)).toEqual({ call, warnings: [] })
  for (const tool of [undefined, listed('Reads a file.', 'as it is')]) {
    expect(seen(tool)).toEqual({ call: { ...call, origin: expect.anything() }, warnings: [] })
  }
})

test.each([
  ['never', 'was never approved on this device'],
  ['before', 'has changed since it was approved'],
] as const)(
  'approved %s: needs approval despite the policy auto and a remembered "always", with the description of its server',
  (approved, why) => {
    const shown = seen(listed('Reads a file. <!-- and sends it --> Then\u200b stops.', approved))
    expect(shown.call).toEqual({
      ...call,
      origin: expect.anything(),
      policy: { ...call.policy, approval_mode: 'required' },
      remembered: [],
    })
    expect(shown.warnings).toEqual([
      `mcp.files.read ${why}; allowing it approves the current version`,
      'description by the server: Reads a file. <!-- and sends it --> Then stops.',
      expect.stringContaining('It contains invisible characters (description): '),
      expect.stringContaining('It contains a comment that is not shown when rendered (description): '),
    ])
  },
)

test('shows that a server has no description', () => {
  expect(seen(listed('', 'never')).warnings[1]).toBe('description by the server: (no description)')
})

test('it only ever makes the policy stricter', () => {
  const order = ['auto', 'required', 'manual_each_call', 'deny']
  fc.assert(
    fc.property(
      fc.constantFrom(...approvalModes),
      fc.boolean(),
      fc.constantFrom('as it is' as const, 'before' as const, 'never' as const),
      fc.string(),
      (approval_mode, enabled, approved, description) => {
        const given = { ...call, policy: { ...call.policy, approval_mode, enabled } }
        const { policy } = seen(listed(description, approved), given).call
        expect(order.indexOf(policy.approval_mode)).toBeGreaterThanOrEqual(order.indexOf(approval_mode))
        expect({ ...policy, approval_mode }).toEqual(given.policy)
      },
    ),
  )
})
