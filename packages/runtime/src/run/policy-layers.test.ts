// The policy layers of a run: their effect on its calls, and where they are named.
import { afterEach, expect, test } from 'vitest'
import { startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../test/support/run/test-runs.ts'
import type { PolicyLayer } from '../feature/policy-layer.ts'

let model: TestModel
let here: TestRuns
afterEach(async () => {
  here.close()
  here.remove()
  await model.close()
})

const over = (approved: boolean): PolicyLayer => ({
  name: 'canary',
  kind: 'overlay',
  apply: (policy, { tool }) => (tool === 'test.mark' ? { ...policy, approval_mode: 'auto' } : policy),
  approved: () => {
    const policy = { ...here.policies.of('agent', 'test.mark').policy, approval_mode: 'auto' as const, sandbox_mode: 'workspace' as const }
    return approved ? { approval_id: 'approval', policy } : null
  },
})

async function marking(layers: readonly PolicyLayer[]) {
  model = await startTestModel([{ calls: [{ name: 'test.mark', arguments: { text: 'a' } }] }, { text: 'Done.' }])
  here = openTestRuns({ base_url: model.base_url, layers })
  const { state, run_id } = await here.ask('Mark')
  const steps = here.journal.steps(run_id)
  return {
    state,
    marks: here.marks(),
    asked: here.approvals.pending()[0]?.prompt.policy_layers,
    synchronized: steps.flatMap(({ step }) => (step.kind === 'approval.requested' ? [step.approval.policy_layers] : []))[0],
    called: steps.flatMap(({ step, here: local }) => (step.kind === 'model.called' ? [local.policy_layers] : [])),
  }
}

const configured = { name: 'configured policy', kind: 'configured', changes: [] }

test('an overlay that allows more without an approval is ignored; the approval, the record of the turn and the log name it', async () => {
  const layers = { in_force: [configured], ignored: [{ name: 'canary', kind: 'overlay', changes: ['approval_mode'] }] }
  expect(await marking([over(false)])).toEqual({
    state: 'paused',
    marks: [],
    asked: layers,
    synchronized: layers,
    called: [{ in_force: ['configured policy'], ignored: ['canary'] }],
  })
  expect(here.logged).toEqual([
    'the policy layer "canary" is ignored for test.mark of agent agent: it allows more (approval_mode) and was not approved',
  ])
})

test('with a recorded approval it applies', async () => {
  expect(await marking([over(true)])).toEqual({
    state: 'completed',
    marks: ['a'],
    asked: undefined,
    synchronized: undefined,
    called: [
      { in_force: ['configured policy', 'canary'], ignored: [] },
      { in_force: ['configured policy', 'canary'], ignored: [] },
    ],
  })
})

test('an intersection applies to the call, and is named', async () => {
  const parent: PolicyLayer = { name: 'parent agent', kind: 'intersection', apply: (policy) => ({ ...policy, approval_mode: 'required' }) }
  const narrowed = { name: 'parent agent', kind: 'intersection', changes: ['approval_mode'] }
  const overlaid = { name: 'canary', kind: 'overlay', changes: ['approval_mode'] }
  const layers = { in_force: [configured, overlaid, narrowed], ignored: [] }
  expect(await marking([parent, over(true)])).toEqual({
    state: 'paused',
    marks: [],
    asked: layers,
    synchronized: layers,
    called: [{ in_force: ['configured policy', 'canary', 'parent agent'], ignored: [] }],
  })
})

test('the canaries of a turn are recorded with it, on this device only', async () => {
  let turns = 0
  const trial: PolicyLayer = {
    ...{ name: 'canary', kind: 'overlay', apply: (policy) => policy },
    // Applied after the first turn.
    canaries: () => (turns++ === 0 ? [] : ['candidate']),
  }
  model = await startTestModel([{ calls: [{ name: 'test.look', arguments: { text: 'a' } }] }, { text: 'Done.' }])
  here = openTestRuns({ base_url: model.base_url, layers: [trial] })
  here.allow('test.look')
  const { run_id } = await here.ask('Look')
  const called = here.journal.steps(run_id).filter(({ step }) => step.kind === 'model.called')
  expect(called.map(({ here: local }) => local.canaries)).toEqual([undefined, ['candidate']])
  expect(called.some(({ step }) => 'canaries' in step)).toBe(false)
})
