// What a sentence is about, in English or German: the same concept for words that mean the same. Pure.

import { maskSecrets } from '../../memory/rule/secret/secrets.ts'

/** A concept per line: its name and the beginnings of words that mean it, in both languages. */
const table = `
german german deutsch
english english englisch
french french französisch
answer answer reply replies respond response report summar explain explanation tell talk antwort bericht erklär zusammenfass reden sprich rückmeld
language language sprache
date date datum iso yyyy jjjj year month jahr monat
time o'clock uhr time zeit hour stund 24-hour 12-hour
january januar
february februar
march märz
april april
may mai
june juni
july juli
august august
september september
october oktober
november november
december dezember
monday montag
friday freitag
weekend weekend wochenend
quarter quarter quartal
fiscal fiscal geschäftsjahr wirtschaftsjahr
test test tests testing prüflauf
commit commit einchecken
branch branch zweig
push push hochlad upload
comment comment kommentar docstring
emoji emoji emoticon smiley
short short brief concise terse succinct kurz knapp bündig kürz gist essential wichtigste nutshell
long long lengthy verbose detailed lang ausführlich roman romane essay novel geschwafel
list list bullet liste stichpunkt aufzähl
table table tabelle
unit unit metric imperial celsius fahrenheit kilomet einheit metrisch
price price euro eur dollar currency preis währung betrag cent
tax tax vat gross netto brutto mehrwertsteuer mwst steuer
number number decimal comma zahl dezimal komma nachkomma
round round rounding runde gerundet aufrund abrund
name name namen
person person people colleague customer client patient member kunde person kolleg mitglied
personal personal private confidential persönlich privat vertraulich
anonymous anonym pseudonym initials klarname geschwärzt schwärz
secret secret password token passwort kennwort geheim credential
network internet network online offline netz web verbindung connection
install install installier
package package dependenc library paket abhängigkeit bibliothek third-party
file file datei
folder folder directory ordner verzeichnis
delete delete remove erase discard lösch entfern wegwerf
trash trash recycle papierkorb
change change modify touch alter edit overwrite änder anfass anzufass anrühr anzurühr berühr bearbeit überschreib
stay untouched alone hands intact taboo tabu finger bleib stay
ask ask confirm approv consent permission go-ahead frag bestätig rückfrag erlaub zustimm freigabe rücksprache absegn
before before vorher bevor
formal formal polite förmlich höflich siez duz anrede
spelling spelling rechtschreib schreibweise british britisch
simple simple plain jargon layman einfache verständlich laien fachwort fachbegriff fachchinesisch
quote quote anführungszeichen
indent indent tabs spaces einrück leerzeichen
line line zeile
sentence sentence satz sätze
word words wörter worte
color color colour farbe
image image picture screenshot bild foto
heading heading headline title überschrift titel
source source cite citation reference quelle beleg zitier fundstelle
link link verweis
production production prod produktion produktiv live
database database datenbank
server server
mail mail e-mail email
send send sent verschick schick versend
copy copy copies kopie
save save store speicher ableg
name name benenn
version version fassung
port port
format format formatier
license license lizenz
log log protokoll
invoice invoice bill rechnung
release release publish veröffentlich herausgeb
backup backup sicherung
dry dry-run simul probelauf trockenlauf
restart restart reboot neustart
type type typ typen
night night evening nacht abend
`

const concepts: readonly (readonly [string, string])[] = table
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [concept = '', ...words] = line.split(' ')
    return words.map((word) => [word, concept] as const)
  })
  // The longest beginning wins.
  .toSorted(([left], [right]) => right.length - left.length || (left < right ? -1 : 1))

/** Words without which a sentence is still about the same. */
const empty: ReadonlySet<string> = new Set(
  (
    'a an the this that these those it its is are was were be been being am do does did done have has had having will would can could should may might must ' +
    'i you he she we they me my mine your our us him her them his their myself yourself of to in on at by for from with without into onto over under about as and or ' +
    'but so if then than too very just also please not no never none always ever every each all any some only wherever whatever whenever when where what which who how ' +
    'why there here again still yet now more most once much many way keep put make let use write like want need rather prefer be own usual thing things everything anything something nothing ' +
    'der die das den dem des ein eine einen einem einer eines und oder aber sondern auch noch schon mal bitte nicht kein keine keinen keinem keiner nie niemals nichts irgendetwas etwas ' +
    'immer jede jeden jedes jeder alle alles nur ist sind war waren sei sein bin hat habe haben hatte hätte wird werden wurde würde kann kannst könnte soll sollen sollte ' +
    'muss müssen darf dürfen mag will wollen ich du er sie es wir ihr mich mir dich dir uns euch ihm ihn ihnen mein meine dein deine unser unsere in im an am auf aus bei ' +
    'mit nach von vom vor zu zum zur für über unter ohne durch gegen um als wie wenn dass ob da dann denn doch so hier dort wo was wer welche welcher welches gern gerne ' +
    'dabei davon dazu damit wieder einfach schreib schreibe mach mache nimm lass dann zuerst first zwar beim diese dieser dieses diesen diesem give get gib up after front vorn exactly whole ganz genau'
  ).split(' '),
)

