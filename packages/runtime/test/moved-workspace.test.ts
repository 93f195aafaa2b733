// The folder of a run was moved: a restore writes nothing at the old path, reports where the folder is, and restores there on request.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

async function changed(command: string): Promise<{ run_id: string; checkpoint_id: string }> {
  agent = await startTestAgent([{ calls: [{ name: 'shell.exec', arguments: { command } }] }, { text: 'Done.' }])
  mkdirSync(join(agent.workspace, 'sub'))
  writeFileSync(join(agent.workspace, 'a'), 'old a')
  writeFileSync(join(agent.workspace, 'sub', 'b'), 'old b')
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Go')
  const { items } = await agent.call('agent_run_list_checkpoints', { run_id })
  return { run_id, checkpoint_id: items[0]?.checkpoint_id ?? '' }
}

const restore = (of: { run_id: string; checkpoint_id: string }, workspace?: string) =>
  agent.runtime.commands.call('agent_run_restore_checkpoint', {
    ...{ action: 'restore' as const, ...of, on_conflict: 'stop' as const },
    ...(workspace === undefined ? {} : { workspace }),
  })
const preview = (of: { run_id: string; checkpoint_id: string }, workspace?: string) =>
  agent.runtime.commands.call('agent_run_restore_checkpoint', {
    ...{ action: 'preview' as const, ...of },
    ...(workspace === undefined ? {} : { workspace }),
  })

test('a restore is refused at the old path, names the new one, and restores there on request', async () => {
  const of = await changed('echo new > a; echo new > sub/b; echo made > made')
  const { folder, workspace } = agent
  const moved = join(folder, 'archive', 'renamed')
  mkdirSync(join(folder, 'archive'))
  renameSync(workspace, moved)

  const refused = {
    ok: false,
    error: {
      code: 'restore_failed',
      message: `the folder ${workspace} no longer exists; its files are now in ${moved}`,
      failure_contract: { reason_code: 'workspace_moved', details: { facts: [{ name: 'found_at', value: moved }] } },
    },
  }
  expect([await restore(of), await preview(of), existsSync(workspace)]).toMatchObject([refused, refused, false])

  expect(await preview(of, moved)).toMatchObject({
    ok: true,
    value: {
      counts: { created: 1, changed: 2, deleted: 0, conflict: 0, unrecoverable: 0 },
      entries: { items: [{ path: join(moved, 'a') }, {}, {}] },
    },
  })
  const restored = await restore(of, moved)
  expect(restored).toMatchObject({ ok: true, value: { counts: { created: 1, changed: 2 }, left_alone: [] } })
  const contents = () => [readdirSync(moved).sort(), readFileSync(join(moved, 'a'), 'utf8'), readFileSync(join(moved, 'sub', 'b'), 'utf8')]
  expect([contents(), existsSync(workspace)]).toEqual([[['a', 'sub'], 'old a', 'old b'], false])
  expect(agent.runtime.journal.run(of.run_id)).toMatchObject({ workspace: moved, state: 'paused' })

  // The run belongs to the new path from now on: the restore can be undone and repeated without naming it.
  if (!restored.ok || restored.value.outcome !== 'restored') throw new Error('it was not restored')
  const undone = await restore({ run_id: of.run_id, checkpoint_id: restored.value.safety_checkpoint_id })
  expect([undone.ok, contents()]).toEqual([true, [['a', 'made', 'sub'], 'new\n', 'new\n']])
  expect([(await restore(of)).ok, contents()]).toEqual([true, [['a', 'sub'], 'old a', 'old b']])
})

test('another path is refused while the folder is where it was, and a path that does not exist always', async () => {
  const of = await changed('echo new > a')
  const other = join(agent.folder, 'other')
  mkdirSync(other)
  const still = { ok: false, error: { code: 'invalid_params', message: expect.stringContaining('which still exists') } }
  expect([await restore(of, other), await preview(of, other), readdirSync(other)]).toMatchObject([still, still, []])
  rmSync(agent.workspace, { recursive: true })
  expect(await restore(of, join(agent.folder, 'nowhere'))).toMatchObject({ ok: false, error: { code: 'invalid_params' } })
  expect(await restore(of)).toMatchObject({
    ok: false,
    error: { message: `the folder ${agent.workspace} no longer exists`, failure_contract: { reason_code: 'workspace_moved' } },
  })
})
