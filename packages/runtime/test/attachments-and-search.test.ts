import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../src/clock/clock.ts'
import { openInbox } from '../src/cooperation/record/inbox.ts'
import { openRuntime, type Runtime, startRuntime } from '../src/runtime.ts'
import { openBlobs } from '../src/store/blobs.ts'
import { openStore } from '../src/store/store.ts'
import { startTestModel, type TestModel } from './support/model/test-model.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')

let folder: string
let home: string
let workspace: string
let model: TestModel
let runtime: Runtime

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-writing-'))
  home = join(folder, 'home')
  workspace = join(folder, 'workspace')
  mkdirSync(home)
  mkdirSync(workspace)
})
afterEach(async () => {
  await runtime.stop()
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(script: Parameters<typeof startTestModel>[0]): Promise<void> {
  model = await startTestModel(script)
  start()
}

function start(): void {
  const environment = {
    ...process.env,
    TANDEM_MEMORY_MODEL: 'off',
    TANDEM_MODEL_URL: model.base_url,
    TANDEM_MODEL: `scripted-${folder}`,
    OPENAI_API_KEY: undefined,
  }
  runtime = openRuntime({ home, workspace, environment, log: () => undefined })
}

async function add(name: string, media_type: string, bytes: Buffer) {
  const answer = await runtime.commands.call('attachment_add', { name, media_type, data: bytes.toString('base64') })
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value.attachment
}

async function say(text: string, attachments: Awaited<ReturnType<typeof add>>[] = [], conversation_id?: string): Promise<string> {
  const made = conversation_id ? null : await runtime.commands.call('conversation_create', { title: text.slice(0, 40) })
  const id = conversation_id ?? (made?.ok ? made.value.conversation.conversation_id : '')
  const run = await runtime.commands.call('agent_run_start', { conversation_id: id, text, attachments })
  if (!run.ok) throw new Error(run.error.message)
  await runtime.settled(run.value.run.run_id)
  return id
}

const contentOf = (request: number) => model.requests[request]?.messages.findLast(({ role }) => role === 'user')?.content

test('a text and an image are attached, reach the model, and still exist after a restart', async () => {
  await open([{ text: 'Seen.' }, { text: 'Again.' }])
  const notes = await add('notes.txt', 'text/plain', Buffer.from('Buy milk.'))
  const shot = await add('shot', 'application/x-anything', png)
  expect(shot).toMatchObject({ name: 'shot', media_type: 'image/png', size: png.length })
  const conversation_id = await say('Look at these.', [notes, shot])
  expect(contentOf(0)).toEqual([
    {
      type: 'text',
      text: expect.stringContaining(
        'Look at these.\n\nThe user attached "notes.txt" (text/plain, 9 bytes). Its text:\n```\nBuy milk.\n```',
      ),
    },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
  ])
  await runtime.stop()
  start()
  const listed = await runtime.commands.call('message_list', { conversation_id })
  expect(listed.ok && listed.value.items[0]?.attachments).toEqual([notes, shot])
  await say('And now?', [], conversation_id)
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('Buy milk.')
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('image_url')
})

test('a model that refuses images gets a description of them', async () => {
  await open((_, request) =>
    JSON.stringify(request.messages).includes('image_url')
      ? { status: 400, body: JSON.stringify({ error: { message: 'image input is not supported' } }) }
      : { text: 'I can not see it.' },
  )
  const conversation_id = await say('Look.', [await add('shot.png', 'image/png', png)])
  expect(contentOf(1)).toContain('You cannot see images, so it is left out.')
  const listed = await runtime.commands.call('message_list', { conversation_id })
  expect(listed.ok && listed.value.items.at(-1)?.text).toBe('I can not see it.')
})

test('what is not stored, is not base64, or is not really an image is refused or shown as what it is', async () => {
  await open([])
  const kept = await add('fake.png', 'image/png', Buffer.from('<svg onload=alert(1)>'))
  expect(kept.media_type).toBe('application/octet-stream')
  expect((await add('drawing.svg', 'image/svg+xml', Buffer.from('<svg/>'))).media_type).toBe('image/svg+xml')
  expect(await runtime.commands.callUntrusted('attachment_add', { name: 'a', media_type: 'a/b', data: 'not base64!' })).toMatchObject({
    ok: false,
    error: { code: 'invalid_params' },
  })
  const made = await runtime.commands.call('conversation_create', {})
  const conversation_id = made.ok ? made.value.conversation.conversation_id : ''
  const params = { conversation_id, text: 'x', attachments: [{ ...kept, size: 1 }] }
  expect(await runtime.commands.call('agent_run_start', params)).toMatchObject({ ok: false, error: { code: 'not_found' } })
  expect(model.requests).toHaveLength(0)
})

test('attachments that were never sent are deleted after a week, those that were sent or are queued for a run never', async () => {
  await open([{ text: 'Seen.' }])
  const sent = await add('sent.txt', 'text/plain', Buffer.from('sent'))
  const queued = await add('queued.txt', 'text/plain', Buffer.from('queued'))
  const unsent = await add('unsent.txt', 'text/plain', Buffer.from('unsent'))
  await say('Keep it.', [sent])
  await runtime.stop()
  const long = new Date(Date.now() - 400 * 24 * 60 * 60 * 1_000)
  for (const { file_id } of [sent, queued, unsent]) utimesSync(join(home, 'attachments', file_id), long, long)
  const store = openStore({ home, clock: systemClock })
  const message_id = store.newId()
  openInbox(store).add(store.newId(), { kind: 'user', message_id, text: 'Later.', attachments: [queued], queued_at: store.clock.now() })
  const blobs = openBlobs(store)
  expect(blobs.forgetUnsent()).toBe(1)
  const found = [sent, queued, unsent].map(({ file_id }) => blobs.find(file_id)?.toString())
  expect(found).toEqual(['sent', 'queued', undefined])
  expect(blobs.find('../../../etc/passwd')).toBeUndefined()
  store.close()
  expect(readdirSync(join(home, 'attachments')).toSorted()).toEqual([sent.file_id, queued.file_id].toSorted())
  start()
})

test('files of the workspace are found by a few letters, without hidden or ignored ones', async () => {
  await open([])
  mkdirSync(join(workspace, 'src/chat'), { recursive: true })
  mkdirSync(join(workspace, 'build'))
  mkdirSync(join(workspace, '.git'))
  for (const name of ['src/chat/composer.tsx', 'src/index.ts', 'build/composer.js', '.git/composer', '.env', 'a\u202egnp.exe'])
    writeFileSync(join(workspace, name), '')
  writeFileSync(join(workspace, '.gitignore'), 'build/\n')
  const find = async (query?: string) => {
    const answer = await runtime.commands.call('workspace_list_files', query === undefined ? {} : { query })
    return answer.ok ? answer.value.items.map(({ path }) => path) : answer.error
  }
  expect(await find('comp')).toEqual(['src/chat/composer.tsx'])
  expect(await find()).toEqual(expect.arrayContaining(['src/index.ts', 'a\u202egnp.exe']))
  expect(await find('passwd')).toEqual([])
  const elsewhere = await runtime.commands.call('workspace_list_files', { conversation_id: '01900000-0000-7000-8000-000000000000' })
  expect(elsewhere).toMatchObject({ ok: false, error: { code: 'not_found' } })
})

test('conversations are found by words of their titles and messages, and SQL wildcards are literal', async () => {
  await open([{ text: 'The **lighthouse** is 40 % done.' }, { text: 'Nothing.' }])
  const first = await say('Tell me of the coast.')
  const second = await say('100_percent')
  const search = async (query: string) => {
    const answer = await runtime.commands.call('conversation_search', { query })
    return answer.ok ? answer.value.found.map(({ conversation_id, role, excerpt }) => [conversation_id, role, excerpt]) : answer.error
  }
  expect(await search('coast')).toEqual([[first, null, '']])
  expect(await search('done LIGHTHOUSE')).toEqual([[first, 'assistant', 'The **lighthouse** is 40 % done.']])
  expect(await search('40 %')).toEqual([[first, 'assistant', 'The **lighthouse** is 40 % done.']])
  expect(await search('100_p')).toEqual([[second, null, '']])
  expect(await search('100xp')).toEqual([])
  expect(await search("'; DROP TABLE messages; --")).toEqual([])
  expect(await search('   ')).toEqual([])
})

test('images are served to the window that has the cookie, and only images', async () => {
  await open([])
  const shot = await add('shot.png', 'image/png', png)
  const page = await add('page.html', 'text/html', Buffer.from('<script>alert(1)</script>'))
  const windowDir = join(folder, 'window')
  mkdirSync(windowDir)
  writeFileSync(join(windowDir, 'index.html'), '<title>Tandem</title>')
  const window = await startRuntime({ windowDir, runtime, log: () => undefined })
  try {
    const code = new URL(window.windowUrl()).hash.slice('#code='.length)
    const origin = window.url.slice(0, -1)
    const opened = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ code }),
    })
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    const get = (file_id: string, headers: Record<string, string> = { cookie }) => fetch(`${origin}/rpc/files/${file_id}`, { headers })
    const picture = await get(shot.file_id)
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(png)
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    })
    expect((await get(shot.file_id, {})).status).toBe(401)
    expect((await get(shot.file_id, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await get(page.file_id)).status).toBe(404)
    expect((await get('01900000-0000-7000-8000-000000000000')).status).toBe(404)
    expect(existsSync(join(home, 'attachments', page.file_id))).toBe(true)
  } finally {
    await window.stop()
  }
})
