// `tandem run` for scripts: piped input, conversations that continue, answers as JSON and in files, and several terminals at once.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'
import { parseJsonLines as objects } from './support/test-tandem.ts'

const patience = 60_000
const { model, here } = await useScriptedTandem()
beforeEach(() => {
  model.requests.length = 0
})
const { start, command } = here
const sent = (at: number) => JSON.stringify(model.requests[at]?.messages)

test('what is piped into a run is attached to the task, as data', { timeout: patience }, async () => {
  model.script({ text: 'Looks good.' }, { text: 'Nothing piped.' })
  expect(await start(['run', 'review this'], '+added line\n').ended).toMatchObject({ status: 0, stdout: 'Looks good.\n' })
  expect(sent(0)).toContain('review this')
  expect(sent(0)).toContain('The user attached \\"standard-input.txt\\" (text/plain, 12 bytes). Its text:')
  expect(sent(0)).toContain('+added line')
  expect(await start(['run', 'hello'], '').ended).toMatchObject({ status: 0 })
  expect(sent(1)).not.toContain('standard-input')
})

test('without a terminal, tandem and tandem chat answer what is piped', { timeout: patience }, async () => {
  model.script({ text: 'First.' }, { text: 'Second.' })
  expect(await start([], 'what is it?').ended).toMatchObject({ status: 0, stdout: 'First.\n' })
  expect(sent(0)).toContain('what is it?')
  expect(await start(['chat'], 'and this?').ended).toMatchObject({ status: 0, stdout: 'Second.\n' })
})

test('--continue and --conversation continue a conversation, which tandem conversations lists', { timeout: patience }, async () => {
  model.script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' })
  expect(await command('run', '--continue', 'again')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no conversation works in'),
  })
  await command('run', 'remember 41')
  expect(await command('run', '--continue', 'and now?')).toMatchObject({ status: 0, stdout: 'Two.\n' })
  expect(sent(1)).toContain('remember 41')
  const [listed] = objects((await command('conversations', '--json')).stdout)
  expect(listed).toMatchObject({ title: 'remember 41', workspace: here.workspace })
  const id = String(listed?.conversation_id)
  expect((await command('conversations')).stdout).toContain(id)
  expect((await command('conversations', 'remember')).stdout).toContain(id)
  expect((await command('conversations', 'nowhere')).stdout).toContain('There are no conversations.')
  expect(await command('run', '--conversation', id.slice(0, 13), 'third')).toMatchObject({ status: 0, stdout: 'Three.\n' })
  expect(sent(2)).toContain('remember 41')
  expect(await command('run', '--conversation', 'ffff', 'x')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('List the conversations with tandem conversations.'),
  })
  expect(await command('run', '--continue', '--conversation', id, 'x')).toMatchObject({ status: 2 })
})

test('a link to a folder finds the conversations of the folder', { timeout: patience }, async () => {
  model.script({ text: 'One.' }, { text: 'Two.' })
  await command('run', 'remember 42')
  const link = `${here.workspace}-link`
  symlinkSync(here.workspace, link)
  expect(await command('run', '--workspace', link, '--continue', 'and now?')).toMatchObject({ status: 0, stdout: 'Two.\n' })
  expect(sent(1)).toContain('remember 42')
  expect((await command('conversations', '--workspace', link)).stdout).toContain('remember 42')
})

