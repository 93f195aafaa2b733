import { expect, test } from 'vitest'
import { parseDatabaseUrl } from './database-url.ts'

const plain = { host: 'h', port: 5432, user: 'u', database: 'd', tls: 'prefer', pooled: false }

test.each([
  ['postgres://u@h/d', plain],
  ['postgresql://u@h:6432/d?sslmode=verify-full&pooler=transaction', { ...plain, port: 6432, tls: 'verify-full', pooled: true }],
  ['postgres://a%40b@h/d%2De', { ...plain, user: 'a@b', database: 'd-e' }],
  ['postgres://u@[::1]/d?pooler=none', { ...plain, host: '::1' }],
  ['postgres://u@h/d?sslmode=verify-ca', { ...plain, tls: 'verify-ca' }],
  ['postgres://u@h/d?sslmode=verify-full&sslrootcert=%2Fca.pem', { ...plain, tls: 'verify-full', root_certificate: '/ca.pem' }],
  ['postgres://u@h/d?sslmode=require&sslrootcert=/ca.pem', { ...plain, tls: 'verify-ca', root_certificate: '/ca.pem' }],
  ['postgres://u@%2Frun%2Fpg:5433/d', { ...plain, host: '/run/pg', port: 5433, tls: 'disable', socket: '/run/pg/.s.PGSQL.5433' }],
])('%s', (text, address) => {
  expect(parseDatabaseUrl(text)).toEqual({ ok: true, address })
})

test.each([
  ['nonsense', 'is not a postgres:// URL'],
  ['mysql://u@h/d', 'is not a postgres:// URL'],
  ['postgres://u:p@h/d', 'contains a password'],
  ['postgres://u@h/d?password=p', 'contains a password in its options'],
  ['postgres://h/d', 'has no user'],
  ['postgres://u@h', 'has no database'],
  ['postgres://u@h/', 'has no database'],
  ['postgres:///d', 'has no host'],
  ['postgres://u@h/%ff', 'has an invalid % escape'],
  ['postgres://u@h/d#x', 'has a fragment'],
  ['postgres://u@h/d?sslmode=allow', 'has an sslmode other than disable, prefer, require, verify-ca, verify-full'],
  ['postgres://u@h/d?sslmode=verify-full&sslrootcert=ca.pem', 'has an sslrootcert that is not an absolute path'],
  ['postgres://u@h/d?sslrootcert=/ca.pem', 'has an sslrootcert, but its sslmode does not verify certificates'],
  ['postgres://u@h/d?pooler=session', 'has a pooler that is neither transaction nor none'],
  ['postgres://u@h/d?options=x', 'has an option other than sslmode, sslrootcert and pooler'],
  ['postgres://u@h:0/d', 'has port 0'],
])('%s is refused', (text, cause) => {
  expect(parseDatabaseUrl(text)).toMatchObject({ ok: false, cause })
})
