// Search that ignores case, the same in every database: PostgreSQL's lower() depends on the locale of the database.

/** No character above this has a case. */
const lastCased = 0x1ffff
const cased = /\p{Changes_When_Casemapped}/u
const punctuation = /[^0-9A-Za-z\u0080-\u{10ffff}]/u

let variants: ReadonlyMap<string, string> | undefined

/** A regular expression for `column collate "C" ~ pattern` that finds `text` in any mix of upper and lower case. */
export function searchPattern(text: string): string {
  variants ??= readVariants()
  let pattern = ''
  for (const character of text) {
    const same = variants.get(fold(character))
    if (same !== undefined) pattern += `[${same}]`
    else pattern += punctuation.test(character) ? `\\${character}` : character
  }
  return pattern
}

/** Letters that differ only in case, by what they fold to: 'σ' has 'Σσς'. Computed once, takes about 20 ms. */
function readVariants(): Map<string, string> {
  const found = new Map<string, string>()
  for (let code = 0; code <= lastCased; code += 1) {
    if (code === 0xd800) code = 0xe000
    const character = String.fromCodePoint(code)
    if (cased.test(character)) found.set(fold(character), (found.get(fold(character)) ?? '') + character)
  }
  return found
}

/** One character for one: 'ß' is unchanged, because its upper case has two. */
function fold(character: string): string {
  return mapped(mapped(character, 'toUpperCase'), 'toLowerCase')
}

function mapped(character: string, how: 'toUpperCase' | 'toLowerCase'): string {
  const other = character[how]()
  return [...other].length === 1 ? other : character
}
