// Examples for `--help`, by command. Each one can be typed as it is.
import { optionText, unexplainedOptions } from './option-texts.ts'

const examples: Readonly<Record<string, readonly (readonly [command: string, explanation: string])[]>> = {
  start: [['tandem start', 'Open the window']],
  chat: [
    ['tandem', 'Talk to an agent about the current folder'],
    ['tandem chat --continue', 'Continue the newest conversation of this folder'],
  ],
  run: [
    ['tandem run "find out why the tests fail, and fix it"', 'In the current folder'],
    ['git diff | tandem run "review this change"', 'What is piped is attached'],
    ['tandem run --continue "and now update the changelog"', 'Continue the newest conversation of this folder'],
    ['tandem run --output-schema format.json -o result.json "list the exported functions"', 'JSON for other programs'],
  ],
  conversations: [
    ['tandem conversations invoice', 'Those that contain a word'],
    ['tandem conversations pin ID', 'Keep one at the top of the list'],
    ['tandem conversations delete ID', 'Delete one; it can be restored for 24 hours'],
  ],
  'import-conversations': [['tandem import-conversations ~/Downloads/export.zip', 'All conversations of an export']],
  'install-desktop': [['tandem install-desktop', 'An entry in the start menu of Linux']],
  runs: [['tandem runs --state paused', 'Runs that wait for you']],
  models: [
    ['tandem models gpt', 'Those with a word in their name'],
    ['tandem models --test', 'Whether the address responds and accepts the key'],
  ],
  usage: [
    ['tandem usage', 'The current month, by model'],
    ['tandem usage 2026-11 --format csv', 'A month, for a spreadsheet'],
  ],
  resume: [['tandem resume last --answer once', 'Allow what the newest paused run asks for']],
  team: [['tandem team RUN --follow', 'Watch the members of a team']],
  changes: [
    ['tandem changes', 'What the newest conversation changed'],
    ['tandem changes last --diff', 'With the changed lines'],
  ],
  checkpoints: [['tandem checkpoints last', 'Recovery points of the newest run']],
  restore: [['tandem restore last CHECKPOINT --preview', 'Show what a restore would change']],
  agents: [['tandem agents create Scribe --instructions "Answer in rhymes."', 'Create an agent']],
  policy: [['tandem policy rules', 'What "always" allows']],
  mcp: [['tandem mcp add files -- npx -y @modelcontextprotocol/server-filesystem .', 'Add a server that runs on this device']],
  skills: [['tandem skills bind forms --agent Scribe', 'Assign a skill']],
  memory: [['tandem memory search "which editor do I use"', 'Search what agents remember']],
  learning: [['tandem learning patterns', 'Failures that recur']],
  evolution: [['tandem evolution gaps --kind skill_gap', 'What you repeat, and no skill covers']],
  kb: [['tandem kb add ~/notes', 'Add a folder of documents']],
  workflows: [['tandem workflows start report --input month=May', 'Start a workflow and follow it']],
  executors: [['tandem executors test build-machine', 'Check whether an executor can be used']],
  login: [['tandem login https://cloud.example.org --email you@example.org', 'Sign in; the password is asked for']],
  logout: [['tandem logout', 'Sign out, and keep the data']],
  account: [['tandem account', 'Show the account of this device']],
  keys: [['tandem keys', 'List the API keys']],
  sync: [['tandem sync now', 'Synchronize immediately']],
  devices: [['tandem devices rename laptop "Work laptop"', 'Rename a device']],
  tasks: [['tandem tasks', 'Tasks for this device']],
  config: [
    ['tandem config set default_model gpt-5', 'The model of this device'],
    ['tandem config set model_key < key.txt', 'Its key, which is never shown'],
    ['tandem config set sandbox strict', 'A default of the terminal'],
  ],
  completion: [['source <(tandem completion bash)', 'In bash, for this session']],
  command: [['tandem command runtime_status', 'The state of the runtime, as JSON']],
  server: [['tandem server', 'Start only the server']],
  executor: [['tandem executor', 'Let your other devices run commands here']],
  'renew-epoch': [['tandem renew-epoch', 'After the database was restored from a backup']],
  names: [['tandem names tools', 'The tools of agents']],
}

/** Below the usage of a command. `printed` is that usage. */
export function helpEnd(command: string, printed: string): string {
  const own = examples[command] ?? []
  const width = Math.max(0, ...own.map(([line]) => line.length))
  const options = unexplainedOptions(printed).flatMap((option) => {
    const text = optionText(command, option)
    return text === null ? [] : [`  ${option.padEnd(18)}${text}`]
  })
  return [
    ...(options.length > 0 ? ['', 'Options:', ...options] : []),
    ...(own.length > 0 ? ['', 'Examples:', ...own.map(([line, text]) => `  ${line.padEnd(width)}   # ${text}`)] : []),
  ].join('\n')
}
