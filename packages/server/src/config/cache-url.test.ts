import { expect, test } from 'vitest'
import { parseCacheUrl } from './cache-url.ts'

const plain = { host: 'h', port: 6379, database: 0, tls: false }

test.each([
  ['redis://h', plain],
  ['redis://h:7000/3', { ...plain, port: 7000, database: 3 }],
  ['redis://app@h', { ...plain, user: 'app' }],
  ['redis://a%40b@[::1]/', { ...plain, host: '::1', user: 'a@b' }],
  ['rediss://h', { ...plain, tls: true }],
  ['rediss://h/1?sslrootcert=/etc/ca.pem', { ...plain, database: 1, tls: true, root_certificate: '/etc/ca.pem' }],
])('%s', (text, address) => {
  expect(parseCacheUrl(text)).toEqual({ ok: true, address })
})

test.each([
  ['', 'is not a redis:// address'],
  ['h:6379', 'is not a redis:// address'],
  ['http://h', 'is not a redis:// address'],
  ['redis://h:99999', 'is not a redis:// address'],
  ['redis://:p@h', 'has a password inside'],
  ['redis://u:p@h', 'has a password inside'],
  ['redis:///0', 'names no host'],
  ['redis://h/x', 'has more than host, port and database number'],
  ['redis://h/0#x', 'has a # part'],
  ['redis://%ff@h', 'has a broken % escape'],
  ['redis://h?x=y', 'has an option other than sslrootcert'],
  ['rediss://h?sslrootcert=ca.pem', 'has an sslrootcert that is not an absolute path'],
  ['redis://h?sslrootcert=/ca.pem', 'has an sslrootcert, but no TLS; write rediss://'],
])('%s is refused', (text, cause) => {
  expect(parseCacheUrl(text)).toMatchObject({ ok: false, cause })
})
