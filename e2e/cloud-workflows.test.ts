// Workflows with two devices of an account: definitions, approvals per device, conflicts, runs that the other device sees, and tasks.
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { type CloudDevice, openCloudDevice } from './cloud-device.ts'
import { type CloudServer, newUser, startCloudServer } from './cloud-server.ts'
import { openNetworkProxy } from './network-proxy.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const patience_ms = 40_000

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const greet = (word: string): WorkflowDefinition => ({
  inputs: [{ name: 'who', type: 'text', required: true }],
  nodes: [{ id: 'greet', kind: 'transform', input: '"{{inputs.who}}"', expression: `"${word} " & $` }],
  edges: [],
  outputs: [{ name: 'text', type: 'text', value: '{{nodes.greet.output}}' }],
})

async function twoDevices(): Promise<{ desk: CloudDevice; sofa: CloudDevice }> {
  const desk = openCloudDevice('desk')
  const sofa = openCloudDevice('sofa')
  const person = newUser()
  await desk.signIn(server.url, person, 'new')
  await sofa.signIn(server.url, person, 'known')
  return { desk, sofa }
}

const workflowOn = async (device: CloudDevice, workflow_id: string) =>
  (await device.call('workflow_list', {})).items.find((one) => one.workflow_id === workflow_id)
const stateOn = async (device: CloudDevice, workflow_run_id: string) => {
  const run = await device.runtime.commands.call('workflow_snapshot', { workflow_run_id })
  return run.ok ? run.value.run.state : null
}

test('a definition reaches the other device, needs an approval there, and its run is seen on both', async () => {
  const { desk, sofa } = await twoDevices()
  await using _desk = desk
  await using _sofa = sofa
  const { workflow } = await desk.call('workflow_save', { name: 'Greet', definition: greet('Hello') })
  const { workflow_id } = workflow
  await waitFor(async () => (await workflowOn(desk, workflow_id))?.cloud_state === 'same', patience_ms)
  await sofa.restart()
  await waitFor(async () => (await workflowOn(sofa, workflow_id)) !== undefined, patience_ms)
  expect(await workflowOn(sofa, workflow_id)).toMatchObject({
    name: 'Greet',
    is_approved: false,
    sha256: workflow.sha256,
    cloud_state: 'same',
  })
  const inputs = '{"who":"Ada"}'
  expect(await sofa.refused('workflow_start', { workflow_id, inputs })).toBe('consent_needed')
  await sofa.call('workflow_approve', { workflow_id, sha256: workflow.sha256, is_approved: true })
  const { run } = await sofa.call('workflow_start', { workflow_id, inputs })
  await waitFor(async () => (await stateOn(desk, run.workflow_run_id)) === 'completed', patience_ms)
  const seen = await desk.call('workflow_snapshot', { workflow_run_id: run.workflow_run_id })
  expect(seen.run.nodes.map(({ node_id, state }) => [node_id, state])).toEqual([['greet', 'completed']])
  expect(await desk.refused('workflow_control', { workflow_run_id: run.workflow_run_id, action: 'cancel' })).toBe('run_elsewhere')
})

test('changes of both devices are kept until a person decides; what was removed in the cloud stays here, marked', async () => {
  const { desk, sofa } = await twoDevices()
  await using _desk = desk
  await using _sofa = sofa
  const { workflow } = await desk.call('workflow_save', { name: 'Greet', definition: greet('Hello') })
  const { workflow_id } = workflow
  await waitFor(async () => (await workflowOn(desk, workflow_id))?.cloud_state === 'same', patience_ms)
  await sofa.restart()
  await waitFor(async () => (await workflowOn(sofa, workflow_id)) !== undefined, patience_ms)
  await desk.call('workflow_save', { workflow_id, name: 'Greet', definition: greet('Good morning') })
  await waitFor(async () => (await workflowOn(desk, workflow_id))?.cloud_state === 'same', patience_ms)
  await sofa.call('workflow_save', { workflow_id, name: 'Greet', definition: greet('Good night') })
  await waitFor(async () => (await workflowOn(sofa, workflow_id))?.cloud_state === 'conflict', patience_ms)
  const { workflow: both } = await sofa.call('workflow_get', { workflow_id })
  expect([both.definition, both.conflict?.definition]).toEqual([greet('Good night'), greet('Good morning')])
  await sofa.call('workflow_resolve', { workflow_id, keep: 'mine' })
  await waitFor(async () => (await workflowOn(sofa, workflow_id))?.cloud_state === 'same', patience_ms)
  await desk.restart()
  await waitFor(async () => (await desk.call('workflow_get', { workflow_id })).workflow.sha256 === both.sha256, patience_ms)
  expect((await workflowOn(desk, workflow_id))?.is_approved).toBe(false)

  await desk.call('workflow_delete', { workflow_id })
  await waitFor(async () => (await desk.call('workflow_list', {})).items.length === 0, patience_ms)
  await sofa.restart()
  await waitFor(async () => (await workflowOn(sofa, workflow_id))?.cloud_state === 'removed', patience_ms)
})

