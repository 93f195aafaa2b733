// Which passwords are too easy to guess. Length is what protects; the other rules reject only common guesses.
import { limits } from '@tandem/contract/limits'
import { refuse } from '../http/refusal.ts'
import { directoryEmail } from './email.ts'

const fewestDistinct = 5

/** Words that users often extend with digits and signs. */
const commonWords = new Set(
  (
    'password passwort passw p@ssw p@ssword qwerty qwertyuiop qwertz azerty letmein welcome iloveyou admin administrator changeme secret ' +
    'monkey dragon football baseball basketball superman batman sunshine princess starwars shadow master trustno whatever computer internet ' +
    'michael jennifer jordan charlie liverpool arsenal chelsea pokemon minecraft samsung google facebook tandem'
  ).split(' '),
)

/** Longer passwords in leaked lists that the rules below would accept. */
const commonPasswords = new Set(
  (
    '1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4t5 q1w2e3r4t5y6 1qaz2wsx3edc 1qazxsw23edc zaq12wsxcde3 qwe123asd456 asdfghjkl1 qwerty123qwerty ' +
    'qazwsxedcrfv qazwsxedc1 asdfghjklm zxcvbnm123 qwertyasdfgh 1234qwerasdf 1234qwerty 123qweasdzxc 123qwe123qwe abc123abc123 a1b2c3d4e5 ' +
    'correcthorsebatterystaple mypassword1 thisismypassword ilovemyfamily iloveyou1234 passwordpassword 0987654321 1029384756 3141592653'
  ).split(' '),
)

export function requireStrongPassword(password: string, email: string, pointer = '/password'): void {
  const weakness = passwordWeakness(password, email)
  if (weakness) throw refuse('weak_password', `the password ${weakness}`, { errors: [{ pointer, message: weakness }] })
}

/** Why the password is too easy to guess; undefined if it is not. */
export function passwordWeakness(password: string, email: string): string | undefined {
  const plain = password.normalize('NFKC').toLowerCase()
  const characters = [...plain]
  const address = directoryEmail(email)
  const tight = plain.replace(/[\s._-]+/g, '')
  if (characters.length < limits.password_characters_min) return `is shorter than ${limits.password_characters_min} characters`
  if (plain === address || plain === address.slice(0, address.lastIndexOf('@'))) return 'is the same as the email address'
  if (new Set(characters).size < fewestDistinct) return `has fewer than ${fewestDistinct} different characters`
  if (isSequence([...tight])) return 'is a simple sequence of characters'
  if (commonPasswords.has(tight) || commonWords.has(bareWord(tight))) return 'is one of the most common passwords'
  return undefined
}

/** Each character follows or precedes the previous one, as in 0123456789; 0 may follow 9. */
function isSequence(characters: readonly string[]): boolean {
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  return [1, -1].some((step) =>
    codes.every((code, index) => {
      const before = codes[index - 1]
      return before === undefined || code - before === step || (before === 0x39 && code === 0x30) || (before === 0x30 && code === 0x39)
    }),
  )
}

/** Without the digits and signs around it: `!welcome2026` is `welcome`. */
function bareWord(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
}
