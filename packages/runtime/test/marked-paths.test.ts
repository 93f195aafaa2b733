// What a whole runtime would send to the cloud names neither the workspace nor the home folder in any path field. On the device itself
// every command shows the real paths.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { McpServer } from '@tandem/contract/mcp'
import type { Change } from '@tandem/contract/sync'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../src/clock/clock.ts'
import { openStore } from '../src/store/store.ts'
import { openEntities } from '../src/sync/entity/entities.ts'
import { matchesSchema } from '../src/sync/entity/shapes.ts'
import { openOutbox } from '../src/sync/outbox.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { pathFieldStrings } from './support/test-path-fields.ts'

test('no path field that leaves the device names the workspace or the home folder; locally all do', async () => {
  const user = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-canary-user-')))
  mkdirSync(join(user, 'notes'))
  writeFileSync(join(user, 'notes', 'a.txt'), 'a')
  const calls = (workspace: string) => [
    { name: 'fs.write', arguments: { path: 'made.txt', content: 'made' } },
    { name: 'fs.read', arguments: { path: join(user, 'notes', 'missing.txt') } },
    { name: 'fs.read', arguments: { path: join(workspace, 'nowhere.txt') } },
    { name: 'shell.exec', arguments: { command: 'echo $HOME in here; false', cwd: workspace } },
  ]
  const here: TestAgent = await startTestAgent((index) => (index === 0 ? { calls: calls(here.workspace) } : { text: 'Done.' }), {
    environment: { HOME: user },
  })
  const { workspace, folder } = here
  onTestFinished(async () => {
    await here.model.close()
    for (const made of [folder, user]) rmSync(made, { recursive: true, force: true })
  })
  const agent_id = await here.agent()
  const roots = ['.', join(user, 'notes')]
  await here.policy(agent_id, 'fs.read', { fs_scope: { roots, globs: ['**'] } })
  const server: McpServer = {
    server_id: 'tools',
    name: 'Tools',
    enabled: false,
    auto_reconnect: false,
    default_approval_mode: 'required',
    transport: 'stdio',
    command: join(user, 'bin', 'tool'),
    args: [user],
    env_names: [],
    working_directory: join(user, 'notes'),
  }
  await here.call('mcp_server_add', { server, consent: null })
  const { run_id } = await here.ask(agent_id, 'Go')
  const asked: string[] = []
  for (;;) {
    const [waiting] = (await here.call('approval_list', { run_id })).items
    if (!waiting) break
    const { approval_id, fingerprint, working_directory, touches, protected: kept, unprotected } = waiting.approval
    expect(working_directory).toBe(workspace)
    asked.push(...touches, ...kept, ...unprotected)
    await here.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
    await here.runtime.settled(run_id)
  }

  // On the device.
  const { items: steps } = await here.call('agent_run_list_steps', { run_id, limit: 200 })
  const subjects = steps.flatMap((step) => ('failure_contract' in step ? (step.failure_contract?.details.subject ?? []) : []))
  expect(subjects).toEqual([join(user, 'notes', 'missing.txt'), join(workspace, 'nowhere.txt')])
  const shown = steps.flatMap((step) => (step.kind === 'approval.requested' ? [step.approval] : []))
  expect(shown.map(({ working_directory }) => working_directory)).toEqual([workspace, workspace])
  expect(shown.flatMap((one) => [...one.touches, ...one.protected, ...one.unprotected])).toEqual(asked)
  expect(asked).toContain(`run echo $HOME in here; false in ${workspace}`)
  expect((await here.call('agent_tool_policy_get', { agent_id, tool: 'fs.read' })).policy.policy.fs_scope.roots).toEqual(roots)
  expect((await here.call('mcp_server_list', {})).items[0]?.preview.server).toEqual(server)

  // As sent.
  await here.runtime.stop()
  const store = openStore({ home: join(folder, 'home'), user_home: user, clock: systemClock })
  const changes: readonly Change[] = openOutbox(store, openEntities(store))
    .batch({ changes: 500, bytes: 5_000_000 })
    .map(({ change }) => change)
  store.close()
  expect(changes.filter(({ entity_type, payload }) => !matchesSchema(entity_type, payload))).toEqual([])
  const leaving = changes.flatMap(({ payload }) => pathFieldStrings(payload))
  expect(leaving.filter((text) => text.includes(workspace) || text.includes(user))).toEqual([])
  expect(leaving).toEqual(
    expect.arrayContaining(['$WORKSPACE', '$HOME/notes', '$HOME/bin/tool', '$HOME/notes/missing.txt', '$WORKSPACE/nowhere.txt']),
  )
  expect(leaving).toContain('run echo $HOME in here; false in $WORKSPACE')
})
