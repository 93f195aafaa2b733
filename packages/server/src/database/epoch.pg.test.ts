import { expect, test } from 'vitest'
import { asAdministrator, testDatabase } from '../../test/support/test-database.ts'
import { openDatabase } from './database.ts'
import { readEpoch, renewEpoch, updateEpoch } from './epoch.ts'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

test('the epoch stays the same until it is renewed', async () => {
  await using fresh = await testDatabase()
  const { owner } = fresh.database
  const stored = await readEpoch(owner)
  const first = await updateEpoch(owner)
  expect(first).toEqual({ epoch: expect.stringMatching(new RegExp(`^${stored}\\.\\d+\\.\\d+$`)), renewed: false })
  expect(await updateEpoch(owner)).toEqual(first)
  const second = await renewEpoch(owner)
  expect(second).not.toBe(first.epoch)
  expect(second.split('.').slice(1)).toEqual(first.epoch.split('.').slice(1))
  expect(await updateEpoch(owner)).toEqual({ epoch: second, renewed: false })
})

test.each([
  ['timeline', 'timeline = timeline + 1'],
  ['cluster', "system_identifier = '1'"],
])('a row of another %s is renewed once, however many nodes detect it', async (_what, change) => {
  await using fresh = await testDatabase()
  const { owner } = fresh.database
  const { epoch: before } = await updateEpoch(owner)
  await owner.unsafe(`update tandem.server_epoch set ${change}`)
  const settled = await Promise.all([updateEpoch(owner), updateEpoch(owner), updateEpoch(owner)])
  const after = await readEpoch(owner)
  expect(after.split('.')[0]).not.toBe(before.split('.')[0])
  expect(after.split('.').slice(1)).toEqual(before.split('.').slice(1))
  expect(settled.map(({ epoch }) => epoch)).toEqual([after, after, after])
  expect(settled.filter(({ renewed }) => renewed)).toHaveLength(1)
})

test("a node that cannot read the cluster's identity agrees with one that can", async () => {
  await using fresh = await testDatabase()
  const role = `plain_${fresh.target.address.database}`
  await asAdministrator((sql) => sql.unsafe(`create role ${role} login password 'plain'`))
  const { owner } = fresh.database
  await owner.unsafe(`
    revoke execute on function pg_control_system() from public;
    grant usage on schema tandem to ${role};
    grant select, update on tandem.server_epoch to ${role}`)
  const { address } = fresh.target
  const plain = await openDatabase({ address: { ...address, user: role }, password: 'plain' }, () => undefined)
  try {
    const stored = await readEpoch(owner)
    expect(await updateEpoch(plain.owner)).toEqual({ epoch: stored, renewed: false })
    expect(stored).toMatch(new RegExp(`^${uuid}$`))
    const whole = await updateEpoch(owner)
    expect(await updateEpoch(plain.owner)).toEqual(whole)
    await owner`update tandem.server_epoch set timeline = timeline + 1`
    const renewed = await updateEpoch(plain.owner)
    expect(renewed.renewed).toBe(true)
    expect(await updateEpoch(owner)).toEqual({ epoch: renewed.epoch, renewed: false })
  } finally {
    await plain.close()
    await owner.unsafe(`drop owned by ${role}`)
    await asAdministrator((sql) => sql.unsafe(`drop role ${role}`))
  }
})

test('without access to the history the stored epoch is enough', async () => {
  await using fresh = await testDatabase()
  const role = `plain_${fresh.target.address.database}`
  await asAdministrator((sql) => sql.unsafe(`create role ${role} login password 'plain'`))
  const { owner } = fresh.database
  await owner.unsafe(`
    revoke execute on function pg_control_system(), pg_current_wal_lsn() from public;
    grant usage on schema tandem to ${role};
    grant select, update on tandem.server_epoch to ${role}`)
  const plain = await openDatabase({ address: { ...fresh.target.address, user: role }, password: 'plain' }, () => undefined)
  try {
    expect(await updateEpoch(plain.owner)).toEqual({ epoch: await readEpoch(owner), renewed: false })
  } finally {
    await plain.close()
    await owner.unsafe(`drop owned by ${role}`)
    await asAdministrator((sql) => sql.unsafe(`drop role ${role}`))
  }
})