test('a device that is offline for a while runs and edits workflows; afterwards the other one has the run and the edit', async () => {
  await using network = await openNetworkProxy(server.url)
  await using desk = openCloudDevice('desk')
  await using sofa = openCloudDevice('sofa')
  const person = newUser()
  await desk.signIn(network.url, person, 'new')
  await sofa.signIn(server.url, person, 'known')
  const { workflow } = await desk.call('workflow_save', { name: 'Greet', definition: greet('Hello') })
  const { workflow_id } = workflow
  await waitFor(async () => (await workflowOn(desk, workflow_id))?.cloud_state === 'same', patience_ms)

  network.cut()
  const { run } = await desk.call('workflow_start', { workflow_id, inputs: '{"who":"Ada"}' })
  const { workflow_run_id } = run
  await waitFor(async () => (await stateOn(desk, workflow_run_id)) === 'completed', patience_ms)
  const { workflow: edited } = await desk.call('workflow_save', { workflow_id, name: 'Greet', definition: greet('Good day') })
  const { workflow: added } = await desk.call('workflow_save', { name: 'Offline', definition: greet('Hi') })
  await desk.restart()
  expect((await workflowOn(desk, workflow_id))?.cloud_state).toBe('changed')
  expect(await stateOn(sofa, workflow_run_id)).toBeNull()

  network.restore()
  await desk.restart()
  await waitFor(async () => (await workflowOn(desk, workflow_id))?.cloud_state === 'same', patience_ms)
  await waitFor(async () => (await stateOn(sofa, workflow_run_id)) === 'completed', patience_ms)
  await sofa.restart()
  await waitFor(async () => (await workflowOn(sofa, workflow_id))?.sha256 === edited.sha256, patience_ms)
  await waitFor(async () => (await workflowOn(sofa, added.workflow_id)) !== undefined, patience_ms)
})

test('a task whose workflow fails reports the failure', async () => {
  await using desk = openCloudDevice('desk')
  await desk.signIn(server.url, newUser(), 'new')
  const failing = {
    ...greet('Hello'),
    nodes: [{ id: 'greet', kind: 'transform', input: '""', expression: '$error("No greeting today")' }],
  } as WorkflowDefinition
  const { workflow } = await desk.call('workflow_save', { name: 'Fail', definition: failing })
  const { workflow_id } = workflow
  await waitFor(async () => (await workflowOn(desk, workflow_id))?.cloud_state === 'same', patience_ms)
  const { task } = await desk.call('task_create', { title: 'Fail', workflow_id, input: '{"who":"Ada"}' })
  const { task_id } = task
  await waitFor(async () => (await desk.call('task_list', {})).items.some((one) => one.task_id === task_id), patience_ms)
  await desk.call('task_accept', { task_id })
  const outcome = async () => (await desk.call('task_list', { where: 'cloud' })).items.find((one) => one.task_id === task_id)
  await waitFor(async () => (await outcome())?.status === 'failed', patience_ms)
})

test('a task with a workflow asks for an approval once, runs, and reports its actual outcome', async () => {
  await using desk = openCloudDevice('desk')
  await desk.signIn(server.url, newUser(), 'new')
  const { workflow } = await desk.call('workflow_save', { name: 'Greet', definition: greet('Hello') })
  const { workflow_id, sha256 } = workflow
  await desk.call('workflow_approve', { workflow_id, sha256, is_approved: false })
  await waitFor(async () => (await workflowOn(desk, workflow_id))?.cloud_state === 'same', patience_ms)
  const { task } = await desk.call('task_create', { title: 'Greet Ada', workflow_id, input: '{"who":"Ada"}' })
  const { task_id } = task
  await waitFor(async () => (await desk.call('task_list', {})).items.some((one) => one.task_id === task_id), patience_ms)
  expect(await desk.refused('task_accept', { task_id })).toBe('not_available')
  await desk.call('workflow_approve', { workflow_id, sha256, is_approved: true })
  await desk.call('task_accept', { task_id })
  const outcome = async () => (await desk.call('task_list', { where: 'cloud' })).items.find((one) => one.task_id === task_id)?.status
  await waitFor(async () => (await outcome()) === 'completed', patience_ms)
})