test('conversations are pinned, deleted and restored by their ids', { timeout: patience }, async () => {
  model.script({ text: 'One.' })
  await command('run', 'forget 42')
  const id = String(objects((await command('conversations', '--json')).stdout).find(({ title }) => title === 'forget 42')?.conversation_id)
  expect(await command('conversations', 'pin', id)).toMatchObject({ status: 0, stdout: 'Pinned forget 42\n' })
  expect((await command('conversations')).stdout).toContain('forget 42 (pinned)')
  expect(await command('conversations', 'delete', id)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('without a terminal, delete needs --yes. Nothing was deleted.'),
  })
  expect(await command('conversations', 'delete', id, '--yes')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(new RegExp(`^Deleted 1 conversation\\. Erased .*\\nUndo: tandem conversations restore ${id}\\n$`)),
  })
  expect((await command('conversations')).stdout).not.toContain(id)
  expect((await command('conversations', '--deleted')).stdout).toContain(id)
  expect(await command('run', '--conversation', id, 'more')).toMatchObject({ status: 1, stderr: expect.stringContaining('is deleted') })
  expect(await command('conversations', 'restore', id)).toMatchObject({ status: 0, stdout: 'Restored 1 conversation.\n' })
  expect(objects((await command('conversations', '--json')).stdout).find((one) => one.conversation_id === id)).toMatchObject({
    pinned: true,
  })
  expect(await command('conversations', 'delete', 'forty-two')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('by their ids'),
  })
})

test('--output-schema prints only JSON that matches, after a correction if needed, and --output saves it', {
  timeout: patience,
}, async () => {
  const schema = join(here.workspace, 'schema.json')
  writeFileSync(schema, JSON.stringify({ type: 'object', required: ['count'], properties: { count: { type: 'integer' } } }))
  model.script({ text: 'There are three.' }, { text: '```json\n{"count": "3"}\n```' }, { text: '```json\n{"count": 3}\n```' })
  const { status, stdout, stderr } = await command('run', '--output-schema', schema, '-o', 'answer.json', 'how many?')
  expect({ status, stdout }).toEqual({ status: 0, stdout: '{"count":3}\n' })
  expect(readFileSync(join(here.workspace, 'answer.json'), 'utf8')).toBe('{"count":3}\n')
  expect(stderr).toContain('The answer does not match the schema: it is not valid JSON')
  expect(stderr).toContain('/count must be integer')
  expect(sent(0)).toContain('It must match this JSON Schema')
  model.script({ text: 'no' }, { text: 'no' }, { text: 'no' })
  expect(await command('run', '--output-schema', schema, 'how many?')).toMatchObject({ status: 5, stdout: '' })
  writeFileSync(schema, '{')
  expect(await command('run', '--output-schema', schema, 'x')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is not valid JSON'),
  })
})

test('--output writes the final answer only, and a missing folder is reported before anything starts', { timeout: patience }, async () => {
  writeFileSync(join(here.workspace, 'notes.txt'), 'hello')
  model.script({ call: 'fs.read', arguments: { path: 'notes.txt' }, text: 'Let me look.' }, { text: 'It says hello.' })
  expect(await command('run', '--output', 'answer.txt', 'read it')).toMatchObject({ status: 0, stdout: 'Let me look.\nIt says hello.\n' })
  expect(readFileSync(join(here.workspace, 'answer.txt'), 'utf8')).toBe('It says hello.\n')
  expect(await command('run', '--output', 'none/answer.txt', 'x')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('does not exist'),
  })
  expect(model.requests).toHaveLength(2)
})

test('two terminals share one runtime; the first waits for the run of the second', { timeout: patience }, async () => {
  model.script({ hang: true }, { call: 'shell.exec', arguments: { command: 'ls' } }, { text: 'Second.' })
  const first = start(['run', 'think'])
  await model.hanging()
  // Attached: it asks the runtime of the first command, and stays paused without a user.
  expect(await start(['run', 'list']).ended).toMatchObject({ status: 3, stderr: expect.stringContaining('tandem resume') })
  model.script({ hang: true })
  const second = start(['resume', 'last', '--answer', 'once'])
  await model.hanging()
  first.child.kill('SIGINT')
  await first.said('Another terminal uses this runtime.')
  second.child.kill('SIGINT')
  expect(await Promise.all([first.ended, second.ended])).toMatchObject([{ status: 130 }, { status: 130 }])
  expect(objects((await command('runs', '--json')).stdout)).toMatchObject([{ state: 'canceled' }, { state: 'canceled' }])
})

