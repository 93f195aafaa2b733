import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digest, kindRows, letters, made, tokenRows } from '../../../../test/support/test-secrets.ts'
import { findSecrets, hasSecret, maskSecrets } from './secrets.ts'

describe('known formats', () => {
  test.each(tokenRows)('%s', (_, token) => {
    expect(maskSecrets(`here you go: ${token} and thanks`)).toBe('here you go: [secret] and thanks')
  })

  test('a private key, also one that was cut off', () => {
    const key = made('-----BEGIN RSA ', 'PRIVATE KEY-----\n', letters, '\n', letters, '\n-----END RSA ', 'PRIVATE KEY-----')
    expect(maskSecrets(`look:\n${key}\nthe end`)).toBe('look:\n[secret]\nthe end')
    expect(maskSecrets(`look:\n${key.slice(0, 60)}`)).toBe('look:\n[secret]')
  })
})

describe('passwords in addresses, values behind labels and random strings', () => {
  test.each(kindRows)('%s', (text, masked, kind) => {
    expect(maskSecrets(text)).toBe(masked)
    expect(findSecrets(text).map((span) => span.kind)).toEqual([kind])
  })
})

describe('values that only the topic of their sentence makes secrets', () => {
  test.each([
    ['The alarm takes three four three five.', 'The alarm takes [secret].'],
    ['If I get locked out I use judx-hfny-kfaz.', 'If I get locked out I use [secret].'],
    ['Storage unit 88 on the ring road. Gate takes *9829*', 'Storage unit 88 on the ring road. Gate takes [secret]'],
    ['my gmail pass is hx-Anchor_52Plum if you want it', 'my gmail pass is [secret] if you want it'],
    ['My bus pass is QL-Harbor_52Zone, valid until May.', 'My bus pass is QL-Harbor_52Zone, valid until May.'],
    ['They open it in 2026, the padlock costs 4500 euros', 'They open it in 2026, the padlock costs 4500 euros'],
  ])('%s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked)
  })
})

const harmlessRows = [
  ['a UUID', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  ['a checksum that is named', `sha256 ${digest}`],
  ['a checksum in a list', `the checksum of backup.tar is ${digest}`],
  ['an integrity value', 'sha512-qT7wLz2XnB5vKd9RmF3sHy8GpJ4cVt6ZaE1uqT7wLz2XnB5vKd9RmF3s=='],
  ['a git hash', digest.slice(0, 40)],
  ['a short git hash', 'see 9f2b7c4'],
  ['a path', '/home/someone/Projects/dispatch2026/src/components/OrderList.test.tsx'],
  ['a relative path', 'packages/runtime/src/memory/rule/secret/secrets.test.ts'],
  ['a version', 'v12.4.0-beta.3+build.2026.04.12'],
  ['an address', 'https://example.org/articles/2026/04/how-we-moved-to-postgres-17'],
  ['a name in code', 'getUserPreferencesFromLocalStorage2'],
  ['a constant', 'MAX_CONCURRENT_CONNECTIONS_PER_HOST_V2'],
  ['a file name', '2026-04-21-minutes-of-the-board-meeting.pdf'],
  ['a time', '2026-04-12T07:40:00.000Z'],
  ['a sentence about a password', 'the password is wrong again'],
  ['where a password is', 'the password is in the vault'],
  ['a rule about passwords', 'no passwords to leak'],
  ['a password manager', 'use the password manager'],
  ['a state of a token', 'the token is expired'],
  ['a number of tokens', 'token budget: 50,000'],
  ['to pin a version', 'pin the version: exact'],
  ['a pinned version', 'pin 2026.04.1'],
  ['a numbered field', 'the form has password field2 and password version2'],
  ['a forgotten password in German', 'Kennwort: vergessen'],
  ['what a password is like, in French', 'le mot de passe est incorrect'],
  ['where a password is, in Russian', 'пароль в сейфе'],
  ['what to do with passwords, in Chinese', '请定期更改密码。'],
  ['what a password is for, in Spanish', 'necesito una contraseña nueva para el portal'],
  ['numbers that passwords have', 'password 12000 users share, and the pin 4471 people know'],
  ['a kind of password', 'a password state-of-the-art'],
  ['what a code is for', "the code is for Monday, it's ready"],
  ['a product with a number', 'My password manager is 1Password, and the wifi class is about WPA2-Enterprise.'],
  ['versions beside a login', 'I sign in with GitHub, and I prefer python3.11 over node18-legacy.'],
  ['a tag of an image', 'docker login registry.example && docker push app:v12-rc1'],
  ['a school beside a question', 'My first school was Montessori. One question: why?'],
  ['the length of code', 'the code is 300 lines long'],
  ['the progress of code', 'the code is 80% done, code: 404'],
  ['a status code', 'the status code is 493201'],
  ['a postal code', '560001 is my postal code'],
  ['a count after SMS', 'the SMS gateway handled 493201 messages'],
  ['a round number alone', '250 000'],
  ['a date alone', '20261119'],
  ['two years', '2025-2026'],
  ['an amount', 'it cost 493 201 euros'],
  ['a phone number', 'call me at 493 201'],
  ['a list of numbers', '493201\n493202\n493203'],
  ['an issue', 'see #493201'],
  ['a number in a sentence', 'order 493201 has arrived, and 493 201 people came'],
  ['an hour and a price', 'at 14:30 it is 12.50, 1,493,201 in all'],
  ['a use of a number', 'use 493201 rows for the test'],
  ['an IBAN and a phone number', 'DE02 1203 0000 0000 2020 51 and +351 912 345 678'],
] as const

describe('what is no secret', () => {
  test.each(harmlessRows)('%s', (_, text) => {
    expect(findSecrets(text)).toEqual([])
  })
})

describe('in any text', () => {
  const piece = fc.oneof(
    fc.constantFrom(...tokenRows.map(([, token]) => token), ...kindRows.map(([text]) => text)),
    fc.string({ maxLength: 30 }),
  )
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(' '))

  test('spans are in order, apart and within the text', () => {
    fc.assert(
      fc.property(text, (value) => {
        let at = 0
        for (const { start, end } of findSecrets(value)) {
          expect(start).toBeGreaterThanOrEqual(at)
          expect(end).toBeGreaterThan(start)
          at = end
        }
        expect(at).toBeLessThanOrEqual(value.length)
      }),
    )
  })

  test('a known token never survives, whatever surrounds it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tokenRows.map(([, token]) => token)), fc.string(), fc.string(), (token, before, after) => {
        expect(maskSecrets(`${before} ${token} ${after}`)).not.toContain(token)
        expect(hasSecret(`${before} ${token} ${after}`)).toBe(true)
      }),
    )
  })

  test('ends within the time limit of the test for very long texts, which it would not in quadratic time', () => {
    for (const unit of [
      'password ',
      'a',
      'sk-a-',
      '-----BEGIN PRIVATE KEY-----',
      'mysql ',
      'the door ',
      'login: x1y2z3 ',
      '1 word ',
      'a | b | ',
      'pin, ',
      'backup codes ',
    ])
      expect(findSecrets(unit.repeat(1_000_000 / unit.length))).toBeDefined()
  })
})
