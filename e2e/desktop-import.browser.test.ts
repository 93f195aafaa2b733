// Conversations of another assistant, imported in the settings from a file and from a zip file.
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { recordedAnswer, sendMessage } from './test-desktop.ts'

const openDesktop = useTestDesktop()

const conversation = {
  uuid: 'k-1',
  name: 'Trip to Porto',
  created_at: '2024-03-01T10:00:00.000000Z',
  updated_at: '2024-03-01T11:00:00.000000Z',
  chat_messages: [
    { text: 'Where should I go?', sender: 'human', created_at: '2024-03-01T10:00:00Z' },
    { text: 'To the Ribeira.', sender: 'assistant', created_at: '2024-03-01T10:01:00Z' },
  ],
}
const json = Buffer.from(JSON.stringify([conversation]))

/** A zip file with one compressed entry; `claimed` is the size in its directory. */
function zip(name: string, content: Buffer, claimed = content.length): Buffer {
  const body = deflateRawSync(content)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(body.length, 20)
  entry.writeUInt32LE(claimed, 24)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(30 + name.length + body.length, 16)
  return Buffer.concat([head, Buffer.from(name), body, entry, Buffer.from(name), end])
}

test('an export is imported once, marked, readable and continued; wrong files are refused by name', async () => {
  const desktop = await openDesktop([{ text: 'Then to the river.' }])
  const page = await desktop.page({ path: '/settings', width: 1440 })
  const section = page.getByRole('region', { name: 'Import conversations' })
  const choose = async (name: string, buffer: Buffer) => {
    await section.getByLabel(/^Export file/).setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
    await section.getByRole('button', { name: 'Import', exact: true }).click()
  }
  const refusals: [string, Buffer, RegExp][] = [
    ['a.json', Buffer.from('{"x": 1'), /^The file is not JSON/],
    ['b.json', Buffer.from('{"x": 1}'), /^conversations\.json is not a list of conversations/],
    ['c.zip', zip('other.json', json), /^The zip file has no conversations\.json/],
    ['d.zip', zip('conversations.json', json).subarray(0, 80), /^The zip file is damaged/],
    ['e.zip', zip('conversations.json', json, 400 * 1_048_576), /^The file is larger than 300 MB/],
  ]
  for (const [name, buffer, message] of refusals) {
    await choose(name, buffer)
    await section.getByRole('alert').getByText(message).waitFor()
  }
  // A conversation that is refused is named, and the others are imported.
  const broken = { ...conversation, uuid: 'k-2', name: 'Bro\u0000ken', chat_messages: [{ text: 'x', sender: 'human' }] }
  const several = [{ ...conversation, uuid: '\uD800'.repeat(201), name: '<img src=x onerror=alert(1)>' }, 7, broken]
  await choose('several.json', Buffer.from(JSON.stringify(several)))
  await section.getByText('Imported 2 conversations from Claude.').waitFor()
  await section.getByText('1 part was left out').click()
  await section.getByText('number 2: it has not the form of a conversation of Claude').waitFor()
  await page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).first().waitFor()
  await choose('export.zip', zip('export/conversations.json', json))
  await section.getByText('Imported 1 conversation from Claude.').waitFor()
  await choose('conversations.json', json)
  await section.getByText('Imported 0 conversations from Claude; 1 was imported before.').waitFor()
  // A later export, in which it has another message.
  const later = { text: 'And then?', sender: 'human', created_at: '2024-03-02T10:00:00Z' }
  await choose('later.json', Buffer.from(JSON.stringify([{ ...conversation, chat_messages: [...conversation.chat_messages, later] }])))
  await section.getByText('Imported 0 conversations from Claude. Newer messages were added to 1 conversation.').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await page.setViewportSize({ width: 1440, height: 800 })

  await page
    .getByRole('link', { name: /Trip to Porto/ })
    .first()
    .click()
  await page.getByText('Imported from Claude').waitFor()
  await recordedAnswer(page, 'To the Ribeira.').waitFor()
  await page.locator('[data-role=user]').getByText('And then?').waitFor()
  expect(await page.getByText('You, in another assistant', { exact: true }).count()).toBe(2)
  // It belongs to no folder: the one of new conversations is suggested.
  const folder = page.getByLabel(/^This conversation was imported\. Choose a folder/)
  await expect.poll(() => folder.inputValue()).toBe(desktop.workspace)
  await sendMessage(page, 'And after that?')
  await recordedAnswer(page, 'Then to the river.').waitFor()
  expect(JSON.stringify(desktop.model.requests.at(-1)?.messages)).toContain('To the Ribeira.')
})

test('memories may be made from an import only if that is chosen', async () => {
  const desktop = await openDesktop([])
  const page = await desktop.page({ path: '/settings', width: 1440 })
  const section = page.getByRole('region', { name: 'Import conversations' })
  const choice = section.getByRole('checkbox', { name: 'Memories may be made from what I wrote in them' })
  const authorsOf = async (name: string) => {
    const listed = await desktop.runtime.commands.call('conversation_list', {})
    const found = listed.ok ? listed.value.items.find(({ title }) => title === name) : undefined
    const messages = await desktop.runtime.commands.call('message_list', { conversation_id: found?.conversation_id ?? '' })
    return messages.ok ? messages.value.items.map(({ author }) => author) : []
  }
  for (const name of ['Kept out', 'Remembered']) {
    const buffer = Buffer.from(JSON.stringify([{ ...conversation, uuid: name, name }]))
    await section.getByLabel(/^Export file/).setInputFiles({ name: 'conversations.json', mimeType: 'application/json', buffer })
    expect(await choice.isChecked()).toBe(name === 'Remembered')
    await section.getByRole('button', { name: 'Import', exact: true }).click()
    await section.getByText('Imported 1 conversation from Claude.').waitFor()
    await choice.check()
  }
  expect([await authorsOf('Kept out'), await authorsOf('Remembered')]).toEqual([
    ['import', 'agent'],
    ['person', 'agent'],
  ])
})

test('an import without a connection names the conversation at which it stopped, and can be repeated', async () => {
  const desktop = await openDesktop([])
  const page = await desktop.page({ path: '/settings', width: 1440 })
  const section = page.getByRole('region', { name: 'Import conversations' })
  await section.getByLabel(/^Export file/).setInputFiles({ name: 'conversations.json', mimeType: 'application/json', buffer: json })
  await desktop.window.stop()
  await page.getByText(/Connection lost/).waitFor()
  await section.getByRole('button', { name: 'Import', exact: true }).click()
  await section.getByRole('alert').getByText('The import stopped at “Trip to Porto”, after 0 of 1 conversation').waitFor()
  expect(await section.getByRole('button', { name: 'Import', exact: true }).isEnabled()).toBe(true)
})
