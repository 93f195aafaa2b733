// What a script changed is restored: in the folder it ran in, in its own folder, and in the output files its arguments name.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const files = ['run-here/data', 'tools/state', 'results/out', 'results/long', 'results/file']
const contents = () => files.map((name) => readFileSync(join(agent.workspace, name), 'utf8'))

const scripts = {
  bash: {
    name: 'make.sh',
    text: 'echo new > data; echo new > ../tools/state; echo new > "$2"; for a in "$3" "$4"; do echo new > "$(echo "$a" | cut -d= -f2)"; done',
  },
  python3: {
    name: 'make.py',
    text: [
      'import sys',
      'names = ["data", "../tools/state", sys.argv[2], sys.argv[3].split("=")[1], sys.argv[4].split("=")[1]]',
      'for name in names: open(name, "w").write("new\\n")',
    ].join('\n'),
  },
  node: {
    name: 'make.mjs',
    text: [
      'import { writeFileSync } from "node:fs"',
      'const [, long, equals, file] = process.argv.slice(2)',
      'for (const name of ["data", "../tools/state", long, equals.split("=")[1], file.split("=")[1]]) writeFileSync(name, "new\\n")',
    ].join('\n'),
  },
} as const

test.each(Object.entries(scripts))('%s', async (language, { name, text }) => {
  const args = ['-o', '../results/out', '--output=../results/long', '--file=../results/file']
  agent = await startTestAgent([
    { calls: [{ name: 'script.run', arguments: { language, path: `tools/${name}`, cwd: 'run-here', args } }] },
    { text: 'Done.' },
  ])
  for (const folder of ['run-here', 'tools', 'results']) mkdirSync(join(agent.workspace, folder))
  for (const file of files) writeFileSync(join(agent.workspace, file), 'old\n')
  writeFileSync(join(agent.workspace, 'tools', name), text)
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'script.run', { approval_mode: 'auto' })
  const { run_id, state } = await agent.ask(agent_id, 'Go')
  expect([state, contents()]).toEqual(['completed', files.map(() => 'new\n')])
  const { items } = await agent.call('agent_run_list_checkpoints', { run_id })
  const checkpoint_id = items[0]?.checkpoint_id ?? ''
  const restored = await agent.call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' })
  expect([restored.counts.changed, contents()]).toEqual([5, files.map(() => 'old\n')])
})

test('an approval lists the paths of a command that are known only when it runs', async () => {
  const command = 'D=../elsewhere; cp data "$D/copy"'
  agent = await startTestAgent([{ calls: [{ name: 'shell.exec', arguments: { command, cwd: 'run-here' } }] }, { text: 'Done.' }])
  mkdirSync(join(agent.workspace, 'run-here'))
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'shell.exec', { approval_mode: 'required' })
  await agent.ask(agent_id, 'Go')
  const { items } = await agent.call('approval_list', {})
  expect(items[0]?.approval.unprotected).toEqual([
    `Changes that the command makes outside ${join(agent.workspace, 'run-here')}`,
    'Changes that the command makes at paths that are known only when it runs: D=../elsewhere, $D/copy',
  ])
})

test.each([false, true])(
  'an approval shows what a restore cannot distinguish, and what happens to a background command: %s',
  async (background) => {
    agent = await startTestAgent([{ calls: [{ name: 'shell.exec', arguments: { command: 'true', background } }] }, { text: 'Done.' }])
    const agent_id = await agent.agent()
    await agent.policy(agent_id, 'shell.exec', { approval_mode: 'required' })
    await agent.ask(agent_id, 'Go')
    const { items } = await agent.call('approval_list', {})
    const edits =
      'Changes that you make in the folder of the command while it runs cannot be distinguished from its own. A restore undoes them too; undo the restore to bring them back.'
    const group =
      'The command keeps running after the call. Its recovery point records changes until the process ends. What changes in that time is a separate group in the restore preview, and a restore leaves it untouched unless you select it.'
    const notes = items[0]?.approval.notes ?? []
    expect([notes.includes(edits), notes.includes(group)]).toEqual([true, background])
  },
)
