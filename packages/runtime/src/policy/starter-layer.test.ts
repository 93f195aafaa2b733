import { approvalModes, defaultToolPolicy, sandboxModes } from '@tandem/contract/tool'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallPolicy } from '../call/call-policy.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { type CallPolicies, openCallPolicies } from './call-policies.ts'
import { starterLayer } from './starter-layer.ts'
import { looser } from './strictness.ts'

const usual = defaultToolPolicy('fs.write')

const policies = fc
  .record({
    enabled: fc.boolean(),
    approval_mode: fc.constantFrom(...approvalModes),
    calls: fc.integer({ min: 1, max: 200 }),
    seconds: fc.integer({ min: 1, max: 600 }),
    hosts: fc.subarray(['*', 'a.example', '*.b.example', '127.0.0.1']),
    roots: fc.subarray(['.', 'src', 'src/a', 'docs', '..'], { minLength: 1 }),
    globs: fc.constantFrom<string[][]>(['**'], ['*.md'], ['**', '!**/.env']),
    sandbox_mode: fc.constantFrom(...sandboxModes),
  })
  .map(({ enabled, approval_mode, calls, seconds, hosts, roots, globs, sandbox_mode }) => ({
    ...{ enabled, approval_mode, sandbox_mode, network_scope: { hosts }, fs_scope: { roots, globs } },
    rate_limit: { calls, per_seconds: 60 },
    time_limit: { seconds },
  }))

/** Runs `0`, `1`, …, each started by the one before it, each of an agent with its own policy. */
function chainOf(configured: readonly CallPolicy[], gone: string | null = null): CallPolicies {
  const policyOf = (agent_id: string) => ({ policy: configured[Number(agent_id)] ?? usual, remembered: [], source: 'set' as const })
  const run = (run_id: string) => {
    const sandbox_mode = configured[Number(run_id)]?.sandbox_mode ?? 'workspace'
    return { run_id, agent_id: run_id, workspace: '/project', sandbox_mode } as RunRecord
  }
  const layer = starterLayer({
    starterOf: (run_id) => (run_id === '0' ? null : String(Number(run_id) - 1)),
    journal: { run },
    agents: { get: (agent_id) => (agent_id === gone ? undefined : {}) },
    callPolicies: () => callPolicies,
  })
  const callPolicies: CallPolicies = openCallPolicies({
    policies: { of: policyOf, ofAgent: (agent_id) => () => policyOf(agent_id) },
    layers: () => [layer],
    log: () => undefined,
  })
  return callPolicies
}

const ofRun = (chain: CallPolicies, configured: readonly CallPolicy[], at: number) =>
  chain.of(
    { agent_id: String(at), run_id: String(at), workspace: '/project', sandbox_mode: configured[at]?.sandbox_mode ?? 'workspace' },
    'fs.write',
  ).policy

test('a run is in no field wider than any run above it, and no wider than its own policy', () => {
  fc.assert(
    fc.property(fc.array(policies, { minLength: 2, maxLength: 4 }), (configured) => {
      const chain = chainOf(configured)
      const last = configured.length - 1
      for (let above = 0; above < last; above += 1)
        expect(looser(ofRun(chain, configured, above), ofRun(chain, configured, last))).toEqual([])
      const own = configured[last]
      expect(own && looser(own, ofRun(chain, configured, last))).toEqual([])
    }),
  )
})

test('a run whose starter has no agent any more may do nothing', () => {
  const configured: CallPolicy[] = [
    { ...usual, sandbox_mode: 'workspace' },
    { ...usual, sandbox_mode: 'workspace' },
  ]
  expect(ofRun(chainOf(configured, '0'), configured, 1).approval_mode).toBe('deny')
  expect(ofRun(chainOf(configured), configured, 1).approval_mode).toBe('required')
})

test('a folder that the policy of the starter names by its full path is the same folder in a copy', () => {
  const configured: CallPolicy[] = [
    { ...usual, sandbox_mode: 'workspace', fs_scope: { roots: ['/project/src', '/data'], globs: ['**'] } },
    { ...usual, sandbox_mode: 'workspace' },
  ]
  const chain = chainOf(configured)
  const policy = chain.of({ agent_id: '1', run_id: '1', workspace: '/copy', sandbox_mode: 'workspace' }, 'fs.write').policy
  expect(policy.fs_scope.roots).toEqual(['/copy/src'])
})
