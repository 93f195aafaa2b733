import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { readEpoch, renewEpoch } from './epoch.ts'
import { asAdministrator, testDatabase } from './test-database.ts'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

test('the epoch holds still until it is renewed', async () => {
  await using fresh = await testDatabase()
  const { owner } = fresh.database
  const first = await readEpoch(owner)
  expect(first).toMatch(new RegExp(`^${uuid}\\.\\d+\\.\\d+$`))
  expect(await readEpoch(owner)).toBe(first)
  const second = await renewEpoch(owner)
  expect(second).not.toBe(first)
  expect(second.split('.').slice(1)).toEqual(first.split('.').slice(1))
  expect(await readEpoch(owner)).toBe(second)
})

test('where the control data is closed to us the stored UUID is enough', async () => {
  await using fresh = await testDatabase()
  const role = `plain_${fresh.target.address.database}`
  await asAdministrator((sql) => sql.unsafe(`create role ${role} login password 'plain'`))
  const { owner } = fresh.database
  await owner.unsafe(`
    revoke execute on function pg_control_system() from public;
    grant usage on schema tandem to ${role};
    grant select on tandem.server_epoch to ${role}`)
  const { address } = fresh.target
  const plain = await openDatabase({ address: { ...address, user: role }, password: 'plain' }, () => undefined)
  expect(await readEpoch(plain.owner)).toMatch(new RegExp(`^${uuid}$`))
  await plain.close()
  await owner.unsafe(`drop owned by ${role}`)
  await asAdministrator((sql) => sql.unsafe(`drop role ${role}`))
})
