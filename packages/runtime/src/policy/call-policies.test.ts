import { defaultToolPolicy, type ToolPolicy } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import type { PolicyLayer } from '../feature/policy-layer.ts'
import { openCallPolicies, type PolicyOwner, strictModeLayer } from './call-policies.ts'

const owner: PolicyOwner = { agent_id: 'agent', run_id: 'run', workspace: '/work', sandbox_mode: 'workspace' }
const tools = ['ask_user', 'fs.read', 'fs.write', 'shell.exec', 'web.fetch'].map((name) => ({
  name,
  ...(name === 'ask_user' ? { only_asks: true as const } : {}),
}))

function ground(layers: readonly PolicyLayer[], set: Record<string, Partial<ToolPolicy>> = {}) {
  const logged: string[] = []
  const configured = (tool: string) => ({
    policy: { ...defaultToolPolicy(tool as 'fs.read'), ...set[tool] },
    remembered: [{ kind: 'tool' as const }],
    source: 'set' as const,
  })
  const policies = { of: (_: string, tool: string) => configured(tool), ofAgent: () => configured }
  return { logged, ...openCallPolicies({ policies, layers: () => [...layers, strictModeLayer], log: (line) => logged.push(line) }) }
}

const canary: PolicyLayer = {
  name: 'canary of fs.write',
  kind: 'overlay',
  apply: (policy, { tool }) => (tool === 'fs.write' ? { ...policy, approval_mode: 'auto' } : policy),
}
const child: PolicyLayer = {
  name: 'parent agent',
  kind: 'intersection',
  apply: (policy, { tool, run_id }) => (tool === 'fs.read' && run_id !== null ? { ...policy, enabled: false } : policy),
}

test('a call has the policy of all layers, with its approval rules and the source of the policy', () => {
  const { of } = ground([child])
  expect(of(owner, 'fs.read')).toEqual({
    policy: { ...defaultToolPolicy('fs.read'), enabled: false, sandbox_mode: 'workspace' },
    remembered: [{ kind: 'tool' }],
    source: 'set',
    layers: {
      in_force: [
        { name: 'configured policy', kind: 'configured', changes: [] },
        { name: 'parent agent', kind: 'intersection', changes: ['enabled'] },
      ],
      ignored: [],
    },
  })
  expect(of({ ...owner, run_id: null }, 'fs.read').layers.in_force.map(({ name }) => name)).toEqual(['configured policy'])
})

test('tools that a layer disables or denies are not offered; asking the user always is', () => {
  const { offered } = ground([child], { 'web.fetch': { enabled: false }, ask_user: { enabled: false } })
  const names = (by: PolicyOwner) => offered(by, tools).tools.map(({ name }) => name)
  expect(names(owner)).toEqual(['ask_user', 'fs.write', 'shell.exec'])
  expect(names({ ...owner, run_id: null })).toEqual(['ask_user', 'fs.read', 'fs.write', 'shell.exec'])
  expect(names({ ...owner, sandbox_mode: 'strict' })).toEqual(['ask_user', 'fs.write'])
})

test('the layers of a run are those of all its tools; an ignored layer is listed, and logged once', () => {
  const { offered, of, logged } = ground([canary, child])
  const strict = { ...owner, sandbox_mode: 'strict' } as const
  expect(offered(owner, tools).layers).toEqual({ in_force: ['configured policy', 'parent agent'], ignored: ['canary of fs.write'] })
  expect(offered(strict, tools).layers).toEqual({
    in_force: ['configured policy', 'parent agent', 'sandbox mode strict'],
    ignored: ['canary of fs.write'],
  })
  expect(of(owner, 'fs.write').policy.approval_mode).toBe('required')
  expect(logged).toEqual([
    'the policy layer "canary of fs.write" is ignored for fs.write of agent agent: it allows more (approval_mode) and was not approved',
  ])
})
