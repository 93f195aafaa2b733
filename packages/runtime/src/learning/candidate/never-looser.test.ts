// Over any history and any answers: nothing that allows more is in force without an approval, and no transition happens twice.
import { resolve } from 'node:path'
import { type PolicyChange, policyCandidateTransitions } from '@tandem/contract/policy-candidate'
import { canonicalJson } from '@tandem/contract/sync'
import { defaultToolPolicy, sandboxModes, type ToolPolicy } from '@tandem/contract/tool'
import { transition } from '@tandem/contract/transition'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  approvedCommand,
  deniedWrite,
  madeWrite,
  openTestCandidates,
  type TestCandidates,
} from '../../../test/support/learning/test-candidates.ts'
import type { CallPolicy } from '../../call/call-policy.ts'
import { looserInForce, underSandboxMode } from '../../policy/call-policies.ts'
import { looser } from '../../policy/strictness.ts'

const tools = ['fs.write', 'shell.exec', 'web.fetch'] as const

const scopes: readonly ToolPolicy['fs_scope'][] = [
  { roots: ['.'], globs: ['**'] },
  { roots: ['.', '/data'], globs: ['**'] },
  { roots: ['.'], globs: ['**', '!x'] },
]

const fields = fc.record(
  {
    enabled: fc.boolean(),
    approval_mode: fc.constantFrom('auto' as const, 'required' as const, 'deny' as const),
    rate_limit: fc.record({ calls: fc.integer({ min: 1, max: 300 }), per_seconds: fc.constantFrom(30, 60, 90) }),
    time_limit: fc.record({ seconds: fc.integer({ min: 1, max: 300 }) }),
    network_scope: fc.record({ hosts: fc.subarray(['*', 'a.example', '*.b.example']) }),
    fs_scope: fc.constantFrom(...scopes),
  },
  { requiredKeys: [] },
)
const rules = fc.subarray([{ kind: 'tool' as const }, { kind: 'command' as const, words: ['ls'] }])
const tool = fc.constantFrom(...tools)

type Action =
  | { readonly does: 'learn'; readonly what: 'denied' | 'approved' }
  /** What no rule would propose, and that may be wrong about itself. */
  | {
      readonly does: 'propose'
      readonly tool: string
      readonly to: Partial<ToolPolicy>
      readonly rules: readonly object[]
      readonly widens: boolean
    }
  | { readonly does: 'schedule' | 'round' | 'run_fails' | 'run_restored' | 'restart' }
  | { readonly does: 'validate' | 'prepare' | 'apply' | 'keep' | 'rollback'; readonly which: number }
  | { readonly does: 'set'; readonly tool: string; readonly to: Partial<ToolPolicy> }

const which = fc.nat({ max: 5 })
const begin: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ does: fc.constant('learn' as const), what: fc.constantFrom('denied' as const, 'approved' as const) }),
  fc.record({ does: fc.constant('propose' as const), tool, to: fields, rules, widens: fc.boolean() }),
  fc.record({ does: fc.constant('propose' as const), tool, to: fields, rules, widens: fc.boolean() }),
)
const advance: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ does: fc.constantFrom('schedule' as const, 'round' as const) }),
  fc.record({ does: fc.constantFrom('validate' as const, 'prepare' as const, 'apply' as const, 'apply' as const), which }),
)
const later: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ does: fc.constantFrom('schedule' as const, 'run_fails' as const, 'run_restored' as const, 'restart' as const) }),
  fc.record({ does: fc.constantFrom('apply' as const, 'keep' as const, 'rollback' as const), which }),
  fc.record({ does: fc.constant('set' as const), tool, to: fields }),
)
const episode = fc.tuple(begin, advance, fc.array(later, { maxLength: 2 })).map(([one, next, more]) => [one, next, ...more])
const actions = fc.array(episode, { minLength: 2, maxLength: 4 }).map((episodes) => episodes.flat())

const commands = {
  validate: (here: TestCandidates, candidate_id: string) => here.call('agent_run_validate_policy_candidate_shadow', { candidate_id }),
  prepare: (here: TestCandidates, candidate_id: string) => here.call('agent_run_prepare_policy_candidate_canary', { candidate_id }),
  apply: (here: TestCandidates, candidate_id: string) => here.call('agent_run_apply_policy_candidate_canary', { candidate_id }),
  keep: (here: TestCandidates, candidate_id: string) => here.call('learning_keep_policy_candidate', { candidate_id }),
  rollback: (here: TestCandidates, candidate_id: string) =>
    here.call('agent_run_rollback_policy_candidate', { candidate_id, reason: 'Undo.' }),
} as const

const all = (here: TestCandidates) =>
  here.store.sql.all<{ id: string }>`SELECT id FROM runtime_policy_candidates ORDER BY id`.map(({ id }) => here.get(id))

