// Passwords behind their names in other languages: "mot de passe: x", "пароль: x", "密码：x". Pure.
import { ordinaryWords, quoted } from './labels.ts'
import { firstGroups, type Span } from './span.ts'

/** What a password is called, by language. */
const names = {
  Arabic: ['كلمة (?:المرور|السر)', 'الرقم السري'],
  Chinese: ['密码', '密碼', '口令'],
  Czech: ['hesl[oa]'],
  Danish: ['adgangskoden?', 'kodeord(?:et)?'],
  Dutch: ['wachtwoord(?:en)?', 'toegangscode'],
  Finnish: ['salasan(?:a|at|ani)'],
  French: ['mots? de passe', 'mdp', "code (?:secret|d[’']acc[eè]s)"],
  German: ['kennw(?:ort|örter)', 'passw(?:ort|örter)', 'zugangscode', 'losungswort'],
  Greek: ['κωδικ(?:ός|ό) πρόσβασης', 'συνθηματικό'],
  Hebrew: ['סיסמ(?:ה|א)'],
  Hindi: ['पासवर्ड'],
  Hungarian: ['jelsz(?:ó|avam)'],
  Indonesian: ['kata sandi'],
  Italian: ["parola d[’']ordine", "codice d[’']accesso"],
  Japanese: ['パスワード', '暗証番号', '合言葉'],
  Korean: ['비밀번호', '암호', '패스워드'],
  Norwegian: ['passord(?:et)?'],
  Polish: ['has[łl][oa]'],
  Portuguese: ['senhas?', 'palavra[ -]passe', 'c[oó]digo de acesso'],
  Romanian: ['parol[aă]'],
  Russian: ['парол[ьяюе]', 'кодовое слово'],
  Spanish: ['contrase(?:ñ|n\\u0303|n)as?', 'clave (?:de acceso|secreta)', 'c[oó]digo de acceso'],
  Swedish: ['lösenord(?:et)?'],
  Thai: ['รหัสผ่าน'],
  Turkish: ['[sş]ifre(?:si|miz|m|niz)?', 'parolas?[ıi]?'],
  Vietnamese: ['m[aậ]t kh[aẩ]u'],
} as const satisfies Readonly<Record<string, readonly string[]>>

const all = Object.values(names).flat().join('|')
/** "密码" is often in the middle of other characters. */
const label = String.raw`(?:(?<![\p{L}\p{N}])(?=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])|(?=[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]))(?:${all})`
const between = String.raw`(?:[ \t]+[\p{L}\p{N}'’._-]{1,24}){0,5}?|[\p{L}]{1,12}?`
const value = String.raw`(${quoted}|「[^」\n]{1,80}」|\u00ab[^\u00bb\n]{1,80}\u00bb|[^\s,;"“”<>()，。；、「」\u00ab\u00bb]{3,200})`

/** "contraseña del wifi: x". */
const signed = new RegExp(String.raw`${label}(?:${between})[ \t]*(?:[:：=]|:=|->|=>|→)[ \t]*${value}`, 'dgiu')
/** "das Passwort ist x", "密码是x". */
const spoken = new RegExp(
  String.raw`${label}(?:${between})(?:[ \t]+(?:est|es|é|è|ist|lautet|war|is|jest|to|je|это|är|er|on|é|este|là|adalah)[ \t]+|[ \t]*(?:是|为|為|は|は、|이|는|은|가)[ \t]*|[ \t]+[—–-][ \t]+)${value}`,
  'dgiu',
)
/** "wachtwoord hunter2". */
const bare = new RegExp(String.raw`${label}[ \t]+${value}`, 'dgiu')

export const anyForeignLabel = new RegExp(all, 'iu')
export const foreignLabelPatterns: readonly RegExp[] = [signed, spoken, bare]

const plain =
  /^(?:vergessen|falsch|geändert|abgelaufen|nötig|erforderlich|oublié|perdu|incorrect|requis|olvidada|incorrecta|obligatoria|perdida|esquecida|incorreta|vergeten|verlopen|onjuist|zapomniane|забыт|забыл|неверный|истёк|忘れた|忘れました|忘记了|错误|필수)[.!?]?$/iu

export function foreignPasswords(text: string): readonly Span[] {
  if (!anyForeignLabel.test(text)) return []
  const textOf = ({ start, end }: Span) => text.slice(start, end)
  const found = [
    ...firstGroups(text, signed).filter((span) => !plain.test(textOf(span)) && !ordinaryWords.has(textOf(span).toLowerCase())),
    ...[spoken, bare].flatMap((pattern) => firstGroups(text, pattern)).filter((span) => isUnlike(textOf(span))),
  ]
  return found.map(({ start, end }) => ({ start, end: start + text.slice(start, end).replace(/[.,;:?…。！]+$/u, '').length }))
}

/** Quoted, or with a digit: "hunter2", not "falsch". */
function isUnlike(found: string): boolean {
  return /^["'`“‘「\u00ab]/.test(found) || (/\d/.test(found) && found.length >= 4 && !/^v?\d+(?:\.\d+)+/.test(found))
}
