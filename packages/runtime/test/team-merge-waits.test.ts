// A merge that waits for its approval: the run is canceled, or the merge is made and undone.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { call, teamScript } from './support/team/test-team-script.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const large = 50_000_000

/** A member changed one file and added one, and its merge waits. */
async function waiting(): Promise<string> {
  agent = await startTestAgent(
    teamScript({
      Lead(done, heard) {
        if (done.length === 0) return call('fs.write', { path: 'lead.txt', content: 'by the lead' })
        if (done.length === 1) return call('agent.spawn', { members: [{ title: 'Copier', task: 'Work in a copy' }] })
        if (!heard.some((text) => text.includes('has ended'))) return { text: 'I wait.' }
        const run_id = /"run_id":"([^"]+)"/.exec(done[1] ?? '')?.[1]
        return done.length === 2 ? call('agent.merge_result', { run_ids: [run_id] }) : { text: 'Done.' }
      },
      'Work in a copy': (done) =>
        [
          call('fs.write', { path: 'a.txt', content: 'by the member' }),
          call('shell.exec', { command: `head -c ${large} /dev/urandom > big.bin` }),
        ][done.length] ?? { text: 'Ready.' },
    }),
  )
  writeFileSync(join(agent.workspace, 'a.txt'), 'before')
  const agent_id = await agent.agent()
  for (const tool of ['agent.spawn', 'fs.write', 'shell.exec']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Lead')
  await expect.poll(async () => (await agent.call('approval_list', { run_id })).items.length, { timeout: 90_000 }).toBe(1)
  return run_id
}

const names = () => readdirSync(agent.workspace).toSorted()
const content = (name: string) => readFileSync(join(agent.workspace, name), 'utf8')
const copies = async () => (await agent.call('team_get_copies', {})).copies.map(({ title, state }) => [title, state])

test('canceled: the folder is as it was, and the copy is kept', async () => {
  const run_id = await waiting()
  await agent.call('agent_run_cancel', { run_id })
  await agent.runtime.settled(run_id)
  expect([names(), content('a.txt')]).toEqual([['a.txt', 'lead.txt'], 'before'])
  expect(await copies()).toEqual([['Copier', 'unmerged']])
  expect((await agent.call('approval_list', {})).items).toEqual([])
})

test('approved with a file of 50 MB, and undone: the answer does not merge it again', async () => {
  const run_id = await waiting()
  const [first] = (await agent.call('approval_list', { run_id })).items
  if (!first) throw new Error('there is no approval')
  const { approval_id, fingerprint } = first.approval
  const points = async () => (await agent.call('agent_run_list_checkpoints', { run_id })).items
  const approve = () =>
    agent.runtime.commands.call('agent_run_resume', {
      run_id,
      answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' },
    })
  expect(await approve()).toMatchObject({ ok: true })
  await expect.poll(() => agent.runtime.journal.run(run_id)?.state, { timeout: 90_000 }).toBe('completed')
  expect([names(), content('a.txt'), statSync(join(agent.workspace, 'big.bin')).size]).toEqual([
    ['a.txt', 'big.bin', 'lead.txt'],
    'by the member',
    large,
  ])
  const merged = (await points()).find(({ tool }) => tool === 'agent.merge_result')
  const at = { run_id, checkpoint_id: merged?.checkpoint_id ?? '', on_conflict: 'stop' as const }
  await agent.call('agent_run_restore_checkpoint', { action: 'restore', ...at })
  expect([names(), content('a.txt')]).toEqual([['a.txt', 'lead.txt'], 'before'])
  // The answer was used: it does not merge again.
  expect(await approve()).toMatchObject({ ok: false })
  expect(existsSync(join(agent.workspace, 'big.bin'))).toBe(false)
})
