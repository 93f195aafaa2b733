// What options mean whose usage does not explain them, for `--help`.

/** The same in every command. */
const shared: Readonly<Record<string, string>> = {
  '--json': 'print JSON for programs, one object per line',
  '--limit': 'list at most this many',
  '--agent': 'the agent, by its name or id',
  '--reason': 'why; it is recorded, and the agent can read it',
  '--conversation': 'the conversation, by its id',
  '--workspace': 'the folder; the default is the current one',
  '--sandbox': 'trusted, workspace or strict; the default is that of the agent',
  '--yes': 'do not ask',
}

const own: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  runs: { '--state': 'only runs in this state', '--workflow': 'the events of this workflow run' },
  models: { '--test': 'test the connection instead' },
  team: { '--tokens': 'this many tokens more', '--turns': 'this many turns more', '--minutes': 'this many minutes more' },
  policy: {
    '--enabled': 'whether the agent can use the tool at all',
    '--approval-mode': 'when a call needs your approval',
    '--rate-limit': 'at most this many calls in this many seconds',
    '--time-limit': 'a call is ended after this many seconds',
    '--no-network': 'the tool may access no hosts',
  },
  mcp: {
    '--directory': 'the folder in which the program runs',
    '--name': 'the name that is shown',
    '--approval-mode': 'when a call of its tools needs your approval',
    '--no-reconnect': 'do not start it again after it ended',
    '--reconnect': 'start it again after it ended',
    '--url': 'the address of the server',
    '--header': 'the name of a header that requests to it have',
    '--query': 'the name of a field in the query of its address',
    '--only': 'only this server of the file',
    '--all-agents': 'all agents use it again',
    '--all-tools': 'all its tools are used again',
  },
  memory: {
    '--kind': 'the kind of memory',
    '--state': 'only memories in this state',
    '--words': 'only memories that contain these words',
    '--wrong': 'what is wrong',
    '--right': 'what is right instead',
    '--expires': 'the date from which it is no longer used',
  },
  learning: { '--verdict': 'only runs that went like this', '--state': 'only those in this state' },
  evolution: { '--state': 'only those in this state', '--kind': 'only those of this kind' },
  kb: { '--name': 'the name of the source', '--source': 'only this source', '--everyone': 'all agents can find it' },
  workflows: {
    '--as-json': 'print JSON instead of YAML',
    '--state': 'only runs in this state',
    '--timeout': 'wait at most this many seconds',
    '--node': 'the node, by its id',
    '--outcome': 'what the node counts as',
  },
  login: { '--email': 'the email address of the account' },
  tasks: { '--device': 'the device that runs it', '--description': 'details of the task' },
}

export function optionText(command: string, option: string): string | null {
  return own[command]?.[option] ?? shared[option] ?? null
}

const optionWord = /--[a-z][a-z-]*[a-z]/g
const usageLine = /^(?:usage:)?\s*tandem /

/** The options of the usage lines that no other line mentions, in order. */
export function unexplainedOptions(printed: string): readonly string[] {
  const lines = printed.split('\n')
  const wordsOf = (text: string) => new Set(text.match(optionWord) ?? [])
  const explained = wordsOf(lines.filter((line) => !usageLine.test(line)).join('\n'))
  return [...wordsOf(lines.filter((line) => usageLine.test(line)).join('\n'))].filter((option) => !explained.has(option))
}
