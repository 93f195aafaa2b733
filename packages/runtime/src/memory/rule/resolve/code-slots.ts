// Slots about writing software: tools, style, habits of a repository.
import type { Slot } from './slots.ts'

const kinds = ['semantic', 'preference', 'decision', 'procedural'] as const
const one = { kinds, subjects: ['user', 'workspace', 'agent'], holds: 'one' } as const
const many = { ...one, holds: 'many' } as const

export const codeSlots: readonly Slot[] = [
  {
    ...one,
    key: 'editor',
    cue: 'editor',
    aliases: [
      '{my} (?:code |text )?editor{is}',
      '{use} {value} as (?:my |an? |the |{my} )?(?:code |text )?editor',
      '{value} is {my} (?:code |text )?editor',
      '{topic}editor:',
    ],
  },
  {
    ...one,
    key: 'shell',
    cue: 'shell|command',
    aliases: [
      '{my} shell{is}',
      '(?:commands|command lines)(?: to \\p{L}+)? (?:are|should be|must be|go)(?: written)? (?:in|for)',
      '{use} {value} as (?:my |the )?shell',
      'commands in {value} syntax',
      '{topic}shell:',
    ],
  },
  {
    ...one,
    key: 'terminal',
    cue: 'terminal',
    aliases: ['{my} terminal(?: emulator)?{is}', '{use} {value} as (?:my |the )?terminal', '{topic}terminal:'],
  },
  {
    ...one,
    key: 'operating-system',
    cue: 'os(?![a-z])|operating|runs',
    aliases: [
      '{my} (?:os|operating system){is}',
      '{use} {value} as (?:my |the )?(?:os|operating system)',
      '{my} (?:laptop|computer|machine|server|desktop) runs(?: on)?',
    ],
  },
  {
    ...one,
    key: 'computer',
    cue: 'laptop|computer|machine|workstation|desktop|notebook',
    aliases: [
      '{my} (?:laptop|computer|machine|workstation){is}',
      '{i} works? on (?:an? |the )?(?:{value} )?(?:laptop|desktop|notebook|workstation)',
      '{i} (?:bought|got) an? (?:new )?(?:{value} )?(?:laptop|desktop|notebook|workstation)',
    ],
  },
  { ...one, key: 'browser', cue: 'browser', aliases: ['{my} browser{is}', '{use} {value} as (?:my |the )?browser'] },
  {
    ...one,
    key: 'package-manager',
    cue: 'package|dependenc|everything',
    aliases: [
      '{the}package manager{is}',
      '{use} {value} as (?:my |the |our )?package manager',
      '(?:install|add) (?:packages|dependencies|everything) (?:with|using|through)',
      'for packages(?:,)? {i} {use}',
      '{topic}package manager:',
    ],
  },
  {
    ...one,
    key: 'test-runner',
    cue: 'test',
    aliases: [
      '{the}test(?:ing)? (?:runner|framework){is}',
      '(?:new |all |our |the )?tests(?: in (?:the |this )?(?:[\\p{L}-]+ ){0,2}[\\p{L}-]+)? {made}',
      '(?:new |all |our |the )?tests(?: here| in (?:the |this )?(?:[\\p{L}-]+ ){0,2}[\\p{L}-]+)? (?:use|run on|run with|run in) (?:(?-i:\\p{Lu})[\\p{L}\\p{N}.-]*|[\\p{L}\\p{N}]+[:.][\\p{L}\\p{N}]+|\\p{L}*test\\p{L}*)',
      '(?:write|run) (?:new |all |the |our )?tests (?:with|in|using)',
      'new tests in (?-i:\\p{Lu})[\\p{L}\\p{N}.-]*',
      '{topic}tests:',
    ],
  },
  {
    ...one,
    key: 'linter',
    cue: 'lint',
    aliases: [
      '{the}linter{is}',
      'lint(?:ing|ed)?(?: \\p{L}+)?(?: is done)? (?:with|using)',
      '{use} {value} as (?:my |the |our )?linter',
      '{topic}linter:',
    ],
  },
  {
    ...one,
    key: 'formatter',
    cue: 'format',
    aliases: [
      '{the}(?:code )?formatter{is}',
      '(?:format|formatted|formatting)(?: code| files| everything)? (?:with|using)',
      '{use} {value} as (?:my |the |our )?(?:code )?formatter',
      '{topic}formatter:',
    ],
  },
  {
    ...one,
    key: 'indentation',
    cue: 'indent|per level',
    aliases: [
      '{the}indentation{is}',
      'indent(?:s|ed)?(?: \\p{L}+)? (?:with|by|using)',
      '(?:{number}[- ]spaces?|tabs) (?:for indentation|to indent|indentation|per level)',
      '{topic}indentation:',
    ],
  },
  {
    ...one,
    key: 'quote-style',
    cue: 'quotes',
    aliases: [
      '{use} (?:single|double) quotes',
      '(?:single|double) quotes (?:everywhere|in code|for strings|only|always)',
      'strings (?:are|use|get|go)(?: in)? (?:single|double) quotes',
    ],
  },
  {
    ...one,
    key: 'semicolons',
    cue: 'semicolon',
    allows: ['denial'],
    aliases: [
      '(?:leaves?|leaving|drops?|omits?) (?:out )?semicolons',
      '(?:use|uses|wants?|prefers?|write|add|back to|no|without|with) semicolons',
      'semicolons (?:everywhere|always|stay|are)',
      '{topic}semicolons:',
    ],
  },
  {
    ...one,
    key: 'trailing-commas',
    cue: 'trailing',
    allows: ['denial'],
    aliases: ['(?:use|uses|wants?|prefers?|write|add|no|without|with) trailing commas', 'trailing commas (?:everywhere|always|stay|are)'],
  },
  {
    ...one,
    key: 'line-length',
    cue: 'line|wrap|break',
    aliases: [
      '{the}(?:maximum |max )?line (?:length|width){is}',
      '(?:wrap|break)(?: lines| code| text)? (?:at|after) {number}',
      'lines (?:are|have|of|should be|should have)? ?(?:at most|up to|no longer than|under) {number}',
    ],
    allows: ['denial'],
  },
  { ...many, key: 'naming-style', cue: 'case|naming', aliases: ['(?:camel|snake|kebab|pascal)[- _]?case', '{the}naming convention{is}'] },
  {
    ...one,
    key: 'comment-language',
    cue: 'comments',
    aliases: [
      '(?:code )?comments (?:are |should be |must be )?(?:written )?in (?-i:\\p{Lu}\\p{Ll}{3,})',
      '(?:write|put) (?:code )?comments in (?-i:\\p{Lu}\\p{Ll}{3,})',
    ],
  },
  {
    ...one,
    key: 'commit-style',
    cue: 'commit',
    aliases: [
      'commits(?: here| in this repo| in this repository)? (?:follow|use)',
      'commit messages?(?: style)?{is}',
      '(?:write|phrase|format|start) commit messages',
      'commits:',
    ],
  },
  {
    ...one,
    key: 'branch-naming',
    cue: 'branch',
    aliases: [
      'branch(?:es)?(?: names)? (?:are|is|get|should be|must be) (?:named|called|prefixed)',
      'name (?:all |the |my |our |new )?branches',
      'branch names?{is}',
      'branch names? (?:start|begin|follow)s?',
    ],
  },
  {
    ...one,
    key: 'default-branch',
    cue: 'branch|by default',
    aliases: ['{the}(?:default|main|primary|release) branch{is}', '(?:branch off|merge into|work on) {value} by default'],
  },
  {
    ...one,
    key: 'merge-method',
    cue: 'merg',
    aliases: [
      '(?:squash|rebase)(?: and |-)merge',
      '(?:merge|merging|merged) (?:pull requests|prs|branches|everything) (?:by|with|using)',
      '{the}merge (?:method|strategy){is}',
    ],
  },
  {
    ...one,
    key: 'review-rule',
    cue: 'pull request|prs|merge|changes|approval|reviewer',
    aliases: [
      '(?:pull requests|prs|merges|changes|merge requests) (?:need|needs|require|requires|must have) {number}',
      '(?:pull requests|prs) (?:are|get|must be) reviewed by',
      '{number} (?:approvals?|reviewers?) (?:per|for each|for every|on each|on every) (?:pull request|pr|change|merge)',
    ],
  },
  {
    ...one,
    key: 'deployment-day',
    cue: 'deploy|release|ship',
    aliases: [
      '(?:deploy|deploys|release|releases|ship|ships)(?: only)? (?:on|every) {day}',
      '{the}(?:deployment|release|deploy) days?{is}',
      'deployments? (?:happen|go out|take place|are)(?: only)? (?:on|every) {day}',
    ],
  },
  {
    ...one,
    key: 'database',
    cue: 'database|stored',
    aliases: [
      '{the}database{is}',
      '{use} {value} as (?:my |the |our |a )?database',
      '(?:data|everything|records) (?:is|are) stored in (?-i:\\p{Lu})\\w+',
      '{topic}database:',
    ],
  },
  {
    ...one,
    key: 'framework',
    cue: 'framework|app|site|frontend|backend',
    aliases: [
      '{the}(?:web |ui |frontend |front-end |backend )?framework{is}',
      '{use} {value} as (?:the |our |a )?(?:web |ui |frontend |front-end |backend )?framework',
      '(?:app|site|application|website|frontend|backend) is (?:built|made|written) (?:with|on|in)',
      '{topic}framework:',
    ],
  },
  {
    ...one,
    key: 'programming-language',
    cue: 'language|scripts|code|services|programs|tools',
    aliases: [
      '{my} (?:programming )?language{is}',
      '(?:write|writes)(?: \\p{L}+){0,2} (?:scripts|code|services|programs|tools) in',
      '(?:scripts|code|services|programs|tools) (?:are|is|should be|must be) (?:written )?in (?-i:\\p{Lu})[\\p{L}\\p{N}]*',
    ],
  },
  {
    ...one,
    key: 'plotting-library',
    cue: 'plot|chart|figures|graphs|draw',
    aliases: [
      '{the}(?:plotting|charting) (?:library|tool){is}',
      '(?:plots|charts|figures|graphs)(?: \\p{L}+)? ?{made}',
      '(?:plot|draw)(?: \\p{L}+)? (?:with|using)',
      '{use} {value} for (?:plots|charts|figures|plotting|graphs)',
    ],
  },
  {
    ...one,
    key: 'hosting',
    cue: 'host|runs|deployed|lives|cloud',
    aliases: [
      '(?:app|site|application|website|service|server|production|it) (?:is hosted|runs|is deployed|lives) (?:on|at|with) (?-i:\\p{Lu})[\\p{L}\\p{N}]*',
      '{the}(?:hosting|host|hosting provider|cloud provider){is}',
    ],
  },
  {
    ...one,
    key: 'ci-system',
    cue: 'ci|build server|pipeline',
    aliases: [
      'ci (?:runs|is)(?: on| in| with)? (?-i:\\p{Lu})[\\p{L}\\p{N}]*',
      '{the}(?:ci|build server|ci system|pipeline){is}',
      '{use} {value} (?:for|as) (?:the |our )?ci',
    ],
  },
  {
    ...one,
    key: 'login-method',
    cue: 'log|sign|authentication',
    aliases: [
      '(?:logs?|signs?) in (?:with|by|via|through|using)',
      '(?:login|log-in|sign-in|authentication)(?: method)?{is}',
      '(?:login|authentication) (?:works|goes|happens|is done) (?:with|by|via|through)',
    ],
  },
]