test('tandem config shows and changes settings of the terminal and of the device', { timeout: patience }, async () => {
  expect(await command('config', 'get', 'sandbox')).toMatchObject({ status: 1, stdout: '' })
  expect(await command('config', 'set', 'sandbox', 'none')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('sandbox must be one of'),
  })
  for (const key of ['model', 'default_model'])
    expect(await command('config', 'set', key, '')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${key} cannot be empty. To remove it, run tandem config unset ${key}\n`),
    })
  expect(await command('config', 'get', 'recall.embeddings_model')).toMatchObject({
    ...{ status: 1, stdout: '', stderr: 'tandem: recall.embeddings_model is not set.\n' },
  })
  expect((await command('config', '--help')).stdout).toMatch(/^ +when_window_closes +What happens with runs .*: keep_going, stop$/m)
  expect(await command('config', 'set', 'model', 'test/file')).toMatchObject({ status: 0 })
  expect(JSON.parse(readFileSync((await command('config', 'path')).stdout.trim(), 'utf8'))).toEqual({ model: 'test/file' })
  model.script({ text: 'Yes.' })
  expect(await command('run', 'hello')).toMatchObject({ status: 0 })
  expect(model.requests[0]).toMatchObject({ model: 'test/file' })
  expect(await command('config', 'set', 'default_model', 'test/device')).toMatchObject({ status: 0 })
  expect(await command('config', 'get', 'default_model')).toMatchObject({ status: 0, stdout: 'test/device\n' })
  expect(await command('config', 'set', 'compaction_wait_seconds', 'long')).toMatchObject({ status: 2 })
  expect(await command('config', 'set', 'model_key', 'sk-secret')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('standard input'),
  })
  expect(await start(['config', 'set', 'model_key'], 'sk-secret\n').ended).toMatchObject({ status: 0, stdout: '' })
  const listed = await command('config', 'list')
  expect(listed.stdout).toMatch(/model_key +\(set\)/)
  expect(listed.stdout).not.toContain('sk-secret')
  expect(await command('config', 'unset', 'default_model')).toMatchObject({ status: 0 })
  expect(await command('config', 'get', 'default_model')).toMatchObject({ status: 1 })
  expect(await command('config', 'set', 'nothing', 'x')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('unknown key "nothing"'),
  })
  writeFileSync(join(here.folder, 'home/config.json'), '{"sandbox":"off"}')
  expect(await command('run', 'hello')).toMatchObject({ status: 2, stderr: expect.stringContaining('sandbox in') })
})

test('defaults of the terminal are stored with a new conversation, and do not change one that continues', {
  timeout: patience,
}, async () => {
  const listed = async () => objects((await command('conversations', '--json')).stdout)
  model.script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' })
  await command('config', 'set', 'model', 'test/first')
  await command('config', 'set', 'sandbox', 'strict')
  expect(await command('run', 'one')).toMatchObject({ status: 0 })
  expect(await listed()).toMatchObject([{ model: 'test/first', sandbox_mode: 'strict' }])
  await command('config', 'set', 'model', 'test/later')
  await command('config', 'set', 'sandbox', 'trusted')
  expect(await command('run', '--continue', 'two')).toMatchObject({ status: 0 })
  expect(await command('run', '--continue', '--sandbox', 'workspace', 'three')).toMatchObject({ status: 0 })
  expect(await command('run', '--continue', '--model', 'test/once', 'four')).toMatchObject({ status: 0 })
  const runs = objects((await command('runs', '--json')).stdout).map((run) => [run.model, run.sandbox_mode])
  expect(runs.reverse()).toEqual([
    ['test/first', 'strict'],
    ['test/first', 'strict'],
    ['test/first', 'workspace'],
    ['test/once', 'strict'],
  ])
  expect(await listed()).toMatchObject([{ model: 'test/first', sandbox_mode: 'strict' }])
})
