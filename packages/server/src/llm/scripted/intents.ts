// The plain requests that the scripted model understands. The table is its documentation: a test tries the examples of each intent.
import type { IntentValues, Part } from './arguments.ts'
import type { Clause } from './wording.ts'

export interface Intent {
  readonly name: IntentName
  /** Possible names of the tool, most likely first; a longer name may end in one of these after `__`. */
  readonly tools: readonly string[]
  readonly examples: readonly Example[]
  /** Named groups are the values of the call; the first pattern that matches is used. */
  readonly patterns: readonly RegExp[]
  /** Defaults for what the pattern does not contain. */
  readonly otherwise?: IntentValues
  /** Each of "a, b and c" becomes its own call. */
  readonly each?: Part
  /** Before the call, and above its result. */
  announce(wanted: IntentValues): string
  report(wanted: IntentValues): string
}

type IntentName = (typeof intents)[number]['name']
type Example = readonly [request: string, wanted: IntentValues, ...more: IntentValues[]]

export interface RecognizedIntent {
  readonly intent: Intent
  readonly calls: readonly IntentValues[]
}

const file = '(?<path>[\\w./~\\\\-]*[\\w~]\\.?[\\w./~\\\\-]*|\\uE000\\d+\\uE001)'
const files = '(?<path>\\S+(?:(?:\\s*,\\s*|\\s+and\\s+)\\S+)*)'
const place = `(?: (?:in|under|of|inside|within|from)(?: the)?(?: folder| directory)? ${file}(?: (?:folder|directory))?)`
const end = '[.!?]*$'
const like = (text: string) => new RegExp(`^${text}${end}`, 'is')

