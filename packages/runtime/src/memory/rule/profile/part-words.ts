// Which words of a memory about the user belong to which part of the user model. Data only.
import type { SignalName } from '@tandem/contract/memory'

export type ProfilePart =
  | 'habit_profile'
  | 'goal_profile'
  | 'persona_profile'
  | 'communication_profile'
  | 'cadence_profile'
  | 'risk_profile'

export interface PartRow {
  readonly part: ProfilePart
  /** The name of the signal, if the memory fills no slot. */
  readonly name: SignalName
  readonly words: RegExp
  /** A sentence with this row's words, for its test. */
  readonly example: string
}

export const partRows: readonly PartRow[] = [
  {
    part: 'habit_profile',
    name: 'regular',
    words: /\b(?:every|each) (?:other )?(?:\p{L}+day|morning|afternoon|evening|night|day|week|weekday|weekend|month|quarter|year|time)\b/iu,
    example: 'I water the plants every Sunday.',
  },
  {
    part: 'habit_profile',
    name: 'usual',
    words: /\b(?:usually|normally|typically|generally|mostly|as a rule|tend to|habit|routine|ritual)\b/i,
    example: 'I usually start with the tests.',
  },
  {
    part: 'habit_profile',
    name: 'always',
    words: /\b(?:i|user) (?:\p{L}+ )?always\b|\balways (?:\p{L}+ )?(?:first|before|after)\b/iu,
    example: 'I always take the train.',
  },
  { part: 'habit_profile', name: 'never', words: /\b(?:i|user) never\b/i, example: 'I never work from cafés.' },
  {
    part: 'habit_profile',
    name: 'tool',
    words:
      /\b(?:i|we|user) (?:use|uses|work with|works with|work on|works on|write|writes) (?:\p{L}+ ){0,4}(?:everywhere|for everything|day to day|daily|only)\b/iu,
    example: 'I use fountain pens for everything.',
  },
  {
    part: 'goal_profile',
    name: 'goal',
    words: /\b(?:goals?|aim(?:s|ing)?|objective|ambition|target|working towards?|dream)\b/i,
    example: 'My goal is a first book.',
  },
  {
    part: 'goal_profile',
    name: 'plan',
    words:
      /\b(?:plan(?:s|ning)? (?:to|on)|hop(?:e|es|ing) to|intend(?:s)? to|want(?:s)? to (?:learn|become|finish|launch|build|move|open|start|run|write|get|reach|save|buy|sell|publish))\b/i,
    example: 'I want to learn Finnish.',
  },
  {
    part: 'goal_profile',
    name: 'deadline',
    words: /\b(?:by the end of|in time for|deadline|due (?:on|by)|launch(?:es)? (?:on|in))\b/i,
    example: 'The thesis is due on 3 June.',
  },
  {
    part: 'persona_profile',
    name: 'role',
    words:
      /\b(?:i['’]m|i am|user is|works? as|working as|by profession|trained as) (?:\p{L}+[ -]){0,4}(?:developer|engineer|designer|teacher|lecturer|student|manager|founder|writer|editor|nurse|doctor|lawyer|architect|researcher|scientist|analyst|consultant|artist|musician|accountant|translator|freelancer?|journalist|chef|parent|retired|director|administrator|programmer|librarian|historian|photographer)\b/iu,
    example: "I'm a freelance translator.",
  },
  {
    part: 'persona_profile',
    name: 'work',
    words:
      /\bi (?:work|teach|study|lecture|run|own) (?:\p{L}+ )?(?:at|for|in|a|an|the)\b|\bmy (?:job|company|employer|team|students|clients?|customers?|business)\b/iu,
    example: 'I teach at an evening school.',
  },
  {
    part: 'persona_profile',
    name: 'home',
    words: /\b(?:i live|i['’]m based|i am based|i['’]m from|i come from|i moved|i rent|my (?:flat|house|apartment|home|city))\b/i,
    example: 'I live near the harbour.',
  },
  {
    part: 'persona_profile',
    name: 'person',
    words:
      /\bmy (?:name|pronouns|birthday|age|partner|wife|husband|sister|brother|son|daughter|children|kids|mother|father|cat|dog)\b|\bcall me\b/i,
    example: 'My pronouns are they and them.',
  },
  {
    part: 'persona_profile',
    name: 'body',
    words: /\b(?:allergic|allergy|vegetarian|vegan|diabetic|colou?r-?blind|i (?:do not|don['’]t) eat|left-handed)\b/i,
    example: 'I am allergic to peanuts.',
  },
  {
    part: 'communication_profile',
    name: 'length',
    words:
      /\b(?:short|brief|concise|terse|long|detailed|verbose|at most|no more than|one|two|three|ten) (?:\p{L}+ )?(?:answers?|repl(?:y|ies)|sentences?|paragraphs?|lines?|bullets?|words|summar(?:y|ies)|drafts?)\b/iu,
    example: 'Short answers, please.',
  },
  {
    part: 'communication_profile',
    name: 'tone',
    words:
      /\b(?:tone|polite|formal(?:ly)?|informal|friendly|direct|blunt|casual|small talk|apolog(?:y|ies|ise|ize)|flattery|praise|jokes?|cheerful)\b/i,
    example: 'Keep a formal tone with customers.',
  },
  {
    part: 'communication_profile',
    name: 'language',
    words:
      /\bin (?:\p{L}+ )?(?:English|French|German|Spanish|Portuguese|Italian|Dutch|Polish|Swedish|Danish|Finnish|Norwegian|Greek|Turkish|Russian|Ukrainian|Arabic|Hebrew|Hindi|Chinese|Japanese|Korean)\b|\b(?:spelling|language)\b/iu,
    example: 'Write to me in Swedish.',
  },
  {
    part: 'communication_profile',
    name: 'form',
    words:
      /\b(?:emojis?|exclamation marks?|bullet points?|bullets|tables?|headings?|markdown|prose|signed?|signature|greetings?|sign off|dates? (?:are |is )?written|spelled|capital letters)\b/i,
    example: 'No emoji anywhere.',
  },
  {
    part: 'communication_profile',
    name: 'order',
    words: /\b(?:answer|result|conclusion|diff|code|summary|number|figure|price)s? (?:comes? )?first\b/i,
    example: 'I want the conclusion first.',
  },
  {
    part: 'cadence_profile',
    name: 'hours',
    words:
      /\b(?:working hours|office hours|(?:before|after|until|from|at) (?:\d{1,2}(?::\d{2})?(?: ?[ap]m)?|noon|six|seven|eight|nine|ten|eleven)\b)/i,
    example: 'No calls before ten.',
  },
  {
    part: 'cadence_profile',
    name: 'days',
    words:
      /\b(?:weekends?|weekdays?|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:mornings?|afternoons?|evenings?)|days? off)\b/i,
    example: 'I do not work at weekends.',
  },
  { part: 'cadence_profile', name: 'time zone', words: /\b(?:time ?zone|UTC|GMT|CET|EST|PST)\b/, example: 'My time zone is CET.' },
  {
    part: 'risk_profile',
    name: 'approval',
    words:
      /\b(?:ask(?:ing)?(?: me)? first|without (?:asking|my (?:ok|okay|approval|permission))|show (?:it |them |me )*(?:to me )?(?:first|before)|waits? for my|my (?:ok|okay|approval)|check with me|confirm with me)\b/i,
    example: 'No new dependency without asking me.',
  },
  {
    part: 'risk_profile',
    name: 'forbidden',
    words:
      /\b(?:never|do not|don['’]t|must not|mustn['’]t|not allowed to) (?:ever )?(?:delete|remove|overwrite|deploy|push|force-push|merge|publish|send|pay|buy|book|run|touch|drop|reset|share|upload|mention|migrate|sign)\b/i,
    example: 'Never push to the main branch.',
  },
  {
    part: 'risk_profile',
    name: 'caution',
    words: /\b(?:back ?ups?|dry run|careful|cautious|risk(?:y|s)?|safe(?:ty)?|double-check|reversible|undo|test it first|staging first)\b/i,
    example: 'Make a backup before each change.',
  },
  {
    part: 'risk_profile',
    name: 'private',
    words: /\b(?:confidential|private|secret|not to be mentioned|nobody (?:else )?(?:may|should) know|NDA|under embargo)\b/i,
    example: 'The merger is confidential.',
  },
]