function proposedChanges(
  here: TestCandidates,
  { tool: name, to, rules: added }: Extract<Action, { does: 'propose' }>,
): readonly PolicyChange[] {
  const { policy } = here.policies.of('agent', name)
  const changed = Object.entries(to).map(([field, value]) => ({
    ...{ tool: name, field: field as keyof ToolPolicy, from: canonicalJson(policy[field as keyof ToolPolicy]), to: canonicalJson(value) },
  }))
  return [...changed, ...(added.length > 0 ? [{ tool: name, field: 'remembered' as const, from: '[]', to: canonicalJson(added) }] : [])]
}

async function perform(here: TestCandidates, one: Action, approvedByPerson: Set<string>): Promise<TestCandidates> {
  switch (one.does) {
    case 'learn':
      for (let run = 0; run < 3; run += 1)
        here.learn(
          one.what === 'denied' ? [deniedWrite('keys.env'), madeWrite('a.md')] : Array.from({ length: 4 }, () => approvedCommand('ls src')),
        )
      return here
    case 'propose': {
      const changes = proposedChanges(here, one)
      const run = here.journal.run(here.start())
      const text = { rule: 'failing_tool' as const, title: 'A change.', rationale: '', evidence: [], evidence_count: 1 }
      if (run && changes.length > 0)
        here.candidates.create({ ...text, changes, widens: one.widens }, { reflection_id: here.store.newId(), run })
      // It is ready: only an approval may be missing.
      const id = all(here).at(-1)?.candidate.id
      if (id !== undefined)
        here.store.sql.run`UPDATE runtime_policy_candidates SET state = 'canary_ready' WHERE id = ${id} AND state = 'shadow_pending'`
      return here
    }
    case 'schedule':
      // Two rounds at once.
      await Promise.all([here.candidates.advance(null, 'scheduler'), here.candidates.advance('agent', 'scheduler')])
      return here
    case 'round':
      await here.call('learning_advance_candidates', {})
      return here
    case 'run_fails':
    case 'run_restored': {
      const run_id = here.start()
      here.turn(run_id)
      const facts = one.does === 'run_fails' ? here.end(run_id, 'failed') : here.restore(run_id, 1)
      for (let time = 0; time < 2; time += 1) here.candidates.after(facts)
      return here
    }
    case 'restart':
      here.close()
      return openTestCandidates({ home: here.home, now: here.clock.now() + 1 })
    case 'set':
      here.policies.set('agent', one.tool, { ...here.policies.of('agent', one.tool).policy, ...one.to })
      return here
    default: {
      const found = all(here)
      const id = found[one.which % Math.max(1, found.length)]?.candidate.id
      if (id === undefined) return here
      if (one.does === 'apply') approvedByPerson.add(id)
      await commands[one.does](here, id)
      return here
    }
  }
}

/** Of the candidates that a person has applied, and that still are: what they may allow. */
function check(here: TestCandidates, approvedByPerson: ReadonlySet<string>): void {
  const applied = all(here).filter(({ candidate }) => candidate.state === 'canary_applied' && candidate.adopted_at === null)
  const approved = applied
    .map(({ candidate }) => candidate)
    .filter(({ id, approved_at }) => approvedByPerson.has(id) && approved_at !== null)
  const run_id = here.start()
  here.turn(run_id)
  for (const name of tools) {
    const { policy, remembered } = here.policies.of('agent', name)
    const allowed = approved.flatMap(({ changes }) => changes.filter((change) => change.tool === name))
    const modes = sandboxModes.flatMap((sandbox_mode) =>
      [here.owner(null), here.owner(run_id)].map((owner) => ({ ...owner, sandbox_mode })),
    )
    for (const owner of modes) {
      const { sandbox_mode } = owner
      const found = here.callPolicies.of(owner, name)
      const wider = looser(placed(underSandboxMode({ ...policy, sandbox_mode }, name), owner), placed(found.policy, owner))
      // The roots of a scope are shown with their full paths, and the hosts of `strict` without those that it removes.
      const inMode = (field: keyof ToolPolicy, to: string) =>
        underSandboxMode({ ...policy, [field]: JSON.parse(to), sandbox_mode }, name)[field]
      const isValue = (field: (typeof wider)[number], to: string) =>
        field === 'fs_scope' || (field !== 'sandbox_mode' && canonicalJson(found.policy[field]) === canonicalJson(inMode(field, to)))
      expect(wider.filter((field) => !allowed.some((change) => change.field === field && isValue(field, change.to)))).toEqual([])
      const known = new Set(
        [...remembered, ...allowed.filter(({ field }) => field === 'remembered').flatMap(({ to }) => JSON.parse(to))].map(canonicalJson),
      )
      expect(found.remembered.filter((rule) => !known.has(canonicalJson(rule)))).toEqual([])
    }
  }
}

function placed(policy: CallPolicy, { workspace }: { readonly workspace: string }): CallPolicy {
  const { roots, globs } = policy.fs_scope
  return { ...policy, fs_scope: { roots: roots.map((root) => resolve(workspace, root)), globs } }
}

const configuredOf = (here: TestCandidates) => tools.map((name) => ({ name, ...here.policies.of('agent', name) }))

