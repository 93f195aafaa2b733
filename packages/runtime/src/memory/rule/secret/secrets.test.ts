import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSecrets, hasSecret, maskSecrets, type SecretKind } from './secrets.ts'

/** Made-up keys, in pieces, so that no scanner takes this file for a leak. */
const made = (...parts: readonly string[]) => parts.join('')
const letters = 'qT7wLz2XnB5vKd9RmF3sHy8GpJ4cVt6ZaE1u'
const digest = '9f2b7c41d8e05a36bb1947fe20c8d3615aa7e09c4f81b2d6730e9c5fd148ab37'

const tokenRows = [
  ['OpenAI', made('sk', '-proj-', letters)],
  ['Anthropic', made('sk', '-ant-api03-', letters)],
  ['GitHub', made('gh', 'p_', letters)],
  ['GitHub, fine-grained', made('github', '_pat_', letters)],
  ['GitLab', made('gl', 'pat-', letters.slice(0, 20))],
  ['Slack', made('xo', 'xb-', '1234567890-', letters)],
  ['Slack app', made('xa', 'pp-1-', letters)],
  ['Slack webhook', made('hooks.sl', 'ack.com/services/T00/B00/', letters)],
  ['Stripe', made('sk', '_live_', letters)],
  ['Stripe webhook', made('wh', 'sec_', letters)],
  ['AWS', made('AK', 'IA', 'Q7WLZ2XNB5VKD9RM')],
  ['Google API', made('AI', 'za', letters)],
  ['Google OAuth', made('ya', '29.', letters)],
  ['SendGrid', made('S', 'G.', letters.slice(0, 22), '.', letters)],
  ['npm', made('np', 'm_', letters)],
  ['PyPI', made('py', 'pi-', letters)],
  ['Docker Hub', made('dck', 'r_pat_', letters)],
  ['Telegram', made('123456789', ':AA', letters)],
  ['JSON Web Token', made('ey', 'JhbGciOiJIUzI1NiJ9.', 'ey', 'JzdWIiOiJ4In0.', letters)],
  ['Twilio', made('S', 'K', digest.slice(0, 32))],
  ['Mailgun', made('ke', 'y-', digest.slice(0, 32))],
  ['DigitalOcean', made('do', 'p_v1_', digest)],
  ['Hugging Face', made('h', 'f_', letters)],
  ['Groq', made('gs', 'k_', letters)],
  ['Shopify', made('shp', 'at_', digest.slice(0, 32))],
  ['Linear', made('lin', '_api_', letters)],
  ['Notion', made('nt', 'n_', letters)],
  ['Figma', made('fi', 'gd_', letters)],
  ['Doppler', made('d', 'p.pt.', letters)],
  ['Vault', made('hv', 's.', letters)],
  ['Sentry', made('snt', 'rys_', letters)],
  ['Grafana', made('gl', 'sa_', letters)],
  ['Tailscale', made('ts', 'key-auth-', letters)],
  ['HTTP authorization', made('Bea', 'rer ', letters)],
] as const

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

const kindRows: readonly (readonly [text: string, masked: string, kind: SecretKind])[] = [
  ['put it on 4539 1488 0343 6467 please', 'put it on [secret] please', 'card_number'],
  ['card 4539-1488-0343-6467, exp 09/28', 'card [secret], exp 09/28', 'card_number'],
  ['the code for the back door is 4471', 'the code for the back door is [secret]', 'labeled'],
  ['the safe combination is 12-34-56', 'the safe combination is [secret]', 'labeled'],
  ['cvv: 737', 'cvv: [secret]', 'labeled'],
  ['postgres://app:s3cr@t@db.example:5432/app', 'postgres://app:[secret]@db.example:5432/app', 'url_password'],
  ['redis://:abcdef@cache.example', 'redis://:[secret]@cache.example', 'url_password'],
  ['https://x.example/cb?token=abcdef123&a=1', 'https://x.example/cb?token=[secret]&a=1', 'url_password'],
  ['password: Blue-Door9!', 'password: [secret]', 'labeled'],
  ['the wifi password is hunter2.', 'the wifi password is [secret].', 'labeled'],
  ['the wifi password is bluebird, ask for more', 'the wifi password is [secret], ask for more', 'labeled'],
  ['DB_PASSWORD=trombone', 'DB_PASSWORD=[secret]', 'labeled'],
  ['pwd = "two words"', 'pwd = [secret]', 'labeled'],
  ['the password for the guest network is now tangerine', 'the password for the guest network is now [secret]', 'labeled'],
  ['I changed it, the password was changed to Melon77', 'I changed it, the password was changed to [secret]', 'labeled'],
  ['my PIN is 4821', 'my PIN is [secret]', 'labeled'],
  ['door code: 4471#', 'door code: [secret]', 'labeled'],
  ['passphrase: correct horse battery staple', 'passphrase: [secret]', 'labeled'],
  ['user bob password hunter2x', 'user bob password [secret]', 'labeled'],
  ['login bob / hunter2x', 'login bob / [secret]', 'labeled'],
  ['client_secret: abcDEF', 'client_secret: [secret]', 'labeled'],
  [`it is ${letters}`, 'it is [secret]', 'high_entropy'],
  [`it is ${digest}`, 'it is [secret]', 'high_entropy'],
  [`it is qT7wLz2XnB5v+d9RmF3s/y8GpJ4cVt6Zw==`, 'it is [secret]', 'high_entropy'],
]

describe('passwords in addresses, values behind labels and random strings', () => {
  test.each(kindRows)('%s', (text, masked, kind) => {
    expect(maskSecrets(text)).toBe(masked)
    expect(findSecrets(text).map((span) => span.kind)).toEqual([kind])
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
    for (const unit of ['password ', 'a', 'sk-a-', '-----BEGIN PRIVATE KEY-----'])
      expect(findSecrets(unit.repeat(1_000_000 / unit.length))).toBeDefined()
  })
})
