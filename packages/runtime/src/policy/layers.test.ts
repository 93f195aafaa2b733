import { defaultToolPolicy } from '@tandem/contract/tool'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallPolicy } from '../call/call-policy.ts'
import type { PolicyLayer, PolicySubject } from '../feature/policy-layer.ts'
import { layeredPolicy, strictModeLayer } from './call-policies.ts'
import { changedFields, looser } from './strictness.ts'

const usual: CallPolicy = { ...defaultToolPolicy('web.fetch'), sandbox_mode: 'workspace' }
const subject: PolicySubject = { agent_id: 'agent', tool: 'web.fetch', run_id: 'run', workspace: '/project' }
const configured = { name: 'configured policy', kind: 'configured', changes: [] } as const

function layer(name: string, kind: PolicyLayer['kind'], change: Partial<CallPolicy>, approved?: Partial<CallPolicy>): PolicyLayer {
  return {
    name,
    kind,
    apply: (policy) => ({ ...policy, ...change }),
    ...(approved ? { approved: () => ({ approval_id: 'approval', policy: { ...usual, ...approved } }) } : {}),
  }
}

test('without layers the configured policy applies', () => {
  expect(layeredPolicy(usual, [], subject)).toEqual({ policy: usual, layers: { in_force: [configured], ignored: [] } })
})

test('a layer that changes nothing is not listed', () => {
  const layers = [layer('skills', 'intersection', { approval_mode: 'auto' }), strictModeLayer]
  expect(layeredPolicy(usual, layers, subject)).toEqual({ policy: usual, layers: { in_force: [configured], ignored: [] } })
})

test('a layer that returns the same policy object is not compared', () => {
  const unreadable = {
    ...usual,
    get fs_scope(): CallPolicy['fs_scope'] {
      throw new Error('it was compared')
    },
  }
  const same = (kind: PolicyLayer['kind']): PolicyLayer => ({ name: kind, kind, apply: (policy) => policy })
  const found = layeredPolicy(unreadable, [same('overlay'), same('intersection'), same('mode')], subject)
  expect(found.policy).toBe(unreadable)
  expect(found.layers).toEqual({ in_force: [configured], ignored: [] })
})

test('layers apply in a fixed order, regardless of the order in which they were added', () => {
  const applied: string[] = []
  const noted = (one: PolicyLayer): PolicyLayer => ({
    ...one,
    apply(policy, about) {
      applied.push(`${one.name} over ${policy.approval_mode} ${policy.time_limit.seconds}`)
      return one.apply(policy, about)
    },
  })
  const layers = [
    noted(layer('mode', 'mode', { approval_mode: 'deny' })),
    noted(layer('parent agent', 'intersection', { time_limit: { seconds: 60 } })),
    noted(layer('skills', 'intersection', { time_limit: { seconds: 90 } })),
    noted(layer('canary', 'overlay', { time_limit: { seconds: 100 } })),
  ]
  expect(layeredPolicy(usual, layers, subject)).toEqual({
    policy: { ...usual, time_limit: { seconds: 60 }, approval_mode: 'deny' },
    layers: {
      in_force: [
        configured,
        { name: 'canary', kind: 'overlay', changes: ['time_limit'] },
        { name: 'parent agent', kind: 'intersection', changes: ['time_limit'] },
        { name: 'mode', kind: 'mode', changes: ['approval_mode'] },
      ],
      ignored: [],
    },
  })
  expect(applied).toEqual([
    'canary over required 120',
    'parent agent over required 100',
    'skills over required 60',
    'mode over required 60',
  ])
})

const wider = { approval_mode: 'auto', time_limit: { seconds: 10 } } as const

test.each<[string, Partial<CallPolicy> | undefined, readonly string[]]>([
  ['without an approval it is ignored and listed', undefined, ['approval_mode']],
  ['with an approval for less it is ignored', { approval_mode: 'required' }, ['approval_mode']],
  ['with an approval for exactly this it applies', { approval_mode: 'auto' }, []],
  ['with an approval for more it applies', { approval_mode: 'auto', enabled: true, time_limit: { seconds: 900 } }, []],
])('an overlay that allows more: %s', (_, approved, ignored) => {
  const found = layeredPolicy(usual, [layer('canary', 'overlay', wider, approved)], subject)
  const isIgnored = ignored.length > 0
  expect(found).toEqual({
    policy: isIgnored ? usual : { ...usual, ...wider },
    layers: {
      in_force: [configured, ...(isIgnored ? [] : [{ name: 'canary', kind: 'overlay', changes: ['approval_mode', 'time_limit'] }])],
      ignored: isIgnored ? [{ name: 'canary', kind: 'overlay', changes: ignored }] : [],
    },
  })
})

