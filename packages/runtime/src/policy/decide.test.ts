import { resolve } from 'node:path'
import type { ApprovalMode, SandboxMode, ToolPolicy } from '@tandem/contract/tool'
import { approvalModes, defaultToolPolicy, sandboxModes } from '@tandem/contract/tool'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Effect } from '../call/tool.ts'
import { type CallFacts, decide } from './decide.ts'
import type { ResolvedPaths } from './resolved-paths.ts'

const workspace = '/srv/space'

function call(fields: Partial<CallFacts> & { readonly mode?: ApprovalMode } = {}): CallFacts {
  const { mode = 'required', ...facts } = fields
  const policy: ToolPolicy = { ...defaultToolPolicy('fs.write'), approval_mode: mode }
  return {
    tool: 'fs.write',
    effects: [{ does: 'write', path: 'notes.md' }],
    workspace,
    command: null,
    policy,
    remembered: [],
    sandbox_mode: 'workspace',
    enforcement: 'os',
    warnings: [],
    ...facts,
  }
}

const shell = (text: string): Partial<CallFacts> => ({
  tool: 'shell.exec',
  effects: [{ does: 'execute', command: text, cwd: workspace, language: 'shell' }],
  command: { understood: true, commands: [{ words: text.split(' '), text }], writes: [], reads: [], cwd_changes: false },
})
const linked = (path: string, target: string): ResolvedPaths =>
  new Map([[resolve(workspace, path), { real: resolve(workspace, target), entry: resolve(workspace, path), folder: false }]])
const deletes = (path: string, approved?: string): CallFacts =>
  call({
    tool: 'fs.delete',
    effects: [{ does: 'delete', path }],
    remembered: approved === undefined ? [] : [{ kind: 'path', path: resolve(workspace, approved) }],
    places: new Map([[`${workspace}/src`, { real: `${workspace}/src`, entry: `${workspace}/src`, folder: true }]]),
  })
const strange: Partial<CallFacts> = { ...shell('x'), command: { understood: false, reason: 'a substitution' } }
const off = { ...defaultToolPolicy('fs.write'), enabled: false }

