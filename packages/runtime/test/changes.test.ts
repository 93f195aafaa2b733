// The files that the runs of a conversation changed, on real files: listed, compared, undone one by one, and brought back.
import { existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandParams, CommandResult } from '@tandem/contract/command'
import { afterEach, expect, test, vi } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

vi.setConfig({ testTimeout: 120_000 })

let agent: TestAgent
afterEach(() => agent.stop())

interface Call {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

/** A message is a list of calls, as JSON. */
function script(_index: number, { messages }: { readonly messages: readonly { role: string; content: unknown }[] }): ScriptedTurn {
  const last = messages.at(-1)
  return last?.role === 'user' ? { calls: JSON.parse(String(last.content)) } : { text: 'Done.' }
}

async function create(roots: readonly string[] = ['.']): Promise<string> {
  agent = await startTestAgent(script)
  const agent_id = await agent.agent()
  for (const tool of ['fs.write', 'fs.edit', 'fs.delete', 'fs.move', 'fs.mkdir', 'shell.exec']) {
    await agent.policy(agent_id, tool, { approval_mode: 'auto', fs_scope: { roots: [...roots], globs: ['**'] } })
  }
  const { conversation } = await agent.call('conversation_create', { agent_id, workspace: agent.workspace })
  return conversation.conversation_id
}

async function run(conversation_id: string, calls: readonly Call[], sandbox_mode?: 'trusted'): Promise<string> {
  const text = JSON.stringify(calls)
  const { run } = await agent.call('agent_run_start', { conversation_id, text, ...(sandbox_mode ? { sandbox_mode } : {}) })
  const { run_id } = run
  await agent.runtime.settled(run_id)
  while (agent.runtime.journal.run(run_id)?.pause_reason === 'approval') {
    const [pending] = (await agent.call('approval_list', { run_id })).items
    const { approval_id = '', fingerprint = '' } = pending?.approval ?? {}
    await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
    await agent.runtime.settled(run_id)
  }
  expect(agent.runtime.journal.run(run_id)?.state).toBe('completed')
  return run_id
}

const at = (...parts: string[]) => join(agent.workspace, ...parts)
const write = (path: string, content: string): Call => ({ name: 'fs.write', arguments: { path, content } })
const shell = (command: string): Call => ({ name: 'shell.exec', arguments: { command } })
const list = async (conversation_id: string, rest: Partial<CommandParams<'changes_get'>> = {}) =>
  await agent.call('changes_get', { conversation_id, ...rest })
const short = ({ items }: CommandResult<'changes_get'>) =>
  items.map(({ path, change, undo }) => [path.replace(`${agent.workspace}/`, ''), change, undo])
const undo = (conversation_id: string, paths: readonly string[], rest: Partial<CommandParams<'changes_undo'>> = {}) =>
  agent.runtime.commands.call('changes_undo', { conversation_id, paths: [...paths], on_conflict: 'stop', ...rest })

async function diffText(conversation_id: string, path: string): Promise<string[] | string> {
  const { diff } = await agent.call('changes_diff', { conversation_id, path })
  const marks = { same: ' ', before: '-', after: '+', gap: '@', note: '\\' }
  return diff.kind === 'none' ? diff.why : diff.lines.map(({ kind, text }) => marks[kind] + text)
}

test('the changes of several runs are one list, from the first recovery point to now', async () => {
  const conversation_id = await create()
  writeFileSync(at('a.txt'), 'one\ntwo\n')
  writeFileSync(at('b.txt'), 'bye\n')
  const first = await run(conversation_id, [write('a.txt', 'one\nTWO\n'), write('new.txt', 'new\n')])
  await run(conversation_id, [write('a.txt', 'one\nTWO\nthree\n'), { name: 'fs.delete', arguments: { path: 'b.txt' } }])
  const all = await list(conversation_id, { lines: true })
  expect(short(all)).toEqual([
    ['a.txt', 'changed', 'possible'],
    ['b.txt', 'removed', 'possible'],
    ['new.txt', 'added', 'possible'],
  ])
  expect(all).toMatchObject({
    counts: { added: 1, changed: 1, removed: 1, renamed: 0 },
    conflicts: 0,
    folders: [agent.workspace],
    missing_folders: [],
    incomplete: false,
    next_cursor: null,
  })
  expect(all.items.map(({ lines }) => lines)).toEqual([
    { added: 2, removed: 1 },
    { added: 0, removed: 1 },
    { added: 1, removed: 0 },
  ])
  expect(await diffText(conversation_id, at('a.txt'))).toEqual([' one', '-two', '+TWO', '+three'])
  // Of the first run alone, what the second one did to its file is a change by others.
  expect(short(await list(conversation_id, { run_id: first }))).toEqual([
    ['a.txt', 'changed', 'conflict'],
    ['new.txt', 'added', 'possible'],
  ])
})

test('one file is undone, the rest stays; the undo can be undone', async () => {
  const conversation_id = await create()
  writeFileSync(at('a.txt'), 'old\n')
  await run(conversation_id, [write('a.txt', 'new\n'), { name: 'fs.mkdir', arguments: { path: 'deep/er' } }, write('deep/er/b.txt', 'b\n')])
  await run(conversation_id, [write('a.txt', 'newer\n')])
  const undone = await undo(conversation_id, [at('a.txt')])
  expect(undone).toMatchObject({ ok: true, value: { restored: 1, left_alone: [] } })
  expect([readFileSync(at('a.txt'), 'utf8'), existsSync(at('deep/er/b.txt'))]).toEqual(['old\n', true])
  expect(short(await list(conversation_id))).toEqual([['deep/er/b.txt', 'added', 'possible']])
  // The folders that were created for it are removed as well.
  await undo(conversation_id, [at('deep/er/b.txt')])
  expect([existsSync(at('deep')), (await list(conversation_id)).items]).toEqual([false, []])
  const checkpoint_id = undone.ok ? undone.value.safety_checkpoint_id : ''
  expect(await undo(conversation_id, [at('a.txt')], { checkpoint_id })).toMatchObject({ ok: true, value: { restored: 1 } })
  expect([readFileSync(at('a.txt'), 'utf8'), existsSync(at('deep'))]).toEqual(['newer\n', false])
  // The runs stay as they are, and the thread says what happened.
  const { items } = await agent.call('message_list', { conversation_id })
  expect(items.filter(({ role }) => role === 'system').map(({ text }) => text)).toEqual([
    'You restored files in the list of changes: 1 path restored.',
    'You restored files in the list of changes: 3 paths restored.',
    'You restored files in the list of changes: 1 path restored.',
  ])
  expect((await agent.call('agent_run_list', { conversation_id })).items.map(({ state }) => state)).toEqual(['completed', 'completed'])
})

test('a file that the user edited meanwhile is a conflict: stop, keep or overwrite, and even that can be undone', async () => {
  const conversation_id = await create()
  writeFileSync(at('a.txt'), 'old\n')
  await run(conversation_id, [write('a.txt', 'agent\n')])
  writeFileSync(at('a.txt'), 'user\n')
  const listed = await list(conversation_id)
  expect([short(listed), listed.conflicts, listed.items[0]?.reason]).toEqual([
    [['a.txt', 'changed', 'conflict']],
    1,
    'it was changed outside this run since then',
  ])
  expect(await undo(conversation_id, [at('a.txt')])).toMatchObject({ ok: false, error: { code: 'restore_conflict' } })
  expect(await undo(conversation_id, [at('a.txt')], { on_conflict: 'keep' })).toMatchObject({ ok: true, value: { restored: 0 } })
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('user\n')
  const overwritten = await undo(conversation_id, [at('a.txt')], { on_conflict: 'overwrite' })
  expect([overwritten.ok && overwritten.value.restored, readFileSync(at('a.txt'), 'utf8')]).toEqual([1, 'old\n'])
  const checkpoint_id = overwritten.ok ? overwritten.value.safety_checkpoint_id : ''
  await undo(conversation_id, [at('a.txt')], { checkpoint_id })
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('user\n')
})

test('binary files, links, permissions and renames', async () => {
  const conversation_id = await create()
  writeFileSync(at('picture.bin'), Buffer.from([0, 1, 2, 255]))
  writeFileSync(at('tool.sh'), 'echo\n', { mode: 0o644 })
  writeFileSync(at('name.txt'), 'some text\n')
  symlinkSync('name.txt', at('link'))
  await run(conversation_id, [
    shell('printf "\\000\\003" > picture.bin; chmod 755 tool.sh; ln -sfn tool.sh link'),
    { name: 'fs.move', arguments: { from: 'name.txt', to: 'other.txt' } },
  ])
  const listed = await list(conversation_id, { lines: true })
  expect(listed.items).toEqual([
    expect.objectContaining({ path: at('link'), change: 'changed', type: 'symlink' }),
    expect.objectContaining({ path: at('other.txt'), change: 'renamed', from: at('name.txt'), undo: 'possible' }),
    expect.objectContaining({ path: at('picture.bin'), change: 'changed', size: { before: 4, after: 2 } }),
    expect.objectContaining({ path: at('tool.sh'), change: 'changed', mode: { before: 0o644, after: 0o755 } }),
  ])
  expect(await Promise.all(listed.items.map(({ path }) => diffText(conversation_id, path)))).toEqual([
    ['-name.txt', '\\No newline at end of file', '+tool.sh', '\\No newline at end of file'],
    'permissions_only',
    'binary',
    'permissions_only',
  ])
  const paths = listed.items.map(({ path }) => path)
  expect(await undo(conversation_id, paths)).toMatchObject({ ok: true, value: { restored: 5, left_alone: [] } })
  expect([readlinkSync(at('link')), readFileSync(at('picture.bin')).length, statSync(at('tool.sh')).mode & 0o777]).toEqual([
    'name.txt',
    4,
    0o644,
  ])
  expect([existsSync(at('other.txt')), readFileSync(at('name.txt'), 'utf8')]).toEqual([false, 'some text\n'])
})

test('a folder that was removed comes back with the file that is undone', async () => {
  const conversation_id = await create()
  mkdirSync(at('src/deep'), { recursive: true })
  writeFileSync(at('src/deep/a.txt'), 'a\n')
  writeFileSync(at('src/b.txt'), 'b\n')
  await run(conversation_id, [{ name: 'fs.delete', arguments: { path: 'src', recursive: true } }])
  expect(short(await list(conversation_id))).toEqual([
    ['src/b.txt', 'removed', 'possible'],
    ['src/deep/a.txt', 'removed', 'possible'],
  ])
  await undo(conversation_id, [at('src/deep/a.txt')])
  expect([readFileSync(at('src/deep/a.txt'), 'utf8'), existsSync(at('src/b.txt'))]).toEqual(['a\n', false])
})

test('a file outside of the folder is listed with its path and undone there', async () => {
  const conversation_id = await create(['.', '..'])
  const outside = join(agent.folder, 'outside.txt')
  writeFileSync(outside, 'old\n')
  await run(conversation_id, [write(outside, 'new\n')], 'trusted')
  expect(short(await list(conversation_id))).toEqual([[outside, 'changed', 'possible']])
  await undo(conversation_id, [outside])
  expect(readFileSync(outside, 'utf8')).toBe('old\n')
})

test('undoing a file ends only a background command that may have changed it, and only if the user agrees', async () => {
  const question: Call = { name: 'ask_user', arguments: { question: 'Go on?' } }
  const background = (command: string): Call => ({ name: 'shell.exec', arguments: { command, background: true } })
  agent = await startTestAgent([
    { calls: [background('echo built > built.txt'), question] },
    { calls: [background('bash serve.sh'), question] },
  ])
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  writeFileSync(at('built.txt'), 'old\n')
  writeFileSync(at('serve.sh'), 'n=0; while true; do n=$((n+1)); echo $n > served.txt; sleep 0.05; done')
  const { conversation } = await agent.call('conversation_create', { agent_id, workspace: agent.workspace })
  const { conversation_id } = conversation
  const { run_id } = (await agent.call('agent_run_start', { conversation_id, text: 'Serve it' })).run
  const points = async () => (await agent.call('agent_run_list_checkpoints', { run_id })).items
  const isOpen = async (checkpoint_id: string | undefined) =>
    (await agent.call('agent_run_get_checkpoint', { run_id, checkpoint_id: checkpoint_id ?? '' })).checkpoint.background?.closed_at === null
  await agent.runtime.settled(run_id)
  await vi.waitFor(async () => expect(await isOpen((await points()).at(-1)?.checkpoint_id)).toBe(false), { timeout: 60_000 })
  const [asked] = (await agent.call('question_list', { run_id })).items
  const answer = { chosen: [], text: 'Yes' }
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'question', question_id: asked?.question.question_id ?? '', answer } })
  await vi.waitFor(() => expect(existsSync(at('served.txt'))).toBe(true), { timeout: 60_000 })
  await agent.runtime.settled(run_id)
  const [server] = await points()

  const listed = (await list(conversation_id)).items.map(({ path, background, running }) => [path, background, running])
  expect(listed).toEqual([
    [at('built.txt'), true, undefined],
    [at('served.txt'), true, true],
  ])
  // What a command that has ended changed is undone, and the one that still runs keeps running.
  expect(await undo(conversation_id, [at('built.txt')])).toMatchObject({ ok: true, value: { restored: 1 } })
  expect([readFileSync(at('built.txt'), 'utf8'), await isOpen(server?.checkpoint_id)]).toEqual(['old\n', true])
  expect(await undo(conversation_id, [at('served.txt')])).toMatchObject({
    error: {
      code: 'restore_conflict',
      message: `a background command may have changed ${at('served.txt')} and is still running`,
      failure_contract: { reason_code: 'background_running' },
    },
  })
  expect([existsSync(at('served.txt')), await isOpen(server?.checkpoint_id)]).toEqual([true, true])
  expect(await undo(conversation_id, [at('served.txt')], { end_background: true })).toMatchObject({ ok: true, value: { restored: 1 } })
  expect([existsSync(at('served.txt')), await isOpen(server?.checkpoint_id)]).toEqual([false, false])
})

