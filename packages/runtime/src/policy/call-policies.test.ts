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

const ls = { kind: 'command' as const, words: ['ls'] }
const cat = { kind: 'command' as const, words: ['cat'] }

test.each([
  ['all of them were approved', [ls, cat], true],
  ['one of them was not approved', [cat], false],
  ['none was approved', null, false],
])('an overlay adds approval rules: %s', (_, approved, applies) => {
  const remembering: PolicyLayer = {
    ...{ name: 'canary', kind: 'overlay', apply: (policy) => policy },
    remembered: ({ tool }) => (tool === 'shell.exec' ? [ls] : []),
    approved: ({ tool }) => {
      const policy = { ...defaultToolPolicy(tool as 'shell.exec'), sandbox_mode: 'workspace' as const }
      return approved && { approval_id: 'approval', policy, remembered: approved }
    },
  }
  const { of, logged } = ground([remembering])
  const { remembered, layers } = of(owner, 'shell.exec')
  const named = { name: 'canary', kind: 'overlay', changes: [] }
  expect([remembered, layers.in_force.slice(1), layers.ignored]).toEqual(
    applies ? [[{ kind: 'tool' }, ls], [named], []] : [[{ kind: 'tool' }], [], [named]],
  )
  expect(of(owner, 'fs.read').remembered).toEqual([{ kind: 'tool' }])
  expect(logged).toEqual(
    applies
      ? []
      : ['the policy layer "canary" is ignored for shell.exec of agent agent: it allows more (approval rules) and was not approved'],
  )
})

test('only an overlay adds approval rules', () => {
  const adding: PolicyLayer = { name: 'skills', kind: 'intersection', apply: (policy) => policy, remembered: () => [ls] }
  expect(ground([adding]).of(owner, 'shell.exec').remembered).toEqual([{ kind: 'tool' }])
})

test('an approval for a folder covers it under its full path', () => {
  const fs_scope = { roots: ['.', '/data'], globs: ['**'] }
  const wide: PolicyLayer = {
    ...{ name: 'canary', kind: 'overlay', apply: (policy) => ({ ...policy, fs_scope }) },
    approved: () => ({ approval_id: 'approval', policy: { ...defaultToolPolicy('fs.read'), fs_scope, sandbox_mode: 'workspace' } }),
  }
  expect(ground([wide]).of(owner, 'fs.read').policy.fs_scope.roots).toEqual(['/work', '/data'])
})

test('the canaries of the next turn are listed with the offered tools, and layers know which turn is meant', () => {
  const asked: unknown[] = []
  const trial: PolicyLayer = {
    ...{ name: 'canary', kind: 'overlay' },
    apply(policy, { tool, next_turn }) {
      if (tool === 'fs.read') asked.push(next_turn)
      return policy
    },
    canaries: (agent_id) => [`canary of ${agent_id}`],
  }
  const { offered, of } = ground([trial])
  expect(offered(owner, tools).canaries).toEqual(['canary of agent'])
  of(owner, 'fs.read')
  expect(asked).toEqual([true, undefined])
})
