// The words by which channels, resources, workflows, preferences and constraints are found. Data only.

/** Ways to reach a person. A pattern with capitals is a product name and is compared with its case. */
export const channelWords = [
  { name: 'video call', pattern: /\b(?:video ?calls?|video conferences?|Zoom|Google Meet|FaceTime|Skype)\b/g },
  { name: 'text message', pattern: /\b(?:SMS|(?:[Tt]ext messages?)|by text)\b/g },
  { name: 'email', pattern: /\b[Ee]-?mail(?:s|ed)?\b|\b[Mm]ails?\b|\binbox\b/g },
  {
    name: 'phone',
    pattern:
      /\b(?:[Tt]ele)?[Pp]hone(?: calls?)?\b|\b(?:a|by|the|her|his|their|for|no|quick|short) calls?\b|\b(?:[Rr]ing|[Cc]all)s? (?:him|her|them)\b(?! ["“]?\p{Lu})|\b(?:[Rr]ing|[Cc]all) me(?= (?:on|at|before|after|when|if|only|back)\b|[.,;]|$)|\b[Vv]oicemail\b/gu,
  },
  { name: 'Slack', pattern: /\bSlack\b/g },
  { name: 'Teams', pattern: /\b(?:Microsoft )?Teams\b/g },
  { name: 'Signal', pattern: /\bSignal\b/g },
  { name: 'WhatsApp', pattern: /\bWhatsApp\b/gi },
  { name: 'Telegram', pattern: /\bTelegram\b/g },
  { name: 'Discord', pattern: /\bDiscord\b/g },
  { name: 'Mattermost', pattern: /\bMattermost\b/g },
  { name: 'Messenger', pattern: /\bMessenger\b/g },
  { name: 'iMessage', pattern: /\biMessage\b/g },
  { name: 'chat', pattern: /\b(?:group |team )?chat\b/gi },
  { name: 'letter', pattern: /\b(?:by post|by letter|a letter|registered letter|on paper)\b/gi },
  { name: 'in person', pattern: /\b(?:in person|face to face)\b/gi },
  { name: 'meeting', pattern: /\b(?:one-on-one|1:1|stand-?up|meeting)\b/gi },
  { name: 'calendar invite', pattern: /\bcalendar invit(?:e|ation)s?\b/gi },
  { name: 'pull request comment', pattern: /\b(?:comments? (?:on|in) (?:the |a )?(?:PR|pull request)|(?:PR|pull request) comments?)\b/gi },
] as const

/** Last words of a phrase that names a resource. */
export const resourceHeads =
  'api archive backup backups bucket calendar catalogue cluster codebase contract contracts dashboard database dataset db directory drawing drawings drive dump notebook photos pipeline prod production queue repo repository schema script server servers sheet slides spreadsheet staging vault website wiki'.split(
    ' ',
  )
/** Those that name one only together with a word before them: "the donor list", but not "the list". */
export const vagueResourceHeads =
  'account accounts app application board code data doc docs document documents file files folder folders image images key keys library list log logs network package plan plans record records service services site table template templates token tokens'.split(
    ' ',
  )

/** Work that is done again and again, by the forms of its word; with its modifiers it is a workflow ("weekly report"). */
export const workflowWords = [
  { name: 'release notes', pattern: /\brelease notes\b/gi },
  { name: 'release', pattern: /\breleas(?:e|es|ing)\b/gi },
  { name: 'deployment', pattern: /\bdeploy(?:s|ed|ing|ments?)?\b/gi },
  { name: 'rollout', pattern: /\broll-?outs?\b/gi },
  { name: 'invoice', pattern: /\binvoic(?:e|es|ing)\b/gi },
  {
    name: 'report',
    pattern:
      /\breports\b(?! (?:to|that)\b)|\b(?:the|a|an|each|every|weekly|monthly|daily|quarterly|annual|status|progress|expense) report\b/gi,
  },
  { name: 'review', pattern: /\b(?:code |pull request |PR |peer |design )reviews?\b|\b(?:the|each|every|all|my|our) reviews?\b/gi },
  { name: 'migration', pattern: /\bmigrations?\b/gi },
  { name: 'onboarding', pattern: /\bonboarding\b/gi },
  { name: 'payroll', pattern: /\bpayroll\b/gi },
  { name: 'newsletter', pattern: /\bnewsletters?\b/gi },
  { name: 'retrospective', pattern: /\bretro(?:spective)?s?\b/gi },
  { name: 'grading', pattern: /\bgrading\b/gi },
  { name: 'hand-in', pattern: /\bhand-?ins?\b/gi },
  { name: 'post-mortem', pattern: /\bpost-?mortems?\b/gi },
  { name: 'incident', pattern: /\bincidents?\b/gi },
  { name: 'drill', pattern: /\bdrills?\b/gi },
  { name: 'summary', pattern: /\bsummar(?:y|ies)\b/gi },
  { name: 'digest', pattern: /\bdigests?\b/gi },
  { name: 'audit', pattern: /\baudits?\b/gi },
  { name: 'bookkeeping', pattern: /\bbook-?keeping\b/gi },
  { name: 'tax return', pattern: /\btax returns?\b/gi },
  { name: 'on-call', pattern: /\bon-call\b/gi },
  { name: 'announcement', pattern: /\bannouncements?\b/gi },
  { name: 'import', pattern: /\bimports\b|\b(?:the|an|each|every) import\b/gi },
  { name: 'interview', pattern: /\binterviews?\b/gi },
  { name: 'minutes', pattern: /\bmeeting minutes\b/gi },
] as const

const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'
const month = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const number = '(?:\\d[\\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)'
const hour = number.replace('\\d[\\d.,:]*', '\\d{1,2}(?::\\d{2})?')
const moment = `(?:the \\d{1,2}(?:st|nd|rd|th)|\\d{1,2}(?:st|nd|rd|th)? ${month}|${month}(?: \\d{1,2}(?:st|nd|rd|th)?)?|${weekday}|${hour} ?(?:am|pm|o['’]clock|h\\b)?(?: in the (?:morning|afternoon|evening))?|lunch|the end of (?:the )?(?:day|week|month|quarter|year))`

/** What limits work: times, amounts, privacy, approval. */
export const constraintPatterns: readonly RegExp[] = [
  new RegExp(`\\b(?:on )?${weekday} (?:before|after|until) ${moment}`, 'gi'),
  new RegExp(
    `\\b(?:(?:not before|no later than|before|by|until|after) ${moment}|from ${moment} (?:to|until) ${moment})(?![\\p{L}\\d])`,
    'giu',
  ),
  /\b(?:the )?(?:[\p{L}-]+ )?(?:deadline|budget|embargo|freeze|quota)s?\b(?: (?:of|is) [€$£]?\d[\d.,]*(?: ?(?:euros?|dollars?|pounds?|k\b|€))?)?/giu,
  new RegExp(`\\b(?:at most|no more than|max(?:imum)?(?: of)?|under|within|up to) [€$£]?${number}(?: ?(?:%|[\\p{L}]+))?`, 'giu'),
  new RegExp(`\\b${number} [\\p{L}]+ (?:at most|at the most|max(?:imum)?)\\b`, 'giu'),
  /\b(?:GDPR|HIPAA|NDAs?|privacy|confidential(?:ity)?|copyright|licen[cs]e)\b/gi,
  /\b(?:stays? (?:private|secret)|is (?:private|secret)|must (?:never|not) [\p{L}]+|may not [\p{L}]+)/giu,
  /\bwithout (?:asking(?: [\p{L}]+)?|(?:\p{L}+ ){1,3}(?:ok|okay|approval|consent|sign-off|permission)\b|approval|permission)/giu,
]

const languages =
  'Arabic|Bengali|Catalan|Chinese|Czech|Danish|Dutch|English|Finnish|French|German|Greek|Hebrew|Hindi|Hungarian|Indonesian|Italian|Japanese|Korean|Norwegian|Polish|Portuguese|Romanian|Russian|Spanish|Swedish|Thai|Turkish|Ukrainian|Vietnamese'

/** How someone wants something: the language, the form, or what follows a verb of wishing. */
export const preferencePatterns: readonly RegExp[] = [
  new RegExp(`\\bin (?:(?:British|American|European|Brazilian|plain|simple) )?(?:${languages})\\b`, 'g'),
  /\b(?:as|in) (?:a |an )?(?:PDF|spreadsheet|table|tables|bullet points|bullets|plain text|Markdown|prose|list|one paragraph)s?\b/gi,
]

export const wishVerbs =
  /(?<!\byou )\b(?:wants?|wanted|prefers?|likes|(?<=(?:\b(?:I|we|they|would|do|not)|['’][dt]) )like|loves?|hates?|dislikes?|insists? on|would rather(?: have)?|can['’]?t stand|cannot stand|favou?rs?)\b/gi
/** A wish for these names nothing. */
export const emptyWish = /^(?:it|them|him|her|that|this|these|those|me|us|you|one|none|some|any)\b/i

/** Where a phrase of wishing ends. */
export const wishEnd =
  /[.,;:!?()\n]|\s(?:because|since|so that|so|when|if|unless|although|but|and (?:not|never|only|wants|prefers)|as (?:he|she|they|it|I|we))\s/i

/** Capitalised words that are no names. */
export const notNames = new Set(
  `${languages.replaceAll('|', ' ')} I I'm I'd I'll I've Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays January February March April May June July August September October November December British American European Brazilian PDF API URL CSS HTML JSON SQL PR CI VM UI AI OK`.split(
    ' ',
  ),
)

/** After these a capitalised word is a person. */
export const beforePerson =
  /\b(?:tells?|asks?|reminds?|messages?|e-?mails?|mails?|calls?|rings?|pings?|meets?|cc|thanks?|invites?|(?:write|talk|speak|mails?|goes?|go|reports?|belongs|listen|answer|send (?:it|them|this|that)|hand (?:it|them)) to|(?:contact|colleague|boss|manager|client|customer|accountant|partner|friend|sister|brother|mother|father|wife|husband|son|daughter|director|designer|builder|architect|lawyer|doctor|teacher|assistant|engineer|developer|plumber|editor|student|neighbou?r|landlord)(?: (?:there|here))?(?: is| was| called| named|,)?|(?:mr|mrs|ms|dr|prof)\.?|approval of|ok of|by)\s$/i

/** Before these a capitalised word is a person. */
export const afterPerson =
  /^(?:['’]s)?(?:,? (?:is|was) (?!(?:my|our|the|his|her|their|a|an) (?:[\p{L}]+ )?(?:editor|shell|browser|laptop|computer|phone|tool|database|framework|library|language|default|choice|favou?rite|project|site|app|server|company|place|city|client|deadline|day|plan|goal)(?!\p{L}))(?:my|our|the|their|his|her|a|an|in charge|responsible|on|reached|also called|called|[\p{L}]+['’]s)(?!\p{L})|, (?:my|our|the|his|her|who)\b| \((?:my|our|the|his|her)\b| (?:only |never |always |usually |also |still |now |just )?(?:wants?|prefers?|likes?|loves?|hates?|dislikes?|expects?|needs to|runs|manages|coordinates|leads|owns|guards|protects|maintains|handles|reviews|approves|signs|checks|reads|looks|writes|does|decides|answers|asked|said|says|told|thinks|works|lives|knows|insists|collects|teaches|left|joined|agreed|reports|doesn['’]t|can['’]t|has to|hears|gets|goes by)\b| and I\b| in copy\b|['’]s (?:ok|okay|approval|consent|sign-off|permission|partner|sister|brother|wife|husband|son|daughter|manager|birthday)\b)/iu

/** A name with one of these is an organisation. */
export const organisationWords =
  /\b(?:Ltd|Limited|Inc|LLC|GmbH|AG|Corp|Corporation|Company|Co|Group|Foundation|University|College|School|Institute|Academy|Museum|Library|Hospital|Clinic|Bank|Council|Ministry|Agency|Office|Department|Studio|Studios|Labs|Partners|Press|Association|Society|Church|Club|Union)\b/u
