// Slots about a person: who they are, how they want to be answered, when they work, how they live.
import type { Slot } from './slots.ts'

const kinds = ['semantic', 'preference', 'decision', 'relationship'] as const
const person = { kinds, subjects: ['user', 'entity'] } as const
const answers = { kinds, subjects: ['user', 'agent', 'workspace'] } as const
const one = { ...person, holds: 'one' } as const
const many = { ...person, holds: 'many' } as const

export const personSlots: readonly Slot[] = [
  {
    ...one,
    key: 'name',
    cue: 'name|called',
    subjects: ['user', 'agent', 'entity'],
    aliases: [
      '{my} (?:full |real |first |last )?name{is}(?= ["“]?(?-i:\\p{Lu}))',
      "{i}(?<=am|is|are|'m|'re) called(?= [\"“]?(?-i:\\p{Lu}))",
    ],
  },
  {
    ...one,
    key: 'address-as',
    cue: 'call me|address me|nickname|go by|goes by',
    aliases: ['(?:call|address) me(?: as)?(?! (?:on|at|when|if|before|after|back|later|any))', '{my} nickname{is}', '{i} goe?s? by'],
  },
  { ...one, key: 'pronouns', cue: 'pronouns', aliases: ['{my} pronouns{is}', String.raw`\p{L}+\/(?:him|her|them) pronouns`] },
  { ...one, key: 'birthday', cue: 'birthday|born', allows: ['time'], aliases: ['{my} birthday{is}', '{i} (?:was )?born on'] },
  {
    ...one,
    key: 'city',
    cue: 'live|living|based|moved|moving|relocat',
    aliases: ['{i} (?:live|lives|living|based) in {place}', '{i} (?:moved|relocated|moving|relocating) to {place}'],
  },
  {
    ...one,
    key: 'postal-address',
    cue: 'address|parcels|deliveries|packages|letters|mail|post|rent|stay|live|living',
    allows: ['time', 'place'],
    aliases: [
      '{my} (?:postal |home |street |delivery )?address{is}',
      '(?:parcels|deliveries|packages|letters|mail|post) (?:now )?(?:go|goes|come|should go|should be sent) (?:to|there|here)',
      '{i} (?:rents?|renting) (?:a |an )?(?:flat|apartment|room|house) (?:at|in)',
      '{i} (?:stays?|staying|lives?|living) at',
    ],
  },
  {
    ...one,
    key: 'phone-number',
    cue: 'phone|mobile|cell|call me',
    aliases: ['{my} (?:phone|mobile|cell)(?: phone)?(?: number)?{is}', 'call me (?:on|at)(?= \\+?\\d)'],
  },
  { ...one, key: 'mail-address', cue: 'mail|write to me', aliases: ['{my} e?-?mail(?: address)?{is}', 'write to me at(?= \\S+@)'] },
  {
    ...one,
    key: 'time-zone',
    cue: 'time ?zone',
    aliases: ['{my} time ?zone{is}', '{i} in the {value} time ?zone', '{use} {value} as {the}time ?zone', '{topic}time ?zone:'],
  },
  {
    ...one,
    key: 'employer',
    cue: 'employer|work|joined|started',
    aliases: ['{my} employer{is}', '{i} works? (?:for|at) {place}', '{i} (?:joined|started (?:at|with)) {place}'],
  },
  {
    ...one,
    key: 'role',
    cue: 'role|job|position|works? as|promoted| (?:an?|the|our|my) |lead|head|took over|tak(?:e|es|ing) over',
    aliases: [
      '{my} (?:role|job|job title|position){is}',
      '{i} works? as (?:an?|the)',
      '(?:was|were|been|got) promoted to',
      `{i} (?:the|an?|our|my) (?:(?!old|former|ex-)[\\p{L}-]+ ){0,3}(?!sister|brother|mother|father|daughter|partner|stranger|member|other|customer|number)(?:\\p{L}{3,}(?:er|or|ist|eer|ian)|accountant|assistant|nurse|intern|boss|head|lead|chief|ceo|cto|representative) (?:at|of|for|in)`,
      '{i} (?:leads?|heads?|took over|takes? over|taking over)(?= )',
    ],
    subjects: ['entity'],
    kinds: ['relationship', 'semantic'],
  },
  {
    ...one,
    key: 'occupation',
    cue: 'role|job|position|works? as|promoted',
    subjects: ['user'],
    aliases: ['{my} (?:role|job|job title|position){is}', '{i} works? as (?:an?|the)', '{i} (?:was |got )?promoted to'],
  },
  {
    ...one,
    key: 'channel',
    cue: 'reach|contact|message|ping|text|update|news|status',
    kinds: ['relationship', 'preference', 'semantic', 'decision'],
    subjects: ['entity'],
    allows: ['denial'],
    aliases: [
      '(?:is |are )?(?:best )?(?:reached|contacted)(?: only)? (?:in|on|by|via|through|over)',
      '(?:reach|contact|message|ping|text) (?:him|her|them|(?-i:\\p{Lu})\\p{L}+(?: (?-i:\\p{Lu})\\p{L}+)?) (?:in|on|by|via|through|over)',
      '(?:expects?|wants?|prefers?|likes?|gets?) (?:{my} |all |the )?(?:[\\p{L}]+ )?(?:updates?|news|messages|status) (?:in|on|by|via|through|over|as)',
    ],
  },
  {
    ...one,
    key: 'working-hours',
    cue: 'work',
    aliases: [
      '{my} (?:working|office|work) hours{is}',
      '{i} works? from {time} (?:to|until|till) {time}',
      '{i} (?:starts?|begins?) work(?:ing)? at {time}',
    ],
  },
  {
    ...one,
    key: 'working-days',
    cue: 'work|day off',
    aliases: ['{my} working days{is}', '{i} works? (?:only )?(?:on )?{day}(?:,| to| and| through)', '{my} day off{is}'],
  },
  {
    ...one,
    key: 'meeting-hours',
    cue: 'call|meeting|nothing before',
    allows: ['denial'],
    aliases: [
      'no (?:calls|meetings|calls or meetings|meetings or calls) before {time}',
      '(?:calls|meetings) (?:are |is )?(?:fine|ok|okay|possible|allowed)?(?: only)? ?(?:from|after) {time}',
      'nothing before {time}',
      '{topic}(?:meetings|calls): {time}',
    ],
  },
  {
    ...one,
    key: 'teaching-days',
    cue: 'teach|lecture|lesson|class',
    allows: ['denial'],
    aliases: ['{i} (?:teach|teaches|lecture|lectures)(?: only)?(?: on)? {day}', '{the}(?:lectures|lessons|classes){is}(?: on)? {day}'],
  },
  {
    ...one,
    key: 'answer-language',
    cue: 'answer|repl|respond|talk|speak|write|language',
    ...answers,
    aliases: [
      '(?:answer|reply|respond|talk|speak|write)(?: to me| back)? in (?-i:\\p{Lu}\\p{Ll}{3,})',
      '{my} (?:answers|replies)(?:{is})? in (?-i:\\p{Lu}\\p{Ll}{3,})',
      'speak (?-i:\\p{Lu}\\p{Ll}{3,}) (?:to|with) me',
      '{topic}language:',
    ],
  },
  {
    ...one,
    key: 'answer-tone',
    cue: 'tone|be |sound',
    ...answers,
    aliases: [
      '(?:the|your|my) tone(?: of (?:answers|replies))?{is}',
      'keep (?:the|your) tone',
      '(?:be|sound) (?:more |less )?(?:formal|informal|casual|friendly|blunt|direct|polite|neutral)',
      '(?:formal|informal|casual|friendly|blunt|direct|polite|neutral) tone',
      '{topic}tone:',
    ],
  },
  {
    ...one,
    key: 'answer-length',
    cue: 'answer|repl|response|keep it',
    ...answers,
    aliases: [
      '(?:short|shorter|brief|long|longer|detailed|concise) (?:answers|replies|responses)',
      'keep (?:answers|replies|responses|it) (?:short|brief|concise)',
      '(?:answers|replies|responses)(?: (?:of|should have|have|are))? (?:at most|no more than|up to) {number}',
    ],
    allows: ['denial'],
  },
  {
    ...one,
    key: 'sign-off',
    cue: 'sign',
    ...answers,
    aliases: [
      '(?:e?-?mails|letters|messages) (?:are|get|should be) signed',
      'sign (?:(?:my |the |all )?(?:e?-?mails|letters|messages) )?(?:as|with|just)',
      '{my} (?:mail |e-?mail )?signature{is}',
      '{topic}signature:',
    ],
  },
  {
    ...one,
    key: 'spelling',
    cue: 'spelling',
    ...answers,
    aliases: ['{use} {value} spelling', '(?:{my} )?spelling{is}', '{my} (?-i:\\p{Lu}\\p{Ll}{3,}) {use} {value} spelling'],
  },
  {
    ...one,
    key: 'date-format',
    cue: 'date',
    ...answers,
    aliases: [
      '{the}date format{is}',
      'dates (?:are|should be|must be|get) (?:written|shown|formatted|given)(?: (?:in|as) {value})?',
      '(?:write|put|format|show|give) (?:all |the )?dates(?:(?: (?:in|as|like))? (?!in){value})',
      '{topic}dates:',
    ],
  },
  {
    ...one,
    key: 'time-format',
    cue: 'hour|[24]h|[24] h|time format',
    ...answers,
    aliases: ['(?:24|12|twenty-four|twelve)[- ]?(?:hours?|h) (?:clock|times?|format|notation)', '{the}time format{is}'],
  },
  {
    ...one,
    key: 'units',
    cue: 'metric|imperial|kilomet|miles|celsius|fahrenheit',
    ...answers,
    aliases: ['(?:metric|imperial)(?: units| system| measures)?', '{use} (?:kilometres|kilometers|miles|celsius|fahrenheit)'],
  },
  {
    ...one,
    key: 'currency',
    cue: 'currency|price|amount|cost|total',
    ...answers,
    aliases: [
      '{the}currency{is}',
      '(?:prices|amounts|costs|totals) (?:are |should be )?(?:shown |given |written )?in (?:euros?|dollars?|pounds?|francs?|yen|\\p{Lu}{3})',
    ],
  },
]

