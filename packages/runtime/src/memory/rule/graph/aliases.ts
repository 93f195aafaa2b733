// Second names given in words: "Harbour Trust, HT for short". Pure.
import { capitalised, particle } from './people.ts'

export interface AliasPair {
  readonly name: string
  readonly alias: string
}

const called = String.raw`(?:(?:also |usually |mostly |often )?(?:called|known as|nicknamed|named|goes by|or just|or)|a\.?k\.?a\.?|aka|(?:which |whom |that )?(?:everyone|everybody|we|I|they|people|friends) (?:all )?(?:mostly |usually |just )?calls? (?:him|her|it|them)?|short)`
const quote = '["“”\'’]?'

/**
 * In the expressions below, each capitalised word is one character of a private range. Spelled out, the letters of all scripts would occur
 * twelve times in each, and compiling it would take longer than a slice.
 */
const [firstSign, lastSign] = [0xe000, 0xf8ff]
const sign = `[${String.fromCharCode(firstSign)}-${String.fromCharCode(lastSign)}]`
const name = `(${sign}(?: (?:${particle} )?${sign})*)`

const forms: readonly { readonly words: RegExp; readonly order: 'name_first' | 'alias_first' | 'abbreviation' }[] = [
  { words: new RegExp(`${name},? (?:or )?${quote}${name}${quote},? for short`, 'g'), order: 'name_first' },
  { words: new RegExp(`${name},? \\(?${called} ${quote}${name}`, 'g'), order: 'name_first' },
  {
    words: new RegExp(`${name} (?:is|are) (?:also |usually |mostly )?(?:called|known as|nicknamed) ${quote}${name}`, 'g'),
    order: 'name_first',
  },
  {
    words: new RegExp(
      `${name} (?:is|was|stands|,|\\()+ ?(?:short|an abbreviation|the abbreviation|for) ?(?:for|of)? (?:the )?${name}`,
      'g',
    ),
    order: 'alias_first',
  },
  { words: new RegExp(`${name} \\(${quote}${name}${quote}\\)`, 'g'), order: 'abbreviation' },
]

const capitalisedWords = new RegExp(`(?<![\\p{L}\\p{N}])${capitalised}|[${sign.slice(1, -1)}]`, 'gu')

export function aliasExpressions(): readonly RegExp[] {
  return [capitalisedWords, ...forms.map(({ words }) => words)]
}

export function aliasesIn(text: string): readonly AliasPair[] {
  const words: string[] = []
  const signs = text.replace(capitalisedWords, (word) => {
    if (words.length > lastSign - firstSign) return ' '
    words.push(word)
    return String.fromCharCode(firstSign + words.length - 1)
  })
  if (words.length < 2) return []
  const spelled = (name: string) => name.replaceAll(new RegExp(sign, 'g'), (one) => words[one.charCodeAt(0) - firstSign] ?? '')
  const seen = new Set<string>()
  return forms
    .flatMap(({ words, order }) =>
      [...signs.matchAll(words)].map(([, left = '', right = '']) => {
        const [first, second] = order === 'alias_first' ? [right, left] : [left, right]
        return { order, found: pair(spelled(first), spelled(second)) }
      }),
    )
    .flatMap(({ order, found }) => (order === 'abbreviation' && !isAbbreviation(found) ? [] : [found]))
    .filter(({ name, alias }) => name !== alias && !seen.has(`${name}\n${alias}`) && seen.add(`${name}\n${alias}`))
}

function pair(name: string, alias: string): AliasPair {
  return { name: name.replace(/^(?:The|An?|Our|My) /, ''), alias }
}

/** In brackets may be anything; only the initials of the name are surely the same thing. */
function isAbbreviation({ name, alias }: AliasPair): boolean {
  const initials = (words: readonly string[]) => words.map((word) => word.charAt(0)).join('')
  const words = name.split(/[ -]/)
  const short = alias.replaceAll('.', '')
  return (
    short.length > 1 &&
    [initials(words), initials(words.filter((word) => /^\p{Lu}/u.test(word)))].some((one) => one.toLowerCase() === short.toLowerCase())
  )
}