export const intents = [
  {
    name: 'todo_list',
    tools: ['todo__list', 'list_todos', 'todo_list'],
    examples: [
      ['list my todos', {}],
      ['What is on my todo list?', {}],
      ['show the to-dos', {}],
    ],
    patterns: [
      like("(?:list|show|read|what(?:'s| is| are)(?: on)?)(?: me)?(?: all)?(?: my| the)?(?: open)? to-?dos?(?: items)?(?: list)?"),
    ],
    announce: () => 'I will look at the todo list.',
    report: () => 'This is the todo list:',
  },
  {
    name: 'todo_complete',
    tools: ['todo__complete', 'complete_todo'],
    examples: [
      ['complete todo 3', { id: '3' }],
      ['mark todo "t-1" as done', { id: 't-1' }],
    ],
    patterns: [like('(?:complete|finish|close|check off|mark)(?: the)? to-?do (?<id>\\S+)(?: as (?:done|complete|completed|finished))?')],
    announce: ({ id }) => `I will mark todo ${id} as done.`,
    report: ({ id }) => `Todo ${id} is marked as done:`,
  },
  {
    name: 'todo_create',
    tools: ['todo__create', 'create_todo', 'todo_write', 'add_todo'],
    examples: [
      ['Add a todo: water the plants', { title: 'water the plants' }],
      ['todo buy milk', { title: 'buy milk' }],
      ['remind me to call Mara.', { title: 'call Mara' }],
      ['put "write tests" on my todo list', { title: 'write tests' }],
    ],
    patterns: [
      like(
        '(?:add|create|make|write down)(?: me)?(?: a| an| one)?(?: new)? to-?do(?: item)?(?: to|:| for| that says| called)? *(?<title>.+)',
      ),
      like('(?:add|put) (?<title>.+?) (?:to|on)(?: my| the) to-?do list'),
      like('(?:remind me to|to-?do:?) (?<title>.+)'),
    ],
    announce: ({ title }) => `I will add “${title}” to the todo list.`,
    report: ({ title }) => `“${title}” is on the todo list:`,
  },
  {
    name: 'ask',
    tools: ['ask_user', 'ask__user', 'ask_question', 'ask_user_question'],
    examples: [
      ['ask me a question', { question: 'What would you like me to do next?' }],
      ['Ask me which colour I like', { question: 'Which colour do you like?' }],
      ['ask me "Tea or coffee?"', { question: 'Tea or coffee?' }],
    ],
    patterns: [like('ask me(?: a question| something| anything)'), like('ask me(?: a question)?(?: about|:)? *(?<question>.+)')],
    otherwise: { question: 'What would you like me to do next?' },
    announce: () => 'I have a question for you.',
    report: () => 'Thank you. Your answer was:',
  },
  {
    name: 'edit',
    tools: ['fs__edit', 'edit_file', 'str_replace', 'replace_in_file', 'edit'],
    examples: [
      ['replace "red" with "blue" in colors.txt', { before: 'red', after: 'blue', path: 'colors.txt' }],
      ['In notes/a.md change old to new', { before: 'old', after: 'new', path: 'notes/a.md' }],
      ['edit the file x.txt: replace a with b', { before: 'a', after: 'b', path: 'x.txt' }],
    ],
    patterns: [
      like(`(?:replace|change|rename|edit) (?<before>.+?) (?:with|to|into|by) (?<after>.+) in(?: the)?(?: file)? ${file}`),
      like(`(?:in|edit)(?: the)?(?: file)? ${file}[,:]? (?:and )?(?:replace|change) (?<before>.+?) (?:with|to|into|by) (?<after>.+?)`),
    ],
    announce: ({ path, before, after }) => `I will replace “${before}” with “${after}” in ${path}.`,
    report: ({ path }) => `I changed ${path}:`,
  },
  {
    name: 'write',
    tools: ['fs__write', 'write_file', 'create_file', 'write', 'write_text_file'],
    examples: [
      ['write "Hello, then goodbye." to hello.txt', { content: 'Hello, then goodbye.', path: 'hello.txt' }],
      ['Create a file notes/today.md with the content buy milk', { content: 'buy milk', path: 'notes/today.md' }],
      ['create a.txt containing `x = 1`', { content: 'x = 1', path: 'a.txt' }],
      ['save the text good morning in greeting.txt', { content: 'good morning', path: 'greeting.txt' }],
      ['write this to b.txt: hello world', { content: 'hello world', path: 'b.txt' }],
      ['make an empty file called list.txt', { content: '', path: 'list.txt' }],
    ],
    patterns: [
      like(
        `(?:write|save|put) (?:this|the following)(?: text)? (?:to|into|in|as)(?: a| the)?(?: new)?(?: file)?(?: called| named)? ${file}:? (?<content>.+)`,
      ),
      like(
        `(?:write|save|put)(?: the)?(?: text| words| line)? (?<content>.+) (?:to|into|in|as|under)(?: a| the)?(?: new)?(?: file)?(?: called| named)? ${file}`,
      ),
      like(
        `(?:write|create|make|save)(?: me)?(?: a| the| an)?(?: new)?(?: text)?(?: file)?(?: called| named)? ${file},? (?:with|containing|that (?:says|contains)|saying)(?: the)?(?: content| contents| text| words)?:? *(?<content>.+)`,
      ),
      like(`(?:create|make)(?: me)?(?: a| an| the)?(?: new)?(?: empty)? file(?: called| named)? ${file}`),
    ],
    otherwise: { content: '' },
    announce: ({ path }) => `I will write ${path}.`,
    report: ({ path }) => `I wrote ${path}:`,
  },
  {
    name: 'web_search',
    tools: ['web__search', 'web_search', 'search_web'],
    examples: [['search the web for tandem bicycles', { query: 'tandem bicycles' }]],
    patterns: [
      like('(?:search|look)(?: on)? (?:the web|the internet|online)(?: for)? (?<query>.+)'),
      like('(?:google|web search) (?<query>.+)'),
    ],
    announce: ({ query }) => `I will search the web for “${query}”.`,
    report: ({ query }) => `These are the search results for “${query}”:`,
  },
  {
    name: 'run',
    tools: ['shell__exec', 'run_command', 'bash', 'shell', 'exec', 'run_terminal_cmd', 'execute_command'],
    examples: [
      ['run ls -la', { command: 'ls -la' }],
      ['Run the command `git status; git log`', { command: 'git status; git log' }],
      ['please execute npm test', { command: 'npm test' }],
      ['$ date', { command: 'date' }],
    ],
    patterns: [
      like('(?:run|execute|exec)(?: the)?(?: shell)?(?: command| script)?:? *(?<command>.+?)(?: in the shell)?'),
      like('\\$ *(?<command>.+)'),
    ],
    announce: ({ command }) => `I will run \`${command}\`.`,
    report: ({ command }) => `I ran \`${command}\`:`,
  },
  {
    name: 'search',
    tools: ['fs__search', 'search_files', 'grep', 'grep_search', 'search', 'file_search'],
    examples: [
      ['search for TODO in src', { query: 'TODO', path: 'src' }],
      ['find "let us go" in the files', { query: 'let us go' }],
      ['grep createServer', { query: 'createServer' }],
      ['Where is openMeter used?', { query: 'openMeter' }],
    ],
    patterns: [
      like('(?:search|find|grep|look)(?: for)? (?<query>.+?) in (?:all )?(?:the |my )?(?:files|project|code|workspace|folder)'),
      like(`(?:search|grep|look)(?: for)?(?: the word| the text)? (?<query>.+?)${place}`),
      like(`find(?: the word| the text)? (?<query>.+?)${place}`),
      like('where (?:is|are) (?<query>.+?) (?:used|defined|mentioned|called)'),
      like('(?:search(?: for)?|grep|find|look for)(?: the word| the text)? (?<query>.+)'),
    ],
    announce: ({ query }) => `I will search the files for “${query}”.`,
    report: ({ query }) => `This is where “${query}” was found:`,
  },
  {
    name: 'list',
    tools: ['fs__list', 'list_files', 'list_directory', 'list_dir', 'ls'],
    examples: [
      ['list the files', { path: '.' }],
      ['What files are here?', { path: '.' }],
      ['Show me the files in the folder src/llm.', { path: 'src/llm' }],
      ['list docs', { path: 'docs' }],
      ['ls', { path: '.' }],
    ],
    patterns: [
      like(
        `(?:list|show|which|what)(?: me)?(?: all)?(?: of)?(?: the| my)? ?(?:files|folder|directory|contents of the folder)(?: and (?:folders|directories))?(?: are| is)?(?: there| here)?${place}?(?: here)?`,
      ),
      like(`what is${place}`),
      like(`(?:list|ls)(?: the)?(?: folder| directory)? ${file}`),
      like('(?:list|ls|dir)(?: this folder)?'),
    ],
    otherwise: { path: '.' },
    announce: ({ path }) => (path === '.' ? 'I will list the files here.' : `I will list the files in ${path}.`),
    report: ({ path }) => (path === '.' ? 'These are the files here:' : `These are the files in ${path}:`),
  },
  {
    name: 'read',
    tools: ['fs__read', 'read_file', 'read_text_file', 'view_file', 'cat', 'read'],
    examples: [
      ['read README.md', { path: 'README.md' }],
      ['Show me the contents of src/a.ts', { path: 'src/a.ts' }],
      ['what does "my notes.txt" say?', { path: 'my notes.txt' }],
      ['open the files a.txt, b.txt and c.txt', { path: 'a.txt' }, { path: 'b.txt' }, { path: 'c.txt' }],
    ],
    patterns: [
      like(`(?:read|open|cat|show|print|display)(?: me)?(?: what is in)?(?: the)?(?: contents?(?: of)?)?(?: the)?(?: files?)? ${files}`),
      like("what(?:'s| is) in(?: the)?(?: file)? (?<path>\\S+)"),
      like('what does(?: the)?(?: file)? (?<path>\\S+) (?:say|contain|hold)'),
    ],
    each: 'path',
    announce: ({ path }) => `I will read ${path}.`,
    report: ({ path }) => `This is in ${path}:`,
  },
  {
    name: 'time',
    tools: ['time__now', 'get_time', 'current_time', 'now'],
    examples: [['what time is it?', {}]],
    patterns: [like("(?:what time is it|what(?:'s| is) the (?:time|date)|what day is it)(?: now| today)?")],
    announce: () => 'I will look at the clock.',
    report: () => 'The current time is:',
  },
] as const satisfies readonly (Omit<Intent, 'name'> & { name: string })[]

