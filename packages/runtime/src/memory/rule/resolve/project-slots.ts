// Slots that exist per thing: the deadline of a project, the place of the receipts, who does what.
import type { Slot } from './slots.ts'

const kinds = ['semantic', 'preference', 'decision', 'relationship', 'procedural'] as const
const one = { kinds, subjects: ['user', 'workspace', 'agent', 'entity'], holds: 'one' } as const

/** What programs need a library or a service for. */
const concerns =
  'validation|search|logging|monitoring|routing|styling|caching|queues?|queries|maps?|icons|translations?|analytics|tracing|payments|mail delivery|state management|error tracking|migrations|background jobs|image processing|notifications|slides|diagrams|mock-?ups|note-?taking|time tracking|bookkeeping|backups|invoicing|video calls|task tracking|project management'
/** What is filed somewhere. */
const paperNouns =
  'backups?|receipts?|documents?|files|photos?|pictures|notes|logs?|invoices?|reports?|scans?|recordings?|contracts?|slides|drafts?|exports?|datasets?|minutes'
const papers = `(?:[\\p{L}-]+ )?(?:${paperNouns})`
const homeNouns =
  'floors?|walls?|roof|ceilings?|doors?|windows?|worktop|countertop|stairs|fence|kitchen top|hallway|facade|shutters?|fronts'
const home = `(?:[\\p{L}-]+ )?(?:${homeNouns})`
const reports = 'summar(?:y|ies)|reports?|digests?|briefings?|newsletters?|updates?|reminders?|overviews?'
const meetings = '(?:[\\p{L}-]+ )?(?:meeting|stand-?up|sync|retro|retrospective|one-on-one|check-in|seminar|office hours|call)'