test('a file in place of the folder: the undo changes nothing, and says why', async () => {
  const conversation_id = await create()
  mkdirSync(at('closed'))
  writeFileSync(at('closed/a.txt'), 'old\n')
  await run(conversation_id, [write('closed/a.txt', 'new\n')])
  rmSync(at('closed'), { recursive: true })
  writeFileSync(at('closed'), 'in the way')
  const [file] = (await list(conversation_id)).items
  expect(file).toMatchObject({ path: at('closed/a.txt'), change: 'removed', undo: 'conflict' })
  const answer = await undo(conversation_id, [at('closed/a.txt')], { on_conflict: 'overwrite' })
  expect(answer).toMatchObject({
    ok: true,
    value: { restored: 0, left_alone: [{ path: at('closed/a.txt'), reason: `${at('closed')} is no longer a folder` }] },
  })
  expect(readFileSync(at('closed'), 'utf8')).toBe('in the way')
})

test('a folder that no longer exists is named, and its files are not listed as removed', async () => {
  const conversation_id = await create()
  await run(conversation_id, [write('a.txt', 'new\n')])
  renameSync(agent.workspace, `${agent.workspace}-moved`)
  expect(await list(conversation_id)).toMatchObject({ items: [], missing_folders: [agent.workspace] })
})