test.each<[string, CallFacts, object]>([
  ['a disabled tool', call({ policy: off }), { decision: 'refuse', stage: 'policy_enforcement', reason_code: 'tool_disabled' }],
  ['deny', call({ mode: 'deny' }), { decision: 'refuse', stage: 'policy_enforcement', reason_code: 'tool_denied' }],
  [
    'shell in strict',
    call({ ...shell('ls'), mode: 'auto', sandbox_mode: 'strict' }),
    { decision: 'refuse', stage: 'sandbox_enforcement', reason_code: 'blocked_in_strict' },
  ],
  [
    'browser.eval in strict',
    call({ tool: 'browser.eval', effects: [], mode: 'auto', sandbox_mode: 'strict' }),
    { reason_code: 'blocked_in_strict' },
  ],
  [
    'a command of an MCP server in strict without a sandbox',
    call({ ...shell('x'), tool: 'mcp.a.b', mode: 'auto', sandbox_mode: 'strict', enforcement: 'none' }),
    { decision: 'refuse', reason_code: 'sandbox_unavailable' },
  ],
  ['auto', call({ mode: 'auto' }), { decision: 'allow' }],
  [
    'auto, a file that other programs run',
    call({ mode: 'auto', effects: [{ does: 'write', path: '.git/hooks/pre-commit' }] }),
    { decision: 'ask', choices: ['once', 'no'], remembers: [] },
  ],
  ['auto, a command', call({ ...shell('git status'), mode: 'auto' }), { decision: 'allow' }],
  ['auto, a command that is not understood', call({ ...strange, mode: 'auto' }), { decision: 'ask', choices: ['once', 'no'] }],
  [
    'auto, a link to a file that other programs run',
    call({
      mode: 'auto',
      effects: [{ does: 'write', path: 'docs/pre-commit' }],
      places: linked('docs/pre-commit', '.git/hooks/pre-commit'),
    }),
    { decision: 'ask', choices: ['once', 'no'], remembers: [], powers: [`${workspace}/.git/hooks/pre-commit`] },
  ],
  [
    'auto, a folder moved to where git reads it',
    call({
      tool: 'fs.move',
      mode: 'auto',
      effects: [
        { does: 'write', path: 'x' },
        { does: 'write', path: '.git' },
      ],
    }),
    { decision: 'ask', choices: ['once', 'no'], powers: [`${workspace}/.git`] },
  ],
  [
    'auto, a command that may write such a file',
    call({ ...shell('cp evil .npmrc'), mode: 'auto' }),
    { decision: 'ask', choices: ['once', 'no'] },
  ],
  ['auto, a command that only reads it', call({ ...shell('cat .npmrc'), mode: 'auto' }), { decision: 'allow' }],
  [
    'fetching from a host is approved, and now something is sent',
    call({
      tool: 'http.request',
      effects: [{ does: 'send', host: 'a.example' }],
      remembered: [{ kind: 'host', host: 'a.example', does: 'fetch' }],
    }),
    { decision: 'ask', remembers: [{ kind: 'host', host: 'a.example', does: 'send' }] },
  ],
  [
    'fetching from a host is approved',
    call({
      tool: 'http.request',
      effects: [{ does: 'fetch', host: 'a.example' }],
      remembered: [{ kind: 'host', host: 'a.example', does: 'fetch' }],
    }),
    { decision: 'allow', covered_by: [{ kind: 'host', host: 'a.example', does: 'fetch' }] },
  ],
  ['a file to delete', deletes('a.txt'), { decision: 'ask', remembers: [{ kind: 'path', path: `${workspace}/a.txt` }] }],
  ['a folder to delete', deletes('src'), { decision: 'ask', choices: ['once', 'no'], remembers: [] }],
  ['the workspace to delete', deletes('.'), { decision: 'ask', choices: ['once', 'no'], remembers: [] }],
  ['a parent folder of the workspace to delete', deletes('..'), { decision: 'ask', choices: ['once', 'no'], remembers: [] }],
  [
    'deleting that file is approved',
    deletes('a.txt', 'a.txt'),
    { decision: 'allow', covered_by: [{ kind: 'path', path: `${workspace}/a.txt` }] },
  ],
  ['deleting another file is approved', deletes('src/b.txt', 'a.txt'), { decision: 'ask' }],
  ['deleting in a folder is approved', deletes('src/b.txt', 'src'), { decision: 'ask' }],
  ['deleting a file is approved, which is a folder now', deletes('src', 'src'), { decision: 'ask' }],
  [
    'a write through a link out of the workspace',
    call({ remembered: [{ kind: 'path', path: workspace }], places: linked('notes.md', '../out.md') }),
    { decision: 'ask' },
  ],
  [
    'a name that begins with dots',
    call({ effects: [{ does: 'write', path: '..foo' }] }),
    { remembers: [{ kind: 'path', path: workspace }] },
  ],
  [
    'auto, a command without a sandbox',
    call({ ...shell('git status'), mode: 'auto', enforcement: 'none' }),
    { decision: 'ask', choices: ['once', 'no'] },
  ],
  [
    'auto, a command with unknown enforcement',
    call({ ...shell('git status'), mode: 'auto', enforcement: null }),
    { decision: 'ask', choices: ['once', 'no'] },
  ],
  [
    'auto, the same in trusted mode',
    call({ ...shell('git status'), mode: 'auto', enforcement: 'none', sandbox_mode: 'trusted' }),
    { decision: 'allow' },
  ],
  ['required', call(), { decision: 'ask', choices: ['once', 'this_run', 'always', 'no'], remembers: [{ kind: 'path', path: workspace }] }],
  [
    'required, approved before',
    call({ remembered: [{ kind: 'path', path: workspace }] }),
    { decision: 'allow', covered_by: [{ kind: 'path', path: workspace }] },
  ],
  [
    'required, approved by the first of two rules that cover it, among others',
    call({
      remembered: [
        { kind: 'tool' },
        { kind: 'path', path: '/srv/other' },
        { kind: 'path', path: workspace },
        { kind: 'path', path: '/srv' },
      ],
    }),
    { decision: 'allow', covered_by: [{ kind: 'path', path: workspace }] },
  ],
  [
    'two effects, each approved by its own rule',
    call({
      effects: [
        { does: 'write', path: 'notes.md' },
        { does: 'fetch', host: 'a.example' },
      ],
      remembered: [
        { kind: 'host', host: 'a.example', does: 'fetch' },
        { kind: 'path', path: workspace },
      ],
    }),
    {
      decision: 'allow',
      covered_by: [
        { kind: 'path', path: workspace },
        { kind: 'host', host: 'a.example', does: 'fetch' },
      ],
    },
  ],
  [
    'a call that only reads, approved for the tool',
    call({ effects: [{ does: 'read', path: 'notes.md' }], remembered: [{ kind: 'path', path: '/srv' }, { kind: 'tool' }] }),
    { decision: 'allow', covered_by: [{ kind: 'tool' }] },
  ],
  ['required, approved for another folder', call({ remembered: [{ kind: 'path', path: '/srv/space-twin' }] }), { decision: 'ask' }],
  [
    'required, approved, no sandbox',
    call({ ...shell('ls'), remembered: [{ kind: 'command', words: ['ls'] }], enforcement: 'none' }),
    { decision: 'ask' },
  ],
  [
    'manual_each_call has a warning',
    call({ mode: 'manual_each_call' }),
    { warnings: ['The policy of this agent requires your approval for every call of fs.write.'] },
  ],
  [
    'a warning: nothing is remembered',
    call({ warnings: ['Careful.'] }),
    { decision: 'ask', choices: ['once', 'no'], remembers: [], warnings: ['Careful.'] },
  ],
  [
    'many warnings',
    call({ warnings: Array.from({ length: 60 }, (_, at) => `Warning ${at}.`) }),
    { warnings: [...Array.from({ length: 24 }, (_, at) => `Warning ${at}.`), 'There are 36 more warnings. Read the call in full.'] },
  ],
  [
    'a warning: approval rules do not cover it',
    call({ warnings: ['Careful.'], remembered: [{ kind: 'path', path: workspace }] }),
    { decision: 'ask', choices: ['once', 'no'] },
  ],
  [
    'a script',
    call({ tool: 'script.run', effects: [{ does: 'execute', command: 'x', cwd: '.', language: 'script' }] }),
    { decision: 'ask', choices: ['once', 'no'], warnings: ['script.run runs code. Read it in full.'] },
  ],
  ['a folder to delete has a warning', deletes('src'), { warnings: ['Deletes the folder src with everything in it.'] }],
  ['a file to delete has no warning', deletes('a.txt'), { warnings: [] }],
  [
    'a click',
    call({ tool: 'browser.click', effects: [{ does: 'send', host: '*' }] }),
    { choices: ['once', 'no'], warnings: ['It can send data to any site that is open in the browser.'] },
  ],
  [
    'a call with notes can be remembered',
    call({ notes: ['It runs code.'] }),
    { decision: 'ask', choices: ['once', 'this_run', 'always', 'no'], notes: ['It runs code.'], warnings: [] },
  ],
  [
    'manual_each_call, approved before',
    call({ mode: 'manual_each_call', remembered: [{ kind: 'path', path: workspace }] }),
    { decision: 'ask', choices: ['once', 'no'], remembers: [] },
  ],
])('%s', (_name, facts, expected) => {
  expect(decide(facts)).toMatchObject(expected)
})

