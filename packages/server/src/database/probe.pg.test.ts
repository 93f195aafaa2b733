import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asAdministrator, type TestDatabase, testDatabase } from '../../test/support/test-database.ts'
import { problemLine } from '../config/problem.ts'
import type { DatabaseAddress } from './database.ts'
import { type ProbeNames, probeDatabase } from './probe.ts'

const names: ProbeNames = { url: 'BAAS_URL', password: 'BAAS_KEY' }
const secret = 'never-to-be-seen'
let test_: TestDatabase
let address: DatabaseAddress

beforeAll(async () => {
  test_ = await testDatabase()
  address = test_.target.address
})
afterAll(() => test_.close())

test('reports no problem for a usable database', async () => {
  expect(await probeDatabase(test_.target, names)).toBe(undefined)
})

test('each cause has its own line, and none contains the password', async () => {
  const { socket: _, ...remote } = { ...address, host: '127.0.0.1' }
  const line = async (other: DatabaseAddress, password: string, blamed: ProbeNames = names) => {
    const problem = await probeDatabase({ address: other, password }, blamed, 1_000)
    const text = problem ? problemLine(problem) : 'no problem'
    expect(text).not.toContain(secret)
    return text
  }
  expect(await line(address, secret)).toBe('BAAS_KEY: is not the password of the user in BAAS_URL; set the right password')
  expect(await line(address, secret, { url: 'DATABASE_URL', password: 'DATABASE_PASSWORD' })).toBe(
    'DATABASE_PASSWORD: is not the password of the user in DATABASE_URL; set the right password',
  )
  expect(await line({ ...address, user: 'stranger' }, secret)).toContain('BAAS_KEY: is not the password')
  expect(await line({ ...address, database: 'nowhere' }, test_.target.password)).toContain('has a database that does not exist')
  expect(await line({ ...address, socket: '/nowhere/.s.PGSQL.5432' }, secret)).toContain('points to a server that is not listening')
  expect(await line({ ...remote, port: await freePort() }, secret)).toContain('points to a server that is not listening')
  expect(await line({ ...remote, host: 'nowhere.invalid' }, secret)).toContain('has a host that cannot be resolved')
  expect(await line({ ...address, tls: 'require' }, secret)).toContain('requires TLS, which the server does not offer')
})

test('no answer and an invalid answer are reported at the deadline', async () => {
  const silent = await listen(() => undefined)
  const chatty = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const at = (port: number): DatabaseAddress => ({ host: '127.0.0.1', port, user: 'u', database: 'd', tls: 'prefer', pooled: false })
  expect(await probeDatabase({ address: at(silent.port), password: secret }, names, 500)).toMatchObject({
    code: 'unreachable',
    cause: 'points to a server that does not respond',
  })
  expect(await probeDatabase({ address: { ...at(silent.port), tls: 'disable' }, password: secret }, names, 500)).toMatchObject({
    cause: 'points to a server that does not respond',
  })
  expect(await probeDatabase({ address: at(chatty.port), password: secret }, names, 2_000)).toMatchObject({
    cause: 'points to something that is not PostgreSQL',
  })
  silent.close()
  chatty.close()
})

test('a user without the permissions for migrations gets the missing ones reported', async () => {
  const role = `poor_${address.database}`
  await asAdministrator((sql) => sql.unsafe(`create role ${role} login password 'poor'`))
  const poor = { address: { ...address, user: role }, password: 'poor' }
  expect(await probeDatabase(poor, names)).toMatchObject({ cause: 'has a user that cannot create a schema' })
  await test_.database.owner.unsafe(`grant create on database ${address.database} to ${role}`)
  expect(await probeDatabase(poor, names)).toMatchObject({
    cause: 'has a user that cannot create the roles tandem_app and tandem_accounts',
  })
  await asAdministrator((sql) => sql.unsafe(`grant tandem_app, tandem_accounts to ${role}`))
  expect(await probeDatabase(poor, names)).toBe(undefined)
  await test_.database.owner.unsafe(`drop owned by ${role}`)
  await asAdministrator((sql) => sql.unsafe(`drop role ${role}`))
})

async function listen(greet: (socket: Socket) => void): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    greet(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

async function freePort(): Promise<number> {
  const { port, close } = await listen(() => undefined)
  close()
  return port
}
