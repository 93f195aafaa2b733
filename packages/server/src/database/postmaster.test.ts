import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { parsePostmasterFile, postmasterStatus } from './postmaster.ts'
import { chooseAccount } from './unprivileged.ts'

test('parses postmaster.pid as PostgreSQL writes it', () => {
  const whole = '4711\n/data/postgres\n1700000000\n5432\n/data/postgres\n\n  1234  5678\nready   \n'
  expect(parsePostmasterFile(whole)).toEqual({ pid: 4711, port: 5432, socket_dir: '/data/postgres', host: '', ready: true })
  expect(parsePostmasterFile(whole.replace('ready   ', 'stopping'))).toMatchObject({ ready: false })
  expect(parsePostmasterFile('4711\n/data')).toEqual({ pid: 4711, port: 0, socket_dir: '', host: '', ready: false })
})

test.each(['', '\n', 'x', '-4711\n/data', '0', '1', '1.5'])('%j contains no pid', (text) => {
  expect(parsePostmasterFile(text)).toBe(undefined)
})

test('a living process in another folder counts as gone', async () => {
  const here = realpathSync(process.execPath)
  const ours = { current: here, former: [] }
  const stranger = { current: '/no/such/postgres', former: ['/no/such'] }
  expect(await postmasterStatus(process.pid, '/no/such/folder', stranger)).toBe('gone')
  expect(await postmasterStatus(process.pid, process.cwd(), ours)).toBe('ours')
  expect(await postmasterStatus(process.pid, process.cwd(), stranger)).toBe('foreign')
  expect(await postmasterStatus(4_194_200, process.cwd(), ours)).toBe('gone')
  for (const former of [here, dirname(here)]) {
    expect(await postmasterStatus(process.pid, process.cwd(), { ...stranger, former: [former] })).toBe('replaced')
  }
  expect(await postmasterStatus(process.pid, process.cwd(), { ...stranger, former: [here.slice(0, -1)] })).toBe('foreign')
})

test('the account that PostgreSQL runs as exists on the machine', () => {
  const root = 'root:x:0:0:root:/root:/bin/sh\n'
  const daemon = 'daemon:x:1:1::/:/bin/false\n'
  const nobody = 'nobody:x:65534:65533::/:/bin/false\n'
  expect(chooseAccount(`${root}${daemon}${nobody}postgres:x:101:104::/:/bin/sh`)).toEqual({ name: 'postgres', uid: 101, gid: 104 })
  expect(chooseAccount(root + daemon + nobody)).toEqual({ name: 'nobody', uid: 65_534, gid: 65_533 })
  expect(chooseAccount(root + daemon)).toEqual({ name: 'daemon', uid: 1, gid: 1 })
  expect(chooseAccount(`${root}\nbroken`)).toBe(undefined)
})
