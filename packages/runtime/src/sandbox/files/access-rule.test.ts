import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testScope } from '../../../test/support/sandbox/files/test-scope.ts'
import { type AccessScope, accessRule, resolveScope } from './access-rule.ts'

const walls: AccessScope = {
  workspace: '/ws',
  temp: '/tmp/run',
  home: '/home/u/.tandem',
  roots: ['/ws', '/data'],
  globs: ['**', '!**/.env', '!secret/**'],
  sandbox_mode: 'workspace',
  platform: 'linux',
}
const open = { is: 'open' }
const closed = (why: string) => ({ is: 'closed', why })

test.each([
  ['/ws', 'read', 'directory', open],
  ['/ws/a', 'write', 'file', open],
  ['/ws-evil/a', 'read', 'file', closed('roots')],
  ['/WS/a', 'read', 'file', closed('roots')],
  ['/', 'read', 'directory', closed('roots')],
  ['/etc/passwd', 'read', 'file', closed('roots')],
  ['/data/a', 'read', 'file', open],
  ['/data/a', 'write', 'file', closed('workspace')],
  ['/ws/.env', 'read', 'file', closed('globs')],
  ['/ws/a/.env', 'write', 'file', closed('globs')],
  ['/ws/secret/x', 'read', 'file', closed('globs')],
  ['/tmp/run/x', 'write', 'file', open],
  ['/tmp/run2/x', 'write', 'file', closed('roots')],
  ['/home/u/.tandem/db', 'read', 'file', closed('home')],
  ['/proc/1/environ', 'read', 'file', closed('kernel')],
  ['/sys/x', 'write', 'file', closed('kernel')],
] as const)('%s %s %s', (path, access, kind, verdict) => {
  expect(accessRule(walls).judge(path, access, kind)).toEqual(verdict)
})

test.each([
  ['trusted allows a write outside with a warning', { sandbox_mode: 'trusted' }, '/data/a', { is: 'open with a warning' }],
  ['trusted does not widen the policy', { sandbox_mode: 'trusted' }, '/etc/a', closed('roots')],
  ['strict allows writes only inside', { sandbox_mode: 'strict' }, '/data/a', closed('workspace')],
  ['no glob, no file', { globs: [] }, '/ws/a', closed('globs')],
  ['a glob that is too complex allows nothing', { globs: ['{a,b}'.repeat(20)] }, '/ws/a', closed('globs')],
  ['an exclusion that is too complex excludes everything', { globs: ['**', `!${'{a,b}'.repeat(20)}`] }, '/ws/a', closed('globs')],
  ['home contains the workspace: the workspace is open', { home: '/' }, '/ws/a', open],
  ['home is the workspace: closed', { home: '/ws' }, '/ws/a', closed('home')],
  ['home in the workspace: closed', { home: '/ws/.tandem' }, '/ws/.tandem/x', closed('home')],
  ['everything is a root, the kernel stays closed', { roots: ['/'] }, '/proc/self/mem', closed('kernel')],
  ['everything is a root, home stays closed', { roots: ['/'] }, '/home/u/.tandem', closed('home')],
] as const)('%s', (_, changed, path, verdict) => {
  expect(accessRule({ ...walls, ...changed }).judge(path, 'write', 'file')).toEqual(verdict)
})

test.each([
  ['/home/u/.tandem/skill-copies/a/pdf', 'read', 'directory', open],
  ['/home/u/.tandem/skill-copies/a/pdf/.env', 'read', 'file', open],
  ['/home/u/.tandem/skill-copies/a/pdf/x', 'write', 'file', closed('home')],
  ['/home/u/.tandem/skill-copies/a', 'read', 'directory', closed('home')],
  ['/home/u/.tandem/skill-copies/a/pdf-2/x', 'read', 'file', closed('home')],
  ['/home/u/.tandem/skill-copies/a/pdf/../../../db', 'read', 'file', closed('home')],
] as const)('with the folder of a skill: %s %s %s', (path, access, kind, verdict) => {
  expect(accessRule({ ...walls, readable: ['/home/u/.tandem/skill-copies/a/pdf'] }).judge(path, access, kind)).toEqual(verdict)
})

test('a parent folder of a glob can be read, other folders cannot', () => {
  const { judge } = accessRule({ ...walls, globs: ['src/**/*.ts'] })
  expect([judge('/ws', 'read', 'directory'), judge('/ws/src/a', 'read', 'directory'), judge('/ws/lib', 'read', 'directory')]).toEqual([
    open,
    open,
    closed('globs'),
  ])
  expect(judge('/ws/src/a', 'read', 'file')).toEqual(closed('globs'))
})

test('a root in the workspace that is a link out of it is ignored', async () => {
  const scope = testScope({ roots: ['inside', 'escape', 'missing'] })
  mkdirSync(join(scope.workspace, 'inside'))
  symlinkSync(scope.outside, join(scope.workspace, 'escape'))
  expect((await resolveScope(scope, 'linux')).roots).toEqual([join(scope.workspace, 'inside'), join(scope.workspace, 'missing')])
})

test('a root outside the workspace is resolved to its real path', async () => {
  const scope = testScope()
  symlinkSync(scope.outside, join(scope.workspace, '../alias'))
  const { roots } = await resolveScope({ ...scope, policy: { ...scope.policy, fs_scope: { roots: ['../alias'], globs: ['**'] } } }, 'linux')
  expect(roots).toEqual([scope.outside])
})
