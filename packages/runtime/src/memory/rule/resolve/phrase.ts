// The notation of aliases in the slot table: regular expressions with names for what recurs in every sentence. Pure.

const name = String.raw`(?!(?:The|This|That|There|It|He|She|They|We|You|Let|What|Here|Who|If|When)\b)(?-i:\p{Lu})[\p{L}-]+(?: (?-i:\p{Lu})[\p{L}.-]+)?`
const who = `(?<who>${name})`
const months = 'january|february|march|april|may|june|july|august|september|october|november|december'
const days = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'

/** A space in an alias is any white space; `{is}` brings its own. */
const parts: Readonly<Record<string, string>> = {
  /** The head of a remark: "shell: …". */
  topic: '(?<=^(?:(?:and|ok|so|btw|oh|also),? )*)',
  my: `(?:my|our|your|his|her|their|the (?:user|agent)'s|${who}'s?)(?: (?:own|new|main|default|usual|preferred|favou?rite|current|private|work))*`,
  the: `(?:(?:the|my|our|your|this|his|her|their|its|all|${who}'s?)(?: (?:own|new|main|default|usual|preferred|current))* )?`,
  i: `(?:i|we|you|the user|i'm|we're|i've|we've|i'll|we'll|${who})(?: (?:am|are|is|have|has|will|now|only|just|always|also|usually|mostly|recently|currently|still|normally))*`,
  is: String.raw`(?:\s*:|\s+(?:is|are|'s|will be|is going to be|should be|must be|has to be|have to be|stays?|remains?|becomes?|(?:was |were |has |have )?(?:changed?|moved?|switched) to|changes to|moves to|drops to|goes (?:up|down) to|rises to))(?: (?:now|just|always|still|set to|from now on|back to))*`,
  use: `(?:uses?|using|prefers?|likes?|wants?|chose|choose|picked|runs?|(?:switch(?:ed|ing)?|moved?|moving|change[ds]?|changing) (?:over )?to|go(?:es|ing)? with|went with|(?:stay|stick)(?:s|ing)? (?:to|with)|(?:am|are|is) back to)`,
  made: `(?:is|are|be|gets?)? ?(?:made|done|drawn|written|built|created|designed|produced|rendered|prepared) (?:with|in|using)`,
  value: String.raw`[^\s,;!?]+`,
  place: String.raw`(?-i:\p{Lu})[\p{L}-]+(?: (?-i:\p{Lu})[\p{L}-]+)*`,
  number: String.raw`(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve)`,
  day: days,
  time: String.raw`(?:\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\.?)?|noon|midnight|eight|nine|ten|eleven)`,
  date: String.raw`(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: (?:of )?(?:${months}))?|(?:${months}) \d{1,2}(?:st|nd|rd|th)?|\d{4}-\d{2}-\d{2}|(?:next |this )?${days}|the end of (?:${months}))`,
  thing: String.raw`(?<thing>(?:[\p{L}\p{N}'-]+ ){0,3}?[\p{L}\p{N}'-]+)`,
}

/** Throws if the alias names a part that does not exist. */
export function compiled(alias: string): RegExp {
  const source = alias
    .replace(/(?<!\\p)\{([a-z]+)\}/gu, (_, part: string) => {
      const text = parts[part]
      if (text === undefined) throw new Error(`unknown part ${part} in the alias "${alias}"`)
      return text
    })
    .replaceAll(' ?', String.raw`\s*`)
    .replaceAll(' ', String.raw`\s+`)
  // A group name may occur only once: the first names the person.
  const first = source.indexOf('?<who>')
  const unique = source.slice(0, first + 1) + source.slice(first + 1).replaceAll('?<who>', '?:')
  return new RegExp(String.raw`(?i:(?<![\p{L}\p{N}])(?:${unique})(?![\p{L}\p{N}]))`, 'u')
}

/** The part of a key that names a thing: ASCII, without determiners, in the singular. */
export function slugOf(thing: string, type: 'thing' | 'name' = 'thing'): string {
  const words = thing
    .replace(/^.*\b(?:the|my|our|your|this|his|her|their) /iu, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/'s?\b/gu, '')
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '' && !determiners.has(word))
  return words
    .map((word, index) => (type === 'thing' && index === words.length - 1 ? singular(word) : word))
    .join('-')
    .slice(0, 60)
}

const determiners = new Set('the a an my our your his her their its this that these those new old all every each any of for to'.split(' '))

function singular(word: string): string {
  if (word.length <= 3) return word
  return word
    .replace(/ies$/u, 'y')
    .replace(/(?<=(?:ss|sh|ch|x))es$/u, '')
    .replace(/(?<![su])s$/u, '')
}
