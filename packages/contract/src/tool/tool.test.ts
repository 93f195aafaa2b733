import fc from 'fast-check'
import { expect, test } from 'vitest'
import { approvalChoices } from '../run/index.ts'
import { builtinToolNames, callPolicyFields, changingLayers, defaultToolPolicy, ignoredLayers, wireNames } from './index.ts'
import { ToolPolicy } from './schema.ts'

test('every built-in tool has a wire name that model APIs allow, and can be found by it', () => {
  const names = wireNames(builtinToolNames)
  expect(names.toWire('fs.read')).toBe('fs__read')
  expect(names.toWire('browser.network_logs')).toBe('browser__network_logs')
  for (const tool of builtinToolNames) expect(names.fromWire(names.toWire(tool) ?? '')).toBe(tool)
})

test('any names are mapped one to one, however long, unusual or similar', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'B', '9', '_', '.', '-', ' ', 'é'), minLength: 1, maxLength: 90 })
  fc.assert(
    fc.property(fc.uniqueArray(part, { maxLength: 30 }), (tools) => {
      const names = wireNames(tools)
      const wires = tools.map((tool) => names.toWire(tool) ?? '')
      expect(new Set(wires).size).toBe(tools.length)
      for (const wire of wires) expect(wire).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(wires.map((wire) => names.fromWire(wire))).toEqual(tools)
    }),
  )
})

test('names that are similar on the wire do not shadow each other', () => {
  const names = wireNames(['mcp.a.b', 'mcp__a__b', 'mcp.a__b'])
  expect(new Set(['mcp.a.b', 'mcp__a__b', 'mcp.a__b'].map((tool) => names.toWire(tool))).size).toBe(3)
  expect(names.fromWire('made_up')).toBeUndefined()
})

test('an agent without a policy may look, keep todos and memories, and asks before everything else', () => {
  const automatic = builtinToolNames.filter((tool) => defaultToolPolicy(tool).approval_mode === 'auto')
  expect(automatic).toMatchSnapshot()
  expect(builtinToolNames.filter((tool) => defaultToolPolicy(tool).network_scope.hosts.length > 0)).toEqual(
    builtinToolNames.filter((tool) => /^(?:web|browser|http)\.|^kb\.ingest$/.test(tool)),
  )
  expect(defaultToolPolicy('mcp.files.read')).toMatchObject({ enabled: true, approval_mode: 'required', network_scope: { hosts: ['*'] } })
})

test('a call that needs approval each time offers neither "this run" nor "always"', () => {
  expect(approvalChoices('manual_each_call')).toEqual(['once', 'no'])
  expect(approvalChoices('required')).toEqual(['once', 'this_run', 'always', 'no'])
})

test('the effective policy of a call has every field of a policy, and the sandbox mode', () => {
  expect([...callPolicyFields]).toEqual([...Object.keys(ToolPolicy.properties), 'sandbox_mode'])
})

test('layers are listed with what they changed; the configured policy alone is not listed', () => {
  const configured = { name: 'configured policy', kind: 'configured' as const, changes: [] }
  const skills = { name: 'skills', kind: 'intersection' as const, changes: ['approval_mode' as const] }
  const strict = { name: 'sandbox mode strict', kind: 'mode' as const, changes: ['enabled' as const, 'network_scope' as const] }
  const canary = { name: 'canary', kind: 'overlay' as const, changes: ['time_limit' as const] }
  const layers = { in_force: [configured, skills, strict], ignored: [canary] }
  expect(changingLayers(layers)).toBe('skills (approval_mode), sandbox mode strict (enabled, network_scope)')
  expect(ignoredLayers(layers)).toBe('canary (time_limit)')
  expect([changingLayers, ignoredLayers].map((words) => words({ in_force: [configured], ignored: [] }))).toEqual([null, null])
  expect([changingLayers, ignoredLayers].map((words) => words(undefined))).toEqual([null, null])
})