test('an intersection or a mode cannot allow more, even if approved', () => {
  for (const kind of ['intersection', 'mode'] as const) {
    const found = layeredPolicy(usual, [layer('x', kind, { approval_mode: 'auto' }, { approval_mode: 'auto' })], subject)
    expect(found).toEqual({ policy: usual, layers: { in_force: [configured], ignored: [] } })
  }
})

test('an intersection that tightens the sandbox mode also applies the restrictions of that mode', () => {
  const { policy, layers } = layeredPolicy(
    usual,
    [strictModeLayer, layer('parent agent', 'intersection', { sandbox_mode: 'strict' })],
    subject,
  )
  expect(policy).toEqual({ ...usual, sandbox_mode: 'strict', network_scope: { hosts: [] } })
  expect(layers.in_force).toEqual([
    configured,
    { name: 'parent agent', kind: 'intersection', changes: ['sandbox_mode'] },
    { name: 'sandbox mode strict', kind: 'mode', changes: ['network_scope'] },
  ])
})

test.each<[string, readonly string[], Partial<CallPolicy>]>([
  ['web.fetch', ['*', '*:443', 'a.example', '*.example'], { network_scope: { hosts: ['a.example', '*.example'] } }],
  ['mcp.files.read', ['*'], {}],
  ['shell.exec', [], { approval_mode: 'deny' }],
  ['script.run', [], { approval_mode: 'deny' }],
  ['browser.eval', ['a.example'], { approval_mode: 'deny' }],
  ['fs.write', [], {}],
])('strict and %s', (tool, hosts, change) => {
  const policy: CallPolicy = { ...usual, network_scope: { hosts: [...hosts] }, sandbox_mode: 'strict' }
  const { policy: found, layers } = layeredPolicy(policy, [strictModeLayer], { ...subject, tool })
  expect(found).toEqual({ ...policy, ...change })
  expect(layers.in_force.map(({ name }) => name)).toEqual([
    'configured policy',
    ...(Object.keys(change).length > 0 ? ['sandbox mode strict'] : []),
  ])
})

test('in a known workspace the relative and the absolute name of a folder are equal', () => {
  const roots = (...list: string[]) => ({ fs_scope: { roots: list, globs: ['**'] } })
  const through = (own: Partial<CallPolicy>, parent: Partial<CallPolicy>, workspace: string | null) =>
    layeredPolicy({ ...usual, ...own }, [layer('parent agent', 'intersection', parent)], { ...subject, workspace }).policy.fs_scope.roots
  expect(through(roots('.'), roots('/project'), '/project')).toEqual(['.'])
  expect(through(roots('.', '/data'), roots('/project/src', '/data/a'), '/project')).toEqual(['/project/src', '/data/a'])
  expect(through(roots('src'), roots('/'), '/project')).toEqual(['src'])
  expect(through(roots('.'), roots('/project/src'), null)).toEqual([])
})

test('intersections and modes never allow more than the layers below; overlays only add what was approved', () => {
  const change = fc.record(
    {
      enabled: fc.boolean(),
      approval_mode: fc.constantFrom('auto' as const, 'required' as const, 'deny' as const),
      time_limit: fc.record({ seconds: fc.integer({ min: 1, max: 300 }) }),
      network_scope: fc.record({ hosts: fc.subarray(['*', 'a.example', '10.0.0.1']) }),
      sandbox_mode: fc.constantFrom('trusted' as const, 'workspace' as const, 'strict' as const),
    },
    { requiredKeys: [] },
  )
  const layers = fc.array(fc.tuple(fc.constantFrom('overlay' as const, 'intersection' as const, 'mode' as const), change), { maxLength: 5 })
  fc.assert(
    fc.property(layers, change, (list, approved) => {
      const made = list.map(([kind, asked], index) => layer(`${index}`, kind, asked, approved))
      const found = layeredPolicy(usual, [...made, strictModeLayer], subject)
      const beyondApproved = looser({ ...usual, ...approved }, found.policy)
      expect(looser(usual, found.policy).filter((field) => beyondApproved.includes(field))).toEqual([])
      const narrowing = layeredPolicy(
        usual,
        made.filter(({ kind }) => kind !== 'overlay'),
        subject,
      )
      expect(looser(usual, narrowing.policy)).toEqual([])
      expect(changedFields(usual, narrowing.policy).length > 0).toBe(narrowing.layers.in_force.length > 1)
    }),
  )
})
