// The words around a head noun that belong to its name. Pure.

const functionWords =
  'a an the this that these those my our your his her its their some any each every all no both another other such and or but so if when while because since as at by for from in into of off on onto out over per than then through to until up via with within without about after before between during against is are was were be been being am do does did done has have had having will would can could may might must should not never always only also just even still now then there here again too very who which what where why how i you he she it we they me him us them one two three four five six seven eight nine ten everything anything something nothing'
/** These begin the name of a thing after a verb, but say nothing before its last word. */
const plainAdjectives = 'first second third last next new old whole entire same own'
const verbs =
  'add adds approve approves ask asks back build builds call calls change changes check checks close commit commits coordinate coordinates copy count create creates delete deletes deploy derive do edit edits export exports fetch fill finish fix follow get gets give gives go goes guard guards handle handles happen happens happening host hosts import imports include keep keeps know lead leads leave leaves let like likes look looks maintain maintains make makes manage manages mark merge merges migrate migrates move moves need needs number open operate operates own owns post posts prefer prefers prepare prepares print protect protects publish publishes pull pulls push put puts read reads record release remove rename replace restore restores review reviews round run runs save saves say says see send sends serve serves set share shares show sign signs skip start starts stay stays stop store stores take takes tell tells test touch touches try update updates upload uploads use uses used using want wants watch watches work works write writes'

const stops = new Set(`${functionWords} ${verbs}`.split(' '))
const modifierStops = new Set([...stops, ...plainAdjectives.split(' ')])
const mostModifiers = 3

/** Where the name of the noun at `start` begins: before it, up to three words that modify it. A person's name modifies nothing. */
export function phraseStart(text: string, start: number, people: readonly { readonly start: number; readonly end: number }[]): number {
  let from = start
  for (let count = 0; count < mostModifiers; count += 1) {
    const word = /([\p{L}\p{N}][\p{L}\p{N}'’-]*) $/u.exec(text.slice(Math.max(0, from - 40), from))?.[1]
    if (word === undefined || modifierStops.has(word.toLowerCase()) || isVerbForm(word)) break
    const next = from - word.length - 1
    if (people.some((person) => person.start <= next && next < person.end)) break
    from = next
  }
  return from
}

/** The end of the noun phrase that begins at `start`: at most four words, up to a function word, a verb or a sign. */
export function phraseEnd(text: string, start: number): number {
  let end = start
  for (let count = 0; count < 4; count += 1) {
    const word = /^ ?([\p{L}\p{N}][\p{L}\p{N}'’-]*)/u.exec(text.slice(end, end + 40))
    if (!word || stops.has((word[1] ?? '').toLowerCase())) break
    end += word[0].length
  }
  return end
}

/** "merged the …", "wasn't …", "Ana's …": a verb or an owner is no modifier. Participles before a noun are rare, and losing them only shortens a name. */
function isVerbForm(word: string): boolean {
  return /(?:ed|n['’]t|['’](?:ll|re|ve|d|m|s))$/i.test(word)
}
