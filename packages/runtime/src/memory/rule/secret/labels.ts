// Values behind words such as "password:" or "the wifi password is".

/** What people call a secret before they write it. */
const names = [
  String.raw`pass\s?words?`,
  'passwd',
  'passwort',
  'pwd',
  'pw',
  String.raw`pass[\s-]?phrases?`,
  String.raw`pass[\s-]?codes?`,
  String.raw`pin(?:\s(?:code|number))?`,
  'puk',
  String.raw`(?:secret|access|api|auth|private|master|encryption|signing|admin|service|shared|account|session|recovery|license|licence|app|deploy|webhook)[\s_-]?(?:key|token|secret|password|code)s?`,
  String.raw`(?:client|shared|app|webhook|signing)[\s_-]?secret`,
  String.raw`secret(?=[ \t]*(?:[:=]|is\b|was\b)|[\w-]*[ \t]*[:=])`,
  String.raw`api[\s_-]?keys?`,
  'tokens?',
  'credentials?',
  String.raw`(?:door|gate|alarm|safe|lock|entry|access|security|verification|backup|one[\s-]time|key[\s-]?box|lockbox|keypad)[\s-]codes?`,
  String.raw`seed[\s-]phrase`,
  'otp',
  'cv[vc]2?',
  'combination',
  'combo',
  String.raw`memorable[\s-]word`,
  String.raw`(?<!(?:exit|status|error|post|zip|area|country|source|product|response|return|http|discount|promo|voucher|qr|bar|colou?r|dress|tax)[\s-])code`,
].join('|')

/** What every name of a secret below contains. The expressions with the names take long to compile, and most texts have none. */
export const anyLabel =
  /pass|pwd|pw|pin|puk|secret|token|key|code|cred|phrase|otp|cv[vc]|comb(?:o|ination)|memorable|log[\s-]?in|user|account/iu

/** A few words may stand between the name and the value: "password for the router is". */
const between = String.raw`(?:[ \t]+(?:for|of|on|to|at|in|from|there|here|again|now|the|a|an|my|our|this|that|his|her|their|its|new|old|current|temporary|guest|test|staging|[\p{L}\p{N}'’._-]{1,24})){0,7}?`
const sign = String.raw`[ \t]*(?:[:=]|:=|->|=>|→)[ \t]*`
const verb = String.raw`[ \t]+(?:is|was|are|will be|became|has been|changed to|set to|reset to)[ \t]+(?:now[ \t]+|still[ \t]+|just[ \t]+|simply[ \t]+|set[ \t]+to[ \t]+|changed[ \t]+to[ \t]+)?`

export const quoted = '"[^"\\n]{1,80}"|“[^”\\n]{1,80}”|‘[^’\\n]{1,80}’|\'[^\'\\n]{1,80}\'|`[^`\\n]{1,80}`'
/** "493 201", "12-34-56": people read codes out in groups. */
const grouped = String.raw`\d{2,4}(?:[ -]\d{2,4}){1,4}(?![\d\p{L}])`
const word = String.raw`[^\s,;"“”<>()]{3,200}`

/** `password: x`, `TOKEN=x`. */
export const signedLabel = new RegExp(
  `(?<![\\p{L}\\p{N}?&])(?:[A-Za-z0-9]{1,20}[_-]){0,3}(?:${names})(?:["'\`])?${between}${sign}(${quoted}|${grouped}|${word})`,
  'giud',
)
/** `the wifi password is x`. */
export const spokenLabel = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names})${between}${verb}(${quoted}|${grouped}|${word})`, 'giud')
/** `token abc123…`, `password hunter2!`: only a value that no word looks like. */
export const bareLabel = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names})[ \\t]+(${quoted}|${word})`, 'giud')
/** `pin 4471`, `alarm code 265889`: a number alone, behind a name that is used for nothing else. */
export const numberLabel =
  /(?<![\p{L}\p{N}])(?:pin(?:[ \t](?:code|number))?|puk|otp|pass[\s-]?codes?|pass\s?words?|cv[vc]2?|(?:door|gate|alarm|safe|lock|entry|access|security|verification|backup|one[\s-]time|key[\s-]?box|lockbox|keypad)[\s-]codes?)[ \t]+#?(\d{4,12}|\d{2,4}(?:[ -]\d{2,4}){1,3})(?![\d\p{L}]|[.:/-]\d|[ \t]+(?!(?:and|but|for|on|in|at|to|if|is|or|until|now|then|please|it)\b)\p{L})/dgiu
