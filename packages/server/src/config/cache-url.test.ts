import { expect, test } from 'vitest'
import { parseCacheUrl } from './cache-url.ts'

const one = { kind: 'single', nodes: [{ host: 'h', port: 6379 }], database: 0, tls: false }
const cluster = { kind: 'cluster', nodes: [{ host: 'h', port: 6379 }], tls: false }
const sentinel = { kind: 'sentinel', nodes: [{ host: 'h', port: 26379 }], primary: 'main', database: 0, tls: false }

test.each([
  ['redis://h', one],
  ['redis://h:7000/3', { ...one, nodes: [{ host: 'h', port: 7000 }], database: 3 }],
  ['redis://app@h', { ...one, user: 'app' }],
  ['redis://a%40b@[::1]/', { ...one, nodes: [{ host: '::1', port: 6379 }], user: 'a@b' }],
  ['rediss://h', { ...one, tls: true }],
  ['rediss://h/1?sslrootcert=/etc/ca.pem', { ...one, database: 1, tls: true, root_certificate: '/etc/ca.pem' }],
  ['redis+cluster://h', cluster],
  [
    'rediss+cluster://app@h:7000,[::2]:7001,i/',
    {
      ...cluster,
      nodes: [
        { host: 'h', port: 7000 },
        { host: '::2', port: 7001 },
        { host: 'i', port: 6379 },
      ],
      user: 'app',
      tls: true,
    },
  ],
  ['redis+sentinel://h/main', sentinel],
  [
    'redis+sentinel://app@h,i:1/my%20main/2',
    {
      ...sentinel,
      nodes: [
        { host: 'h', port: 26379 },
        { host: 'i', port: 1 },
      ],
      user: 'app',
      primary: 'my main',
      database: 2,
    },
  ],
])('%s', (text, address) => {
  expect(parseCacheUrl(text)).toEqual({ ok: true, address })
})

test.each([
  ['', 'is not a redis:// URL'],
  ['h:6379', 'is not a redis:// URL'],
  ['http://h', 'is not a redis:// URL'],
  ['redis+other://h', 'is not a redis:// URL'],
  ['redis://h/0#x', 'is not a redis:// URL'],
  ['redis://h:99999', 'has a host or port that cannot be read'],
  ['redis+cluster://h,,i', 'has a host or port that cannot be read'],
  ['redis://h,i', 'has several hosts; use redis+cluster:// or redis+sentinel://'],
  ['redis://:p@h', 'contains a password'],
  ['redis+cluster://u:p@h', 'contains a password'],
  ['redis:///0', 'has no host'],
  ['redis://h/x', 'has a path that is not a database number'],
  ['redis://h/1/2', 'has a path that is not a database number'],
  ['redis+cluster://h/1', 'has a path; a Cluster has no database numbers'],
  ['redis+sentinel://h', 'does not name the primary'],
  ['redis+sentinel://h/main/x', 'has a path that is not a database number'],
  ['redis://%ff@h', 'has an invalid % escape'],
  ['redis://h?x=y', 'has an option other than sslrootcert'],
  ['rediss://h?sslrootcert=ca.pem', 'has an sslrootcert that is not an absolute path'],
  ['redis://h?sslrootcert=/ca.pem', 'has an sslrootcert, but no TLS; use rediss://'],
])('%s is refused', (text, cause) => {
  expect(parseCacheUrl(text)).toMatchObject({ ok: false, cause })
})