test('files of version control are counted, not listed', async () => {
  const conversation_id = await create()
  await run(conversation_id, [shell('mkdir -p .git && echo x > .git/HEAD && echo y > a.txt')])
  const listed = await list(conversation_id)
  expect([short(listed), listed.repository_files]).toEqual([[['a.txt', 'added', 'possible']], 2])
})

test('refusals name what is wrong', async () => {
  const conversation_id = await create()
  const run_id = await run(conversation_id, [write('a.txt', 'new\n')])
  const other = await agent.call('conversation_create', { workspace: agent.workspace })
  const calls = agent.runtime.commands
  expect(await calls.call('changes_get', { conversation_id: other.conversation.conversation_id, run_id })).toMatchObject({
    error: { code: 'not_found', message: `conversation ${other.conversation.conversation_id} has no run ${run_id}` },
  })
  expect(await calls.call('changes_diff', { conversation_id, path: at('b.txt') })).toMatchObject({ error: { code: 'not_found' } })
  expect(await undo(conversation_id, ['a.txt'])).toMatchObject({ error: { code: 'invalid_params', fields: [{ field: 'paths' }] } })
  expect(await undo(conversation_id, [at('b.txt')])).toMatchObject({ error: { code: 'not_found' } })
  expect(await undo(conversation_id, [at('a.txt')], { checkpoint_id: run_id })).toMatchObject({ error: { code: 'checkpoint_expired' } })
})

test('two thousand files and a diff of fifty thousand lines are listed in pages of one comparison', async () => {
  const conversation_id = await create()
  await run(conversation_id, [
    shell('i=0; mkdir -p many; while [ $i -lt 2000 ]; do echo "file $i" > many/f$i.txt; i=$((i+1)); done; seq 1 50000 > long.txt'),
  ])
  const first = await list(conversation_id, { limit: 200, lines: true })
  expect(first.counts).toEqual({ added: 2_001, changed: 0, removed: 0, renamed: 0 })
  let pages = 1
  const { snapshot } = first
  for (let cursor = first.next_cursor; cursor !== null; pages += 1) {
    const page = await list(conversation_id, { limit: 200, cursor, snapshot })
    cursor = page.next_cursor
  }
  expect(pages).toBe(11)
  const part = await agent.call('changes_diff', { conversation_id, snapshot, path: at('long.txt'), from: 49_990, limit: 1_000 })
  expect(part.diff).toMatchObject({ kind: 'text', total: 50_000, next: null, added: 50_000, removed: 0 })
  expect(part.diff.kind === 'text' && part.diff.lines.at(-1)).toEqual({ kind: 'after', before: null, after: 50_000, text: '50000' })
})