/** `the new code by tonight, it's 265889`: what it is follows in a clause of its own. */
export const clauseLabel = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${names})[^\\n.!?:=]{1,60}[,;–—-][ \\t]*(?:its|(?:it|that|this)(?:[’']s| is| was| will be))[ \\t]+(?:now[ \\t]+)?(${quoted}|${grouped}|${word})`,
  'giud',
)
/** `passphrase maple-harbor-quince`: words that were drawn and joined. */
export const drawnPhrase = /(?<![\p{L}\p{N}])pass(?:[\s-]?(?:phrase|word))?[ \t]+([\p{L}\p{N}]{3,20}(?:-[\p{L}\p{N}]{2,20}){2,11})/dgiu
/** `the pin for the bank, don't write it anywhere: 4471`: only a number, or what no word looks like. */
export const distantLabel = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names})[^\\n.!?:=]{1,60}[:=][ \\t]*(${quoted}|${grouped}|${word})`, 'giud')
/** `login bob / hunter2`. */
export const loginPair =
  /(?<![\p{L}\p{N}])(?:log[\s-]?in|user(?:name)?|account|creds?|credentials)[ \t]*(?:is|:|=)?[ \t]*[^\s,;/]{2,60}[ \t]*\/[ \t]*([^\s,;"“”<>()]{4,200})/dgiu

/** A passphrase of plain words runs on: "passphrase: correct horse battery staple". */
export const phraseLabel =
  /(?<![\p{L}\p{N}])(?:pass[\s-]?phrase|seed[\s-]phrase|recovery[\s-]phrase)[ \t]*(?:[:=]|is)[ \t]*((?:[\p{L}\p{N}-]{2,20}[ \t]+){2,23}[\p{L}\p{N}-]{2,20})/dgiu

/** What follows "the password is" when no value does. */
export const ordinaryWords: ReadonlySet<string> = new Set(
  (
    'a an the my our your his her their its this that these those it he she they we you i in on at by of for from to with within without into under behind ' +
    'inside below above next near and or but if when where which who what how why because so as than then not no never always still now again also just only ' +
    'too very really quite pretty more less most least already soon later today tomorrow yesterday here there everywhere nowhere wrong right correct incorrect ' +
    'invalid valid good bad weak strong safe unsafe secure insecure fine ok okay old new same different similar empty missing gone lost dead broken changed ' +
    'expired expiring rotated revoked stored saved kept hidden masked needed required optional set unset unknown known written printed readable unreadable ' +
    'long short easy hard simple complex visible wanted useless useful unique shared public private stale leaked stolen compromised generated created ' +
    'working failing being getting going coming asked sent given used unused reused locked disabled enabled blank default something anything nothing ' +
    'whatever somewhere obvious terrible awful silly annoying ready available unavailable up down out off back one two three four five six seven eight nine ten ' +
    'see use ask check look find get rotate change put keep please none null undefined true false yes tbd todo wip n/a env vault manager managers reset page ' +
    'field fields file files prompt policy policies based auth authentication login protected count counts limit limits budget budgets usage window per ' +
    'os env ctx req res this self ' +
    'like such about using await async return function const let var process settings config environment window document request response ' +
    'expires works fails has have had was were is are be been can could will would should may might must do does did'
  ).split(' '),
)

/** Names that are also ordinary words: what follows them is a secret only if it is a number, or if it is none. */
export const needsDigits = /^(?:pin|code|combination|combo|cv[vc]2?)\b/i
export const needsLetters = /^tokens?\b/i
/** "the code is 300 lines long": without a word that says which code, a short number or an amount is none. */
export const plainCode = /^codes?\b/i
