import { expect, test } from 'vitest'
import * as labels from './labels.ts'

const names =
  'password|passwords|pass word|passwd|passwort|pwd|pw|passphrase|pass-phrase|passcode|pass code|pin|pin code|puk|api key|access_token|shared secret|' +
  'recovery code|client-secret|secret|apikey|tokens|credentials|door code|key-box code|one-time code|seed phrase|recovery phrase|otp|cvv|cvc2|' +
  'combination|combo|memorable word|code|login|log-in|username|account|creds'
const wordings = [
  (name: string) => `${name}: hunter2-XY9z`,
  (name: string) => `the ${name} for the shed is hunter2-XY9z`,
  (name: string) => `${name} hunter2-XY9z!`,
  (name: string) => `${name} 4471`,
  (name: string) => `the new ${name} by tonight, it's 265889`,
  (name: string) => `the ${name} of the bank, write it nowhere: 4471`,
  (name: string) => `${name} maple-harbor-quince`,
  (name: string) => `${name} bob / hunter2`,
  (name: string) => `${name}: correct horse battery staple`,
]
const expressions = Object.entries(labels).flatMap(([name, value]) =>
  value instanceof RegExp && value.flags.includes('d') ? [{ name, value }] : [],
)

test('whatever an expression finds has a word that tells whether it is worth a search', () => {
  const found = new Map<string, number>()
  for (const text of names.split('|').flatMap((name) => wordings.flatMap((wording) => [wording(name), wording(name.toUpperCase())]))) {
    for (const { name, value } of expressions) {
      if ([...text.matchAll(value)].length === 0) continue
      found.set(name, (found.get(name) ?? 0) + 1)
      expect(labels.anyLabel.test(text), text).toBe(true)
    }
  }
  expect(expressions.filter(({ name }) => !found.has(name))).toEqual([])
  expect(labels.anyLabel.test('bench: write 1')).toBe(false)
})