/** The intent of a clause; undefined if none matches. */
export function recognizeIntent(clause: Clause): RecognizedIntent | undefined {
  for (const intent of intents as readonly Intent[]) {
    for (const pattern of intent.patterns) {
      const match = pattern.exec(clause.text)
      if (match) return { intent, calls: callsOf(intent, match.groups ?? {}, clause) }
    }
  }
  return undefined
}

function callsOf(intent: Intent, groups: Record<string, string | undefined>, clause: Clause): IntentValues[] {
  const said = Object.entries(groups).filter(([, piece]) => piece !== undefined)
  const whole: IntentValues = { ...intent.otherwise, ...Object.fromEntries(said.map(([part, piece]) => [part, clause.plain(piece)])) }
  const { each } = intent
  if (intent.name === 'ask' && groups.question !== undefined) return [{ question: asQuestion(whole.question ?? '') }]
  if (each === undefined) return [whole]
  const pieces = (groups[each] ?? '').split(/\s*,\s*(?:and\s+)?|\s+and\s+/).filter((piece) => piece !== '')
  return pieces.map((piece) => ({ ...whole, [each]: clause.plain(piece) }))
}

/** "which colour I like" becomes "Which colour do you like?"; a question is unchanged. */
function asQuestion(text: string): string {
  if (/\?$/.test(text) || text.includes(' or ')) return text
  const turned = text
    .replace(/\bI (?=[a-z])/, 'do you ')
    .replace(/\bdo you am\b/, 'are you')
    .replace(/\bmy\b/g, 'your')
  return `${turned.charAt(0).toUpperCase()}${turned.slice(1)}?`
}
