// Values that are harmless anywhere else, but not in a sentence about a lock, a PIN, a login or a network. Pure.
import { ordinaryWords } from './labels.ts'
import { keyboardShortcut, type Span } from './span.ts'

/** What is opened with a number. */
const lock =
  /\b(?:key[\s-]?(?:pad|box|safe)s?|lock[\s-]?box|padlocks?|combination|combo|disarm|re-?keyed|alarm|pins?|pin[\s-]?codes?|pass[\s-]?codes?|tans?|voicemail|(?:gate|door|garage|safe|vault|shed|suitcase|lock|phone|tablet)[^.!?\n]{0,40}(?:\b(?:takes|wants|needs|opens (?:with|on)|set to|changed to|get in with)|\d{4,8} (?:on the dial|then))|(?:punch|key|type|tap|dial)(?:ed)?[ \t]+(?:in[ \t]+)?[#*]?\d)/iu
/** What is used once, when a phone is lost. */
const rescue =
  /\b(?:2fa|mfa|two[\s-]factor|single[\s-]use|one[\s-]time|one each|rescue|recovery|backup codes?|scratch codes?|emergency codes?)\b|\block(?:s|ed)? (?:me )?out\b/iu
/** What a person signs in to, or joins. */
const login =
  /\b(?:wi-?fi|wlan|hotspot|ssid|wpa\d?|router|log(?:s|ged|ging)?[\s-]?in(?:s|to)?|sign(?:s|ed)?[\s-]?in(?:s|to)?|pass\s?words?|(?<!\b(?:boarding|bus|day|gate|museum|parking|rail|season|ski|train|travel)[ \t])pass(?=[ \t]*(?:is|was|[=:])[ \t]+\S*\d)|passwort|pass[\s-]?phrases?|pw|credentials?|creds|user\s?names?|admin[ \t]*(?=[(:])|secret word|opens with|unlocks? with|(?:licen[cs]e|activation|product)[\s-](?:key|code)s?|(?:wireless|internet)(?=[^.!?\n]{0,40}(?:[:/]|called|get on))|passw(?:rd|ort)|pasword|unless (?:you|i) type)\b|\bchanged my \p{Lu}\p{L}+ from\b|\bjoin\b[^.!?\n]{0,40}\btyp(?:e|ing)\b/iu

const unit =
  /^[ \t]?(?:%|°|€|£|\$|(?:percent|euros?|pounds?|dollars?|quid|km|kms|miles?|metres?|meters?|m|cm|mm|kg|g|grams?|lbs?|oz|ml|l|litres?|liters?|kcal|calories|w|kw|kwh|v|volts?|hz|mhz|ghz|gb|mb|kb|tb|rpm|people|persons?|guests?|users?|students?|members?|seats?|tests?|lines?|rows?|pages?|words?|files?|steps?|points?|times|hours?|hrs?|minutes?|mins?|seconds?|secs?|days?|weeks?|months?|years?|bc|ad|am|pm|bolts?|screws?|pieces?|units?|copies|boxes|bags|tickets?|street|st|road|rd|avenue|ave|lane|drive|elm|main)\b)/iu
const counter =
  /(?:[€£$#]|\b(?:unit|room|rm|flat|apartment|apt|house|platform|flight|bus|train|line|page|chapter|step|gate|locker|bay|box|no|nr|number|order|invoice|ticket|ref|reference|model|version|port|since|by|until|year|around|about|(?<!went )for|costs?|worth|over|under|at)\.?[ \t]*)$/iu

/** "5138", "*9829*", "41 32 26", "P2159", "three four three five". */
const digit = '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)'
const opener = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,:/€£$+-]|\d )([*#]?(?:\p{Lu}?\d{4,8}\p{Lu}?|\d{2}(?:[ -]\d{2}){2,3})[*#]?|(?:${digit}[ \t-]+){3,7}${digit})(?![\p{L}\p{N}:/€£%-]|[.,]\d| \d{3})`,
  'dgu',
)
/** "judx-hfny-kfaz", "2707 2711", "89056687". */
const once =
  /(?<![\p{L}\p{N}.,:/€£$+-])(\p{Ll}{4,6}(?:-\p{Ll}{4,6}){1,3}|[\p{Ll}\d]{4,6}-[\p{Ll}\d]{4,6}|\d{6,10}|\d{4}[ ]\d{4})(?![\p{L}\p{N}:/€£%-]|[.,]\d)/dgu
const key = /(?<![^\s"'“‘(:])([^\s"'”’(),;]{7,40})(?![^\s"'”’),.;!?])/dgu
const activation = /(?<![\p{L}\p{N}-])([A-Z\d]{4,6}(?:-[A-Z\d]{4,6}){2,5})(?![\p{L}\p{N}-])/dgu

/** How far before and after a value the words are that make it harmless. */
const near = 64

export const topicPatterns: readonly RegExp[] = [lock, rescue, login, unit, counter, opener, once, key, activation]

export function hasTopic(text: string): boolean {
  return lock.test(text) || rescue.test(text) || login.test(text)
}

export function valuesNearTopics(text: string): readonly Span[] {
  if (!hasTopic(text)) return []
  const sentences = [...text.matchAll(/[^\n.!?]+(?:[.!?](?!\s|$)[^\n.!?]*)*[.!?]*\s*/gu)]
  const topics = sentences.map(({ 0: sentence }) => [lock, rescue, login].map((topic) => topic.test(sentence)))
  return sentences.flatMap(({ 0: sentence, index }, at) => {
    // What it is about may be said in the sentence before or after.
    const isAbout = (topic: number, reach = 1) => topics.slice(Math.max(0, at - reach), at + reach + 1).some((known) => known[topic])
    const found = [
      ...(isAbout(0, 2) ? valuesIn(sentence, opener).filter((one) => isOpener(sentence, one)) : []),
      ...(isAbout(1) ? valuesIn(sentence, once).filter((one) => isOpener(sentence, one)) : []),
      ...(isAbout(2)
        ? [
            ...valuesIn(sentence, key).filter(
              ({ start, value }) => isKey(value) && !named.test(sentence.slice(Math.max(0, start - near), start)),
            ),
            ...valuesIn(sentence, activation),
          ]
        : []),
    ]
    return found.map(({ start, end }) => ({ start: start + index, end: end + index }))
  })
}

interface Value extends Span {
  readonly value: string
}

function valuesIn(text: string, pattern: RegExp): readonly Value[] {
  return [...text.matchAll(pattern)].flatMap(({ indices, 1: value = '' }) => {
    const [start] = indices?.[1] ?? [0]
    const bare = value.replace(/[.!?:]+$/, '')
    return [{ start, end: start + bare.length, value: bare }]
  })
}

/** Not a year, a date, an amount, or the number of a room. */
function isOpener(sentence: string, { start, end, value }: Value): boolean {
  if (unit.test(sentence.slice(end, end + near)) || counter.test(sentence.slice(Math.max(0, start - near), start))) return false
  if (/^(?:19|20)\d\d$/.test(value) || /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(value) || /000$/.test(value))
    return false
  return !/^\p{Ll}+(?:-\p{Ll}+)+$/u.test(value) || value.split('-').filter((part) => rare.test(part)).length * 2 >= value.split('-').length
}

/** "my user name there is gardener74": a name is none. */
const named = /\b(?:user\s?name|handle|nick(?:name)?|called|named|model|serial(?:[ \t]number)?)\b[^.!?\n]{0,40}$/iu

/** "1Password", "Apache-2.0", "Next.js15", "React19beta", "WPA2-Enterprise". */
const product =
  /^(?:\d\p{Lu}\p{Ll}+|\p{L}[\p{L}.]{0,11}-?\d{1,3}(?:\.\d+)+|\p{L}[\p{L}.]{0,11}-?\d{1,2}(?:-?(?:alpha|beta|rc\d*|lts|legacy|next|dev|pro|plus|max|mini|ultra|gen\d*))?|(?:wpa|wep|ipv|802)\S*)$/iu

/** Letters and numbers in one, drawn words, or letters that are no word. */
function isKey(value: string): boolean {
  if (keyboardShortcut.test(value) || product.test(value)) return false
  if (
    /[/\\@=<>{}|]|^\W|\w:v?\d|\.(?:com|org|net|io|dev|app|co|uk|de|eu|gov|edu|info|example|local|lan|internal|test|invalid)\b/iu.test(value)
  )
    return false
  if (/^v?\d+(?:[.:]\d+)*\p{L}{0,5}$/u.test(value) || /^\d[\d.,:-]*$/u.test(value) || /\.(?:\p{L}{2,4}|mp[34]|7z)$/u.test(value))
    return false
  if (/\p{L}/u.test(value) && /\d/.test(value))
    return !/^\p{L}{1,12}-?\d{1,2}$|^\p{Lu}{1,4}-?\d{1,6}$/u.test(value) && !/^\d{1,4}(?:st|nd|rd|th|-\p{L}+)$/u.test(value)
  const parts = value.split(/[-._]/)
  if (parts.length > 2) return parts.every((part) => /^\p{Ll}{3,9}$/u.test(part) && !ordinaryWords.has(part))
  return /^(?:\p{Lu}\p{Ll}{2,}){3,}$/u.test(value) || (/^\p{Ll}{7,16}$/u.test(value) && isStrange(value))
}

/** Letters that no word has in a row. */
function isStrange(word: string): boolean {
  return /[bcdfghjklmnpqrstvwxz]{6}|^[bcdfghjklmnpqrstvwxz]+$/.test(word)
}

/** "judx", "okwm": letters that no word has side by side. */
const rare = /[jqxz][bcdfghjklmnpqrstvwxz]|[bcdfghkpqvxz][jqxw]|[hjkvwxz][fjkmqx]|[cdfghj]x|sj|wm|mn$|hf|kf/
