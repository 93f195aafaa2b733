// JSON as somebody else may write it: the same value with other spaces, escapes, numbers and orders.
import fc from 'fast-check'

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'ab', 'a b', 'role', 'text', '', '10', '9', '__proto__', 'constructor') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('é', '\u{1F600}', '\uFF5E', 'a"b', 'a\\b') },
)
const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('', 'plain', 'two\nlines', 'a "quote"', 'back\\slash', 'ESC \u001b[1m', 'é', '\u{1F600}', 'a/b', '\u007f'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
)
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 0.5, 1e21, 1e-7, 123_456_789_012_345, 1_234_567_890_123_456),
)

/** Any JSON, its objects as lists of fields, so that a name may come twice. */
export type Spellable =
  | null
  | boolean
  | number
  | string
  | readonly Spellable[]
  | { readonly fields: readonly (readonly [string, Spellable])[] }

const { value, object } = fc.letrec<{ value: Spellable; object: { fields: [string, Spellable][] }; list: Spellable[] }>((tie) => ({
  value: fc.oneof({ maxDepth: 5 }, fc.constant(null), fc.boolean(), number, text, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.record({ fields: fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }) }),
}))
export const anyValue = value
export const anyObject = object

/** What the speller does next, again and again. */
export const habits = fc.oneof(
  { weight: 2, arbitrary: fc.constant([0]) },
  { weight: 1, arbitrary: fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 40 }) },
)

export function spell(spelled: Spellable, choices: readonly number[]): string {
  let turn = 0
  const choice = () => choices[turn++ % choices.length] ?? 0
  const space = () => (choice() > 8 ? (['', ' ', '\n\t', '\r'][choice() % 4] ?? '') : '')

  function write(one: Spellable): string {
    if (typeof one === 'string') return writeText(one)
    if (typeof one === 'number') return writeNumber(one)
    if (typeof one !== 'object' || one === null) return String(one)
    if ('fields' in one) return `{${space()}${one.fields.map(writeField).join(`,${space()}`)}${space()}}`
    return `[${space()}${one.map((item) => write(item) + space()).join(`,${space()}`)}]`
  }

  function writeField([field, held]: readonly [string, Spellable]): string {
    return `${writeText(field)}${space()}:${space()}${write(held)}${space()}`
  }

  function writeText(said: string): string {
    const usual = JSON.stringify(said)
    if (choice() < 10) return usual
    return choice() % 2 === 0 ? usual.replaceAll('/', '\\/') : `"${Array.from(said, hex).join('')}"`
  }

  function hex(character: string): string {
    return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
  }

  function writeNumber(one: number): string {
    const usual = JSON.stringify(one)
    return choice() < 10 || /[.e]/.test(usual) ? usual : ([`${usual}.0`, `${usual}e0`, `${usual}E+0`][choice() % 3] ?? usual)
  }

  return space() + write(spelled) + space()
}

/** The text with one of its bytes another one. */
export function damage(json: string, at: number, byte: number): Buffer {
  const bytes = Buffer.from(json)
  if (bytes.length > 0) bytes[at % bytes.length] = byte
  return bytes
}

/** Bytes that mean something in JSON, and some that do not. */
export const meaningful = fc.oneof(fc.constantFrom(...Buffer.from('{}[],:"\\ 019-+.eEtfnu/x\u0000')), fc.nat({ max: 255 }))
