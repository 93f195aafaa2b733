import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { putLongTexts, withLongTexts } from './long-text.ts'
import { testDatabase } from './test-database.ts'

let database: Database
let close: () => Promise<void>
beforeAll(async () => {
  const test = await testDatabase()
  database = await openDatabase(test.target, () => undefined)
  close = async () => {
    await database.close()
    await test.close()
  }
})
afterAll(async () => await close())

const user = '01996f2e-8a10-7c3b-9d52-6f1e0a4b7c99'

test('PostgreSQL gets the texts, among other parameters, in every statement of a connection', async () => {
  const [long, short] = [`é\u{1F600} "${'x'.repeat(700_000)}`, '']
  for (let round = 0; round < 3; round += 1) {
    const rows = await withLongTexts([Buffer.from(long), Buffer.from(short)], ([first = '', second = '']) =>
      database.asUser(user, (sql) =>
        Promise.all([
          sql`select 1 as before`,
          sql`select ${7}::integer as number, md5(${first}::text) = md5(${long}::text) as same, length(${second}::text) as nothing, ${'end'}::text as word`,
          sql`select 2 as after`,
        ]),
      ),
    )
    expect(rows.map((list) => [...list])).toEqual([[{ before: 1 }], [{ number: 7, same: true, nothing: 0, word: 'end' }], [{ after: 2 }]])
  }
})

test('the memory of a text is given back once it is there, and kept where it is not', async () => {
  const [there, lost] = [Buffer.alloc(100_000, 'a'), Buffer.alloc(100_000, 'b')]
  await withLongTexts([there], ([text = '']) => database.asUser(user, (sql) => sql`select length(${text}::text)`))
  await expect(withLongTexts([lost], ([text = '']) => database.asUser(user, (sql) => sql`select ${text}::integer`))).rejects.toThrow()
  expect([there.length, lost.length]).toEqual([0, 100_000])
})

/** A message of the protocol with texts as parameters. */
function message(...texts: string[]): Buffer {
  const parameters = texts.flatMap((text) => [Buffer.from([0, 0, 0, text.length]), Buffer.from(text)])
  const body = Buffer.concat(parameters)
  return Buffer.concat([Buffer.from('B'), Buffer.from([0, 0, 0, body.length + 4]), body])
}

test('lengths say what is sent', async () => {
  await withLongTexts([Buffer.from('one'), Buffer.from('two!')], async ([one = '', two = '']) => {
    const sent = Buffer.concat([message('a'), message('b', one, 'c', two), message(two, 'd')])
    expect(Buffer.concat(putLongTexts(sent))).toEqual(Buffer.concat([message('a'), message('b', 'one', 'c', 'two!'), message('two!', 'd')]))
    expect(() => putLongTexts(message(`more than ${one}`))).toThrow('is not a parameter of its own')
  })
})

test('without a ticket messages stay as they are, and a ticket is no ticket once its work is done', async () => {
  const ticket = await withLongTexts([Buffer.from('text')], async ([one = '']) => one)
  for (const plain of [message('a', 'b'), message(ticket)]) expect(putLongTexts(plain)).toEqual([plain])
})
