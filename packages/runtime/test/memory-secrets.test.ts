// Secrets of every format are said in conversations, and then looked for everywhere: only the messages themselves have them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { titleOf } from '../src/run/titles.ts'
import type { Script } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { plantedSecrets } from './support/test-secrets.ts'

let started: TestAgent | null = null
afterEach(async () => {
  await started?.stop()
  started = null
})

/** A short number may be part of an id or a time. */
const telling = plantedSecrets
  .filter(({ secret }) => secret.length >= 5)
  .map(({ secret }) => ({ secret, pattern: /^[\d -]+$/.test(secret) ? new RegExp(`(?<![\\da-f.-])${secret}(?![\\da-f-])`) : null }))
const found = (text: string) =>
  telling.flatMap(({ secret, pattern }) => ((pattern === null ? text.includes(secret) : pattern.test(text)) ? [secret] : []))
const inJson = (value: unknown) => found(JSON.stringify(value).replaceAll('\\n', '\n').replaceAll('\\"', '"'))

/**
 * Several secrets are said in one message, those that follow one another in the list in different ones. A message of more than ten lines
 * would count as pasted.
 */
const groups = Math.ceil(plantedSecrets.length / 5)

const askedInBackground = 'You read a conversation'

/** The model repeats in the background what it read, with the secret if it was there. */
const script: Script = (_, { messages }) => {
  const [system, asked] = messages.map(({ content }) => String(content))
  if (!system?.startsWith(askedInBackground)) return { text: 'Noted.' }
  const [, message, quote] = /\[([0-9a-f-]{36})\] user: ([^\n]*)/.exec(asked ?? '') ?? []
  return { text: JSON.stringify({ items: [{ kind: 'semantic', about: 'user', content: quote, message, quote }] }) }
}

/** By table and column, what text of the database contains a secret. */
function placesInDatabase(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  const places = tables.flatMap(({ name }) => {
    const rows = database.prepare(`SELECT * FROM "${name}"`).all()
    const columns = Object.keys(rows[0] ?? {})
    return columns.filter((column) => rows.some((row) => inValue(row[column]))).map((column) => `${name}.${column}`)
  })
  database.close()
  return places
}

const inValue = (value: unknown) =>
  value instanceof Uint8Array ? found(Buffer.from(value).toString('latin1')).length > 0 : inJson(value).length > 0

test('a title has no secret, wherever it is cut', () => {
  for (const { said, secret } of plantedSecrets)
    for (const lead of ['', `${'Please have a look at this. '.repeat(3)}\n`.trim(), 'x'.repeat(95)])
      expect([said, titleOf(`${lead} ${said}`.trim()).includes(secret.slice(0, 8))]).toEqual([said, false])
})

test('a secret is in its message, and nowhere else', { timeout: 300_000 }, async () => {
  const one = await startTestAgent(script, { environment: { TANDEM_MEMORY_MODEL: 'on' } })
  started = one
  const agent_id = await one.agent()
  for (let group = 0; group < groups; group += 1) {
    const [first, ...rest] = plantedSecrets.filter((_, index) => index % groups === group)
    const more = rest.map(({ said }) => `${said}\nAna Reis maintains project ${group}. ${said}`)
    await one.ask(agent_id, [first?.said, `I prefer tabs over spaces in project ${group}.`, ...more].join('\n'))
  }
  // What was said is read in the background.
  await expect.poll(async () => (await one.call('memory_list', { agent_id, limit: 1 })).items.length).toBe(1)
  const [known] = (await one.call('memory_list', { agent_id, limit: 1 })).items
  for (const { said } of plantedSecrets)
    await one.call('memory_record_user_correction', { agent_id, wrong: said, right: 'I prefer spaces everywhere.' })
  await one.call('memory_run_heartbeat_review', { agent_id })
  await expect.poll(async () => (await one.call('memory_search', { agent_id, query: 'tabs' })).late).toBe(false)

  const lists = await Promise.all([
    one.call('memory_list', { limit: 100, states: ['active', 'superseded', 'archived'] }),
    one.call('memory_get', { memory_id: known?.id ?? '' }),
    one.call('memory_get_user_model', { agent_id }),
    one.call('memory_get_identity_profile', { agent_id }),
    one.call('memory_get_relationship_graph', { agent_id }),
    one.call('memory_list_reviews', {}),
    one.call('memory_list_corrections', { limit: 100 }),
    one.call('memory_export', {}),
    one.call('memory_status', {}),
    one.call('conversation_list', { agent_id, limit: 100 }),
    one.call('agent_run_list', { limit: 100 }),
  ])
  expect(lists[0].items.length).toBeGreaterThan(groups)
  expect(lists.map(inJson)).toEqual(lists.map(() => []))
  for (const { said } of plantedSecrets) {
    const { semantic_recall, exact_evidence } = await one.call('memory_search', { agent_id, query: said, limit: 20 })
    expect([said, inJson(semantic_recall), inJson(exact_evidence)]).toEqual([said, [], []])
  }

  const before = one.model.requests.length
  await one.ask(agent_id, 'What do I prefer in my projects, and who maintains them?')
  expect(one.model.requests.slice(before).flatMap(inJson)).toEqual([])
  // The model in the background reads what was said without secrets.
  const background = () => one.model.requests.filter(({ messages }) => String(messages[0]?.content).startsWith(askedInBackground))
  await expect.poll(() => background().length).toBeGreaterThanOrEqual(groups)
  expect(background().flatMap(inJson)).toEqual([])

  expect(found(one.logged.join('\n'))).toEqual([])
  const { home } = one.runtime
  expect(placesInDatabase(join(home, 'tandem.db'))).toEqual(['messages.text'])
  const others = readdirSync(home, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith('tandem.db'),
  )
  const places = others.filter(({ parentPath, name }) => found(readFileSync(join(parentPath, name), 'latin1')).length > 0)
  expect(places.map(({ name }) => name)).toEqual([])
})
