// Passwords whose label is not in front of them: after them, on the line before, in the head of a table, or an option of a command. Pure.
import { quoted } from './labels.ts'
import type { Span } from './span.ts'

const label = String.raw`(?:pass\s?words?|passwort|passwd|pwd|pw|pass|pass[\s-]?phrase|pass[\s-]?code)`
const few = String.raw`(?:[\p{L}\p{N}’'-]{1,20}[ \t]+){0,3}?`

/** "Violet6865 is the password for the club", "Violet6865, the password I mean". */
export const afterValue = new RegExp(
  String.raw`(?<![^\s("'“‘])(${quoted}|[^\s,;"“”()]{4,64})(?:,[ \t]+|[ \t]+(?:is|was|as|=)[ \t]+)(?:the|my|our|his|her|their|your|a)[ \t]+${few}${label}(?![\p{L}\p{N}])`,
  'dgiu',
)
/** "the password is on the next line", then a line with nothing else. */
export const nextLine = new RegExp(String.raw`(?<![\p{L}\p{N}])${label}(?![\p{L}\p{N}])[^\n]{0,80}\n[ \t]*(\S{4,64})[ \t]*(?=\n|$)`, 'dgiu')
/** `Pass: x`, `"pass":"x"`. */
export const passLabel = new RegExp(String.raw`(?<![\p{L}\p{N}-])pass["'\x60]?[ \t]*[:=][ \t]*(${quoted}|[^\s,;"“”<>()]{3,200})`, 'dgiu')
/** `[password] x`. */
export const bracketed = new RegExp(String.raw`[[(]${label}[\])][ \t:]*([^\s,;"“”<>()[\]]{4,64})`, 'dgiu')
/** "her password, god help us, is yodelflannel". */
export const interrupted = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${label}(?:[ \t]+phrase)?,[^\n.!?:]{1,60},?[ \t]+(?:is|was|goes|reads)[ \t]+(${quoted}|[^\s,;"“”<>()]{4,64})`,
  'dgiu',
)
/** `set the password to 'x'`. */
export const setTo = new RegExp(String.raw`(?<![\p{L}\p{N}])${label}[ \t]+to[ \t]+(${quoted})`, 'dgiu')
/** "network Loft, key yye14lab4r". */
export const networkKey = /\b(?:wi-?fi|wlan|router|network|ssid|hotspot|eduroam)\b[^\n]{0,60}?\b(?:key|pass)[ \t]+(\S{6,64})/dgiu

export const commandOptions: readonly RegExp[] = [
  /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;]{0,300}?[ \t]-p(["']?[^\s"'-][^\s"']{3,}["']?)/dgiu,
  /\b(?:sshpass|7z|7za|zip|unzip|rar|unrar|openssl)\b[^\n|;]{0,300}?[ \t]-[pP][ \t]?(?!-)("[^"\n]+"|'[^'\n]+'|\S+)/dgiu,
  /[ \t]--?(?:password|passphrase|passwd|pass|pwd)[= \t]+(?!-)("[^"\n]+"|'[^'\n]+'|\S{3,})/dgiu,
  /\b(?:curl|wget|https?|xh)\b[^\n|;]{0,300}?[ \t](?:-u|--user|-a|--auth)[= \t]+["']?[^\s:'"]{1,80}:([^\s'"]{3,})/dgiu,
]

/** Where an answer to a question of a bank or a portal is likely. */
export const questionContext =
  /secur|secret|bank|(?:recovery|reset|verification)[^.!?\n]{0,20}question|recover|reset|verif|answer|paypal|phone banking|memorable/i
/** "mother's maiden name is Hathersall". */
export const securityAnswer = new RegExp(
  String.raw`\b(?:maiden[ \t]name|first[ \t](?:pet|school|car|teacher|street)|memorable[ \t](?:word|date|place|name|answer)|(?:secret|security)[ \t]answer|childhood[ \t](?:friend|nickname|hero))\b[^\n.:=]{0,40}?(?:[ \t]*[:=][ \t]*|[ \t]+(?:is|was|answered|say|said|put|i[ \t]answered|i[ \t]put)[ \t]+|[ \t]+(?=\d))(${quoted}|[^\s,;"]{2,40})`,
  'dgiu',
)

/** Words that were drawn: "the passphrase, all lower case: maple velvet wagon candle". */
export const drawnWords =
  /(?<![\p{L}\p{N}])(?:pass[\s-]?phrase|pass\s?word|seed(?:[ \t]phrase)?|mnemonic|(?:recovery|wallet|backup)[ \t]phrase|(?:ledger|wallet|seed|recovery|trezor|metamask)[ \t]words|(?:twelve|12|twenty-four|24|fifteen|eighteen)[ \t](?:backup[ \t]|recovery[ \t]|seed[ \t]|secret[ \t])?words)(?![\p{L}\p{N}])[^\n:.]{0,60}(?:[:\n]|[ \t](?:are|is|goes))[ \t]*((?:\p{Ll}{3,9}[ \t]+){3,23}\p{Ll}{3,9})(?![\p{L}\p{N}])/dgu

/** "1. price 2. toy 3. video": the words of a wallet, as they are numbered on its card. */
export const numberedWords =
  /(?<![\p{L}\p{N}])((?:\d{1,2}[.):]?[ \t]*\p{Ll}{3,8}[\s,]+){7,23}\d{1,2}[.):]?[ \t]*\p{Ll}{3,8})(?![\p{L}\p{N}])/dgu
/** "Mr Quillinan is what I put". */
export const givenAnswer =
  /(?:^|[\s,])((?:\p{Lu}\p{Ll}*\.?[ \t]+)?[\p{L}\d'’-]{2,40})[ \t]+is[ \t]+what[ \t]+i[ \t]+(?:put|said|answered|chose|gave|entered|typed)/dgiu
export const memorable =
  /\bmemorable[ \t](?:word|date|place|name|answer)\b[^\n.!?]{0,40}?\b(?:made|chose|set|put|picked|use|gave)[ \t]+(?:it[ \t]+)?([^\s,;."]{2,40})/dgiu

const head = new RegExp(String.raw`^(?:${label}|pin|secret|token|api[ \t_-]?key)$`, 'iu')

/** The columns of a table that are headed "password". */
export function passwordCells(text: string): readonly Span[] {
  if (!text.includes('|') && !text.includes('\t')) return []
  const found: Span[] = []
  let columns: readonly number[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const cells = cellsOf(line, at)
    const headed = cells.flatMap(({ value }, index) => (head.test(value) ? [index] : []))
    if (headed.length > 0) columns = headed
    else if (cells.length < 2) columns = []
    else for (const column of columns) found.push(...cells.slice(column, column + 1).filter(({ value }) => /[\p{L}\p{N}]/u.test(value)))
    at += line.length + 1
  }
  return found
}

function cellsOf(line: string, from: number): readonly (Span & { readonly value: string })[] {
  const inner = line.replace(/^[ \t]*\|/, (edge) => ' '.repeat(edge.length))
  let at = from
  return inner.split(/[|\t]/).map((cell) => {
    const value = cell.trim()
    const start = at + cell.indexOf(value)
    at += cell.length + 1
    return { start, end: start + value.length, value }
  })
}