const anyEffect: fc.Arbitrary<Effect> = fc.oneof(
  fc.record({ does: fc.constant('read' as const), path: fc.string() }),
  fc.record({ does: fc.constant('write' as const), path: fc.constantFrom('a', '../a', '/etc/x', '.bashrc', 'src/.git/hooks/x') }),
  fc.record({ does: fc.constant('delete' as const), path: fc.constantFrom('a', 'b/c') }),
  fc.record({ does: fc.constant('send' as const), host: fc.constantFrom('a.example', '*') }),
  fc.record({
    does: fc.constant('execute' as const),
    command: fc.string(),
    cwd: fc.constant(workspace),
    language: fc.constant('shell' as const),
  }),
  fc.record({ does: fc.constant('signal' as const), pid: fc.nat() }),
)
const anyCall = fc.record({
  effects: fc.array(anyEffect, { maxLength: 4 }),
  mode: fc.constantFrom<ApprovalMode>(...approvalModes),
  sandbox_mode: fc.constantFrom<SandboxMode>(...sandboxModes),
  enforcement: fc.constantFrom('os' as const, 'none' as const),
  understood: fc.boolean(),
})

test('for every call: deny never needs approval, manual_each_call is never remembered, and writing a file that other programs run always needs approval', () => {
  fc.assert(
    fc.property(anyCall, ({ understood, ...facts }) => {
      const runs = facts.effects.some(({ does }) => does === 'execute')
      const command = runs ? (understood ? (shell('ls').command ?? null) : { understood: false as const, reason: 'noise' }) : null
      const decision = decide(call({ ...facts, command }))
      if (facts.mode === 'deny') expect(decision.decision).toBe('refuse')
      if (facts.mode === 'manual_each_call' && decision.decision !== 'refuse')
        expect(decision).toMatchObject({ decision: 'ask', remembers: [] })
      if (facts.mode === 'required' && decision.decision === 'allow') throw new Error('nothing was said yes to')
      const power = facts.effects.some((effect) => effect.does === 'write' && /bashrc|hooks/.test(effect.path))
      if (power) expect(decision.decision).not.toBe('allow')
      if (runs && !understood) expect(decision.decision).not.toBe('allow')
    }),
  )
})

test('the approval rules for a call cover the same call', () => {
  fc.assert(
    fc.property(fc.array(anyEffect, { minLength: 1, maxLength: 4 }), (effects) => {
      const runs = effects.some(({ does }) => does === 'execute')
      const facts = call({ effects, command: runs ? (shell('ls').command ?? null) : null })
      const asked = decide(facts)
      if (asked.decision !== 'ask' || asked.remembers.length === 0) return
      const allowed = decide({ ...facts, remembered: [{ kind: 'path', path: '/never' }, ...asked.remembers] })
      if (allowed.decision !== 'allow') throw new Error('not allowed')
      // What is named as covering the call covers it without any other rule.
      expect(decide({ ...facts, remembered: allowed.covered_by ?? [] })).toEqual(allowed)
    }),
  )
})