export interface Concept {
  readonly name: string
  /** Names, numbers and paths say more than words that many sentences have. */
  readonly weight: number
}

const weak: ReadonlySet<string> = new Set(
  'answer change stay file folder ask before name line save copy list time type word long person'.split(' '),
)

const few = String.raw`(?:an?|one|two|three|four|five|\d|eine[mnr]?|ein|zwei|drei|vier|fünf|few|couple of|wenige\w*|paar)`
/** What several words mean together. */
const phrases: readonly (readonly [string, RegExp])[] = [
  [
    'short',
    new RegExp(
      String.raw`\b${few}(?:,? (?:or |to |bis |oder )?${few})? (?:short |kurze\w* )?(?:lines?|sentences?|words?|paragraphs?|zeilen?|sätzen?|satz|worten?|wörtern?|absätzen?|absatz)\b`,
      'iu',
    ),
  ],
  [
    'short',
    /\b(?:no|not|without|kein\p{L}*|nicht|ohne)\s(?:\p{L}+\s){0,2}?(?:long|lengthy|verbose|detailed|lange?\w*|ausführlich\w*|romane?|novels?|essays?)/iu,
  ],
  ['network', /\b(?:nach außen|the outside|von außen|outside world)\b/iu],
]

/** Sorted, each once. */
export function conceptsOf(text: string): readonly Concept[] {
  const found = new Map<string, number>()
  const plain = maskSecrets(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./](?:\d{4}\b|\d{2}\b|(?!\d))/g, () => {
      found.set('date', 1)
      return ' '
    })
  for (const [concept, said] of phrases) if (said.test(plain)) found.set(concept, 1)
  for (const raw of plain.match(/[\p{L}\p{N}_/.:@#'-]*[\p{L}\p{N}]/gu) ?? []) {
    const isPath = /[/\\]|^\.\w|\w\.\w/.test(raw)
    const word = raw.replace(/^[^\p{L}\p{N}.]+/u, '').split('/')[0] ?? ''
    if (word === '' || empty.has(word)) continue
    if (/^v?\d[\d.:-]*$/.test(word)) {
      if (word.length >= 2) found.set(word, 1.5)
      continue
    }
    const concept = isPath ? undefined : conceptOf(word)
    const name = concept ?? stem(word)
    if (name.length >= 2) found.set(name, concept !== undefined && weak.has(concept) ? 0.5 : isPath ? 1.5 : 1)
  }
  return [...found].map(([name, weight]) => ({ name, weight })).toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

/** German joins words: the second one says what it is. */
function conceptOf(word: string): string | undefined {
  const found = concepts.find(([beginning]) => word.startsWith(beginning))
  if (found || word.length < 8) return found?.[1]
  return concepts.find(([beginning]) => beginning.length >= 5 && word.includes(beginning, 3))?.[1]
}

/** Endings of both languages; a rough one is enough to compare. */
function stem(word: string): string {
  if (word.length <= 4) return word
  return word.replace(/(?:ungen|ings|tion|ing|ung|ern|est|ies|en|er|em|es|ed|ly|e|s|n)$/u, '')
}

/** What is known of the sentences of a group: how many, and how many of them have a concept. */
export interface ConceptGroup {
  readonly size: number
  readonly counts: ReadonlyMap<string, number>
}

const leastLikeness = 0.4

/** From 0 to 1; 0 if the sentence does not belong to the group. */
export function belongs(sentence: readonly Concept[], { size, counts }: ConceptGroup): number {
  if (size <= 0) return 0
  let [shared, all, strong] = [0, 0, 0]
  for (const { name, weight } of sentence) {
    const share = (counts.get(name) ?? 0) / size
    all += weight
    shared += weight * share
    if (weight >= 1) strong = Math.max(strong, share)
  }
  if (all === 0 || strong < 0.5) return 0
  const score = shared / Math.min(all, 2)
  return score >= leastLikeness ? Math.min(1, score) : 0
}
