import fc from 'fast-check'
import { expect, test } from 'vitest'
import { directoryEmail, emailDigest, nameFromEmail } from './email.ts'
import { openHasher } from './hasher.ts'
import { dummyHash, hashPassword, isOutdated, passwordCost, verifyPassword } from './password-hash.ts'
import { passwordWeakness } from './password-strength.ts'

const cheap = { memory_kib: 64, passes: 1, lanes: 1 }

test('a hash contains its parameters and verifies only its own password', async () => {
  const hash = await hashPassword('four green lanterns')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verifyPassword('four green lanterns', hash)).toBe(true)
  expect(await verifyPassword('four green lantern', hash)).toBe(false)
  expect(await hashPassword('four green lanterns')).not.toBe(hash)
})

test('verifies a hash created by the reference implementation', async () => {
  // argon2id, v=19, m=65536, t=2, p=1 of "password" with the salt "somesalt", from the test vectors of phc-winner-argon2.
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verifyPassword('password', hash)).toBe(true)
})

test('verifies any password, however its accents are composed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (password) => {
      const hash = await hashPassword(password.normalize('NFC'), cheap)
      expect(await verifyPassword(password.normalize('NFD'), hash)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test('a hash is outdated if its parameters are not the current ones', async () => {
  expect(isOutdated(await hashPassword('four green lanterns', cheap))).toBe(true)
  expect(isOutdated(dummyHash())).toBe(false)
  expect(isOutdated(dummyHash(), { ...passwordCost, passes: 3 })).toBe(true)
  expect(() => isOutdated('$2b$10$abcdefghijklmnopqrstuv')).toThrow('PHC')
})

test('no password is valid for an account that does not exist', async () => {
  const hasher = openHasher({ cost: cheap })
  expect(await hasher.verify('four green lanterns', undefined)).toBe(false)
})

test('limits concurrent password checks, queues a few and refuses the rest', async () => {
  const hasher = openHasher({ cost: cheap, places: 2, waiting: 3 })
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => hasher.verify('x', undefined)))
  expect(outcomes.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), ...Array(3).fill('rejected')])
  expect(outcomes[7]).toMatchObject({ reason: { code: 'overloaded', extra: { retry_after_seconds: 1 } } })
  expect(await hasher.verify('x', undefined)).toBe(false)
})

test('rejects common guesses', () => {
  const weak = [
    ['short', 'is shorter than 10 characters'],
    ['mara.lind@example.org', 'is the same as the email address'],
    ['MARA.LIND@EXAMPLE.ORG', 'is the same as the email address'],
    ['mara.lind1', undefined],
    ['aaaaaaaaaaaa', 'has fewer than 5 different characters'],
    ['abcabcabcabc', 'has fewer than 5 different characters'],
    ['0123456789', 'is a simple sequence of characters'],
    ['1234567890', 'is a simple sequence of characters'],
    ['9876543210', 'is a simple sequence of characters'],
    ['abcdefghijk', 'is a simple sequence of characters'],
    ['Password123!', 'is one of the most common passwords'],
    ['!!Welcome2026', 'is one of the most common passwords'],
    ['qwertyuiop', 'is one of the most common passwords'],
    ['1q2w3e4r5t', 'is one of the most common passwords'],
    ['correct horse battery staple', 'is one of the most common passwords'],
    ['four green lanterns', undefined],
    ['Zwölf Boxkämpfer', undefined],
  ] as const
  expect(weak.map(([password]) => [password, passwordWeakness(password, 'Mara.Lind@example.org')])).toEqual(weak)
})

test('addresses are compared regardless of case and composition', () => {
  expect(directoryEmail('Mara@Example.ORG')).toBe('mara@example.org')
  expect(directoryEmail('ma\u0301ra@example.org')).toBe(directoryEmail('MÁRA@example.org'))
  fc.assert(fc.property(fc.emailAddress(), (email) => directoryEmail(directoryEmail(email)) === directoryEmail(email)))
  expect(emailDigest('Mara@Example.ORG')).toBe(emailDigest('mara@example.org'))
  expect(emailDigest('mara@example.org')).not.toContain('mara')
})

test('a user without a name gets the first part of the address as a name', () => {
  expect(['mara.lind@example.org', '"a@b"@example.org', `${'x'.repeat(64)}@example.org`].map(nameFromEmail)).toEqual([
    'mara.lind',
    '"a@b"',
    'x'.repeat(64),
  ])
})