export const projectSlots: readonly Slot[] = [
  {
    ...one,
    key: 'deadline',
    cue: 'deadline|due|hand-in|submission|delivery|handover',
    allows: ['time'],
    aliases: [
      '{the}{thing} deadline{is}',
      '{the}deadline (?:for|of) {the}{thing}{is}',
      '{the}{thing} (?:is|are) (?:now )?due(?: on| by)? {date}',
      '{the}(?<thing>(?:[\\p{L}-]+ ){0,2}(?:hand-in|submission|delivery|handover))(?: date)?{is}(?: on| by)? ?{date}',
      '{the}(?<thing>(?:[\\p{L}-]+ ){0,2}(?:hand-in|submission|delivery|handover)) moves? to {date}',
    ],
  },
  {
    ...one,
    key: 'opening',
    cue: 'open|launch|start|live|release',
    allows: ['time'],
    aliases: [
      '{the}{thing} (?:opens|launches|starts|goes live)(?: to the public)? on {date}',
      '{the}(?:opening|launch|start) of {the}{thing}{is}(?: on)? {date}',
      '{the}{thing} (?:opening|launch|release){is}(?: on)? {date}',
    ],
  },
  {
    ...one,
    key: 'meeting',
    cue: 'meeting|stand|sync|retro|one-on-one|check-in|seminar|office hours|call',
    aliases: [
      `{the}(?<thing>${meetings})(?:{is}| happens| takes place)(?: on| at| every)? (?:{day}|{time})`,
      `(?:have|has|hold|holds) {the}(?<thing>${meetings}) (?:on|every) {day}`,
    ],
  },
  {
    ...one,
    key: 'budget',
    cue: 'budget|money',
    allows: ['time'],
    aliases: ['{the}(?<thing>[\\p{L}-]+) budget{is}', '{the}budget (?:for|of) {the}{thing}{is}', '(?<thing>[\\p{L}-]+) money{is} {number}'],
  },
  {
    ...one,
    key: 'price',
    cue: 'price|cost|fee',
    allows: ['time'],
    aliases: ['{the}(?:price|cost|fee) (?:of|for) {the}{thing}{is}', '{the}(?<thing>[\\p{L}-]+) (?:price|fee){is}'],
  },
  {
    ...one,
    key: 'version',
    cue: 'version|production|ci |the server|the app',
    aliases: [
      '{the}(?<thing>[\\p{L}.]+) version{is}',
      '(?:production|ci|the server|the app) (?:runs|is on|uses) (?<thing>(?-i:\\p{Lu})[\\p{L}.]+) \\d',
    ],
  },
  {
    ...one,
    key: 'storage',
    cue: paperNouns,
    aliases: [
      `{the}(?<thing>${papers})(?: for {value})? (?:go|goes|are stored|is stored|are kept|is kept|are saved|is saved|live|lives|belong|belongs|are filed) (?:in|into|on|under|at)`,
      `(?:save|store|keep|put|file) {the}(?<thing>${papers}) (?:in|into|on|under|at)`,
    ],
  },
  {
    ...one,
    key: 'file-naming',
    cue: paperNouns,
    aliases: [`{the}(?<thing>${papers}) (?:are|is|get|should be|must be) (?:named|called)`, `name {the}(?<thing>${papers})`],
  },
  {
    ...one,
    key: 'format',
    cue: `${paperNouns}|${reports}`,
    aliases: [
      `(?:send|write|give|make|format|export|deliver)(?: me)? {the}(?<thing>${papers}|${reports}) (?:as|in)(?= )`,
      `{the}(?<thing>${papers}|${reports}) (?:format{is}|(?:are|is|should be|must be|come|comes) (?:a |an |in |as )+(?:pdfs?|tables?|markdown|csv|html|bullet points|prose|plain text|spreadsheets?|slides|word|docx))`,
    ],
  },
  {
    ...one,
    key: 'report-time',
    cue: 'summar|report|digest|briefing|newsletter|update|reminder|overview',
    allows: ['time'],
    aliases: [
      `(?:(?:daily|morning|every) )?(?<thing>(?:weekly |monthly |evening )?(?:${reports}))(?: of [\\p{L} ]+?)?(?: (?:comes|goes out|is sent|is due|arrives|is))?(?: every \\p{L}+| each \\p{L}+| daily)? at {time}`,
      `(?:bring|move|shift) {the}(?:daily |morning )?(?<thing>(?:weekly |monthly |evening )?(?:${reports}))(?: forward| back)?(?: to|,) {time}`,
    ],
  },
  {
    ...one,
    key: 'tool',
    cue: concerns,
    aliases: [
      `{the}(?<thing>${concerns})(?: (?:on|in|of|for) (?:[\\p{L}-]+ ){0,2}?[\\p{L}-]+)?(?:{is}| uses?| goes through| go through| runs on| is done with| are done with| {made})(?= (?-i:\\p{Lu})| [\\p{L}\\p{N}]+\\.?$)`,
      `(?:for|as) (?<thing>${concerns})(?:,)? {i} {use}`,
      `{use} {value} for (?<thing>${concerns})`,
      `(?<thing>${concerns}) {made}`,
    ],
  },
  {
    ...one,
    key: 'responsible',
    cue: 'responsible|charge|care|handles',
    subjects: ['user', 'workspace'],
    aliases: [
      '(?:responsible for|in charge of) {the}{thing} is',
      '(?-i:\\p{Lu})\\p{L}+(?: (?-i:\\p{Lu})\\p{L}+)? (?:is responsible for|is in charge of|takes care of|handles) {the}(?<thing>[^,.;]{3,40})(?=\\.?$)',
    ],
  },
  {
    ...one,
    key: 'team-size',
    cue: 'work',
    kinds: ['semantic', 'preference', 'decision'],
    aliases: ['(?<thing>[\\p{L}-]+) works? in (?:pairs|threes|groups of|teams of)'],
  },
  {
    ...one,
    key: 'color',
    cue: 'paint',
    aliases: [`{the}(?<thing>${home}) (?:will be |is |are |gets? |is going to be )?painted`, `paint {the}(?<thing>${home})`],
  },
  {
    ...one,
    key: 'material',
    cue: homeNouns,
    kinds: ['decision', 'semantic', 'preference'],
    aliases: [
      `{the}(?<thing>${home}) (?:will be|is going to be|are going to be)(?: made)?(?: of| in| from)? (?!\\p{L}+(?:ed|ing|en)(?!\\p{L}))\\p{L}+`,
    ],
  },
  {
    ...one,
    key: 'procedure',
    cue: ':|,|process|procedure|checklist|routine',
    kinds: ['procedural'],
    allows: ['denial', 'time', 'condition'],
    isGeneral: true,
    aliases: [
      '^(?<thing>(?!when|before|after|if)[\\p{L}-]+(?: [\\p{L}-]+){0,2})(?<!process|procedure|checklist|routine):(?= )',
      '^to (?<thing>[\\p{L}-]+(?: [\\p{L}-]+){0,2})[,:]',
      '^(?<thing>[\\p{L}-]+(?: [\\p{L}-]+)?) (?:process|procedure|checklist|routine){is}',
    ],
  },
]