/** Only a person's command changes the configured policy, and "Keep" allows more only for what was approved. */
function checkConfigured(
  before: ReturnType<typeof configuredOf>,
  here: TestCandidates,
  { does }: Action,
  approvedByPerson: ReadonlySet<string>,
): void {
  const after = configuredOf(here)
  if (does === 'set' || does === 'rollback') return
  if (does !== 'keep') {
    expect(after).toEqual(before)
    return
  }
  const kept = all(here).filter(({ candidate }) => candidate.adopted_at !== null && candidate.approved_at !== null)
  const approved = kept.filter(({ candidate }) => approvedByPerson.has(candidate.id)).flatMap(({ candidate }) => candidate.changes)
  for (const [at, { name, policy, remembered }] of after.entries()) {
    const old = before[at]
    if (!old) throw new Error(`${name} was not there`)
    const wider = sandboxModes.flatMap((sandbox_mode) => looserInForce({ ...old.policy, sandbox_mode }, { ...policy, sandbox_mode }, name))
    const isApproved = (field: string) => approved.some((change) => change.tool === name && change.field === field)
    expect([...wider, ...(remembered.length > old.remembered.length ? ['remembered'] : [])].filter((field) => !isApproved(field))).toEqual(
      [],
    )
  }
}

function checkTransitions(here: TestCandidates): void {
  for (const { candidate, validations } of all(here)) {
    const moves = validations.filter(({ from_state, to_state }) => from_state !== to_state)
    expect(new Set(moves.map(({ to_state }) => to_state)).size).toBe(moves.length)
    for (const [at, { from_state, to_state }] of moves.entries()) {
      expect(
        policyCandidateTransitions.triggers.some((trigger) => {
          const next = transition(policyCandidateTransitions, from_state, trigger)
          return next.ok && next.state === to_state
        }),
      ).toBe(true)
      if (at > 0) expect(from_state).toBe(moves[at - 1]?.to_state)
    }
    if (moves.length > 0) expect(moves.at(-1)?.to_state).toBe(candidate.state)
  }
}

test('nothing that allows more is in force without an approval, and no transition happens twice', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (list) => {
      const approvedByPerson = new Set<string>()
      let here = openTestCandidates()
      try {
        for (const one of list) {
          const before = configuredOf(here)
          here = await perform(here, one, approvedByPerson)
          check(here, approvedByPerson)
          checkConfigured(before, here, one, approvedByPerson)
        }
        checkTransitions(here)
      } finally {
        here.remove()
      }
    }),
    { numRuns: 20 },
  )
})

test('the sequences reach what they are about', async () => {
  const here = openTestCandidates()
  const [propose, apply] = [
    { does: 'propose', tool: 'shell.exec', to: { time_limit: { seconds: 300 } }, rules: [{ kind: 'tool' }], widens: false },
    { does: 'apply', which: 0 },
  ] as const
  try {
    const approvedByPerson = new Set<string>()
    await perform(here, propose, approvedByPerson)
    await perform(here, { does: 'schedule' }, approvedByPerson)
    const inForce = () => here.callPolicies.of(here.owner(null), 'shell.exec')
    expect([inForce().policy.time_limit, inForce().remembered]).toEqual([defaultToolPolicy('shell.exec').time_limit, []])
    await perform(here, apply, approvedByPerson)
    check(here, approvedByPerson)
    expect([inForce().policy.time_limit, inForce().remembered]).toEqual([{ seconds: 300 }, [{ kind: 'tool' }]])
    expect(() => check(here, new Set())).toThrow()
    const before = configuredOf(here)
    await perform(here, { does: 'keep', which: 0 }, approvedByPerson)
    checkConfigured(before, here, { does: 'keep', which: 0 }, approvedByPerson)
    expect(() => checkConfigured(before, here, { does: 'keep', which: 0 }, new Set())).toThrow()
    expect(() => checkConfigured(before, here, { does: 'schedule' }, approvedByPerson)).toThrow()
  } finally {
    here.remove()
  }
})

test('a host next to "every host" is in force in strict mode only with an approval, and is kept only with one', async () => {
  const here = openTestCandidates()
  const hosts = ['*', 'docs.example']
  const strictly = () => here.callPolicies.of({ ...here.owner(null), sandbox_mode: 'strict' }, 'web.fetch').policy.network_scope.hosts
  try {
    await perform(here, { does: 'propose', tool: 'web.fetch', to: { network_scope: { hosts } }, rules: [], widens: false }, new Set())
    await perform(here, { does: 'schedule' }, new Set())
    expect([all(here).map(({ candidate }) => candidate.state), strictly()]).toEqual([['canary_ready'], []])
    // As an earlier version applied it.
    here.store.sql.run`UPDATE runtime_policy_candidates SET state = 'canary_applied'`
    expect(strictly()).toEqual([])
    const [found] = all(here)
    const kept = await commands.keep(here, found?.candidate.id ?? '')
    expect(kept).toMatchObject({ ok: false, code: 'transition_refused' })
    expect(here.policies.of('agent', 'web.fetch').policy.network_scope.hosts).toEqual(['*'])
  } finally {
    here.remove()
  }
})