export const lifeSlots: readonly Slot[] = [
  {
    ...many,
    key: 'diet',
    cue: 'eat|veg|pescatarian|gluten|lactose',
    allows: ['denial'],
    aliases: [
      "(?:don't|doesn't|does not|do not|never) eats?",
      '(?:vegetarian|vegan|pescatarian|gluten-free|lactose[- ]intolerant)',
      '(?:eats?|eating) (?:only|no|a lot of)',
    ],
  },
  { ...many, key: 'allergy', cue: 'allerg', allows: ['denial', 'time', 'place'], aliases: ['allergic to', '{my} allerg(?:y|ies)'] },
  {
    ...many,
    key: 'goal',
    cue: 'goal|aim|target|resolution|want|hope|plan',
    allows: ['time', 'denial'],
    aliases: [
      '{my} (?:\\p{L}+ )?(?:goals?|aim|target|resolution){is}',
      '{i} (?:wants?|hopes?|plans?|aims?) to (?:learn|become|finish|run|write|save|lose|build)',
    ],
  },
  { ...many, key: 'hobby', cue: 'hobb|play|collect', aliases: ['{my} hobb(?:y|ies)', '{i} (?:plays?|collects?)'] },
  {
    ...many,
    key: 'family',
    cue: 'wife|husband|partner|friend|son|daughter|child|kids|sister|brother|mother|father|parents',
    aliases: [
      '{my} (?:wife|husband|partner|girlfriend|boyfriend|son|daughter|child|children|kids|sister|brother|mother|father|parents)',
      '(?:is|are) {my} (?:wife|husband|partner|son|daughter|sister|brother|mother|father)',
    ],
  },
  {
    ...many,
    key: 'pet',
    cue: 'cat|dog|rabbit|parrot|hamster|horse',
    aliases: [
      '{i} (?:has|have|got)? ?(?:an? |two |three )(?:cat|dog|rabbit|parrot|hamster|horse)s?',
      '{my} (?:cat|dog|rabbit|parrot|hamster|horse)',
    ],
  },
  { ...many, key: 'dislike', cue: "hate|dislike|can't stand", allows: ['denial'], aliases: ['{i} (?:hates?|dislikes?)', "can't stand"] },
  {
    ...one,
    key: 'travel-mode',
    cue: 'by (?:train|plane|car|bus|bike|bicycle|ferry|tram)|use',
    aliases: [
      '{i} (?:travels?|commutes?|goes to work|go to work|gets? around) by (?:train|plane|car|bus|bike|bicycle|ferry|tram)',
      '{use} the (?:train|car|bus|bike|tram) to (?:commute|travel|get around|get to work)',
    ],
  },
  { ...one, key: 'seat', cue: 'seat', aliases: ['{i} {use} (?:an? |the )?(?:\\p{L}+ )?seat', '{my} seat{is}'] },
  {
    ...one,
    key: 'hourly-rate',
    cue: 'rate|charge',
    allows: ['time'],
    aliases: [
      '{my} (?:hourly |daily |day )?rate{is}',
      '{i} charges? {number}',
      '(?:putting|put|raise|raising|set|setting) {my} (?:hourly |daily |day )?rate(?: up| down)?',
      '{topic}rate:',
    ],
  },
  {
    ...one,
    key: 'payment-terms',
    cue: 'payment|invoices',
    aliases: ['{the}payment terms{is}', 'invoices are (?:payable|due) (?:in|within)'],
  },
  {
    ...one,
    key: 'payment-method',
    cue: 'pay',
    aliases: [
      '{i} pays? (?:\\p{L}+ )?(?:by|with|in) (?:card|transfer|cash|cheque|check|direct debit|invoice|credit card|debit card)',
      '{the}payment method{is}',
    ],
  },
]
