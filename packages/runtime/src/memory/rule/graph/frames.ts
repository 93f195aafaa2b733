// The words that turn two mentions into an edge. Data only.
import type { RelationshipEdgeKind, RelationshipEntityKind } from '@tandem/contract/memory'

/** The kinds of entities at the ends of each kind of edge. */
export const edgeEnds = {
  expects_update_via: { subject: ['stakeholder', 'workflow'], object: ['channel'] },
  operates_on: { subject: ['stakeholder', 'workflow'], object: ['resource', 'workflow'] },
  protects: { subject: ['stakeholder', 'constraint'], object: ['resource'] },
  shapes_output_for: { subject: ['preference', 'constraint'], object: ['stakeholder', 'workflow'] },
} as const satisfies Record<
  RelationshipEdgeKind,
  { readonly subject: readonly RelationshipEntityKind[]; readonly object: readonly RelationshipEntityKind[] }
>

export interface VerbFrame {
  readonly edge_kind: 'operates_on' | 'protects'
  /** Between the stakeholder and the object. */
  readonly verbs: RegExp
  readonly subject_role: string
  readonly object_role: string
}

/** A person, a verb, a thing: "Ana maintains the billing service". */
export const verbFrames: readonly VerbFrame[] = [
  {
    edge_kind: 'protects',
    verbs: /\b(?:guards?|protects?|safeguards?|secures?|watch(?:es)? over)\b/gi,
    subject_role: 'guardian',
    object_role: 'guarded',
  },
  { edge_kind: 'protects', verbs: /\b(?:owns|is the owner of)\b|\b(?:I|we|they) own\b/gi, subject_role: 'owner', object_role: 'owned' },
  {
    edge_kind: 'protects',
    verbs: /\b(?:signs? off(?: on)?|approves?|has to approve|must approve|has the last word on)\b/gi,
    subject_role: 'approver',
    object_role: 'approved',
  },
  {
    edge_kind: 'operates_on',
    verbs:
      /\b(?:maintains?|administers?|manages?|coordinates?|looks? after|takes? care of|responsible for|in charge of|leads?|runs?|operates?)\b/gi,
    subject_role: 'maintainer',
    object_role: 'maintained',
  },
  {
    edge_kind: 'operates_on',
    verbs: /\b(?:reviews?|checks?|reads?|proofreads?|audits?)\b/gi,
    subject_role: 'reviewer',
    object_role: 'reviewed',
  },
  {
    edge_kind: 'operates_on',
    verbs:
      /\b(?:writes?|edits?|updates?|fills? in|builds?|makes?|creates?|prepares?|draws?|does|do|handles?|works? on|uploads?|imports?|exports?|deploys?|migrates?)\b/gi,
    subject_role: 'author',
    object_role: 'edited',
  },
  { edge_kind: 'operates_on', verbs: /\b(?:uses?|works? with|opens?|looks? at)\b/gi, subject_role: 'user', object_role: 'used' },
]

/** Words of a sentence about how a person or a workflow is reached. */
export const contactWords =
  /\b(?:wants?|expects?|prefers?|needs?|likes?|reads?|checks?|looks? at|lives? (?:in|on)|reach(?:ed|able)?|contact(?:ed)?|tell|told|hears?|messages?|ping|e-?mails?|mails?|write|calls?|phone|ring|get|gets|got|updates?|informs?|notif(?:y|ied)|sends?|sent|posts?|answers?|repl(?:y|ies)|goes?|go|announced?|reports?|person|moved to|switched to|uses?|comments?|by|via|through)\b/i

/** A channel, a resource or a verb after one of these in the same clause is denied. */
export const denials =
  /\b(?:not|never|no|none|nor|cannot|without|left|leaving|quits?|stopped|stops|no longer|no more|instead of|rather than|avoids?|hates?|dislikes?|ignores?)\b|n['’]t\b/i
/** A channel before one of these in the same clause is denied. */
export const laterDenials =
  /^[^,;.]*\b(?:vanish(?:es)?|gets? lost|goes? unread|is ignored|are ignored|is gone|is dead|is out|no longer|any ?more)\b/i

/** Words that forbid or require. */
export const deontics =
  /\b(?:must|must(?:n['’]t| not| never)|never|may not|has to|have to|needs? to|only|not allowed|forbidden|don['’]t|do not|nothing|no one|nobody)\b/i

/** How often or when something happens. */
export const rhythms =
  /\b(?:every|each) (?:other )?(?:\p{L}+day|morning|afternoon|evening|night|day|week|weekday|month|quarter|year|release|change)(?: (?:at|before|by) [\p{N}:]+(?: ?[ap]m)?)?|\b(?:daily|weekly|monthly|quarterly|yearly|hourly|immediately|right away)\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:only )?(?:before|after|by) (?:the \d{1,2}(?:st|nd|rd|th)|(?:\d[\d:]*|noon|six|seven|eight|nine|ten)(?: ?[ap]m)?(?: in the (?:morning|afternoon|evening))?|\p{L}+day)/iu
