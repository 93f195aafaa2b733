// Files between devices: attachments are synchronized automatically; the user uploads and downloads other files.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { openCloudDevice } from './cloud-device.ts'
import { newUser, startCloudServer } from './cloud-server.ts'

const patience_ms = 40_000

test('attachments and the user’s own files', async () => {
  await using server = await startCloudServer()
  await using desk = openCloudDevice('desk')
  await using sofa = openCloudDevice('sofa')
  const person = newUser()
  await desk.signIn(server.url, person, 'new')
  await sofa.signIn(server.url, person, 'known')

  const bytes = randomBytes(100_000)
  const { attachment } = await desk.call('attachment_add', {
    name: 'picture.bin',
    media_type: 'application/octet-stream',
    data: bytes.toString('base64'),
  })
  const { conversation } = await desk.call('conversation_create', {})
  const { conversation_id } = conversation
  const { run } = await desk.call('agent_run_start', { conversation_id, text: 'hello', attachments: [attachment] })
  await desk.runtime.settled(run.run_id)
  const there = join(sofa.home, 'attachments', attachment.file_id)
  await waitFor(() => existsSync(there), patience_ms)
  expect(readFileSync(there).equals(bytes)).toBe(true)
  const messages = async () => (await sofa.call('message_list', { conversation_id })).items
  await waitFor(async () => (await messages()).length > 0, patience_ms)
  expect((await messages())[0]?.attachments).toEqual([attachment])

  const report = join(desk.workspace, 'report.txt')
  writeFileSync(report, 'the figures\n')
  const { file } = await desk.call('cloud_file_add', { path: report })
  expect(file).toMatchObject({ name: 'report.txt', size: 12, media_type: 'text/plain', kind: 'own' })
  const listed = async (kind: 'own' | 'text') => (await sofa.call('cloud_file_list', { kind })).items.map(({ name }) => name)
  expect([await listed('own'), await listed('text')]).toEqual([['report.txt'], [`${attachment.file_id}.attachment`]])

  const folder = join(sofa.workspace, 'saved')
  mkdirSync(folder)
  writeFileSync(join(folder, 'report.txt'), 'mine, and to stay')
  const save = { file_id: file.id, folder }
  expect(await sofa.call('cloud_file_save', save)).toEqual({ path: join(folder, 'report (2).txt') })
  expect(await sofa.call('cloud_file_save', save)).toEqual({ path: join(folder, 'report (3).txt') })
  expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])).toEqual([
    ['report (2).txt', 'the figures\n'],
    ['report (3).txt', 'the figures\n'],
    ['report.txt', 'mine, and to stay'],
  ])

  // Tandem's own folder is refused as source and destination, under any name.
  symlinkSync(join(desk.home, 'account.json'), join(desk.workspace, 'harmless.json'))
  symlinkSync(sofa.home, join(sofa.workspace, 'elsewhere'))
  const refusals = [
    desk.refused('cloud_file_add', { path: join(desk.home, 'account.json') }),
    desk.refused('cloud_file_add', { path: join(desk.workspace, 'harmless.json') }),
    desk.refused('cloud_file_add', { path: desk.workspace }),
    desk.refused('cloud_file_add', { path: 'report.txt' }),
    desk.refused('cloud_file_add', { path: join(desk.workspace, 'nowhere') }),
    sofa.refused('cloud_file_save', { ...save, folder: join(sofa.workspace, 'elsewhere') }),
    sofa.refused('cloud_file_save', { ...save, folder: join(folder, 'report.txt') }),
  ]
  expect(await Promise.all(refusals)).toEqual(Array.from({ length: refusals.length }, () => 'invalid_params'))

  await sofa.call('cloud_file_remove', { file_id: file.id })
  expect(await desk.refused('cloud_file_save', { file_id: file.id, folder: desk.workspace })).toBe('not_found')
  expect(readdirSync(desk.workspace).filter((name) => name.endsWith('.part'))).toEqual([])
  expect(readFileSync(report, 'utf8')).toBe('the figures\n')
})
