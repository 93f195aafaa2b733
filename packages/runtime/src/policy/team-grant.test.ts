import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RemoteGrant } from '../call/remote.ts'
import { teamGrant } from './team-grant.ts'

const machine = { name: 'build', executor_url: 'https://build', certificate_sha256: null, sandbox: 'os' } as const
const refused: RemoteGrant = { ok: false, reason_code: 'executor_not_granted', message: 'not this agent', remedy: 'Grant it.' }

/** Run 0 was started by run 1, and so on; the last one by a person. */
function chain(granted: readonly boolean[]) {
  return teamGrant({
    starterOf: (run_id) => (Number(run_id) + 1 < granted.length ? String(Number(run_id) + 1) : null),
    journal: { run: (run_id) => ({ agent_id: run_id }) as never },
    grantOf: (agent_id) => (granted[Number(agent_id)] ? { ok: true, machine } : refused),
  })({ run_id: '0', agent_id: '0' }, 'build')
}

test('a run may use an executor only if its agent and that of every run above it may', () => {
  fc.assert(fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), (granted) => chain(granted).ok === granted.every(Boolean)))
})

test('the refusal says whose grant is missing', () => {
  expect(chain([false, true])).toEqual(refused)
  expect(chain([true, true, false])).toMatchObject({
    reason_code: 'executor_not_granted',
    message: 'the agent of the run that started this one may not use the remote executor build',
    remedy: expect.stringContaining('tandem executors grant "build"'),
  })
})

test('a run above that is not known grants nothing', () => {
  const grant = teamGrant({
    starterOf: (run_id) => (run_id === 'a' ? 'gone' : null),
    journal: { run: () => undefined },
    grantOf: () => ({ ok: true, machine }),
  })
  expect(grant({ run_id: 'a', agent_id: 'a' }, 'build')).toMatchObject({ ok: false })
})
